/** Part of grouping version 1. */
import { hash } from 'node:crypto'
import { type GroupHash, groupHash } from '#base/ids.ts'
import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'

/** A component: a word, or a list of them. As JSON, no two different lists have the same text. */
export type Part = string | readonly Part[]

const VERSION_TAG = 'errata-grouping-1'
/** Most characters of parts, as JSON, whose hash is remembered. */
const PARTS_CHARS = 2_000

export function hashParts(parts: readonly Part[]): GroupHash {
  return HASHES.of(JSON.stringify([VERSION_TAG, parts]))
}

/** Events of one group have the same parts. */
const HASHES = new Memo((text) => groupHash(hash('sha1', text).slice(0, 32)), {
  entriesMax: max('hashesRememberedMax'),
  charsMax: PARTS_CHARS,
})
