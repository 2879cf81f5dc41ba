/** Environments of projects, as Sentry’s public API has them; the order is ours. */
import * as v from 'valibot'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { environmentsByName } from '#model/environments.ts'
import type { Environment } from '#ports/environments.ts'
import { ENVIRONMENT } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { picks } from './pick.ts'
import { requireProject } from './projects.ts'
import { choice } from './query.ts'
import { existing, grantedOrThrow } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const HIDING = v.object({ isHidden: v.boolean('isHidden: true or false.') })
const ORDER = v.object({
  order: v.pipe(
    v.array(v.string('order: names of environments.'), 'order: names of environments, the first one first.'),
    v.maxLength(
      max('environmentsPerProjectMax'),
      `order: at most ${max('environmentsPerProjectMax')} names.`,
    ),
  ),
})

const VISIBILITY = choice({
  ...{ name: 'visibility', what: 'Which of them', fallback: 'visible' },
  of: ['visible', 'hidden', 'all'],
})

export const ENVIRONMENT_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/environments/',
    permission: 'project.read',
    what: 'environments of all projects the viewer may read, each name once',
    query: [VISIBILITY, ...PAGE],
    answer: v.array(ENVIRONMENT),
    async run(call) {
      const all = environmentsByName(await call.queries.environments(call.scope, null))
      const { rows, page } = pageOf(all.filter(visibilityOf(call.url)), readPage(call.url))
      return answerOk(rows.map(environmentShape), page)
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/environments/',
    permission: 'project.read',
    what: 'environments that events and deploys name, in their order',
    query: [VISIBILITY, ...PAGE],
    answer: v.array(ENVIRONMENT),
    async run(call) {
      const all = await readEnvironments(call, (await requireProject(call)).id)
      const { rows, page } = pageOf(all.filter(visibilityOf(call.url)), readPage(call.url))
      return answerOk(rows.map(environmentShape), page)
    },
  }),
  orgRoute({
    method: 'PUT',
    pattern: '/projects/{org}/{project}/environments/',
    permission: 'project.write',
    body: ORDER,
    what: 'orders them: those named come first',
    answer: v.array(ENVIRONMENT),
    async run(call) {
      const { id } = await requireProject(call)
      const { order } = readBody(ORDER, await call.json())
      grantedOrThrow(await call.commands.run('orderEnvironments', call, { project: id, names: order }))
      return answerOk((await readEnvironments(call, id)).map(environmentShape))
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/environments/{environment}/',
    permission: 'project.read',
    what: 'one environment',
    answer: ENVIRONMENT,
    async run(call) {
      return answerOk(environmentShape(await requireEnvironment(call, (await requireProject(call)).id)))
    },
  }),
  orgRoute({
    method: 'PUT',
    pattern: '/projects/{org}/{project}/environments/{environment}/',
    permission: 'project.write',
    body: HIDING,
    what: 'hides or shows one',
    answer: ENVIRONMENT,
    async run(call) {
      const { id } = await requireProject(call)
      const { isHidden } = readBody(HIDING, await call.json())
      const { name } = await requireEnvironment(call, id)
      grantedOrThrow(await call.commands.run('hideEnvironment', call, { project: id, name, isHidden }))
      return answerOk(environmentShape(await requireEnvironment(call, id)))
    },
  }),
]

function readEnvironments({ queries, scope }: OrgCall, project: ProjectId): Promise<readonly Environment[]> {
  return queries.environments(scope, [project])
}

async function requireEnvironment(call: OrgCall, project: ProjectId): Promise<Environment> {
  const name = call.params.environment ?? ''
  const found = (await readEnvironments(call, project)).find((each) => each.name === name)
  return existing(found)
}

/** Sentry leaves out what is hidden unless it is asked for. */
function visibilityOf(url: URL): (one: { readonly isHidden: boolean }) => boolean {
  const text = VISIBILITY.read(url)
  return ({ isHidden }) => text === 'all' || isHidden === (text === 'hidden')
}

/** Within an organisation a name says which one is meant. */
const environmentShape = picks(ENVIRONMENT).from<Pick<Environment, 'name' | 'isHidden' | 'lastSeenMs'>>({
  id: ({ name }) => name,
  lastSeen: ({ lastSeenMs }) => isoTimeText(lastSeenMs),
})
