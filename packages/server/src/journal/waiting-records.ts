/**
 * Records that wait for their write. A group of small ones and a group of large ones go in turn, so that
 * neither kind, however much of it there is, keeps the other out.
 */
import { max } from '#limits/limits.ts'
import type { EncodedRecord } from './format.ts'

interface Sized {
  readonly record: Pick<EncodedRecord, 'bytes'>
}

type Lane = 'small' | 'large'

export class WaitingRecords<Waiting extends Sized> {
  /** Each in the order in which they came. */
  readonly #lanes: Readonly<Record<Lane, Waiting[]>> = { small: [], large: [] }
  #next: Lane = 'small'
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get isEmpty(): boolean {
    return this.#lanes.small.length === 0 && this.#lanes.large.length === 0
  }

  push(waiting: Waiting): void {
    const { bytes } = waiting.record
    this.#lanes[bytes > max('journalSmallBytesMax') ? 'large' : 'small'].push(waiting)
    this.#bytes += bytes
  }

  /** Which go next, and what the first of them needs. What comes meanwhile does not change it. */
  turn(): { readonly lane: Lane; readonly firstBytes: number } {
    const other = this.#next === 'small' ? 'large' : 'small'
    const lane = this.#lanes[this.#next].length > 0 ? this.#next : other
    return { lane, firstBytes: this.#lanes[lane][0]?.record.bytes ?? 0 }
  }

  /** At least one of those that wait; of more no more than `bytesMax`. */
  take(lane: Lane, bytesMax: number): readonly Waiting[] {
    this.#next = lane === 'small' ? 'large' : 'small'
    const waiting = this.#lanes[lane]
    let bytes = 0
    let count = 0
    for (const { record } of waiting) {
      if (count > 0 && bytes + record.bytes > bytesMax) break
      bytes += record.bytes
      count++
    }
    this.#bytes -= bytes
    return waiting.splice(0, count)
  }
}
