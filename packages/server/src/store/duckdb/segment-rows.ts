/** The rows that a search of segments goes by: as is known of them by now, and those alone that the errors asked for happened in. */
import { max } from '#limits/limits.ts'
import type { MovedSegment } from '#ports/requests.ts'
import type { ErrorPlace } from '#ports/telemetry.ts'
import type { SegmentFilter } from '#ports/traces.ts'
import type { FileRows, Parameters } from './conditions.ts'
import { ROWS } from './table-sql.ts'

/** Source of a select, and the columns that name a row of the file in it. */
export interface SegmentRows {
  readonly rows: string
  readonly place: string
}

interface Wanted extends Pick<SegmentFilter, 'moved' | 'ofErrors'> {
  /** Whether what spans waited for that came apart from their segment counts as the segment's. */
  readonly withApart?: boolean
  /** Errors of several issues: the column `issue` says which; a segment has a row for each. */
  readonly byIssue?: readonly ErrorOfIssue[]
}

export type ErrorOfIssue = ErrorPlace & { readonly issue: number }

export function segmentRows(
  { alias }: FileRows,
  { moved = [], ofErrors, withApart = false, byIssue }: Wanted,
  parameters: Parameters,
): SegmentRows {
  const stored = `${alias}.${ROWS}`
  if (moved.length === 0 && ofErrors === undefined && !withApart && byIssue === undefined)
    return { rows: stored, place: 'e.rowid' }
  const replaced = [...(moved.length === 0 ? [] : AS_MOVED), ...(withApart ? WITH_APART : [])]
  const replace = replaced.length === 0 ? '' : ` REPLACE (${replaced.join(', ')})`
  const issue = byIssue === undefined ? '' : ', i.issue'
  const joins = [
    ...(moved.length === 0 ? [] : [joinMoved(moved, parameters)]),
    ...(withApart ? [joinApart(stored)] : []),
    ...(ofErrors === undefined ? [] : [joinErrors(stored, ofErrors, parameters)]),
    ...(byIssue === undefined ? [] : [joinIssuesSql(stored, byIssue, parameters)]),
  ]
  return {
    rows: `(SELECT r.*${replace}, r.rowid AS place${issue} FROM ${stored} r ${joins.join(' ')})`,
    place: 'e.place',
  }
}

/** A request without a route is counted under its name. */
const AS_MOVED: readonly string[] = [
  'coalesce(m.kind, r.request_kind) AS request_kind',
  'CASE WHEN m.kind IS NULL OR m.route = r.name THEN r.route ELSE m.route END AS route',
  'coalesce(m."end", r."end") AS "end"',
]

function joinMoved(moved: readonly MovedSegment[], parameters: Parameters): string {
  // Each once: a row that is joined twice would be found twice.
  const once = new Map(moved.map((one) => [`${placeName(one)}:${one.saidKind}`, one]))
  const texts = (of: (one: MovedSegment) => string) =>
    `unnest(${parameters.add([...once.values()].map(of))}::VARCHAR[])`
  return (
    `LEFT JOIN (SELECT ${texts(placeName)} AS name, ${texts(({ saidKind }) => saidKind)} AS said, ` +
    `${texts(({ kind }) => kind)} AS kind, ${texts(({ route }) => route)} AS route, ` +
    `${texts(({ end }) => end)} AS "end") m ON m.name = ${rowName('r')} AND m.said = r.request_kind`
  )
}

/** Names a segment by its start. */
function placeName({
  projectId,
  traceHead,
  atMs,
}: Pick<MovedSegment, 'projectId' | 'traceHead' | 'atMs'>): string {
  return `${projectId}:${traceHead}:${atMs}`
}

/** The same of a row, as SQL. */
function rowName(row: string): string {
  return `concat(${row}.project_id, ':', substr(${row}.trace_id, 1, 16), ':', floor(${row}.timestamp_ms)::BIGINT)`
}

const QUERIES = 'least(coalesce(r.queries_ms, 0) + a.queries_ms, floor(r.duration_ms)::BIGINT)'
/** No more than the segment took, queries first, as it is shown. */
const WITH_APART: readonly string[] = [
  `CASE WHEN a.queries_ms IS NULL THEN r.queries_ms ELSE ${QUERIES} END AS queries_ms`,
  'CASE WHEN a.queries_ms IS NULL THEN r.calls_ms ELSE ' +
    `least(coalesce(r.calls_ms, 0) + a.calls_ms, floor(r.duration_ms)::BIGINT - ${QUERIES}) END AS calls_ms`,
]

function joinApart(stored: string): string {
  return (
    'LEFT JOIN (SELECT project_id, trace_id, segment_id, sum(coalesce(queries_ms, 0))::BIGINT AS queries_ms, ' +
    `sum(coalesce(calls_ms, 0))::BIGINT AS calls_ms FROM ${stored} ` +
    'WHERE NOT has_root AND segment_id IS NOT NULL AND (queries_ms > 0 OR calls_ms > 0) GROUP BY 1, 2, 3) a ' +
    'ON a.segment_id = r.segment_id AND a.trace_id = r.trace_id AND a.project_id = r.project_id'
  )
}

function joinErrors(stored: string, errors: readonly ErrorPlace[], parameters: Parameters): string {
  const all = errors.map((error) => ({ ...error, issue: 0 }))
  return `JOIN (SELECT DISTINCT place FROM ${placesSql(stored, all, parameters)}) x ON x.place = r.rowid`
}

function joinIssuesSql(stored: string, errors: readonly ErrorOfIssue[], parameters: Parameters): string {
  return `JOIN (SELECT DISTINCT place, issue FROM ${placesSql(stored, errors, parameters)}) i ON i.place = r.rowid`
}

/**
 * Selects where errors happened: in the segment whose own span they name, else in all of their trace that ran
 * then. Rows of place and issue.
 */
function placesSql(stored: string, errors: readonly ErrorOfIssue[], parameters: Parameters): string {
  const number = (of: (error: ErrorOfIssue, at: number) => number) =>
    `unnest(${parameters.add(errors.map(of))}::BIGINT[])`
  const text = (of: (error: ErrorOfIssue) => string) => `unnest(${parameters.add(errors.map(of))}::VARCHAR[])`
  const slack = max('failureSlackMs')
  return (
    '(SELECT place, issue FROM (SELECT s.rowid AS place, o.issue, s.segment_id = o.span_id AS is_own, ' +
    `o.at_ms BETWEEN s.timestamp_ms - ${slack} AND s.timestamp_ms + s.duration_ms + ${slack} AS is_near, ` +
    'bool_or(s.segment_id = o.span_id) OVER (PARTITION BY o.n) AS is_claimed ' +
    `FROM ${stored} s JOIN (SELECT ${number((_, at) => at)} AS n, ` +
    `${number(({ projectId }) => projectId)} AS project_id, ` +
    `${text(({ traceId }) => traceId)} AS trace_id, ` +
    `${text(({ spanId }) => spanId ?? '')} AS span_id, ` +
    `${number(({ atMs }) => Math.floor(atMs))} AS at_ms, ` +
    `${number(({ issue }) => issue)} AS issue) o ` +
    'ON o.trace_id = s.trace_id AND o.project_id = s.project_id WHERE s.has_root) ' +
    'WHERE is_own OR (is_near AND NOT coalesce(is_claimed, false)))'
  )
}

/** How a segment ended, by its errors too. */
export function segmentEndSql({ joinedFailures = [] }: SegmentFilter, parameters: Parameters): string {
  if (joinedFailures.length === 0) return 'e."end"'
  const names = parameters.add(joinedFailures.map(placeName))
  const isJoined = `e."end" = 'answered' AND ${rowName('e')} IN (SELECT unnest(${names}::VARCHAR[]))`
  return `CASE WHEN ${isJoined} THEN 'failed-behind-200' ELSE e."end" END`
}

/** Returns conditions on what page loads measured, whether their own span says it or one that came apart. */
function vitalConditions(
  { alias }: FileRows,
  { vitals = [] }: SegmentFilter,
  parameters: Parameters,
): readonly string[] {
  return [...Map.groupBy(vitals, ({ vital }) => vital)].map(([vital, bounds]) => {
    const holds = bounds.map(({ sign, value }) => `v.${vital} ${sign} ${parameters.add(value)}`).join(' AND ')
    const ofPage = 'v.project_id = e.project_id AND v.trace_id = e.trace_id AND v.segment_id = e.segment_id'
    return `EXISTS (SELECT 1 FROM ${alias}.${ROWS} v WHERE ${ofPage} AND ${holds})`
  })
}

const DURATION_SIGNS = [
  ['minDurationMs', '>='],
  ['aboveDurationMs', '>'],
  ['belowDurationMs', '<'],
  ['maxDurationMs', '<='],
] as const

/** Returns conditions on how long a segment took, and on what page loads measured. */
export function boundConditions(
  attached: FileRows,
  filter: SegmentFilter,
  parameters: Parameters,
): readonly string[] {
  const durations = DURATION_SIGNS.flatMap(([name, sign]) => {
    const bound = filter[name]
    return bound === undefined ? [] : [`e.duration_ms ${sign} ${parameters.add(bound)}`]
  })
  return [...durations, ...vitalConditions(attached, filter, parameters)]
}
