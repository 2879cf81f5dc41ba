/**
 * Counts distinct 64-bit hashes in 4,096 registers of one byte. Standard error 1.04 / √4096 = 1.6 %. The estimator is
 * the one of O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), section 4: unbiased
 * from one to 2^60 without tables or thresholds.
 */
const INDEX_BITS = 12
const SKETCH_REGISTERS = 1 << INDEX_BITS
/** Bits left for the rank. */
const RANK_BITS = 64 - INDEX_BITS
/** Relative, one standard deviation. */
export const SKETCH_ERROR = 1.04 / Math.sqrt(SKETCH_REGISTERS)

export type UserSketch = Uint8Array

export function emptySketch(): UserSketch {
  return new Uint8Array(SKETCH_REGISTERS)
}

/** Adds in place. Answers whether a register changed. */
export function addToSketch(sketch: UserSketch, hash: bigint): boolean {
  const high = Number(hash >> 32n)
  const low = Number(hash & 0xffff_ffffn)
  const index = high >>> (32 - INDEX_BITS)
  const rest = (high << INDEX_BITS) >>> 0
  const rank = (rest === 0 ? 32 - INDEX_BITS + Math.clz32(low) : Math.clz32(rest)) + 1
  if (rank <= (sketch[index] ?? 0)) return false
  sketch[index] = rank
  return true
}

/** Adds everything of `from` to `into`, in place. */
export function mergeSketch(into: UserSketch, from: UserSketch): void {
  for (let index = 0; index < SKETCH_REGISTERS; index++) {
    const rank = from[index] ?? 0
    if (rank > (into[index] ?? 0)) into[index] = rank
  }
}

export function estimateSketch(sketch: UserSketch): number {
  const registers = SKETCH_REGISTERS
  const histogram = new Float64Array(RANK_BITS + 2)
  for (const rank of sketch) histogram[rank] = (histogram[rank] ?? 0) + 1
  let sum = registers * tau(1 - (histogram[RANK_BITS + 1] ?? 0) / registers)
  for (let rank = RANK_BITS; rank >= 1; rank--) sum = 0.5 * (sum + (histogram[rank] ?? 0))
  sum += registers * sigma((histogram[0] ?? 0) / registers)
  return Math.round((registers * registers) / (2 * Math.LN2 * sum))
}

/** Both series converge quadratically: the loops end after at most about sixty steps, when nothing changes any more. */
function sigma(start: number): number {
  if (start === 1) return Number.POSITIVE_INFINITY
  let x = start
  let weight = 1
  let sum = start
  for (;;) {
    x *= x
    const before = sum
    sum += x * weight
    weight += weight
    if (sum === before) return sum
  }
}

function tau(start: number): number {
  if (start === 0 || start === 1) return 0
  let x = start
  let weight = 1
  let sum = 1 - start
  for (;;) {
    x = Math.sqrt(x)
    const before = sum
    weight *= 0.5
    sum -= (1 - x) ** 2 * weight
    if (sum === before) return sum / 3
  }
}
