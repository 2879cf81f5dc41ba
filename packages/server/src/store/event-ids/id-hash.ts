/** The 64-bit hash of (project, event id) as two 32-bit halves. Written into files: never change it, add a version. */
import type { EventId, ProjectId } from '#base/ids.ts'

export interface IdHash {
  readonly low: number
  readonly high: number
}

/**
 * Two multiplicative hashes of 32 bits, mixed into each other at the end. Ids are random, so two different ones of
 * a week with 70 million events meet with a chance of 4 in 10^12; one that is made to meet harms its own project
 * alone.
 */
export function idHash(project: ProjectId, id: EventId): IdHash {
  let a = 0xdeadbeef ^ project
  let b = 0x41c6ce57 ^ Math.imul(project, 0x9e3779b1)
  for (let at = 0; at < 32; at += 8) {
    const word = hexAt(id, at)
    a = rotateBits(Math.imul(a ^ word, 0x9e3779b1), 13)
    b = rotateBits(Math.imul(b ^ word, 0x5f356495), 17)
  }
  const low = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  const high = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  // Both zero means "empty" in a table.
  return { low: low === 0 && high === 0 ? 1 : low >>> 0, high: high >>> 0 }
}

/** Eight lower-case hex characters as a number of 32 bits: a tenth of what cutting out and parsing a text costs. */
function hexAt(id: string, at: number): number {
  let word = 0
  for (let index = at; index < at + 8; index++) {
    const code = id.charCodeAt(index)
    // `0` is 0x30, `a` is 0x61.
    word = (word << 4) | (code < 0x3a ? code - 0x30 : code - 0x57)
  }
  return word
}

function rotateBits(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by))
}
