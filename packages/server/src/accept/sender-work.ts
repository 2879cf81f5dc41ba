/** How long bodies of each sender were inflated of late, and who sent what nobody can read. In memory, bounded. */
import type { Clock } from '#base/clock.ts'
import type { KeyId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'

export interface WorkSender {
  readonly key: KeyId | null
  readonly address: string
}

interface Work {
  /** Milliseconds used; half is forgotten every `HALF_MS`. */
  ms: number
  atMs: number
  offences: number
  offendedMs: number
}

const HALF_MS = 10_000

export class SenderWork {
  readonly #clock: Clock
  /** By key and address; those that did something last at the end. */
  readonly #works = new Map<string, Work>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Milliseconds of late, of its key first: all addresses of a key together are one sender to those of others. */
  usedMs({ key, address }: WorkSender): UsedMs {
    const nowMs = this.#clock.elapsed()
    return {
      ofKey: msAt(this.#works.get(`${key}`), nowMs),
      own: msAt(this.#works.get(senderKey({ key, address })), nowMs),
    }
  }

  used({ key, address }: WorkSender, ms: number): void {
    for (const text of [`${key}`, senderKey({ key, address })]) this.#touch(text).ms += ms
  }

  offended(name: WorkSender): void {
    const work = this.#touch(senderKey(name))
    const nowMs = this.#clock.elapsed()
    if (nowMs - work.offendedMs >= max('inflationRefusedMs')) work.offences = 0
    work.offences += 1
    work.offendedMs = nowMs
  }

  /** Returns for how many milliseconds the sender is still refused; 0 if it is not. */
  refusedMs(name: WorkSender): number {
    const work = this.#works.get(senderKey(name))
    if (work === undefined || work.offences < max('inflationOffencesMax')) return 0
    return Math.max(0, work.offendedMs + max('inflationRefusedMs') - this.#clock.elapsed())
  }

  #touch(text: string): Work {
    const nowMs = this.#clock.elapsed()
    const known = this.#works.get(text)
    const work = known ?? { ms: 0, atMs: nowMs, offences: 0, offendedMs: Number.NEGATIVE_INFINITY }
    work.ms = msAt(work, nowMs)
    work.atMs = nowMs
    this.#works.delete(text)
    this.#works.set(text, work)
    const oldest = this.#works.keys().next()
    if (this.#works.size > max('inflationSendersMax') && !oldest.done) this.#works.delete(oldest.value)
    return work
  }
}

export interface UsedMs {
  readonly ofKey: number
  readonly own: number
}

/** Whether one sender is before another. */
export function usedLess(a: UsedMs, b: UsedMs): boolean {
  return a.ofKey === b.ofKey ? a.own < b.own : a.ofKey < b.ofKey
}

function senderKey({ key, address }: WorkSender): string {
  return `${key} ${address}`
}

function msAt(work: Work | undefined, nowMs: number): number {
  return work === undefined ? 0 : work.ms * 0.5 ** ((nowMs - work.atMs) / HALF_MS)
}
