import type { ProjectId } from '#base/ids.ts'
import { foldText } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import { orderReleases } from '#model/release-order.ts'
import { commitBeginning } from '#model/release-rules.ts'
import type {
  Commit,
  Release,
  ReleaseAuthor,
  ReleasedCommit,
  ReleaseFilter,
  ReleaseIssues,
  ReleaseOfProject,
  ReleaseRevision,
  ReleasesRead,
} from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import { groupsOf, issueView } from '../rows/issue-view.ts'
import type { ReleaseRow, Tables } from '../tables.ts'
import { byNewest, joined, partsOf, releasedAt } from './release-rows.ts'
import { suspectsAmong } from './suspects-among.ts'

export function releasesRead(of: Tables): ReleasesRead {
  const one = (scope: ReadScope, version: string) =>
    visible(of, scope, null).find((each) => each.version === version)
  const commits = (scope: ReadScope, versions: readonly string[]) =>
    versions.flatMap((version) => {
      const release = one(scope, version)
      return release?.commits.map((commit) => releasedCommit(of, release, commit)) ?? []
    })
  return {
    releases: async (scope, filter, { offset, limit }) => {
      const found = filtered(of, scope, filter)
      const rows = found.slice(offset, offset + limit).map((each) => releaseView(of, scope, each))
      return { rows, total: found.length }
    },
    release: async (scope, version) => {
      const found = one(scope, version)
      return found === undefined ? null : releaseView(of, scope, found)
    },
    releaseTimes: async (scope, projects) => visible(of, scope, projects).map(releasedAt),
    releasesOfProjects: async (scope, projects) => ofProjects(of, scope, projects),
    commits: async (scope, version) => commits(scope, [version]),
    suspects: async (scope, { versions, files }) => suspectsAmong(commits(scope, versions), files),
    revision: async (scope, version) => {
      const found = one(scope, version)
      return found === undefined ? null : revisionOf(found)
    },
    releaseEnvironments: async (scope, limit) => {
      const readable = readableIn(of, scope)
      const names = visible(of, scope, null).flatMap((each) => [...environmentNames(of, each, readable)])
      return [...new Set(names)].sort().slice(0, limit)
    },
    deploys: async (scope, version) => one(scope, version)?.deploys ?? [],
    releaseIssueCounts: async (scope, version, untilMs) => {
      const issues = issuesIn(of, readableIn(of, scope))
      const back = of.activities.where(
        ({ kind, detail, atMs }) => kind === 'regressed' && detail.release === version && atMs < untilMs,
      )
      return {
        begun: issues.filter((one) => one.firstRelease === version && one.firstSeenMs < untilMs).length,
        regressed: issues.filter(({ id }) => back.some(({ issueId }) => issueId === id)).length,
      }
    },
    releaseIssues: async (scope, version, limit) => issuesOf(of, scope, { version, limit }),
  }
}

function readableIn(of: Tables, { orgId, projects }: ReadScope): readonly ProjectId[] {
  return projects.filter((id) => of.projects.get(id)?.orgId === orgId)
}

/** Newest first. */
function visible(of: Tables, scope: ReadScope, projects: readonly ProjectId[] | null): readonly ReleaseRow[] {
  const all = readableIn(of, scope)
  const readable = all.filter((id) => projects?.includes(id) ?? true)
  const versions = new Set(
    of.releases.where(({ orgId }) => orgId === scope.orgId).map((each) => each.version),
  )
  return [...versions]
    .flatMap((version) => {
      const [first, ...more] = partsOf(of, { orgId: scope.orgId, readable: all, version })
      return first === undefined ? [] : [joined([first, ...more])]
    })
    .filter((each) => readable.some((id) => each.projects.has(id)))
    .sort(byNewest)
}

function ofProjects(
  of: Tables,
  scope: ReadScope,
  projects: readonly ProjectId[] | null,
): readonly ReleaseOfProject[] {
  const readable = readableIn(of, scope)
    .filter((id) => projects?.includes(id) ?? true)
    .sort((a, b) => a - b)
  return visible(of, scope, projects).flatMap((row) =>
    readable.flatMap((projectId) => {
      const seen = row.projects.get(projectId)
      return seen === undefined
        ? []
        : [{ ...releasedAt(row), projectId, eventCount: seen.eventCount, recent: seen.recent }]
    }),
  )
}

function filtered(of: Tables, scope: ReadScope, filter: ReleaseFilter): readonly ReleaseRow[] {
  const { projects, status, text, environments, sort } = filter
  const commit = commitBeginning(text)
  const readable = readableIn(of, scope).filter((id) => projects?.includes(id) ?? true)
  const found = visible(of, scope, projects).filter(
    (each) =>
      (status === null || each.status === status) &&
      (foldText(each.version).includes(foldText(text)) ||
        each.commits.some(({ id }) => commit !== null && id.startsWith(commit))) &&
      (environments.length === 0 ||
        environments.some((name) => environmentNames(of, each, readable).has(name))),
  )
  if (sort === 'date') return found
  if (sort === 'semver')
    return orderReleases(
      found.map((row) => {
        const place = Math.min(...readable.filter((id) => row.projects.has(id)))
        return { row, ...releasedAt(row), place }
      }),
    ).map(({ row }) => row)
  const weight = (row: ReleaseRow) =>
    sort === 'new'
      ? issuesIn(of, readable).filter(({ firstRelease }) => firstRelease === row.version).length
      : [...row.projects].reduce((sum, [id, seen]) => sum + (readable.includes(id) ? seen.eventCount : 0), 0)
  return [...found].sort((a, b) => weight(b) - weight(a))
}

function environmentNames(of: Tables, row: ReleaseRow, readable: readonly ProjectId[]): ReadonlySet<string> {
  const seen = [...row.environments].flatMap(([id, counts]) =>
    readable.includes(id) ? [...counts.keys()] : [],
  )
  const inSessions = of.healthHours
    .where(({ projectId, release }) => readable.includes(projectId) && release === row.version)
    .map(({ environment }) => environment)
    .filter((name) => name !== '')
  return new Set([...row.deploys.map((deploy) => deploy.environment), ...seen, ...inSessions])
}

function revisionOf({ ref, commits }: ReleaseRow): ReleaseRevision {
  const heads = new Map<string | null, string>()
  for (const { repository, id } of commits) if (!heads.has(repository)) heads.set(repository, id)
  return { ref, heads: [...heads].map(([repository, commit]) => ({ repository, commit })) }
}

function releaseView(of: Tables, scope: ReadScope, row: ReleaseRow): Release {
  const { orgId: __, projects, commits, deploys, environments, ...facts } = row
  const readable = readableIn(of, scope)
  const shown = [...projects].flatMap(([projectId, seen]) => {
    const project = of.projects.get(projectId)
    if (project === undefined || !readable.includes(projectId)) return []
    const newIssues = issuesIn(of, [projectId]).filter(({ firstRelease }) => firstRelease === row.version)
    const { slug, name } = project
    const { recent: _, ...counted } = seen
    return [{ projectId, slug, name, ...counted, newIssues: newIssues.length }]
  })
  return {
    ...facts,
    projects: shown.sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    ...{ commitCount: commits.length, lastCommit: commits[0] ?? null },
    ...{ deployCount: deploys.length, lastDeploy: deploys[0] ?? null },
    regressedIssues: issuesOf(of, scope, { version: row.version }).regressed.length,
    resolvedIssues: issuesOf(of, scope, { version: row.version }).resolved.length,
    authors: authorsOf(of, row),
    environments: environmentSums(readable.flatMap((id) => [...(environments.get(id) ?? [])])),
  }
}

function environmentSums(counts: readonly (readonly [string, number])[]): Release['environments'] {
  const sums = new Map<string, number>()
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
  return [...sums]
    .map(([name, eventCount]) => ({ name, eventCount }))
    .sort((a, b) => b.eventCount - a.eventCount || (a.name < b.name ? -1 : 1))
}

function authorsOf(of: Tables, row: ReleaseRow): readonly ReleaseAuthor[] {
  const authors = new Map<string, ReleaseAuthor>()
  for (const commit of row.commits) {
    const { authorName: name, authorEmail: email } = commit
    const key = email === null ? name : foldText(email)
    if (key === null || authors.has(key)) continue
    authors.set(key, { name, email, member: releasedCommit(of, row, commit).member })
  }
  return [...authors.values()].slice(0, max('releaseAuthorsShownMax'))
}

export function releasedCommit(of: Tables, release: ReleaseRow, commit: Commit): ReleasedCommit {
  const isMember = (userId: number) =>
    of.memberships.find((each) => each.userId === userId && each.orgId === release.orgId) !== undefined
  const address = commit.authorEmail
  const user =
    address === null
      ? undefined
      : of.users.find(({ id, email }) => foldText(email) === foldText(address) && isMember(id))
  const member = user === undefined ? null : { userId: user.id, name: user.name, email: user.email }
  return { ...commit, release: release.version, member }
}

function issuesIn(of: Tables, projects: readonly ProjectId[]) {
  return of.issues
    .where(({ projectId }) => projects.includes(projectId))
    .map((issue) => issueView(of, issue, { groups: groupsOf(of, issue.id), newSinceMs: 0 }))
    .sort((a, b) => b.lastSeenMs - a.lastSeenMs || b.id - a.id)
}

function issuesOf(
  of: Tables,
  scope: ReadScope,
  { version, limit = Number.POSITIVE_INFINITY }: { readonly version: string; readonly limit?: number },
): ReleaseIssues {
  const issues = issuesIn(of, readableIn(of, scope))
  const ids = (isWanted: (issue: (typeof issues)[number]) => boolean) =>
    issues
      .filter(isWanted)
      .slice(0, limit)
      .map(({ id }) => id)
  const back = new Set(
    of.activities
      .where(({ kind, detail }) => kind === 'regressed' && detail.release === version)
      .map(({ issueId }) => issueId),
  )
  return {
    begun: ids(({ firstRelease }) => firstRelease === version),
    regressed: ids(({ id }) => back.has(id)),
    resolved: ids(({ resolvedIn }) => resolvedIn?.how === 'release' && resolvedIn.release === version),
  }
}
