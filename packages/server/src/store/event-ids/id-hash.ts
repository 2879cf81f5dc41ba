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
    const word = Number.parseInt(id.slice(at, at + 8), 16)
    a = rotated(Math.imul(a ^ word, 0x9e3779b1), 13)
    b = rotated(Math.imul(b ^ word, 0x5f356495), 17)
  }
  const low = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  const high = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  // Both zero means "empty" in a table.
  return { low: low === 0 && high === 0 ? 1 : low >>> 0, high: high >>> 0 }
}

function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by))
}
