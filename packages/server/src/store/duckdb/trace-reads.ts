/** Reading fragments: those of one trace, and segments that meet a search. One statement a file, newest files first. */
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { pickByTurns } from '#model/fair-share.ts'
import type { RowTable } from '#model/fields.ts'
import { byNewest, type FileName } from '#model/file-name.ts'
import type { HiddenRules } from '#model/hidden.ts'
import { REQUEST_ENDS } from '#model/span.ts'
import { hasWildcard } from '#model/text-pattern.ts'
import type { ReadScope } from '#ports/scope.ts'
import type {
  FragmentLike,
  HeatCell,
  HeatGrid,
  SegmentFilter,
  SegmentPage,
  SegmentPoint,
  SegmentSort,
  SegmentValues,
  SegmentWork,
  ServiceCondition,
  SpanSums,
  WaitedFor,
} from '#ports/traces.ts'
import type { ColumnFiles } from './column-files.ts'
import { type FileRows, fromProjects, type OrderKey, Parameters } from './conditions.ts'
import { compareKeys, readCursor, writeCursor } from './cursor.ts'
import type { FileFacts } from './file-tables.ts'
import type { RunQuery } from './query-slots.ts'
import { partConditions } from './segment-parts.ts'
import { boundConditions, type ErrorOfIssue, segmentEndSql, segmentRows } from './segment-rows.ts'
import { columnsOf, type ImpliedTag } from './table-columns.ts'
import { impliedText, ROWS, readAnswerRow, selectShown } from './table-sql.ts'
import { meets, wildPattern } from './text-conditions.ts'

export interface TraceContext<R extends FragmentLike> {
  readonly table: RowTable<R>
  readonly files: ColumnFiles
  readonly query: RunQuery
  readonly scope: ReadScope
  readonly rules: HiddenRules
}

/** Same as `TraceReads.fragments`. */
export async function readTraceFragments<R extends FragmentLike>(
  context: TraceContext<R>,
  { traceId, files }: { readonly traceId: string; readonly files: readonly FileName[] },
): Promise<readonly R[]> {
  const rows: R[] = []
  const limit = max('traceFragmentsMax')
  for (const file of filesOfKind(context, files)) {
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const from = fromProjects(attached, context.scope, { ...context, filter: {}, parameters, file })
      const isOf = `e.trace_id = ${parameters.add(traceId)}`
      return `SELECT ${selectShown(context.table)} ${from} AND ${isOf}
        ORDER BY row_number() OVER (PARTITION BY e.project_id ORDER BY e.timestamp_ms), e.timestamp_ms LIMIT ${limit}`
    })
    rows.push(...found.map((values) => readAnswerRow(context.table, values, file)))
  }
  const sorted = rows.sort((a, b) => a.timestampMs - b.timestampMs)
  return pickByTurns(sorted, limit, (row) => row.projectId)
}

/** Same as `TraceReads.segments`. */
export async function readSegments<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: SegmentFilter,
  {
    sort,
    limit: asked,
    cursor,
  }: { readonly sort: SegmentSort; readonly limit: number; readonly cursor: string | null },
): Promise<SegmentPage<R>> {
  const limit = Math.max(1, Math.min(asked, max('telemetryPageRowsMax')))
  const key = sort === 'slowest' ? 'e.duration_ms' : 'e.timestamp_ms'
  const order = `${key} DESC, e.event_id DESC, e.seq DESC`
  const placeOf = (row: R) => ({
    timestampMs: sort === 'slowest' ? row.durationMs : row.timestampMs,
    eventId: row.eventId,
    seq: row.seq,
  })
  const after = cursor === null ? null : readCursor(cursor)
  let rows: R[] = []
  for (const file of filesOfKind(context, filter.files)) {
    const last = rows[limit]
    // Days of receipt: a segment may have begun the day before its file's.
    if (sort === 'newest' && last !== undefined && last.timestampMs >= latestStart(file)) break
    const own = await narrowToFile(context, filter, file)
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const { from, place } = fromSegments(context, attached, { filter: own, parameters, file })
      const matching = `${from}${beyondCursor(key, after, parameters)}`
      // Places first, and the key of the last of them before: else every column of all that match is read.
      const last = `SELECT min(k) FROM (SELECT ${key} AS k ${matching} ORDER BY k DESC LIMIT ${limit + 1})`
      const places = `SELECT ${place} ${matching} AND ${key} >= (${last}) ORDER BY ${order} LIMIT ${limit + 1}`
      return `SELECT ${selectShown(context.table)} FROM ${attached.alias}.${ROWS} e WHERE e.rowid IN (${places})`
    })
    rows = [...rows, ...found.map((values) => readAnswerRow(context.table, values, file))]
      .sort((a, b) => compareKeys(placeOf(b), placeOf(a)))
      .slice(0, limit + 1)
  }
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown,
    nextCursor: rows.length > limit && last !== undefined ? writeCursor(placeOf(last)) : null,
  }
}

function beyondCursor(key: string, after: OrderKey | null, parameters: Parameters): string {
  if (after === null) return ''
  const t = `${parameters.add(after.timestampMs)}::DOUBLE`
  const place = `struct_pack(t := ${key}, i := e.event_id, s := e.seq)`
  const last = `struct_pack(t := ${t}, i := ${parameters.add(after.eventId)}, s := ${parameters.add(after.seq)}::BIGINT)`
  return ` AND ${key} <= ${t} AND ${place} < ${last}`
}

/** Returns the latest start in a file: what came on its day may be as far ahead as a clock is believed. */
function latestStart({ day }: FileName): number {
  return (day + 1) * DAY_MS + max('eventFutureMsMax')
}

/** Same as `TraceReads.segmentCount`. */
export async function countSegments<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: SegmentFilter,
): Promise<number> {
  let count = 0
  for (const file of filesOfKind(context, filter.files)) {
    const own = await narrowToFile(context, filter, file)
    const [[found] = []] = await askTraceFile(context, file, (attached, parameters) => {
      return `SELECT count(*)::DOUBLE ${fromSegments(context, attached, { filter: own, parameters, file }).from}`
    })
    count += Number(found ?? 0)
  }
  return count
}

/** Same as `TraceReads.spanSums`. */
export async function sumSpans<R extends FragmentLike>(
  context: TraceContext<R>,
  { traceIds, files }: { readonly traceIds: readonly string[]; readonly files: readonly FileName[] },
): Promise<readonly SpanSums[]> {
  const sums: SpanSums[] = []
  if (traceIds.length === 0) return sums
  for (const file of filesOfKind(context, files)) {
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const from = fromProjects(attached, context.scope, { ...context, filter: {}, parameters, file })
      const isOf = `e.trace_id IN (SELECT unnest(${parameters.add([...traceIds])}::VARCHAR[]))`
      return (
        'SELECT e.project_id, e.trace_id, e.segment_id, sum(e.span_count)::DOUBLE, sum(e.queries_ms)::DOUBLE, ' +
        `sum(e.calls_ms)::DOUBLE, max(e.service), (max(e.http_status) FILTER (WHERE NOT e.has_root))::DOUBLE ${from} AND ${isOf} AND e.segment_id IS NOT NULL GROUP BY 1, 2, 3`
      )
    })
    for (const [project, trace, segment, count, queries, calls, service, status] of found) {
      const of = { traceId: String(trace), segmentId: String(segment), count: Number(count) }
      const waits = { queriesMs: numberOrNull(queries), callsMs: numberOrNull(calls) }
      const named = { service: service === null ? null : String(service) }
      const said = { httpStatus: numberOrNull(status) }
      sums.push({ projectId: projectId(Number(project)), ...of, ...named, ...waits, ...said })
    }
  }
  return sums
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value)
}

/** Least duration told apart; shorter ones are in the lowest row. */
const HEAT_LEAST_MS = 0.1

/** Same as `TraceReads.segmentHeat`. */
export async function readHeat<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: SegmentFilter,
  { startMs, stepMs, perDecade }: HeatGrid,
): Promise<readonly HeatCell[]> {
  const cells = new Map<string, { readonly slot: number; readonly row: number; count: number }>()
  for (const file of filesOfKind(context, filter.files)) {
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const { from } = fromSegments(context, attached, { filter, parameters, file })
      const [start, step, rows] = [startMs, stepMs, perDecade].map((one) => `${parameters.add(one)}::DOUBLE`)
      return (
        `SELECT floor((e.timestamp_ms - ${start}) / ${step})::DOUBLE AS slot, ` +
        `floor(log10(greatest(e.duration_ms, ${HEAT_LEAST_MS})) * ${rows})::DOUBLE AS row, ` +
        `count(*)::DOUBLE ${from} GROUP BY slot, row`
      )
    })
    for (const [slot, row, count] of found) {
      const key = `${String(slot)} ${String(row)}`
      const cell = cells.get(key) ?? { slot: Number(slot), row: Number(row), count: 0 }
      cells.set(key, cell)
      cell.count += Number(count)
    }
  }
  return [...cells.values()].sort((a, b) => a.slot - b.slot || a.row - b.row)
}

/** Same as `TraceReads.segmentPoints`. */
export async function readPoints<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: SegmentFilter,
  limit: number,
): Promise<readonly SegmentPoint[]> {
  const drawn: { readonly point: SegmentPoint; readonly place: number }[] = []
  for (const file of filesOfKind(context, filter.files)) {
    const own = await narrowToFile(context, filter, file)
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const { from } = fromSegments(context, attached, { filter: own, parameters, file })
      // Drawn by what does not change from one view to the next.
      return (
        `SELECT e.trace_id, e.timestamp_ms, e.duration_ms, ${segmentEndSql(own, parameters)}, e.is_sampled_out, ` +
        `(hash(e.timestamp_ms) % 1000000007)::DOUBLE AS place ${from} ORDER BY place LIMIT ${Math.floor(limit)}`
      )
    })
    for (const [traceId, atMs, durationMs, end, isSampledOut, place] of found) {
      const point = {
        traceId: String(traceId),
        ...{ atMs: Number(atMs), durationMs: Number(durationMs), isSampledOut: isSampledOut === true },
        end: END_NAMES.get(String(end)) ?? null,
      }
      drawn.push({ point, place: Number(place) })
    }
  }
  const shown = drawn.sort((a, b) => a.place - b.place).slice(0, limit)
  return shown.map(({ point }) => point).sort((a, b) => a.atMs - b.atMs)
}

/** Same as `TraceReads.segmentValues`. One statement a file for all tags: the conditions are met once. */
export async function readTagValues<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: SegmentFilter,
  { tags, limit }: { readonly tags: readonly string[]; readonly limit: number },
): Promise<SegmentValues> {
  const known = columnsOf(context.table).tags
  const columns = tags.flatMap((tag) => known.get(tag) ?? [])
  const named = tags.filter((tag) => known.has(tag))
  const counts = new Map(tags.map((tag) => [tag, new Map<string, number>()]))
  let total = 0
  for (const file of filesOfKind(context, filter.files)) {
    const own = await narrowToFile(context, filter, file)
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const { from } = fromSegments(context, attached, { filter: own, parameters, file })
      return valuesStatement(from, columns)
    })
    for (const [place, value, count] of found) {
      const ofTag = counts.get(named[Number(place)] ?? '')
      if (ofTag === undefined) total += Number(count)
      else ofTag.set(String(value), (ofTag.get(String(value)) ?? 0) + Number(count))
    }
  }
  const mostOf = (found: ReadonlyMap<string, number>) =>
    [...found]
      .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([value, count]) => ({ value, count }))
  return { total, tags: [...counts].map(([tag, found]) => ({ tag, values: mostOf(found) })) }
}

/** Rows of the tag's place, its value and how many have it; those of no tag's place are all that match. */
function valuesStatement(from: string, columns: readonly ImpliedTag[]): string {
  const names = columns.map((_, place) => `v${place}`)
  const values = columns.map((column, place) => `, ${impliedText(column)} AS v${place}`).join('')
  const place = names.map((name, at) => `WHEN GROUPING(${name}) = 0 THEN ${at} `).join('')
  return (
    `SELECT place, v, n FROM (SELECT CASE ${place}WHEN true THEN ${names.length} END AS place, ` +
    `coalesce(${[...names, 'NULL'].join(', ')})::VARCHAR AS v, count(*)::DOUBLE AS n ` +
    `FROM (SELECT e.seq${values} ${from}) ` +
    `GROUP BY GROUPING SETS (${[...names.map((name) => `(${name})`), '()'].join(', ')})) ` +
    `WHERE v IS NOT NULL OR place = ${names.length} ` +
    `QUALIFY row_number() OVER (PARTITION BY place ORDER BY n DESC, v) <= ${max('segmentValuesMax')}`
  )
}

const END_NAMES = new Map(REQUEST_ENDS.map((end) => [String(end), end]))

/** Returns the files of a table's kind, newest first. */
export function filesOfKind<R extends FragmentLike>(
  { table, files, scope }: TraceContext<R>,
  named: readonly FileName[],
): readonly FileName[] {
  if (scope.projects.length === 0) return []
  return named.filter((file) => file.kind === table.kind && files.has(file)).sort(byNewest)
}

/** Asks one file. */
export function askTraceFile<R extends FragmentLike>(
  { files, query }: TraceContext<R>,
  file: FileName,
  statement: (attached: FileRows, parameters: Parameters) => string,
): ReturnType<RunQuery> {
  return files.read(file, [], (attached) => {
    const parameters = new Parameters()
    const sql = statement(attached, parameters)
    return query(sql, parameters.values)
  })
}

/** A file is asked about what may be in it: thousands of errors bound for each file cost more than what is looked for. */
async function narrowToFile<R extends FragmentLike>(
  { files }: TraceContext<R>,
  filter: SegmentFilter,
  file: FileName,
): Promise<SegmentFilter> {
  const { joinedFailures, moved, ofErrors } = filter
  if (joinedFailures === undefined && moved === undefined && ofErrors === undefined) return filter
  const facts = await files.facts(file)
  return {
    ...filter,
    ...(joinedFailures && { joinedFailures: nearFile(joinedFailures, facts) }),
    ...(moved && { moved: nearFile(moved, facts) }),
    ...(ofErrors && { ofErrors: nearFile(ofErrors, facts) }),
  }
}

/** Returns what happened within an hour of any row of the file, from its start to its end. */
function nearFile<T extends { readonly atMs: number }>(all: readonly T[], facts: FileFacts): readonly T[] {
  const { leastMs, greatestMs } = facts
  if (leastMs === null || greatestMs === null) return all
  const [fromMs, untilMs] = [leastMs - HOUR_MS, greatestMs + max('spanDurationMsMax') + HOUR_MS]
  return all.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs)
}

interface SegmentsIn {
  readonly filter: SegmentFilter
  readonly parameters: Parameters
  readonly file: FileName
  readonly byIssue?: readonly ErrorOfIssue[]
  readonly withApart?: boolean
}

/** `FROM … WHERE …` over the segments that meet the filter, and what names a row in it. */
function fromSegments<R extends FragmentLike>(
  { scope, rules }: TraceContext<R>,
  attached: FileRows,
  { filter, parameters, file, byIssue, withApart = filter.waitsFor !== undefined }: SegmentsIn,
): { readonly from: string; readonly place: string } {
  const { startMs, endMs, tags = [], people = [], either = [], projects } = filter
  const wanted = projects === null ? null : new Set(projects)
  const readable =
    wanted === null ? scope : { ...scope, projects: scope.projects.filter((id) => wanted.has(id)) }
  const asked = { startMs, endMs, tags, people, either }
  const { rows, place } = segmentRows(
    attached,
    { ...filter, withApart, ...(byIssue && { byIssue }) },
    parameters,
  )
  const from = fromProjects({ ...attached, rows }, readable, { filter: asked, parameters, rules, file })
  const conditions = [
    ...segmentConditions(filter, parameters),
    ...boundConditions(attached, filter, parameters),
    ...partConditions(filter, parameters, attached),
  ]
  return { from: [from, 'e.has_root', ...conditions].join(' AND '), place }
}

function segmentConditions(filter: SegmentFilter, parameters: Parameters): readonly string[] {
  const { traceId, kinds, routes, ends, endsNot = [], texts = [] } = filter
  const { waitsFor, services = [] } = filter
  const anyOf = (column: string, values: readonly string[]) =>
    `e."${column}" IN (SELECT unnest(${parameters.add([...values])}::VARCHAR[]))`
  const conditions: string[] = []
  if (traceId !== undefined) conditions.push(`e.trace_id = ${parameters.add(traceId)}`)
  if (kinds !== undefined) conditions.push(anyOf('request_kind', kinds))
  if (routes !== undefined) conditions.push(anyOf('route', routes))
  if (ends !== undefined) {
    const wanted = `(SELECT unnest(${parameters.add([...ends])}::VARCHAR[]))`
    conditions.push(`${segmentEndSql(filter, parameters)} IN ${wanted}`)
  }
  if (endsNot.length > 0) {
    const unwanted = `(SELECT unnest(${parameters.add([...endsNot])}::VARCHAR[]))`
    conditions.push(`coalesce(${segmentEndSql(filter, parameters)} NOT IN ${unwanted}, true)`)
  }
  for (const text of texts) {
    conditions.push(meets('lower(e.name)', parameters.add(wildPattern(`*${text}*`))))
  }
  if (waitsFor !== undefined) conditions.push(waitSql(waitsFor))
  for (const service of services) conditions.push(serviceCondition(service, parameters))
  for (const any of filter.servicesAny ?? [])
    conditions.push(`(${any.map((one) => serviceCondition(one, parameters)).join(' OR ') || 'false'})`)
  if (filter.onlyRequests === true) conditions.push('e."end" IS NOT NULL')
  return conditions
}

/** Milliseconds of queries, of calls, and of the rest; what is most of all, and no less than the rest. */
const QUERIES = 'coalesce(e.queries_ms, 0)::INTEGER'
const CALLS = 'coalesce(e.calls_ms, 0)::INTEGER'
const OWN = `e.duration_ms - ${QUERIES} - ${CALLS}`
const IS_WAITING = `(${QUERIES} > ${OWN} OR ${CALLS} > ${OWN})`
const IS_FOR_QUERIES = `${QUERIES} >= ${CALLS}`
const IS_BROWSER = "e.request_kind = 'browser'"

const WAITS: Readonly<Record<WaitedFor, string>> = {
  database: `(${IS_WAITING} AND ${IS_FOR_QUERIES})`,
  calls: `(${IS_WAITING} AND NOT ${IS_FOR_QUERIES})`,
  server: `(NOT ${IS_WAITING} AND NOT ${IS_BROWSER})`,
  browser: `(NOT ${IS_WAITING} AND ${IS_BROWSER})`,
}

function waitSql(waitsFor: readonly WaitedFor[]): string {
  return waitsFor.length === 0 ? 'false' : `(${waitsFor.map((one) => WAITS[one]).join(' OR ')})`
}

function serviceCondition({ name, projects, negated }: ServiceCondition, parameters: Parameters): string {
  const text = parameters.add(hasWildcard(name) ? wildPattern(name) : name)
  const isNamed = hasWildcard(name) ? meets('lower(e.service)', text) : `e.service = ${text}`
  const isOf = `e.service IS NULL AND e.project_id IN (SELECT unnest(${parameters.add([...projects])}::BIGINT[]))`
  return `${negated ? 'NOT ' : ''}coalesce((${isNamed}) OR (${isOf}), false)`
}

/** Same as `TraceReads.segmentWork`. */
export async function readWork<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: SegmentFilter,
): Promise<readonly SegmentWork[]> {
  const work = new Map<string, SegmentWork>()
  for (const file of filesOfKind(context, filter.files)) {
    // Of most apps nothing comes apart, and joining nothing takes three times as long as looking.
    const apart = await askTraceFile(context, file, ({ alias }) => {
      return `SELECT 1 FROM ${alias}.${ROWS} e WHERE NOT e.has_root AND (e.queries_ms > 0 OR e.calls_ms > 0) LIMIT 1`
    })
    const own = await narrowToFile(context, filter, file)
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const { from } = fromSegments(context, attached, {
        filter: own,
        parameters,
        file,
        withApart: apart.length > 0,
      })
      // Compared as they are: names for each row would take as long again.
      return `SELECT e.project_id::DOUBLE, e.service, ${IS_WAITING}, ${IS_FOR_QUERIES}, ${IS_BROWSER}, count(*)::DOUBLE ${from} GROUP BY 1, 2, 3, 4, 5`
    })
    for (const [project, service, isWaiting, isForQueries, isBrowser, count] of found) {
      const side = isBrowser === true ? 'browser' : 'server'
      const waitsFor = isWaiting !== true ? side : isForQueries === true ? 'database' : 'calls'
      const of = { projectId: projectId(Number(project)), service: textOrNull(service), waitsFor } as const
      const key = JSON.stringify(of)
      work.set(key, { ...of, count: Number(count) + (work.get(key)?.count ?? 0) })
    }
  }
  return [...work.values()]
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value)
}

/** Same as `TraceReads.segmentIssues`. */
export async function readIssues<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: SegmentFilter,
  errors: readonly ErrorOfIssue[],
): Promise<readonly { readonly issue: number; readonly count: number }[]> {
  if (errors.length === 0) return []
  const counts = new Map<number, number>()
  for (const file of filesOfKind(context, filter.files)) {
    const byIssue = nearFile(errors, await context.files.facts(file))
    if (byIssue.length === 0) continue
    const own = await narrowToFile(context, filter, file)
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const { from } = fromSegments(context, attached, { filter: own, parameters, file, byIssue })
      return `SELECT e.issue::DOUBLE, count(*)::DOUBLE ${from} GROUP BY 1`
    })
    for (const [issue, count] of found)
      counts.set(Number(issue), (counts.get(Number(issue)) ?? 0) + Number(count))
  }
  return [...counts].map(([issue, count]) => ({ issue, count })).sort((a, b) => b.count - a.count)
}
