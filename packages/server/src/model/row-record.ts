/**
 * A row as it lies behind its payload in a block: what column files are rebuilt from, and all that is kept of an item
 * whose payload was not. A JSON list without names, because neighbours in a block are alike and names would be half of
 * it; its order is that of the kind's table. What the block's entry and the file's name say is left out, and tags that fields
 * tell: a number of bits before the others stands for them, lowest first in the order of those fields.
 */
import { type RowPlace, type RowTable, type RowValues, type StoredRow, tagFields } from './fields.ts'
import {
  type ImpliedTags,
  impliedBits,
  listedPairs,
  pairsIn,
  type TagPairs,
  withImplied,
} from './implied-tags.ts'

export function encodeRow<R extends StoredRow>(table: RowTable<R>, row: R): string {
  const values: RowValues = row
  const record: unknown[] = [row.timestampMs, row.receivedMs]
  for (const key of table.keys) {
    const value = values[key]
    record.push(
      table.fields[key]?.type === 'pairs' ? packPairs(values, pairsIn(value), impliedIn(table)) : value,
    )
  }
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
  for (const key of table.keys) {
    if (table.fields[key]?.type === 'pairs') row[key] = unpackPairs(row, row[key], impliedIn(table))
  }
  return row as unknown as R // written by `encodeRow` from a row of this table
}

function packPairs(row: RowValues, pairs: TagPairs, tags: ImpliedTags): readonly unknown[] {
  const bits = impliedBits(row, pairs, tags)
  return [bits, ...listedPairs(pairs, bits, tags)]
}

/** Records of before list all pairs, without a number before them. */
function unpackPairs(row: RowValues, stored: unknown, tags: ImpliedTags): unknown {
  if (!Array.isArray(stored) || typeof stored[0] !== 'number') return stored
  const [bits, ...listed] = stored
  return withImplied(row, { listed: pairsIn(listed), bits }, tags)
}

const KNOWN = new WeakMap<RowTable, ImpliedTags>()

function impliedIn(table: RowTable): ImpliedTags {
  const known = KNOWN.get(table)
  if (known !== undefined) return known
  const made = new Map(tagFields(table).map(({ tag, key }, index) => [tag, { bit: 1 << index, key }]))
  KNOWN.set(table, made)
  return made
}
