/** Notices work that neither succeeds nor fails: a disk that stalls reports nothing by itself. */
import type { Clock } from './clock.ts'

export interface StallWatchOptions {
  readonly clock: Clock
  /** Time in milliseconds after which a call counts as stalled until it returns. */
  readonly stallMs: number
}

/** Watches one piece of work at a time. */
export class StallWatch {
  readonly #options: StallWatchOptions
  #work: { readonly name: string; readonly sinceMs: number } | null = null

  constructor(options: StallWatchOptions) {
    this.#options = options
  }

  /** Does the work, as long as it takes. `name` begins the sentence that `stalled` answers: "a write". */
  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#work = { name, sinceMs: this.#options.clock.elapsed() }
    try {
      return await work()
    } finally {
      this.#work = null
    }
  }

  /** Describes what has not returned for too long; `null` if nothing. */
  stalled(): string | null {
    if (this.#work === null) return null
    const { name, sinceMs } = this.#work
    const ms = this.#options.clock.elapsed() - sinceMs
    return ms < this.#options.stallMs ? null : `${name} has not returned for ${Math.floor(ms / 1_000)} s`
  }
}
