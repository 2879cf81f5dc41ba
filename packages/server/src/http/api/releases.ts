/** Releases, below the organisation and below one project: tools of each generation call one or the other. */
import * as v from 'valibot'
import { DEPLOY as DEPLOY_BODY, RELEASE as RELEASE_BODY } from '#commands/releases.ts'
import { max } from '#limits/limits.ts'
import { RELEASE_SORTS, type Release } from '#ports/releases.ts'
import { ISSUE_SCHEMA } from './answers/issue.ts'
import {
  COMMIT,
  COMMIT_FILE,
  DEPLOY_SCHEMA,
  RELEASE_OR_NONE,
  RELEASE_SCHEMA,
  REPOSITORY,
} from './answers/release.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { cursorBehind, PAGE, pageAfterCursor, pageOf, readPage } from './pages.ts'
import { ENVIRONMENTS_PARAMETER, PROJECTS_PARAMETER } from './params.ts'
import { requireProject } from './projects.ts'
import { choice, choiceOrNone, words } from './query.ts'
import { badField, existing, grantedOrThrow } from './refusals.ts'
import { HEALTH, releaseHealthOf } from './release-health.ts'
import { issueShape } from './shape/issue.ts'
import { commitFileShape, commitShape, deployShape, releaseShape, repositoryShape } from './shape/release.ts'

const ALREADY_THERE = 208

const REPOSITORY_NAME = words('query', 'Name of a repository')
const QUERY = words('query', 'Part of the name, or the beginning of a commit')
const STATUS = choiceOrNone({ name: 'status', what: 'Both without', of: ['open', 'archived'] })
const SORT = choice({ name: 'sort', what: 'What comes first', of: RELEASE_SORTS, fallback: 'date' })

/** The address has the version. */
const RELEASE_CHANGE = v.omit(RELEASE_BODY, ['version'])

type Place = 'organizations/{org}' | 'projects/{org}/{project}'

const READS = { method: 'GET', permission: 'release.read' } as const
const WRITES = { permission: 'release.write' } as const

export const RELEASE_ROUTES: readonly ApiRoute[] = [
  ...routesBelow('organizations/{org}', 'of the organisation'),
  ...routesBelow('projects/{org}/{project}', 'of one project'),
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/repos/',
    permission: 'release.read',
    what: 'the repository that `query` names: commits are taken from any, and none needs connecting',
    query: [REPOSITORY_NAME, ...PAGE],
    answer: v.array(REPOSITORY),
    run: async ({ url, clock }) => {
      // Without a list to match, tools send the commits themselves, which say more than a name.
      const name = REPOSITORY_NAME.read(url).trim().slice(0, max('authorCharsMax'))
      const { rows, page } = pageOf(name === '' ? [] : [repositoryShape(name, clock.now())], readPage(url))
      return answerOk(rows, page)
    },
  }),
]

function routesBelow(place: Place, whose: string): readonly ApiRoute[] {
  const all = `/${place}/releases/`
  const one = `/${place}/releases/{version}/`
  // Commits come with the release they are of.
  const withCommits = { ...WRITES, bodyBytesMax: max('releaseBodyBytesMax') } as const
  return [
    {
      ...{
        ...READS,
        pattern: all,
        what: `releases ${whose}, newest first or as \`sort\` says`,
        run: listReleases,
      },
      query: [
        ...(place === 'organizations/{org}' ? [PROJECTS_PARAMETER] : []),
        ...[QUERY, STATUS, ENVIRONMENTS_PARAMETER, SORT, ...HEALTH, ...PAGE],
      ],
      answer: v.array(RELEASE_SCHEMA),
    },
    {
      ...{
        ...withCommits,
        method: 'POST',
        pattern: all,
        what: `makes a release ${whose}`,
        run: createRelease,
      },
      ...{ body: RELEASE_BODY, answer: RELEASE_SCHEMA },
    },
    {
      ...{ ...READS, pattern: one, what: `one release ${whose}`, query: HEALTH, answer: RELEASE_SCHEMA },
      run: async (call: OrgCall) => {
        const release = await requireRelease(call)
        const health = await releaseHealthOf(call, [release])
        return answerOk(releaseShape(release, health(release.version)))
      },
    },
    {
      ...withCommits,
      method: 'PUT',
      pattern: one,
      what: `changes a release ${whose}, sets its commits`,
      body: RELEASE_CHANGE,
      answer: RELEASE_SCHEMA,
      run: changeRelease,
    },
    {
      ...WRITES,
      method: 'DELETE',
      pattern: one,
      what: `deletes a release ${whose}, its artifacts too`,
      run: removeRelease,
    },
    ...routesOfOne(one),
  ]
}

/** Below the address of one release. */
function routesOfOne(one: string): readonly ApiRoute[] {
  return [
    {
      ...{ ...READS, pattern: `${one}commits/`, what: `its commits, newest first`, run: commits },
      ...{ query: PAGE, answer: v.array(COMMIT) },
    },
    {
      ...{
        ...READS,
        pattern: `${one}commitfiles/`,
        what: 'files that its commits touched',
        run: commitFiles,
      },
      ...{ query: PAGE, answer: v.array(COMMIT_FILE) },
    },
    {
      ...{ method: 'GET', pattern: `${one}resolved/`, permission: 'issue.read' },
      what: 'issues resolved in it, newest first',
      query: PAGE,
      answer: v.array(ISSUE_SCHEMA),
      run: listResolvedIssues,
    },
    {
      ...{ ...READS, pattern: `${one}deploys/`, what: `its deploys, newest first`, run: listDeploys },
      ...{ query: PAGE, answer: v.array(DEPLOY_SCHEMA) },
    },
    {
      ...{ ...WRITES, method: 'POST', pattern: `${one}deploys/`, what: `notes a deploy`, run: addDeploy },
      ...{ body: DEPLOY_BODY, answer: DEPLOY_SCHEMA },
    },
    {
      ...{
        ...READS,
        pattern: `${one}previous-with-commits/`,
        what: 'the newest earlier release with commits',
        answer: RELEASE_OR_NONE,
      },
      run: async (call: OrgCall) => {
        const release = await call.queries.releaseBefore(call.scope, (await requireRelease(call)).version)
        return answerOk(release === null ? {} : releaseShape(release))
      },
    },
  ]
}

async function listReleases(call: OrgCall) {
  const { url, scope, queries } = call
  const page = readPage(url)
  const asked = call.params.project === undefined ? PROJECTS_PARAMETER.read(url) : [call.params.project]
  const projects = await Promise.all(asked.map((ref) => queries.project(scope, ref)))
  const behind = pageAfterCursor(page)
  const filter = {
    projects: asked.length === 0 ? null : projects.map((each) => existing(each).id),
    status: STATUS.read(url),
    text: QUERY.read(url).trim(),
    environments: ENVIRONMENTS_PARAMETER.read(url),
    sort: SORT.read(url),
  }
  const found = await queries.releases(scope, filter, { ...behind, limit: page.limit })
  const { rows, total, offset, lastId } = found
  const health = await releaseHealthOf(call, rows)
  return answerOk(
    rows.map((release) => releaseShape(release, health(release.version))),
    {
      previous: offset === 0 ? null : `0:${Math.max(0, offset - page.limit)}:1`,
      next: offset + page.limit < total ? cursorBehind(offset + page.limit, lastId) : null,
      hits: total,
    },
  )
}

/** The release that the address names; below a project, one that the project has. */
async function requireRelease(call: OrgCall): Promise<Release> {
  const release = existing(await call.queries.release(call.scope, call.params.version ?? ''))
  if (call.params.project === undefined) return release
  const project = await requireProject(call)
  existing(release.projects.find(({ projectId }) => projectId === project.id))
  return release
}

async function projectsOfCall(call: OrgCall): Promise<readonly string[]> {
  return call.params.project === undefined ? [] : [String((await requireProject(call)).id)]
}

async function createRelease(call: OrgCall) {
  const projects = await projectsOfCall(call)
  const body = await call.json()
  const version = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined
  if (typeof version !== 'string') throw badField('version', 'This field is required.')
  const { isNew } = grantedOrThrow(
    await call.commands.run('createRelease', call, { version, projects, body }),
  )
  const shape = releaseShape(existing(await call.queries.release(call.scope, version)))
  return isNew ? answerCreated(shape) : { status: ALREADY_THERE, body: shape }
}

async function changeRelease(call: OrgCall) {
  const { version } = await requireRelease(call)
  const body = await call.json()
  grantedOrThrow(await call.commands.run('changeRelease', call, { version, projects: [], body }))
  return answerOk(releaseShape(await requireRelease(call)))
}

async function removeRelease(call: OrgCall) {
  const { version } = await requireRelease(call)
  grantedOrThrow(await call.commands.run('deleteRelease', call, version))
  return gone
}

async function commits(call: OrgCall) {
  const { version } = await requireRelease(call)
  const { rows, page } = pageOf(await call.queries.commits(call.scope, version), readPage(call.url))
  return answerOk(rows.map(commitShape), page)
}

async function commitFiles(call: OrgCall) {
  const { version } = await requireRelease(call)
  const all = (await call.queries.commits(call.scope, version)).flatMap((commit) =>
    commit.files.map((file) => ({ commit, file })),
  )
  const { rows, page } = pageOf(all, readPage(call.url))
  return answerOk(rows.map(commitFileShape), page)
}

/** Answers for the projects that the address names. */
async function listResolvedIssues(call: OrgCall) {
  const { version } = await requireRelease(call)
  const project = call.params.project === undefined ? null : await requireProject(call)
  const [issues, projects] = await Promise.all([
    call.queries.releaseResolved(call.scope, version),
    call.queries.projects(call.scope),
  ])
  const { rows, page } = pageOf(
    issues.filter(({ projectId }) => project === null || projectId === project.id),
    readPage(call.url),
  )
  const ids = rows.map(({ id }) => id)
  const [digests, marks] = await Promise.all([
    call.queries.issueDigests(call.scope, ids),
    call.queries.issueMarks(call.scope, ids),
  ])
  const shaped = rows.flatMap((issue) => {
    const of = projects.find(({ id }) => id === issue.projectId)
    const place = { url: call.publicAddress.url, organisation: call.scope.orgSlug, stats: null }
    const digest = digests.find(({ issueId }) => issueId === issue.id)?.digest ?? null
    const mark = marks.find(({ issueId }) => issueId === issue.id) ?? null
    return of === undefined ? [] : [issueShape(issue, { ...place, project: of, digest, mark })]
  })
  return answerOk(shaped, page)
}

async function listDeploys(call: OrgCall) {
  const { version } = await requireRelease(call)
  const { rows, page } = pageOf(await call.queries.deploys(call.scope, version), readPage(call.url))
  return answerOk(rows.map(deployShape), page)
}

async function addDeploy(call: OrgCall) {
  const { version } = await requireRelease(call)
  return answerCreated(
    deployShape(
      grantedOrThrow(await call.commands.run('addDeploy', call, { version, deploy: await call.json() })),
    ),
  )
}
