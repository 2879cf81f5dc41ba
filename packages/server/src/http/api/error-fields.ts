/** Fields of errors in `events/` and `events-stats/`: columns of an event, keys of counts, and figures. */
import { byWord } from '#base/by-word.ts'
import type { Project } from '#ports/projects.ts'
import type { FoundEvents, Tally, TallyColumn } from '#queries/found-event-types.ts'
import { badField } from './refusals.ts'

export type Cell = string | number | boolean | null
export type CellType = 'string' | 'date' | 'integer' | 'number' | 'boolean'
type FoundEvent = FoundEvents['rows'][number]

interface Column {
  readonly type: CellType
  readonly of: (found: FoundEvent, project: Project | undefined) => Cell
  /** Key that events are counted by; if left out, none. */
  readonly by?: TallyColumn
}

const PERSON = /^(id|email|username|ip):(.*)$/s

function personColumn(kind: string): Column {
  return {
    type: 'string',
    of: ({ row }) => {
      const [, own, value = null] = PERSON.exec(row.user ?? '') ?? []
      return own === kind ? value : null
    },
  }
}

const textColumn = (of: Column['of'], by?: TallyColumn): Column => ({
  ...{ type: 'string', of },
  ...(by === undefined ? {} : { by }),
})
const timestamp: Column = { type: 'date', of: ({ row }) => new Date(row.timestampMs).toISOString() }
const id = textColumn(({ row }) => row.eventId)
const slug = textColumn((_, project) => project?.slug ?? null, 'projectId')
const platform = textColumn(({ row }) => row.platform, 'platform')
const handled: Column = {
  ...{ type: 'integer', by: 'handled' },
  of: ({ row }) => (row.handled === null ? null : Number(row.handled)),
}

/** Any other name is a tag's. */
const COLUMNS: Readonly<Record<string, Column>> = byWord({
  ...{
    id,
    event_id: id,
    timestamp,
    'event.type': textColumn(() => 'error'),
    type: textColumn(() => 'error'),
  },
  ...{ project: slug, 'project.name': slug },
  'project.id': { type: 'integer', of: ({ row }) => Number(row.projectId), by: 'projectId' },
  project_id: { type: 'integer', of: ({ row }) => Number(row.projectId), by: 'projectId' },
  issue: textColumn(({ issue }) => issue.shortId, 'groupHash'),
  'issue.id': { type: 'integer', of: ({ issue }) => Number(issue.id), by: 'groupHash' },
  title: textColumn(({ row }) => row.title, 'title'),
  message: textColumn(({ row }) => row.title, 'title'),
  culprit: textColumn(({ row }) => row.culprit, 'culprit'),
  'error.type': textColumn(({ issue }) => issue.type),
  'error.value': textColumn(({ issue }) => issue.value),
  'error.handled': handled,
  level: textColumn(({ row }) => row.level, 'level'),
  ...{ platform, 'platform.name': platform },
  transaction: textColumn(({ row }) => row.transaction, 'transaction'),
  environment: textColumn(({ row }) => row.environment, 'environment'),
  release: textColumn(({ row }) => row.release, 'release'),
  dist: textColumn(({ row }) => row.dist, 'dist'),
  user: textColumn(({ row }) => row.user, 'user'),
  'user.display': textColumn(({ row }) => PERSON.exec(row.user ?? '')?.[2] ?? null),
  ...{ 'user.id': personColumn('id'), 'user.email': personColumn('email') },
  ...{ 'user.username': personColumn('username'), 'user.ip': personColumn('ip') },
  url: textColumn(({ row }) => row.url, 'url'),
  browser: textColumn(({ row }) => row.browser, 'browser'),
  os: textColumn(({ row }) => row.os, 'os'),
  runtime: textColumn(({ row }) => row.runtime, 'runtime'),
  device: textColumn(({ row }) => row.device, 'device'),
  server_name: textColumn(({ row }) => row.serverName, 'serverName'),
  route: textColumn(({ row }) => row.route, 'route'),
  kind: textColumn(({ row }) => row.requestKind, 'requestKind'),
  category: textColumn(({ row }) => row.category, 'category'),
  trace: textColumn(({ row }) => row.traceId),
  'trace.span': textColumn(({ row }) => row.spanId),
  'sdk.name': textColumn(({ row }) => row.sdk),
})

/** Returns the fields that every error has, with the type of each. */
export function errorFieldTypes(): readonly (readonly [name: string, type: CellType])[] {
  return Object.keys(COLUMNS).map((name) => [name, errorColumn(name).type])
}

export function errorColumn(name: string): Column {
  const known = COLUMNS[name]
  if (known !== undefined) return known
  const key = /^tags\[([^\]]{1,200})\]$/.exec(name)?.[1] ?? name
  return textColumn(({ row }) => row.tags.find(([tag]) => tag === key)?.[1] ?? null)
}

/** Returns the tally column of a field; 400 if events are not counted by it. */
export function tallyColumnOf(name: string): TallyColumn {
  const by = COLUMNS[name]?.by
  if (by !== undefined) return by
  const known = Object.keys(COLUMNS).filter((each) => COLUMNS[each]?.by !== undefined)
  throw badField('field', `Errors are counted by ${known.join(', ')}.`)
}

/** Sums of several tallies. */
export interface TallyFigures extends Pick<Tally, 'count' | 'users' | 'firstMs' | 'lastMs'> {
  /** Length of the range in minutes. */
  readonly minutes: number
}

interface Aggregate {
  readonly type: CellType
  readonly of: (figures: TallyFigures) => Cell
  readonly users?: true
}

const dateAggregate = (of: (figures: TallyFigures) => number): Aggregate => ({
  type: 'date',
  of: (figures) => new Date(of(figures)).toISOString(),
})
const last = dateAggregate(({ lastMs }) => lastMs)
const first = dateAggregate(({ firstMs }) => firstMs)
const users: Aggregate = { type: 'integer', of: (figures) => figures.users ?? 0, users: true }
const perMinute: Aggregate = { type: 'number', of: ({ count, minutes }) => count / Math.max(1, minutes) }

const AGGREGATES: Readonly<Record<string, Aggregate>> = byWord({
  'count()': { type: 'integer', of: ({ count }) => count },
  ...{ 'count_unique(user)': users, 'count_unique(user.id)': users },
  ...{ 'last_seen()': last, 'max(timestamp)': last, 'first_seen()': first, 'min(timestamp)': first },
  ...{ 'epm()': perMinute, 'tpm()': perMinute },
  'eps()': { type: 'number', of: ({ count, minutes }) => count / 60 / Math.max(1, minutes) },
})

export const AGGREGATE_NAMES: readonly string[] = Object.keys(AGGREGATES)

export function isAggregate(name: string): boolean {
  return name.endsWith(')')
}

export function aggregateOf(name: string, field: string): Aggregate {
  const known = AGGREGATES[name]
  if (known === undefined) throw badField(field, `Of errors one of ${AGGREGATE_NAMES.join(', ')}.`)
  return known
}
