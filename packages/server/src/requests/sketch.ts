/**
 * Quantiles of durations and vitals within 1 %: DDSketch (https://arxiv.org/abs/1908.10693). Keys are those of Datadog's
 * library; its bins are not used, because a table of routes joins ten thousands of sketches: here a sketch is added to
 * another bin by bin from its bytes, without an object in between. On the disk only bins that hold something are written:
 * the library takes eight bytes for each empty one between the smallest and the largest value.
 */
import { DDSketch } from '@datadog/sketches-js'

const ACCURACY = 0.01
const { mapping: MAPPING } = new DDSketch({ relativeAccuracy: ACCURACY })
/** Counts are kept in thousandths: what sampled requests stand for is no whole number. */
const SCALE = 1_000
/** Bins that are made at once, on the side where one is missing. */
const GROWTH = 128
/** A number of any duration lies far within: bytes that say otherwise are none of ours. */
const KEY_MAX = 40_000

/** Returns the group of so many bins that a value lies in, numbered from 1 ms on; below, numbers are negative. */
export function binGroupOf(value: number, bins: number): number {
  return Math.floor((MAPPING.key(Math.max(value, LEAST)) - 1) / bins)
}

/** Returns the value that a group of so many bins begins above, and the one before it reaches to. */
export function binGroupStart(group: number, bins: number): number {
  return MAPPING.gamma ** (group * bins)
}

/** Returns the value above which lies everything that is counted as `value` or more. */
export function binStart(value: number): number {
  const key = MAPPING.key(value)
  return MAPPING.gamma ** (MAPPING.value(key) < value ? key : key - 1)
}

/** Least value told apart: what is less, zeros included, is in its group. */
const LEAST = 0.1

/** Merges and adds in place. */
export class DurationSketch {
  #zeros = 0
  #count = 0
  /** Bins from key `#first` on. */
  #bins = new Float64Array(0)
  #first = 0

  /** How many values it stands for. */
  get count(): number {
    return this.#count
  }

  /** `value`: 0 or more. `weight`: how many such values it stands for, above 0. */
  add(value: number, weight = 1): void {
    if (!(weight > 0)) return
    this.#count += weight
    if (value > MAPPING.minPossible) this.#addBin(MAPPING.key(value), weight)
    else this.#zeros += weight
  }

  /** Removes a value that was added with the same weight. */
  remove(value: number, weight: number): void {
    const isZero = !(value > MAPPING.minPossible)
    const place = isZero ? 0 : MAPPING.key(value) - this.#first
    const kept = isZero ? this.#zeros : (this.#bins[place] ?? 0)
    const gone = Math.min(weight, kept)
    if (isZero) this.#zeros -= gone
    else if (gone > 0) this.#bins[place] = kept - gone
    this.#count = Math.max(0, this.#count - gone)
  }

  /** Takes what `toBytes` gave. */
  merge(bytes: Uint8Array): void {
    const length = bytes.length
    let key = 0
    let at = 0
    let isZeros = true
    while (at < length || isZeros) {
      // Written out for both numbers of a pair: this runs a hundred times a sketch, and a table has ten thousands of them.
      let step = 0
      if (!isZeros) {
        let byte = bytes[at++] ?? 0
        step = byte & 0x7f
        for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
          byte = bytes[at++] ?? 0
          step += (byte & 0x7f) * scale
        }
      }
      let byte = bytes[at++] ?? 0
      let kept = byte & 0x7f
      for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
        byte = bytes[at++] ?? 0
        kept += (byte & 0x7f) * scale
      }
      const count = kept / SCALE
      this.#count += count
      if (isZeros) this.#zeros += count
      else {
        key += step % 2 === 0 ? step / 2 : -(step + 1) / 2
        const place = key - this.#first
        if (place >= 0 && place < this.#bins.length) this.#bins[place] = (this.#bins[place] ?? 0) + count
        else this.#addBin(key, count)
      }
      isZeros = false
    }
  }

  /** `null` while there is nothing in it. `q`: 0 to 1. */
  quantile(q: number): number | null {
    if (this.#count === 0) return null
    const rank = q * (this.#count - 1)
    let before = this.#zeros
    if (before > rank) return 0
    let last = 0
    for (let at = 0; at < this.#bins.length; at++) {
      const count = this.#bins[at] ?? 0
      if (count <= 0) continue
      before += count
      last = at
      if (before > rank) break
    }
    return MAPPING.value(this.#first + last)
  }

  /** Yields bins in ascending order: how many values lie within 1 % of each. */
  *bins(): Generator<{ readonly value: number; readonly count: number }> {
    if (this.#zeros > 0) yield { value: 0, count: this.#zeros }
    for (const [at, count] of this.#bins.entries()) {
      if (count > 0) yield { value: MAPPING.value(at + this.#first), count }
    }
  }

  /** Zeros, then pairs of a step to the next key and its count, all as variable-length numbers. */
  toBytes(): Uint8Array {
    const bytes: number[] = []
    const write = (number: number): void => {
      let rest = number
      while (rest >= 0x80) {
        bytes.push((rest % 0x80) | 0x80)
        rest = Math.floor(rest / 0x80)
      }
      bytes.push(rest)
    }
    write(Math.round(this.#zeros * SCALE))
    let before = 0
    for (const [at, count] of this.#bins.entries()) {
      const kept = Math.round(count * SCALE)
      if (kept <= 0) continue
      const step = at + this.#first - before
      write(step >= 0 ? step * 2 : -step * 2 - 1)
      write(kept)
      before = at + this.#first
    }
    return Uint8Array.from(bytes)
  }

  #addBin(key: number, count: number): void {
    if (Math.abs(key) > KEY_MAX) return
    this.#makeRoom(key)
    const place = key - this.#first
    this.#bins[place] = (this.#bins[place] ?? 0) + count
  }

  #makeRoom(key: number): void {
    const { length } = this.#bins
    if (length === 0) this.#first = key - GROWTH / 2
    const end = this.#first + length
    if (length > 0 && key >= this.#first && key < end) return
    const first = key < this.#first ? key - GROWTH : this.#first
    const bins = new Float64Array(Math.max(end, key + GROWTH) - first)
    bins.set(this.#bins, this.#first - first)
    this.#bins = bins
    this.#first = first
  }
}
