/** WHERE clauses. Values travel as parameters only; what a person typed never becomes part of the SQL text. */
import type { TagCondition } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventFilter } from '#ports/telemetry.ts'
import { encodeTagKey } from './columns.ts'
import type { Parameter } from './driver.ts'
import type { TombstoneFloors } from './tombstones.ts'

/** A part of a statement with the parameters it uses, numbered as they were added. */
export class Parameters {
  readonly values: Parameter[] = []

  /** Adds a value and gives the `$n` that stands for it. */
  add(value: Parameter): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** A place in the one order of events: event time, event id, seq. */
export interface OrderKey {
  readonly timestampMs: number
  readonly eventId: string
  readonly seq: number
}

/** The visible groups of a filter as lists of equal length; floors come from tombstones. */
export interface VisibleGroups {
  readonly projects: readonly number[]
  readonly hashes: readonly string[]
  readonly floors: readonly number[]
}

/** Groups of the filter within the scope, each once. */
export function visibleGroups(
  scope: ReadScope,
  groups: EventFilter['groups'],
  tombstones: TombstoneFloors,
): VisibleGroups {
  const readable = new Set(scope.projects)
  const unique = new Map(
    groups
      .filter(({ projectId }) => readable.has(projectId))
      .map((group) => [`${group.projectId}:${group.hash}`, group]),
  )
  const list = [...unique.values()]
  return {
    projects: list.map(({ projectId }) => projectId),
    hashes: list.map(({ hash }) => hash),
    floors: list.map(({ projectId, hash }) => tombstones.floor(projectId, hash)),
  }
}

/** `FROM … WHERE …` over the rows of the groups that meet the filter. `groups` must not be empty. */
export function fromGroups(
  alias: string,
  groups: VisibleGroups,
  options: { readonly filter: Omit<EventFilter, 'groups' | 'files'>; readonly parameters: Parameters },
): string {
  const { filter, parameters } = options
  const conditions = filterConditions(filter, parameters)
  const [project, hash, floor] = [groups.projects[0], groups.hashes[0], groups.floors[0]]
  if (groups.hashes.length === 1 && project !== undefined && hash !== undefined && floor !== undefined) {
    // One group is by far the usual case, and comparing costs a third less than joining.
    conditions.push(`e.project_id = ${parameters.add(project)}::BIGINT`)
    conditions.push(`e.group_hash = ${parameters.add(hash)}`, `e.seq > ${parameters.add(floor)}::BIGINT`)
    return `FROM ${alias}.events e WHERE ${conditions.join(' AND ')}`
  }
  const wanted =
    `(SELECT unnest(${parameters.add(groups.projects)}::BIGINT[]) AS project_id, ` +
    `unnest(${parameters.add(groups.hashes)}::VARCHAR[]) AS group_hash, ` +
    `unnest(${parameters.add(groups.floors)}::BIGINT[]) AS floor)`
  const joined = `FROM ${alias}.events e JOIN ${wanted} g ON g.project_id = e.project_id AND g.group_hash = e.group_hash`
  return `${joined} WHERE ${['e.seq > g.floor', ...conditions].join(' AND ')}`
}

/** `FROM … WHERE …` over every visible row of the scope's projects. */
export function fromProjects(
  alias: string,
  scope: ReadScope,
  options: {
    readonly filter: Omit<EventFilter, 'groups' | 'files'>
    readonly parameters: Parameters
    readonly tombstones: TombstoneFloors
  },
): string {
  const { filter, parameters } = options
  const { projects, groups } = options.tombstones.columns()
  const conditions = [
    `e.project_id IN (SELECT unnest(${parameters.add([...scope.projects])}::BIGINT[]))`,
    'e.seq > coalesce(p.floor, 0)',
    'e.seq > coalesce(t.floor, 0)',
    ...filterConditions(filter, parameters),
  ]
  return (
    `FROM ${alias}.events e ` +
    `LEFT JOIN (SELECT unnest(${parameters.add(projects.ids)}::BIGINT[]) AS project_id, ` +
    `unnest(${parameters.add(projects.floors)}::BIGINT[]) AS floor) p ON p.project_id = e.project_id ` +
    `LEFT JOIN (SELECT unnest(${parameters.add(groups.ids)}::BIGINT[]) AS project_id, ` +
    `unnest(${parameters.add(groups.hashes)}::VARCHAR[]) AS group_hash, ` +
    `unnest(${parameters.add(groups.floors)}::BIGINT[]) AS floor) t ` +
    'ON t.project_id = e.project_id AND t.group_hash = e.group_hash ' +
    `WHERE ${conditions.join(' AND ')}`
  )
}

/** The place of `e` in the order of events, as SQL. */
export const ORDER_KEY = 'struct_pack(t := e.timestamp_ms, i := e.event_id, s := e.seq)'

/** A given place in that order, as SQL. */
export function orderKeyParameter(key: OrderKey, parameters: Parameters): string {
  return (
    `struct_pack(t := ${parameters.add(key.timestampMs)}::DOUBLE, ` +
    `i := ${parameters.add(key.eventId)}, s := ${parameters.add(key.seq)}::BIGINT)`
  )
}

function filterConditions(
  { startMs, endMs, text, tags = [] }: Omit<EventFilter, 'groups' | 'files'>,
  parameters: Parameters,
): string[] {
  const conditions: string[] = []
  if (startMs !== undefined) conditions.push(`e.timestamp_ms >= ${parameters.add(startMs)}`)
  if (endMs !== undefined) conditions.push(`e.timestamp_ms < ${parameters.add(endMs)}`)
  if (text !== undefined && text !== '') {
    conditions.push(`contains(lower(e.title), lower(${parameters.add(text)}))`)
  }
  return [...conditions, ...tags.map((tag) => tagCondition(tag, parameters))]
}

/** Exact value, beginning of a value (a final `*`), or presence (`null`). */
function tagCondition({ key, value, negated }: TagCondition, parameters: Parameters): string {
  const not = negated ? 'NOT ' : ''
  const begin = `${encodeTagKey(key)}=`
  if (value !== null && !value.endsWith('*')) {
    return `${not}list_contains(e.tags, ${parameters.add(begin + value)})`
  }
  const prefix = parameters.add(begin + (value ?? '*').slice(0, -1))
  return `${not}(len(list_filter(e.tags, entry -> starts_with(entry, ${prefix}))) > 0)`
}
