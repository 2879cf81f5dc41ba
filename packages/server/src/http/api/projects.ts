/** Projects and their keys. */
import * as v from 'valibot'
import type { TeamId } from '#base/ids.ts'
import { optionsChange } from '#commands/schemas.ts'
import type { Project, ProjectKey } from '#ports/projects.ts'
import { KEY, PROJECT, PROJECT_DETAIL } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiAnswer, type ApiRoute, created, gone, type OrgCall, ok } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { existing, granted } from './refusals.ts'
import { keyShape, projectShape } from './shape/organisation.ts'

const text = (what: string) => v.string(`${what} must be text.`)
/** The commands' own schemas have the rules; here only the names of the fields are decided. */
const NEW_PROJECT = v.strictObject({
  name: text('The name'),
  slug: v.optional(v.nullable(text('The slug'))),
  platform: v.optional(v.nullable(text('The platform'))),
})
const PROJECT_CHANGE = v.strictObject({
  name: v.optional(text('The name')),
  slug: v.optional(text('The slug')),
  platform: v.optional(v.nullable(text('The platform'))),
  options: v.optional(optionsChange),
})
const rateLimit = v.nullable(v.strictObject({ window: v.number(), count: v.number() }))
const NEW_KEY = v.strictObject({ name: v.optional(text('The name')), rateLimit: v.optional(rateLimit) })
const KEY_CHANGE = v.strictObject({
  name: v.optional(text('The name')),
  isActive: v.optional(v.boolean('True or false.')),
  rateLimit: v.optional(rateLimit),
})
const KEY_NAME = 'Default'

export const PROJECT_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/projects/',
    permission: 'project.read',
    what: 'projects the viewer may read',
    query: PAGE,
    answer: v.array(PROJECT),
    async run({ queries, scope, url }) {
      const [projects, teams] = await Promise.all([queries.projects(scope), queries.teams(scope)])
      const { rows, page } = pageOf(projects, readPage(url))
      return ok(
        rows.map((project) => projectShape(project, teams)),
        page,
      )
    },
  },
  {
    method: 'POST',
    pattern: '/organizations/{org}/projects/',
    permission: 'project.create',
    body: NEW_PROJECT,
    what: 'creates a project',
    answer: PROJECT,
    run: (call) => createProject(call, []),
  },
  {
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
  },
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/',
    permission: 'project.read',
    what: 'one project with its options',
    answer: PROJECT_DETAIL,
    async run(call) {
      return ok(await detailed(call, await projectOf(call)))
    },
  },
  {
    method: 'PUT',
    pattern: '/projects/{org}/{project}/',
    permission: 'project.write',
    body: PROJECT_CHANGE,
    what: 'changes name, slug, platform, options',
    answer: PROJECT_DETAIL,
    async run(call) {
      const { id } = await projectOf(call)
      const { name, slug, platform, options } = readBody(PROJECT_CHANGE, await call.json())
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(slug === undefined ? {} : { slug }),
        ...(platform === undefined ? {} : { platform }),
        ...(options === undefined ? {} : { options }),
      }
      const changed = await call.commands.updateProject(call, { project: id, change })
      return ok(await detailed(call, granted(changed)))
    },
  },
  {
    method: 'DELETE',
    pattern: '/projects/{org}/{project}/',
    permission: 'project.delete',
    what: 'deletes the project with all it holds',
    async run(call) {
      const { id } = await projectOf(call)
      granted(await call.commands.deleteProject(call, id))
      return gone
    },
  },
]

export const KEY_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/keys/',
    permission: 'project.read',
    what: 'keys with their DSNs',
    query: PAGE,
    answer: v.array(KEY),
    async run(call) {
      const project = await projectOf(call)
      const { rows, page } = pageOf(await call.queries.keys(call.scope, project.id), readPage(call.url))
      return ok(
        rows.map((key) => shapedKey(call, key)),
        page,
      )
    },
  },
  {
    method: 'POST',
    pattern: '/projects/{org}/{project}/keys/',
    permission: 'project.write',
    body: NEW_KEY,
    what: 'creates a key',
    answer: KEY,
    async run(call) {
      const project = await projectOf(call)
      const { name = KEY_NAME, rateLimit: limit = null } = readBody(NEW_KEY, await call.json())
      const made = await call.commands.createKey(call, { project: project.id, name, rateLimit: limit })
      return created(shapedKey(call, granted(made)))
    },
  },
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/keys/{key}/',
    permission: 'project.read',
    what: 'one key',
    answer: KEY,
    async run(call) {
      return ok(shapedKey(call, await keyOf(call, await projectOf(call))))
    },
  },
  {
    method: 'PUT',
    pattern: '/projects/{org}/{project}/keys/{key}/',
    permission: 'project.write',
    body: KEY_CHANGE,
    what: 'renames, enables, disables or limits a key',
    answer: KEY,
    async run(call) {
      const project = await projectOf(call)
      const key = await keyOf(call, project)
      const { name, isActive, rateLimit: limit } = readBody(KEY_CHANGE, await call.json())
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(isActive === undefined ? {} : { isActive }),
        ...(limit === undefined ? {} : { rateLimit: limit }),
      }
      const changed = await call.commands.updateKey(call, { project: project.id, key: key.id, change })
      return ok(shapedKey(call, granted(changed)))
    },
  },
  {
    method: 'DELETE',
    pattern: '/projects/{org}/{project}/keys/{key}/',
    permission: 'project.write',
    what: 'deletes a key',
    async run(call) {
      const project = await projectOf(call)
      const key = await keyOf(call, project)
      granted(await call.commands.deleteKey(call, { project: project.id, key: key.id }))
      return gone
    },
  },
]

/** The project of the address, by slug or id; 404 when it is absent or not the viewer's. */
export async function projectOf({ queries, scope, params }: OrgCall): Promise<Project> {
  return existing(await queries.project(scope, params.project ?? ''))
}

/** By its public half, as Sentry names keys, or by its number. */
async function keyOf({ queries, scope, params }: OrgCall, project: Project): Promise<ProjectKey> {
  const keys = await queries.keys(scope, project.id)
  return existing(keys.find((key) => key.public === params.key || String(key.id) === params.key))
}

function shapedKey({ queries }: OrgCall, key: ProjectKey) {
  return keyShape(key, queries.dsn(key))
}

async function createProject(call: OrgCall, teams: readonly TeamId[]): Promise<ApiAnswer> {
  const { name, slug, platform = null } = readBody(NEW_PROJECT, await call.json())
  const input = { name, platform: platform === '' ? null : platform, teams, numbered: true }
  const { project } = granted(
    await call.commands.createProject(call, typeof slug === 'string' ? { ...input, slug } : input),
  )
  return created(projectShape(project, await call.queries.teams(call.scope)))
}

async function detailed({ queries, scope }: OrgCall, project: Project) {
  return { ...projectShape(project, await queries.teams(scope)), options: project.options }
}
