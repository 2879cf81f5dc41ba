/**
 * Quantiles of durations and vitals within 1 %: DDSketch (https://arxiv.org/abs/1908.10693) by Datadog's library, with a
 * form of our own on the disk. The library writes each empty bin between the smallest and the largest value as eight bytes;
 * a row of an hour would have two kilobytes of which sixty are told.
 */
import { DDSketch } from '@datadog/sketches-js'

const ACCURACY = 0.01
/** Counts are kept in thousandths: what sampled requests stand for is no whole number. */
const SCALE = 1_000

/** Merges and adds in place. */
export class Sketch {
  readonly #of = new DDSketch({ relativeAccuracy: ACCURACY })

  /** How many values it stands for. */
  get count(): number {
    return this.#of.count
  }

  /** `value`: 0 or more. `weight`: how many such values it stands for, above 0. */
  add(value: number, weight = 1): void {
    if (weight > 0) this.#of.accept(Math.max(0, value), weight)
  }

  /** Takes what `toBytes` gave. */
  merge(bytes: Uint8Array): void {
    let key = 0
    let at = 0
    const next = (): number => {
      let byte = bytes[at++] ?? 0
      let value = byte & 0x7f
      for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
        byte = bytes[at++] ?? 0
        value += (byte & 0x7f) * scale
      }
      return value
    }
    const zeros = next() / SCALE
    this.#of.zeroCount += zeros
    this.#of.count += zeros
    while (at < bytes.length) {
      const step = next()
      key += step % 2 === 0 ? step / 2 : -(step + 1) / 2
      const count = next() / SCALE
      this.#of.store.add(key, count)
      this.#of.count += count
    }
  }

  /** `null` while there is nothing in it. `q`: 0 to 1. */
  quantile(q: number): number | null {
    return this.#of.count === 0 ? null : this.#of.getValueAtQuantile(q)
  }

  /** What is in it, in ascending order: how many values lie within 1 % of each. */
  *bins(): Generator<{ readonly value: number; readonly count: number }> {
    const { store, mapping, zeroCount } = this.#of
    if (zeroCount > 0) yield { value: 0, count: zeroCount }
    for (const [at, count] of store.bins.entries()) {
      if (count > 0) yield { value: mapping.value(at + store.offset), count }
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
    const { store, zeroCount } = this.#of
    write(Math.round(zeroCount * SCALE))
    let before = 0
    for (const [at, count] of store.bins.entries()) {
      const kept = Math.round(count * SCALE)
      if (kept <= 0) continue
      const step = at + store.offset - before
      write(step >= 0 ? step * 2 : -step * 2 - 1)
      write(kept)
      before = at + store.offset
    }
    return Uint8Array.from(bytes)
  }
}

export function sketchOf(bytes: Uint8Array | null): Sketch {
  const sketch = new Sketch()
  if (bytes !== null) sketch.merge(bytes)
  return sketch
}
