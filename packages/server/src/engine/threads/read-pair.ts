/**
 * Read threads of a machine with more than one core. The second is begun when several questions wait at once, as those of
 * a page do, and ended when nobody needed it for a while. Nothing waits for it: until it is there, the first answers.
 */
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { EngineThread } from './engine-thread.ts'
import { type RemoteMethods, remotePort } from './remote.ts'

type Thread = Pick<EngineThread, 'name' | 'ended' | 'damage' | 'port' | 'close'>

interface Member {
  readonly thread: Thread
  /** Questions that it was given and has not answered. */
  open: number
}

interface ReadPairOptions {
  readonly first: Thread
  /** `null`: there is one core, and one thread. */
  readonly beginSecond: (() => Promise<Thread>) | null
  readonly log: Log
}

export class ReadPair {
  readonly #first: Member
  readonly #beginSecond: ReadPairOptions['beginSecond']
  readonly #log: Log
  #second: Member | null = null
  #beginning: Promise<void> | null = null
  /** Earliest next try after one that could not be begun. */
  #notBeforeMs = 0
  #idle: NodeJS.Timeout | null = null
  #ending: Promise<void> = Promise.resolve()
  /** Damage that a second thread met which has ended since. */
  #damage: string | null = null
  #isClosed = false

  constructor({ first, beginSecond, log }: ReadPairOptions) {
    this.#first = { thread: first, open: 0 }
    this.#beginSecond = beginSecond
    this.#log = log
  }

  get name(): string {
    return this.#first.thread.name
  }

  /** True while the first has ended; without the second every question is answered. */
  get ended(): boolean {
    return this.#first.thread.ended
  }

  /** Returns the damage that either met, as `EngineThread.damage`. */
  get damage(): string | null {
    return this.#first.thread.damage ?? this.#second?.thread.damage ?? this.#damage
  }

  /** Returns a port as `EngineThread.port`: each question goes to the thread with fewer before it. */
  port<T extends object>(name: string): T {
    return remotePort<T>(async (method, args) => {
      const member = this.#next()
      member.open++
      try {
        return await member.thread.port<RemoteMethods>(name)[method]?.(...args)
      } finally {
        member.open--
        if (member === this.#second) this.#endWhenIdle()
      }
    })
  }

  /** Closes both. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#beginning
    this.#endSecond()
    await this.#ending
    await this.#first.thread.close()
  }

  #next(): Member {
    const [first, second] = [this.#first, this.#second]
    if (second !== null && !second.thread.ended) return second.open < first.open ? second : first
    if (second === null && first.open >= max('readSecondFrom')) this.#begin()
    return first
  }

  #begin(): void {
    if (this.#beginSecond === null || this.#isClosed || this.#beginning !== null) return
    if (performance.now() < this.#notBeforeMs) return
    this.#beginning = this.#beginSecond()
      .then((thread) => {
        this.#second = { thread, open: 0 }
        this.#endWhenIdle()
      })
      .catch((cause: unknown) => {
        this.#notBeforeMs = performance.now() + max('threadRestartMsMax')
        this.#log.warn('a second read thread cannot be started', { reason: String(cause).slice(0, 200) })
      })
      .finally(() => {
        this.#beginning = null
      })
  }

  /** Counts from now. */
  #endWhenIdle(): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if ((this.#second?.open ?? 0) > 0) this.#endWhenIdle()
      else this.#endSecond()
    }, max('readSecondIdleMs')).unref()
  }

  #endSecond(): void {
    const second = this.#second
    if (second === null) return
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#second = null
    this.#damage ??= second.thread.damage
    this.#ending = second.thread.close().catch((cause: unknown) => {
      this.#log.warn('the second read thread was not closed', { reason: String(cause).slice(0, 200) })
    })
  }
}
