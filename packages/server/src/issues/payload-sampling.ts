/**
 * Which payloads of one issue are kept beyond the project's cap of an hour of receipt. The rule looks at the event's
 * place in that hour and at its seq alone: whoever applies it, and however often, decides the same.
 *
 *   events of the hour   1 … N     N + 1 … 10 N     beyond
 *   payloads kept        all       one in 10        one in 100
 */
import { HOUR_MS } from '#base/durations.ts'

/** 1: every payload is kept; 10 or 100: one in so many. */
export type PayloadSampling = 1 | 10 | 100

/** Hours since 1970. */
export function hourSinceEpoch(ms: number): number {
  return Math.floor(ms / HOUR_MS)
}

/**
 * Returns the sampling of the `ordinal`th event (the first is 1) of an issue in an hour. Never falls as the
 * hour goes on.
 */
export function samplingOf(ordinal: number, cap: number): PayloadSampling {
  if (ordinal <= cap) return 1
  return ordinal <= 10 * cap ? 10 : 100
}

/**
 * True for one seq in `every`. Mixed, because issues that take turns would else get all payloads or none; and seqs, not
 * event ids, because whoever floods an issue chooses its ids. What one in 100 keeps, one in 10 keeps as well.
 */
export function isSampled(seq: number, every: PayloadSampling): boolean {
  return mixBits(seq) % every === 0
}

/** 32 bits, the finisher of MurmurHash3 (A. Appleby, public domain). */
function mixBits(seq: number): number {
  let bits = (seq % 0x1_0000_0000) ^ Math.floor(seq / 0x1_0000_0000)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
