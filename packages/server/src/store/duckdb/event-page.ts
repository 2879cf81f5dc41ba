/** A page of events: places first, from narrow columns and few files, then the rows that are shown. */
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import type { AnyEventFilter, EventLike, EventPage } from '#ports/telemetry.ts'
import { type OrderKey, visibleGroups } from './conditions.ts'
import { compareKeys, readCursor, writeCursor } from './cursor.ts'
import { countedMatches, type GroupFile, groupFiles, isWholeGroups } from './group-files.ts'
import { filesPerScan, newestKeys, type RowKey } from './group-scan.ts'
import type { ReadContext } from './read-context.ts'
import { ROWS, readAnswerRow, selectShown } from './table-sql.ts'

/** Same as `TelemetryStore.events`. */
export async function readEvents<R extends EventLike>(
  context: ReadContext<R>,
  filter: AnyEventFilter,
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<EventPage<R>> {
  const limit = Math.max(1, Math.min(page.limit, max('telemetryPageRowsMax')))
  const after = page.cursor === null ? null : readCursor(page.cursor)
  const groups = filter.groups === null ? null : visibleGroups(context.scope, filter.groups, context.rules)
  if (context.scope.projects.length === 0) return { rows: [], nextCursor: null }
  const files = (await groupFiles(context, filter, groups)).sort((a, b) => b.lastMs - a.lastMs)
  // One more than asked for: whether there is a next page.
  const keys = await pageOfKeys(context, filter, { files, after, count: limit + 1 })
  const shown = keys.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor = keys.length > limit && last !== undefined ? writeCursor(last) : null
  return { rows: await readRowsByKey(context, shown), nextCursor }
}

interface Wanted {
  /** By their newest rows, newest first. */
  readonly files: readonly GroupFile[]
  readonly after: OrderKey | null
  readonly count: number
}

async function pageOfKeys(
  context: ReadContext,
  filter: AnyEventFilter,
  { files, after, count }: Wanted,
): Promise<readonly RowKey[]> {
  const open = after === null ? files : files.filter(({ firstMs }) => firstMs <= after.timestampMs)
  const all = after === null ? countedMatches(filter, files) : null
  const wanted = Math.min(count, all ?? count)
  let keys: readonly RowKey[] = []
  for (let at = 0; at < open.length && wanted > 0; ) {
    const last = keys[wanted - 1]
    // Files come by their newest row: from here on none holds one as new as the last one found.
    if (last !== undefined && (all === wanted || (open[at]?.lastMs ?? 0) < Math.floor(last.timestampMs)))
      break
    const part = nextFiles(open, {
      at,
      rows: Math.max(1, wanted - keys.length),
      share: shareOfRange(filter, after),
    })
    const found = await newestKeys(context, { filter, files: part }, { after, count })
    keys = [...keys, ...found].sort((a, b) => compareKeys(b, a)).slice(0, count)
    at += part.length
  }
  return keys
}

/** How many of the groups' rows are likely to meet the filter, of one; `null` where nothing tells. */
function shareOfRange(filter: AnyEventFilter, after: OrderKey | null): number | null {
  if (isWholeGroups(filter)) return after === null ? 1 : null
  const { counted } = filter
  return counted === undefined || counted === null ? null : counted.matching / Math.max(1, counted.events)
}

/**
 * Chooses as many files as are likely to hold the rows, at least one: the next may all be older than what
 * they hold. Without a hint, one file first, because most pages are in the newest, then twice as many each
 * time.
 */
function nextFiles(
  files: readonly GroupFile[],
  { at, rows, share }: { readonly at: number; readonly rows: number; readonly share: number | null },
): readonly GroupFile[] {
  const most = files.slice(at, at + filesPerScan())
  if (share === null || most.some(({ events }) => events === null)) return most.slice(0, at + 1)
  let expected = 0
  const end = most.findIndex(({ events }) => {
    expected += share * (events ?? 0)
    return expected >= rows
  })
  return end < 0 ? most : most.slice(0, end + 1)
}

/**
 * The rows of the keys, in their order. A row that was removed meanwhile is left out. Of each file, the few blocks behind whose payloads
 * they lie, or a query of all columns: 4 ms however few rows, where a block of 128 events of 5 KB is 0.7 (2 vCPU, 2026-11-22).
 */
async function readRowsByKey<R extends EventLike>(
  context: ReadContext<R>,
  keys: readonly RowKey[],
): Promise<readonly R[]> {
  const rows = new Map<number, R>()
  const byFile = Map.groupBy(keys, ({ file }) => fileStem(file))
  const missing = await Promise.all(
    [...byFile.values()].map((ofFile) => takeFromBlocks(context, ofFile, rows)),
  )
  for (const ofFile of missing) await takeFromColumns(context, ofFile, rows)
  return keys.map(({ seq }) => rows.get(seq)).filter((row) => row !== undefined)
}

/** Answers the keys of one file whose rows are not found there. */
async function takeFromBlocks<R extends EventLike>(
  context: ReadContext<R>,
  keys: readonly RowKey[],
  rows: Map<number, R>,
): Promise<readonly RowKey[]> {
  const [first] = keys
  if (first === undefined) return []
  const asked = context.rowsOf(first.file, keys, max('rowBlocksBytesMax'))
  const found = await asked.catch(() => []) // the columns have them too
  return keys.filter(({ seq }, index) => {
    const row = found[index] ?? null
    if (row === null || row.seq !== seq) return true
    rows.set(seq, row)
    return false
  })
}

async function takeFromColumns<R extends EventLike>(
  context: ReadContext<R>,
  keys: readonly RowKey[],
  rows: Map<number, R>,
): Promise<void> {
  const [first] = keys
  if (first === undefined) return
  const file: FileName = first.file
  await context.files.read(file, null, async ({ alias }) => {
    const { table } = context
    const seqs = keys.map(({ seq }) => seq)
    // The bounds say which stretches of the file need not be read.
    const found = await context.query(
      `SELECT ${selectShown(table)} FROM ${alias}.${ROWS} e WHERE e.seq BETWEEN $2::BIGINT AND $3::BIGINT ` +
        'AND e.seq IN (SELECT unnest($1::BIGINT[]))',
      [seqs, Math.min(...seqs), Math.max(...seqs)],
    )
    for (const values of found) {
      const row = readAnswerRow(table, values, file)
      rows.set(row.seq, row)
    }
    return null
  })
}
