/**
 * Says how many process threads work. More begin while the log waits for them, and end once they have had nothing to do
 * for a while: a machine's cores are used under load, and a quiet monitor holds no heap for each of them.
 */
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'

export interface CrewSize {
  /** Threads that are never ended. */
  readonly least: number
  readonly most: number
  /** Threads that have a core of their own, beside the main and the commit thread: those begin sooner. */
  readonly unshared: number
}

/** Threads that run as they are, whatever waits. */
export function fixedCrew(count: number): CrewSize {
  return { least: count, most: count, unshared: count }
}

/**
 * Returns the threads for so many cores and bytes of memory: two on two cores, one fewer than cores on more. V8 compiles
 * the code of each thread anew and each has a heap of its own, so that at first there are two, and one on two cores: there
 * the second brings 2 to 8 % of the rate for a tenth of every event's CPU (2 vCPU, 2026-11). It begins after a minute: what
 * V8 compiles for it, 4 s of CPU, is earned back no sooner.
 */
export function crewFor(cores: number, memoryBytes: number): CrewSize {
  const byMemory = Math.max(1, Math.floor(memoryBytes / max('processThreadBytes')))
  const most = Math.max(1, Math.min(max('processThreadsFollowingMax'), byMemory, Math.max(2, cores - 1)))
  return { least: Math.min(most, cores > 2 ? 2 : 1), most, unshared: Math.max(1, cores - 2) }
}

export class Crew {
  readonly #size: CrewSize
  readonly #clock: Pick<Clock, 'elapsed'>
  #awake: number
  /** When the log began to wait without a pause; `null` while it does not. */
  #waitsSinceMs: number | null = null
  /** When the last thread of those awake was last needed. */
  #neededMs: number

  constructor(size: CrewSize, clock: Pick<Clock, 'elapsed'>) {
    this.#size = size
    this.#clock = clock
    this.#awake = size.least
    this.#neededMs = clock.elapsed()
  }

  get least(): number {
    return this.#size.least
  }

  /** Threads that take ranges at the moment. */
  get awake(): number {
    return this.#awake
  }

  /**
   * Takes what the dispatcher sees and returns how many threads take ranges now. `isWaiting`: the log has more than all
   * of them have room for, and they are what it waits for. `busy`: threads that have a range.
   */
  look({ isWaiting, busy }: { readonly isWaiting: boolean; readonly busy: number }): number {
    const nowMs = this.#clock.elapsed()
    this.#waitsSinceMs = isWaiting ? (this.#waitsSinceMs ?? nowMs) : null
    if (isWaiting || busy >= this.#awake) this.#neededMs = nowMs
    if (this.#hasWaited(nowMs)) {
      this.#awake++
      this.#waitsSinceMs = nowMs
      this.#neededMs = nowMs
    } else if (this.#awake > this.#size.least && nowMs - this.#neededMs >= max('processThreadRestMs')) {
      this.#awake--
      this.#neededMs = nowMs
    }
    return this.#awake
  }

  #hasWaited(nowMs: number): boolean {
    if (this.#waitsSinceMs === null || this.#awake >= this.#size.most) return false
    const hasCore = this.#awake < this.#size.unshared
    return nowMs - this.#waitsSinceMs >= max(hasCore ? 'processThreadBeginMs' : 'processThreadShareMs')
  }
}
