/**
 * A row as it lies behind its payload in a block: what column files are rebuilt from, and all that is kept of an item
 * whose payload was not. A JSON list without names, because neighbours in a block are alike and names would be half of
 * it; its order is that of the kind's table. What the block's entry and the file's name say is left out.
 */
import type { RowPlace, RowTable, RowValues, StoredRow } from './fields.ts'

export function encodeRow<R extends StoredRow>(table: RowTable<R>, row: R): string {
  const values: RowValues = row
  const record: unknown[] = [row.timestampMs, row.receivedMs]
  for (const key of table.keys) record.push(values[key])
  return JSON.stringify(record)
}

/**
 * The row that `encodeRow` was given; what was added to the table since is `null`.
 * @throws when the text is no record
 */
export function decodeRow<R extends StoredRow>(table: RowTable<R>, text: string, place: RowPlace): R {
  const values: unknown = JSON.parse(text)
  if (!Array.isArray(values)) throw new Error('not a row record')
  const row: Record<string, unknown> = { ...place, timestampMs: values[0], receivedMs: values[1] }
  if (!table.hasEventId) delete row.eventId
  let at = 2
  for (const key of table.keys) row[key] = values[at++] ?? null
  return row as unknown as R // written by `encodeRow` from a row of this table
}
