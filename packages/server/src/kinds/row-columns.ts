/**
 * The rows of a part in columns: what the commit must know of each row, of whatever kind, as numbers. Nothing is cloned on
 * the way, and the commit thread touches no string per row.
 */
import { type EventId, eventId } from '#base/ids.ts'
import type { PackedRow } from '#model/batch.ts'
import type { StoredRow } from '#model/fields.ts'
import type { FileName, KindName } from '#model/file-name.ts'

/** Numbers, one entry a row. */
export const ROW_NUMBERS = {
  seq: Float64Array,
  projectId: Float64Array,
  timestampMs: Float64Array,
  receivedMs: Float64Array,
  keyId: Uint32Array,
  /** Places in `files` and in the part's blocks. */
  file: Uint32Array,
  block: Uint32Array,
  offset: Uint32Array,
  bytes: Uint32Array,
  rowBytes: Uint32Array,
  /** How many it counts as, and as what: a place in `categories`, 0 for the kind's own. */
  quantity: Uint32Array,
  category: Uint32Array,
  /** End of the row in the part's lines, and the form in which the column store wrote it. */
  lineEnd: Uint32Array,
  form: Uint32Array,
} as const

export type RowNumbers = {
  readonly [Name in keyof typeof ROW_NUMBERS]: (typeof ROW_NUMBERS)[Name] extends Float64ArrayConstructor
    ? Float64Array
    : Uint32Array
}

export interface RowColumns extends RowNumbers {
  readonly count: number
  /** 32 characters a row; none for a kind whose items have no id. */
  readonly eventIds: string
  readonly files: readonly FileName[]
  /** Data categories other than the kind's own that rows count in; the first stands for that. */
  readonly categories: readonly string[]
}

/** Lines that the column store's encoder made of the rows. */
export interface RowLines {
  readonly lines: Uint8Array
  readonly ends: Uint32Array
  readonly forms: Uint32Array
}

const EVENT_ID_CHARS = 32

/** The id of a row of a kind that has them. */
export function eventIdAt({ eventIds }: Pick<RowColumns, 'eventIds'>, place: number): EventId {
  const start = place * EVENT_ID_CHARS
  return eventId(eventIds.slice(start, start + EVENT_ID_CHARS))
}

export function rowColumns(
  kind: KindName,
  rows: readonly PackedRow[],
  { ends, forms }: Pick<RowLines, 'ends' | 'forms'>,
): RowColumns {
  const columns = emptyColumns(rows.length)
  const files: FileName[] = []
  const categories = ['']
  rows.forEach(({ row, keyId, block, offset, bytes, rowBytes, counts }, place) => {
    columns.seq[place] = row.seq
    columns.projectId[place] = row.projectId
    columns.timestampMs[place] = row.timestampMs
    columns.receivedMs[place] = row.receivedMs
    columns.keyId[place] = keyId
    columns.file[place] = fileAt(files, kind, row)
    columns.block[place] = block
    columns.offset[place] = offset
    columns.bytes[place] = bytes
    columns.rowBytes[place] = rowBytes
    columns.quantity[place] = counts?.quantity ?? 1
    if (counts !== undefined) columns.category[place] = categoryAt(categories, counts.category)
  })
  return {
    ...columns,
    lineEnd: ends,
    form: forms,
    count: rows.length,
    eventIds: idsOf(rows),
    files,
    categories,
  }
}

function categoryAt(categories: string[], category: string): number {
  const known = categories.indexOf(category)
  return known >= 0 ? known : categories.push(category) - 1
}

function fileAt(files: FileName[], kind: KindName, { day, retentionDays }: StoredRow): number {
  const known = files.findIndex((file) => file.day === day && file.retentionDays === retentionDays)
  return known >= 0 ? known : files.push({ kind, day, retentionDays }) - 1
}

function idsOf(rows: readonly PackedRow[]): string {
  return rows.map(({ row }) => ('eventId' in row ? row.eventId : '')).join('')
}

function emptyColumns(count: number): RowNumbers {
  const made = Object.entries(ROW_NUMBERS).map(([name, Column]) => [name, new Column(count)])
  return Object.fromEntries(made) as RowNumbers // every column of the table above
}
