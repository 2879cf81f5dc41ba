/** Frozen part of grouping version 1. */
import { hash } from 'node:crypto'
import { type GroupHash, groupHash } from '#base/ids.ts'

/** A component: a word, or a list of them. As JSON, no two different lists have the same text. */
export type Part = string | readonly Part[]

const VERSION_TAG = 'errata-grouping-1'

export function hashParts(parts: readonly Part[]): GroupHash {
  return groupHash(hash('sha1', JSON.stringify([VERSION_TAG, parts])).slice(0, 32))
}
