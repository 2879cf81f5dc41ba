/** Tags that fields of a row tell: what is stored leaves them out of its pairs, and a bit stands for each. */
import type { RowValues } from './fields.ts'

/** By the tag's key: its bit, and the field that says the same. */
export type ImpliedTags = ReadonlyMap<string, { readonly bit: number; readonly key: string }>

export type TagPairs = readonly (readonly [string, string])[]

/** Reads a field of pairs. */
export function pairsIn(value: unknown): TagPairs {
  return value as TagPairs // pairs, as the table says
}

/** The bits of the pairs that fields tell; none where pairs are not in the order in which they are read back. */
export function impliedBits(row: RowValues, pairs: TagPairs, tags: ImpliedTags): number {
  let bits = 0
  let keyBefore: string | null = null
  for (const [key, value] of pairs) {
    if (keyBefore !== null && key <= keyBefore) return 0
    keyBefore = key
    const tag = tags.get(key)
    if (tag !== undefined && impliedText(row[tag.key]) === value) bits |= tag.bit
  }
  return bits
}

/** Returns the pairs that no bit stands for. */
export function listedPairs(pairs: TagPairs, bits: number, tags: ImpliedTags): TagPairs {
  return bits === 0 ? pairs : pairs.filter(([key]) => (bits & (tags.get(key)?.bit ?? 0)) === 0)
}

/** All pairs of a row again. */
export function withImplied(
  row: RowValues,
  { listed, bits }: { readonly listed: TagPairs; readonly bits: number },
  tags: ImpliedTags,
): TagPairs {
  if (bits === 0) return listed
  const pairs = [...listed]
  for (const [key, tag] of tags) {
    if ((bits & tag.bit) !== 0) pairs.push([key, impliedText(row[tag.key]) ?? ''])
  }
  return pairs.sort(([one], [other]) => (one < other ? -1 : 1))
}

function impliedText(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : null
}
