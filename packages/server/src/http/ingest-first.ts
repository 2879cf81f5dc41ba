/**
 * Turns on the thread that accepts, for what keeps it busy for milliseconds: one at a time, the loop goes round between
 * two of them, and none begins while an envelope is being answered, unless that never ends.
 */
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'

/** How the loop is used; a test has one of its own. */
export interface Loop {
  /** Runs after what has arrived by then was read. */
  soon(run: () => void): void
  /** Answers how to call it off. */
  after(ms: number, run: () => void): () => void
}

/** Twice round: the first time a connection is accepted, the second its request is read. */
const eventLoop: Loop = {
  soon: (run) => void setImmediate(() => setImmediate(run)),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

export interface IngestFirstOptions {
  readonly clock: Clock
  readonly loop?: Loop
  readonly patienceMs?: number
}

export class IngestFirst {
  readonly #clock: Clock
  readonly #loop: Loop
  readonly #patienceMs: number
  readonly #waiting: (() => void)[] = []
  #underWay = 0
  /** When the request at the head of the queue got there. */
  #nextSinceMs = 0
  /** `asleep` until envelopes were answered or patience ended. */
  #state: 'idle' | 'looking' | 'asleep' = 'idle'
  #wakeOff: () => void = () => {}

  constructor({ clock, loop = eventLoop, patienceMs = max('pageTurnPatienceMs') }: IngestFirstOptions) {
    this.#clock = clock
    this.#loop = loop
    this.#patienceMs = patienceMs
  }

  /** Runs what answers an envelope. */
  async ingest<T>(answer: () => Promise<T>): Promise<T> {
    this.#underWay++
    try {
      return await answer()
    } finally {
      this.#underWay--
      if (this.#underWay === 0 && this.#state === 'asleep') this.#look()
    }
  }

  /** Resolves when the thread may be kept busy: until the next await, by this one alone. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#state !== 'idle') return
      this.#nextSinceMs = this.#clock.elapsed()
      this.#look()
    })
  }

  #look(): void {
    this.#wakeOff()
    this.#state = 'looking'
    this.#loop.soon(() => this.#giveTurn())
  }

  #giveTurn(): void {
    const leftMs = this.#nextSinceMs + this.#patienceMs - this.#clock.elapsed()
    if (this.#underWay > 0 && leftMs > 0) {
      this.#state = 'asleep'
      this.#wakeOff = this.#loop.after(leftMs, () => this.#look())
      return
    }
    this.#waiting.shift()?.()
    this.#nextSinceMs = this.#clock.elapsed()
    if (this.#waiting.length > 0) this.#look()
    else this.#state = 'idle'
  }
}
