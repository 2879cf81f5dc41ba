/** Reading rows: one statement per file, merged here, so that no query ever unites all files. */
import type { EventId, ProjectId } from '#base/ids.ts'
import { groupHash, projectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import { fileStem } from '#ports/file-name.ts'
import type { HiddenRules } from '#ports/hidden.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventFilter, EventPage, FileName, Neighbours } from '#ports/telemetry.ts'
import type { EventRow } from '#process/batch.ts'
import type { ColumnFiles, FileFacts } from './column-files.ts'
import { decodeRow, SELECT_COLUMNS } from './columns.ts'
import {
  fromGroups,
  fromProjects,
  groupsWithin,
  ORDER_KEY,
  type OrderKey,
  orderKeyParameter,
  Parameters,
  type VisibleGroups,
  visibleGroups,
} from './conditions.ts'
import { compareKeys, readCursor, writeCursor } from './cursor.ts'
import type { RunQuery } from './query-slots.ts'

/** What a read works with; `query` carries its deadline. */
export interface ReadContext {
  readonly files: ColumnFiles
  readonly query: RunQuery
  readonly scope: ReadScope
  readonly rules: HiddenRules
}

interface KnownFile {
  readonly file: FileName
  readonly facts: FileFacts
}

/** As `TelemetryStore.events`. */
export async function readEvents(
  context: ReadContext,
  filter: EventFilter,
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<EventPage> {
  const limit = Math.max(1, Math.min(page.limit, max('telemetryPageRowsMax')))
  const after = page.cursor === null ? null : readCursor(page.cursor)
  const groups = visibleGroups(context.scope, filter.groups, context.rules)
  if (groups.hashes.length === 0) return { rows: [], nextCursor: null }
  const files = (await filesInRange(context.files, filter)).sort(
    (a, b) => (b.facts.greatestMs ?? 0) - (a.facts.greatestMs ?? 0),
  )
  // One more than asked for: whether there is a next page.
  let rows: EventRow[] = []
  for (const { file, facts } of files) {
    const last = rows[limit]
    // Files come by their greatest event time: from here on none holds a row as new as the last one found.
    if (last !== undefined && (facts.greatestMs ?? 0) < last.timestampMs) break
    if (after !== null && (facts.leastMs ?? 0) > after.timestampMs) continue
    const within = groupsWithin(groups, context.rules, file)
    if (within.hashes.length === 0) continue
    const found = await newestOfFile(context, file, { filter, groups: within, after, count: limit + 1 })
    rows = [...rows, ...found].sort((a, b) => compareKeys(b, a)).slice(0, limit + 1)
  }
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown, nextCursor: rows.length > limit && last !== undefined ? writeCursor(last) : null }
}

interface FilePart {
  readonly filter: EventFilter
  readonly groups: VisibleGroups
  readonly after: OrderKey | null
  readonly count: number
}

function newestOfFile(context: ReadContext, file: FileName, part: FilePart): Promise<readonly EventRow[]> {
  return context.files.read(file, [], async ({ alias }) => {
    const parameters = new Parameters()
    const from = fromGroups(alias, part.groups, { filter: part.filter, parameters })
    const beyond =
      part.after === null
        ? ''
        : `AND e.timestamp_ms <= ${parameters.add(part.after.timestampMs)} AND ${ORDER_KEY} < ${orderKeyParameter(part.after, parameters)}`
    const found = await context.query(
      `SELECT ${SELECT_COLUMNS} ${from} ${beyond} ` +
        `ORDER BY e.timestamp_ms DESC, e.event_id DESC, e.seq DESC LIMIT ${part.count}`,
      parameters.values,
    )
    return found.map((values) => decodeRow(values, file))
  })
}

/** As `TelemetryStore.event`. */
export async function readEvent(
  context: ReadContext,
  file: FileName,
  of: { readonly project: ProjectId; readonly id: EventId },
): Promise<EventRow | null> {
  if (!context.scope.projects.includes(of.project) || !context.files.has(file)) return null
  const rows = await context.files.read(file, [], ({ alias }) =>
    context.query(
      `SELECT ${SELECT_COLUMNS} FROM ${alias}.events e ` +
        'WHERE e.project_id = $1::BIGINT AND e.event_id = $2 ORDER BY e.seq DESC LIMIT 1',
      [of.project, of.id],
    ),
  )
  const row = rows[0] === undefined ? null : decodeRow(rows[0], file)
  return row === null || context.rules.hides(row, file) ? null : row
}

/** As `TelemetryStore.neighbours`. */
export async function readNeighbours(
  context: ReadContext,
  filter: EventFilter,
  of: EventRow,
): Promise<Neighbours> {
  const groups = visibleGroups(context.scope, filter.groups, context.rules)
  const files = groups.hashes.length === 0 ? [] : await filesInRange(context.files, filter)
  let total = 0
  let before = 0
  const ends = new Ends()
  for (const { file } of files) {
    const within = groupsWithin(groups, context.rules, file)
    if (within.hashes.length === 0) continue
    const found = await neighboursInFile(context, file, { filter, groups: within, of })
    total += found.total
    before += found.before
    ends.take(found)
  }
  return {
    first: ends.first?.eventId ?? of.eventId,
    previous: ends.previous?.eventId ?? null,
    next: ends.next?.eventId ?? null,
    latest: ends.latest?.eventId ?? of.eventId,
    position: before + 1,
    total,
  }
}

type KeyWithId = OrderKey & { readonly eventId: EventId }

interface FileNeighbours {
  readonly total: number
  readonly before: number
  readonly first: KeyWithId | null
  readonly previous: KeyWithId | null
  readonly next: KeyWithId | null
  readonly latest: KeyWithId | null
}

const NO_NEIGHBOURS: FileNeighbours = {
  ...{ total: 0, before: 0 },
  ...{ first: null, previous: null, next: null, latest: null },
}

/** The ends of all files together. */
class Ends {
  first: KeyWithId | null = null
  previous: KeyWithId | null = null
  next: KeyWithId | null = null
  latest: KeyWithId | null = null

  take(file: FileNeighbours): void {
    this.first = pick(this.first, file.first, -1)
    this.previous = pick(this.previous, file.previous, 1)
    this.next = pick(this.next, file.next, -1)
    this.latest = pick(this.latest, file.latest, 1)
  }
}

/** The greater (`direction` 1) or lesser (-1) of two, where there are two. */
function pick(a: KeyWithId | null, b: KeyWithId | null, direction: 1 | -1): KeyWithId | null {
  if (a === null || b === null) return a ?? b
  return compareKeys(a, b) * direction >= 0 ? a : b
}

function neighboursInFile(
  context: ReadContext,
  file: FileName,
  part: { readonly filter: EventFilter; readonly groups: VisibleGroups; readonly of: EventRow },
): Promise<FileNeighbours> {
  return context.files.read(file, NO_NEIGHBOURS, async ({ alias }) => {
    const parameters = new Parameters()
    const here = orderKeyParameter(part.of, parameters)
    const from = fromGroups(alias, part.groups, { filter: part.filter, parameters })
    const [row = []] = await context.query(
      'SELECT count(*)::DOUBLE, (count(*) FILTER (WHERE k < here))::DOUBLE, min(k), ' +
        'max(k) FILTER (WHERE k < here), min(k) FILTER (WHERE k > here), max(k) ' +
        `FROM (SELECT ${ORDER_KEY} AS k, ${here} AS here ${from})`,
      parameters.values,
    )
    const [total, before, first, previous, next, latest] = row
    return {
      total: Number(total ?? 0),
      before: Number(before ?? 0),
      first: keyOf(first),
      previous: keyOf(previous),
      next: keyOf(next),
      latest: keyOf(latest),
    }
  })
}

/** A struct made with ORDER_KEY. */
function keyOf(value: unknown): KeyWithId | null {
  if (value === null || value === undefined) return null
  const { t, i, s } = value as { t: number; i: EventId; s: bigint } // the shape of ORDER_KEY
  return { timestampMs: t, eventId: i, seq: Number(s) }
}

/** As `TelemetryStore.groupsMatching`. */
export async function readGroupsMatching(
  context: ReadContext,
  filter: Omit<EventFilter, 'groups'>,
  limit: number,
): Promise<{ projectId: ProjectId; hash: ReturnType<typeof groupHash> }[]> {
  const found = new Map<string, { projectId: ProjectId; hash: ReturnType<typeof groupHash> }>()
  if (context.scope.projects.length === 0) return []
  for (const { file } of await filesInRange(context.files, filter)) {
    if (found.size >= limit) break
    const rows = await groupsOfFile(context, file, { filter, limit })
    for (const [project, hash] of rows) {
      if (found.size >= limit) break
      found.set(`${project}:${hash}`, {
        projectId: projectId(Number(project)),
        hash: groupHash(String(hash)),
      })
    }
  }
  return [...found.values()]
}

function groupsOfFile(
  { files, query, scope, rules }: ReadContext,
  file: FileName,
  part: { readonly filter: Omit<EventFilter, 'groups'>; readonly limit: number },
): ReturnType<RunQuery> {
  return files.read(file, [], ({ alias }) => {
    const parameters = new Parameters()
    const from = fromProjects(alias, scope, { filter: part.filter, parameters, rules, file })
    // The newest groups: an answer that a limit cuts should be the one that people look for.
    return query(
      `SELECT e.project_id::DOUBLE, e.group_hash ${from} ` +
        `GROUP BY e.project_id, e.group_hash ORDER BY max(e.seq) DESC LIMIT ${Math.max(1, Math.floor(part.limit))}`,
      parameters.values,
    )
  })
}

/** The named files that exist and may hold rows of the time range, in the order they were named. */
async function filesInRange(
  files: ColumnFiles,
  { files: named, startMs, endMs }: Omit<EventFilter, 'groups'>,
): Promise<KnownFile[]> {
  const unique = [...new Map(named.map((file) => [fileStem(file), file])).values()]
  const kept: KnownFile[] = []
  for (const file of unique) {
    if (!files.has(file)) continue
    const facts = await files.facts(file)
    if (facts.leastMs === null || facts.greatestMs === null) continue
    if (startMs !== undefined && facts.greatestMs < startMs) continue
    if (endMs !== undefined && facts.leastMs >= endMs) continue
    kept.push({ file, facts })
  }
  return kept
}

/** As `TelemetryStore.rows`. */
export async function readRows(
  { files, query }: Pick<ReadContext, 'files' | 'query'>,
  file: FileName,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly EventRow[]> {
  return files.read(file, [], async ({ alias }) => {
    const sql = `SELECT ${SELECT_COLUMNS} FROM ${alias}.events e WHERE e.seq > $1::BIGINT ORDER BY e.seq LIMIT $2::BIGINT`
    return (await query(sql, [afterSeq, limit])).map((values) => decodeRow(values, file))
  })
}
