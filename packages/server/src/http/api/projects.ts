/** Projects and their keys. */

import * as v from 'valibot'
import { can, readScopes } from '#access/access.ts'
import type { TeamId } from '#base/ids.ts'
import { statedFields } from '#base/stated-fields.ts'
import { optionsChange } from '#commands/option-schemas.ts'
import type { Project, ProjectKey, ProjectSettings } from '#ports/projects.ts'
import { assignable } from '#queries/assignable.ts'
import {
  KEY_SCHEMA,
  LISTED_PROJECT,
  MEMBER,
  OWN_PROJECT,
  PROJECT,
  PROJECT_DETAIL,
} from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiCall, type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { isNamed, NAMED_PARAMETER } from './params.ts'
import { existing, grantedOrThrow } from './refusals.ts'
import {
  keyShape,
  memberShape,
  organisationShape,
  projectSettingsShape,
  projectShape,
} from './shape/organisation.ts'
import { answerVersioned, grantedAsSeen, seenBy } from './versions.ts'

const projectText = (what: string) => v.string(`${what} must be text.`)
/** The commands' own schemas have the rules; here only the names of the fields are decided. */
/** Schema that ignores unknown fields, as Sentry does. */
const NEW_PROJECT = v.object({
  name: projectText('The name'),
  slug: v.optional(v.nullable(projectText('The slug'))),
  platform: v.optional(v.nullable(projectText('The platform'))),
})
const lines = (what: string) => v.optional(v.string(`${what}: text, one a line.`))
const texts = (what: string) => v.optional(v.array(v.string(`${what}: text.`), `${what}: a list.`))
const PROJECT_CHANGE = v.object({
  name: v.optional(projectText('The name')),
  slug: v.optional(projectText('The slug')),
  platform: v.optional(v.nullable(projectText('The platform'))),
  options: v.optional(
    v.object({
      ...optionsChange.entries,
      'filters:blacklisted_ips': lines('Addresses'),
      'filters:releases': lines('Releases'),
      'filters:error_messages': lines('Messages'),
    }),
  ),
  allowedDomains: texts('Allowed domains'),
  fingerprintingRules: v.optional(projectText('The rules')),
  sensitiveFields: texts('Sensitive fields'),
  safeFields: texts('Safe fields'),
  scrubIPAddresses: v.optional(v.boolean('True or false.')),
})
type ProjectChange = v.InferOutput<typeof PROJECT_CHANGE>
/** Tools write zeros where there is none. */
const rateLimit = v.nullable(
  v.pipe(
    v.object({ window: v.number(), count: v.number() }),
    v.transform((limit) => (limit.window === 0 && limit.count === 0 ? null : limit)),
  ),
)
const NEW_KEY = v.object({
  name: v.optional(projectText('The name')),
  rateLimit: v.optional(rateLimit),
  /** Public key that clients already send, for example from an earlier server. */
  public: v.optional(projectText('The public key')),
})
const KEY_CHANGE = v.object({
  name: v.optional(projectText('The name')),
  isActive: v.optional(v.boolean('True or false.')),
  rateLimit: v.optional(rateLimit),
})
const KEY_NAME = 'Default'

export const PROJECT_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/projects/',
    permission: 'project.read',
    what: 'projects the viewer may read',
    query: [NAMED_PARAMETER, ...PAGE],
    answer: v.array(LISTED_PROJECT),
    async run(call) {
      const query = NAMED_PARAMETER.read(call.url)
      const projects = await call.queries.projects(call.scope)
      return listedProjects(
        call,
        projects.filter((project) => isNamed(project, query)),
      )
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: '/organizations/{org}/projects/',
    permission: 'project.create',
    body: NEW_PROJECT,
    what: 'creates a project',
    answer: PROJECT,
    run: (call) => createProject(call, []),
  }),
  orgRoute({
    method: 'POST',
    pattern: '/teams/{org}/{team}/projects/',
    permission: 'project.create',
    body: NEW_PROJECT,
    what: 'creates a project that a team opens',
    answer: PROJECT,
    async run(call) {
      const ref = call.params.team ?? ''
      const teams = await call.queries.teams(call.scope)
      const team = existing(teams.find(({ id, slug }) => slug === ref || String(id) === ref))
      return createProject(call, [team.id])
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/teams/{org}/{team}/projects/',
    permission: 'project.read',
    what: 'projects that a team opens, of those the viewer may read',
    query: PAGE,
    answer: v.array(LISTED_PROJECT),
    async run(call) {
      const ref = call.params.team ?? ''
      const teams = await call.queries.teams(call.scope)
      const team = existing(teams.find(({ id, slug }) => slug === ref || String(id) === ref))
      const projects = await call.queries.projects(call.scope)
      const open = new Set(team.projects)
      return listedProjects(
        call,
        projects.filter(({ id }) => open.has(id)),
      )
    },
  }),
  {
    method: 'GET',
    pattern: '/projects/',
    permission: 'signed-in',
    what: 'projects of all organisations of the viewer that they may read',
    query: PAGE,
    answer: v.array(OWN_PROJECT),
    run: ownProjects,
  },
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/members/',
    permission: 'member.read',
    what: 'members who may read the project',
    query: PAGE,
    answer: v.array(MEMBER),
    async run(call) {
      const { queries, scope, url } = call
      const project = await requireProject(call)
      const [members, teams, projects] = await Promise.all([
        queries.members(scope),
        queries.teams(scope),
        queries.projects(scope),
      ])
      const { rows, page } = pageOf(assignable(members, project), readPage(url))
      return answerOk(
        rows.map((member) => memberShape(member, { teams, projects })),
        page,
      )
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/',
    permission: 'project.read',
    what: 'one project with its options',
    answer: PROJECT_DETAIL,
    versioned: true,
    async run(call) {
      const project = await requireProject(call)
      return answerVersioned(await detailedProject(call, project), settingsSeen(project))
    },
  }),
  orgRoute({
    method: 'PUT',
    pattern: '/projects/{org}/{project}/',
    permission: 'project.write',
    body: PROJECT_CHANGE,
    what: 'changes name, slug, platform, options',
    answer: PROJECT_DETAIL,
    versioned: true,
    async run(call) {
      const project = await requireProject(call)
      const change = readProjectSettings(readBody(PROJECT_CHANGE, await call.json()))
      const seen = seenBy(call, settingsSeen(project))
      const changed = grantedAsSeen(
        await call.commands.run('updateProject', call, { project: project.id, change, seen }),
        seen,
      )
      return answerVersioned(await detailedProject(call, changed), settingsSeen(changed))
    },
  }),
  {
    method: 'DELETE',
    pattern: '/projects/{org}/{project}/',
    permission: 'project.delete',
    what: 'deletes the project with all it holds',
    async run(call) {
      const { id } = await requireProject(call)
      grantedOrThrow(await call.commands.run('deleteProject', call, id))
      return gone
    },
  },
]

export const KEY_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/keys/',
    permission: 'project.read',
    what: 'keys with their DSNs',
    query: PAGE,
    answer: v.array(KEY_SCHEMA),
    async run(call) {
      const project = await requireProject(call)
      const { rows, page } = pageOf(await call.queries.keys(call.scope, project.id), readPage(call.url))
      return answerOk(
        rows.map((key) => shapedKey(call, key)),
        page,
      )
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: '/projects/{org}/{project}/keys/',
    permission: 'project.write',
    body: NEW_KEY,
    what: 'creates a key',
    answer: KEY_SCHEMA,
    async run(call) {
      const project = await requireProject(call)
      const { name = KEY_NAME, rateLimit: limit = null, public: taken } = readBody(NEW_KEY, await call.json())
      const made = await call.commands.run('createKey', call, {
        ...{ project: project.id, name, rateLimit: limit },
        ...(taken === undefined ? {} : { public: taken }),
      })
      return answerCreated(shapedKey(call, grantedOrThrow(made)))
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/keys/{key}/',
    permission: 'project.read',
    what: 'one key',
    answer: KEY_SCHEMA,
    versioned: true,
    async run(call) {
      const key = await requireKey(call, await requireProject(call))
      return answerVersioned(shapedKey(call, key), keySeen(key))
    },
  }),
  orgRoute({
    method: 'PUT',
    pattern: '/projects/{org}/{project}/keys/{key}/',
    permission: 'project.write',
    body: KEY_CHANGE,
    what: 'renames, enables, disables or limits a key',
    answer: KEY_SCHEMA,
    versioned: true,
    async run(call) {
      const project = await requireProject(call)
      const key = await requireKey(call, project)
      const { name, isActive, rateLimit } = readBody(KEY_CHANGE, await call.json())
      const change = statedFields({ name, isActive, rateLimit })
      const seen = seenBy(call, keySeen(key))
      const asked = { project: project.id, key: key.id, change, seen }
      const changed = grantedAsSeen(await call.commands.run('updateKey', call, asked), seen)
      return answerVersioned(shapedKey(call, changed), keySeen(changed))
    },
  }),
  {
    method: 'DELETE',
    pattern: '/projects/{org}/{project}/keys/{key}/',
    permission: 'project.write',
    what: 'deletes a key',
    async run(call) {
      const project = await requireProject(call)
      const key = await requireKey(call, project)
      grantedOrThrow(await call.commands.run('deleteKey', call, { project: project.id, key: key.id }))
      return gone
    },
  },
]

function settingsSeen({ name, slug, platform, options }: Project) {
  return { name, slug, platform, options }
}

function keySeen({ name, isActive, rateLimit: limit }: ProjectKey) {
  return { name, isActive, rateLimit: limit }
}

/** The project of the address, by slug or id; 404 when it is absent or not the viewer's. */
export async function requireProject({ queries, scope, params }: OrgCall): Promise<Project> {
  return existing(await queries.project(scope, params.project ?? ''))
}

/** By its public half, as Sentry names keys, or by its number. */
async function requireKey({ queries, scope, params }: OrgCall, project: Project): Promise<ProjectKey> {
  const keys = await queries.keys(scope, project.id)
  return existing(keys.find((key) => key.public === params.key || String(key.id) === params.key))
}

function shapedKey({ queries }: OrgCall, key: ProjectKey) {
  return keyShape(key, queries.dsn(key))
}

async function createProject(call: OrgCall, teams: readonly TeamId[]) {
  const { name, slug, platform = null } = readBody(NEW_PROJECT, await call.json())
  const input = { name, platform: platform === '' ? null : platform, teams, numbered: true }
  const { project } = grantedOrThrow(
    await call.commands.run('createProject', call, typeof slug === 'string' ? { ...input, slug } : input),
  )
  return answerCreated(projectShape(project, await call.queries.teams(call.scope)))
}

async function detailedProject({ queries, scope, askedAt }: OrgCall, project: Project) {
  const [teams, organisation] = await Promise.all([queries.teams(scope), queries.organisation(scope)])
  return {
    ...projectShape(project, teams, scope.userId),
    organization: organisationShape(organisation, askedAt),
    ...projectSettingsShape(project),
  }
}

/** Returns settings; fields that Sentry has beside the options are options here. */
function readProjectSettings({ name, slug, platform, options, ...given }: ProjectChange): ProjectSettings {
  const {
    'filters:blacklisted_ips': addresses,
    'filters:releases': releases,
    'filters:error_messages': messages,
    ...own
  } = options ?? {}
  const { allowedDomains, fingerprintingRules, sensitiveFields, safeFields, scrubIPAddresses } = given
  // Whoever sends back all that was answered, with some of ours changed, says both: ours is what was changed.
  const filters = {
    ...(addresses === undefined ? {} : { addresses: splitLines(addresses) }),
    ...(releases === undefined ? {} : { releases: splitLines(releases) }),
    ...(messages === undefined ? {} : { messages: splitLines(messages) }),
    ...own.filters,
  }
  const scrub = {
    ...own.scrub,
    ...statedFields({ extraKeys: sensitiveFields, allowedKeys: safeFields }),
    ...(scrubIPAddresses === undefined
      ? {}
      : ({ clientAddress: scrubIPAddresses ? 'drop' : 'keep' } as const)),
  }
  const all = {
    ...own,
    ...statedFields({ allowedDomains, fingerprintingRules }),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
    ...(Object.keys(scrub).length === 0 ? {} : { scrub }),
  }
  return {
    ...statedFields({ name, slug, platform }),
    ...(Object.keys(all).length === 0 ? {} : { options: all }),
  }
}

function splitLines(given: string): readonly string[] {
  return given.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

async function listedProjects({ queries, scope, url }: OrgCall, projects: readonly Project[]) {
  const [teams, environments] = await Promise.all([queries.teams(scope), queries.environments(scope, null)])
  const named = Map.groupBy(
    environments.filter(({ isHidden }) => !isHidden),
    ({ projectId }) => projectId,
  )
  const { rows, page } = pageOf(projects, readPage(url))
  return answerOk(
    rows.map((project) => ({
      ...projectShape(project, teams, scope.userId),
      environments: (named.get(project.id) ?? []).map(({ name }) => name),
    })),
    page,
  )
}

/** Returns projects of the organisations in which the person may see projects. */
async function ownProjects({ queries, viewer, url, askedAt }: ApiCall) {
  const scopes = readScopes(viewer).filter((scope) => can(viewer, scope, 'project.read'))
  const all = await Promise.all(
    scopes.map(async (scope) => {
      const [organisation, projects, teams] = await Promise.all([
        queries.organisation(scope),
        queries.projects(scope),
        queries.teams(scope),
      ])
      return projects.map((project) => ({
        ...projectShape(project, teams, scope.userId),
        organization: organisationShape(organisation, askedAt),
      }))
    }),
  )
  const { rows, page } = pageOf(all.flat(), readPage(url))
  return answerOk(rows, page)
}
