/** When late source maps are looked at: at the start, for what an end left, and whenever maps are ready. */

import type { LateMaps } from '#artifacts/late-maps.ts'
import { type MendingEnd, type MendingParts, mendLate } from '#artifacts/mending.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { LazyThread } from './threads/lazy-thread.ts'
import type { Stores } from './threads/stores.ts'
import { withinTime } from './within-time.ts'

interface MendingNeeds {
  readonly stores: Pick<Stores, 'telemetry' | 'payloads' | 'changes' | 'care'>
  readonly artifacts: LazyThread
  readonly state: Pick<MendingParts, 'project'>
  /** Resolves when everything read so far is stored; under load perhaps never. */
  readonly settled: () => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export function createMending({ stores, artifacts, state, settled, clock, log }: MendingNeeds): Mending {
  const parts: MendingParts = {
    maps: artifacts.port<LateMaps>('lateMaps', max('queryTimeoutMs')),
    telemetry: stores.telemetry,
    payloads: stores.payloads,
    joinGroups: (groups, atMs) => stores.changes.own('joinGroups', { groups, atMs }),
    care: stores.care,
    project: (id) => state.project(id),
    settled: () => withinTime(settled(), max('mendSettleMs')),
    now: () => clock.now(),
    log,
  }
  const joined = new Set<number>()
  return new Mending((stop) => mendLate(parts, joined, stop), { isNeeded: () => artifacts.isBegun, log })
}

/** No job of the control store: what is late is noted with the uploads, and a lease would outlive a process that dies. */
export class Mending {
  readonly #run: (stop: AbortSignal) => Promise<MendingEnd>
  readonly #isNeeded: () => boolean
  readonly #log: Log
  readonly #stop = new AbortController()
  #running: Promise<void> | null = null
  #isWanted = false
  #timer: NodeJS.Timeout | undefined

  /** `isNeeded`: false where nothing was ever uploaded. */
  constructor(
    run: (stop: AbortSignal) => Promise<MendingEnd>,
    { isNeeded, log }: { readonly isNeeded: () => boolean; readonly log: Log },
  ) {
    this.#run = run
    this.#isNeeded = isNeeded
    this.#log = log
  }

  /** Starts mending; what earlier runs were told is known from their notes. */
  start(): void {
    if (this.#isNeeded()) this.wake()
  }

  /** Once more after what is under way, which may have looked before. */
  wake(): void {
    this.#isWanted = true
    this.#running ??= this.#runWanted().finally(() => {
      this.#running = null
    })
  }

  async close(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#running
  }

  async #runWanted(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#isWanted && !this.#stop.signal.aborted) {
      this.#isWanted = false
      try {
        const end = await this.#run(this.#stop.signal)
        clearTimeout(this.#timer)
        if (end === 'later') this.#wakeIn(max('mendLaterMs'))
      } catch (cause) {
        if (this.#stop.signal.aborted) return
        this.#log.warn('late source maps wait: they are tried again', { reason: String(cause).slice(0, 200) })
        this.#wakeIn(max('mendRetryMs'))
      }
    }
  }

  #wakeIn(ms: number): void {
    if (!this.#stop.signal.aborted) this.#timer = setTimeout(() => this.wake(), ms).unref()
  }
}
