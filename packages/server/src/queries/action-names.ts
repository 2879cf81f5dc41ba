/**
 * Names of server actions, looked up at the time of the question: an upload, or the first request that a wrapper names, may come after the requests. A name from a build goes before one from a wrapper.
 */

import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isActionId, shownAction } from '#model/action-name.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import { literalText, patternTest } from '#model/text-pattern.ts'
import type { AskedAction } from '#ports/artifacts.ts'
import type { ActionNamed, RequestsQuery, RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventConditions } from '#ports/telemetry.ts'

export interface ActionNameParts {
  readonly artifacts: Pick<Artifacts, 'actions'>
  readonly requests: Pick<RequestsRead, 'seenActions'>
}

export type NamedId = Pick<ActionNamed, 'projectId' | 'id' | 'name'>

/** Names of actions by their ids. */
export interface ActionNames {
  /** By builds, which the store of figures does not know. */
  readonly built: readonly NamedId[]
  /** Each id once. */
  readonly all: readonly NamedId[]
  /** Returns the name to show for an id; `null` for what is not an id, and for one nobody named. */
  of(project: ProjectId, action: string | null): string | null
}

/** Names the ids on a page: each as its release does, else as the newest upload. */
export async function actionNames(
  { artifacts, requests }: ActionNameParts,
  scope: ReadScope,
  asked: readonly AskedAction[],
): Promise<ActionNames> {
  const ids = asked.filter(({ id }) => isActionId(id))
  if (ids.length === 0) return joinActionNames([], [])
  const projects = [...new Set(ids.map(({ project }) => project))]
  const seen = await requests.seenActions(scope, { projects })
  return joinActionNames(await builtNames(artifacts, scope, ids), namedActions(seen))
}

/** Looks up all ids that were asked for recently: two reads per page, however many rows it has. */
export async function knownActions(
  { artifacts, requests }: ActionNameParts,
  scope: ReadScope,
  projects: RequestsQuery['projects'],
): Promise<ActionNames> {
  const seen = await requests.seenActions(scope, { projects })
  const asked = seen.map(({ projectId: project, id }) => ({ project, release: null, id }))
  return joinActionNames(await builtNames(artifacts, scope, asked), namedActions(seen))
}

async function builtNames(
  artifacts: ActionNameParts['artifacts'],
  scope: ReadScope,
  asked: readonly AskedAction[],
): Promise<readonly NamedId[]> {
  const each = [...new Map(asked.map((one) => [actionKey(one.project, one.id), one])).values()]
  const wanted = each.slice(0, max('actionsAskedMax'))
  if (wanted.length === 0) return []
  const found = await artifacts.actions(scope, wanted)
  return wanted.flatMap(({ project: projectId, id }, at) => {
    const action = found[at] ?? null
    return action === null ? [] : [{ projectId, id, name: shownAction(action) }]
  })
}

function namedActions(seen: Awaited<ReturnType<RequestsRead['seenActions']>>): readonly NamedId[] {
  return seen.flatMap(({ name, ...of }) => (name === null ? [] : [{ ...of, name }]))
}

function joinActionNames(built: readonly NamedId[], byWrappers: readonly NamedId[]): ActionNames {
  const byId = new Map([...byWrappers, ...built].map((one) => [actionKey(one.projectId, one.id), one]))
  return {
    ...{ built, all: [...byId.values()] },
    of: (project, action) => (action === null ? null : (byId.get(actionKey(project, action))?.name ?? null)),
  }
}

function actionKey(project: ProjectId, id: string): string {
  return `${project}:${id}`
}

/** An action as it is shown; `actionId` where that is a name in place of an id. */
export interface ShownAction {
  readonly action: string | null
  readonly actionId: string | null
}

/** Returns the name in a row of a page. */
export function shownIn(
  names: ActionNames,
  { projectId, action }: { readonly projectId: ProjectId; readonly action: string | null },
): ShownAction {
  const name = names.of(projectId, action)
  return name === null ? { action, actionId: null } : { action: name, actionId: action }
}

/** Rows say what they came with: an action that is asked for by a name is found by its ids, too, and the other way round. */
export function actionCondition(
  { all }: ActionNames,
  asked: TagCondition,
): Pick<EventConditions, 'tags' | 'either'> {
  const { key, value, negated } = asked
  if (typeof value !== 'string') return { tags: [asked] }
  const isSo = patternTest(value)
  const also = all.flatMap(({ projectId, id, name }) => [
    ...(isSo(name) ? [{ projectId, value: id }] : []),
    ...(id === literalText(value) ? [{ projectId, value: name }] : []),
  ])
  if (also.length === 0) return { tags: [asked] }
  const others: TagCondition = { key, value: also, negated }
  return negated ? { tags: [asked, others] } : { either: [[{ tags: [asked] }, { tags: [others] }]] }
}
