/** Deliveries of one sort under way: as many at once as there are slots, and another as soon as one is free. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { Claim, ClaimedDelivery, NoticeChannel, Settlement } from '#ports/notices.ts'
import type { Attempt } from './channels/attempt.ts'
import { settlementOf } from './deliver.ts'

/** What every lane works with. */
export interface LaneParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** One lane as the loop drives it, whatever it delivers. */
export interface Lane {
  readonly name: NoticeChannel | 'letter' | 'alert' | 'tracker'
  fill(): Promise<number>
  restMs(): number | null
  ended(): Promise<void>
  readonly isIdle: boolean
}

/** What one sort of deliveries needs. */
export interface LaneWork<Delivery> {
  claim(claim: Omit<Claim, 'channel'>): Promise<readonly Delivery[]>
  /** `stop` breaks it off. */
  send(delivery: Delivery, stop: AbortSignal): Promise<Attempt>
  settle(delivery: Delivery, settlement: Settlement, nowMs: number): Promise<boolean>
}

export interface NoticeLaneParts<Delivery> extends LaneParts {
  readonly name: Lane['name']
  readonly work: LaneWork<Delivery>
  /** Breaks off what is under way. */
  readonly stop: AbortSignal
  /** A slot is free again. */
  readonly onFree: () => void
}

const LEASE_BYTES = 16

export class NoticeLane<Delivery extends Pick<ClaimedDelivery, 'id' | 'tries'>> implements Lane {
  readonly #parts: NoticeLaneParts<Delivery>
  readonly #underWay = new Set<Promise<void>>()
  /** While the server behind the channel is left alone. By the clock that never goes back. */
  #restsUntilMs: number | null = null
  /** Of a delivery that could not be settled. */
  #failure: { readonly cause: unknown } | null = null

  constructor(parts: NoticeLaneParts<Delivery>) {
    this.#parts = parts
  }

  get name(): Lane['name'] {
    return this.#parts.name
  }

  /** Claims as many as may begin now. Answers how many; rejects when the store fails, or failed one of before. */
  async fill(): Promise<number> {
    const { work, clock, random } = this.#parts
    if (this.#failure !== null) {
      const { cause } = this.#failure
      this.#failure = null
      throw cause
    }
    const limit = this.#placesNow()
    if (limit === 0) return 0
    const claimed = await work.claim({
      nowMs: clock.now(),
      leaseMs: max('noticeLeaseMs'),
      lease: random.hex(LEASE_BYTES),
      limit,
      triesMax: max('noticeTriesMax'),
    })
    for (const delivery of claimed) this.#begin(delivery)
    return claimed.length
  }

  /** When it takes something again of its own accord; `null` while its slots are taken, `0` for at once. */
  restMs(): number | null {
    if (this.#restsUntilMs !== null) {
      const restMs = this.#restsUntilMs - this.#parts.clock.elapsed()
      if (restMs > 0) return restMs
    }
    return this.#placesNow() === 0 ? null : 0
  }

  /** Until one of those under way has ended; at once when there is none. */
  async ended(): Promise<void> {
    if (this.#underWay.size > 0) await Promise.race(this.#underWay)
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0
  }

  /** After a rest one delivery alone finds out whether the server is back. */
  #placesNow(): number {
    if (this.#restsUntilMs === null) return max('noticeSendsMax') - this.#underWay.size
    if (this.#restsUntilMs > this.#parts.clock.elapsed()) return 0
    return this.isIdle ? 1 : 0
  }

  #begin(delivery: Delivery): void {
    const work = this.#deliver(delivery)
      .catch((cause: unknown) => {
        this.#failure = { cause }
      })
      .finally(() => {
        this.#underWay.delete(work)
        this.#parts.onFree()
      })
    this.#underWay.add(work)
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { work, clock, random, log, stop } = this.#parts
    const attempt = await work.send(delivery, stop)
    const isAway = attempt.outcome === 'failed' && attempt.isServerAway === true
    this.#restsUntilMs = isAway ? clock.elapsed() + max('noticeMailRestMs') : null
    const nowMs = clock.now()
    const settlement = settlementOf(attempt, { tries: delivery.tries, nowMs, random })
    const settled = await work.settle(delivery, settlement, nowMs)
    if (!settled) {
      const fields = { delivery: delivery.id }
      log.warn('a delivery outlived its lease, or was cancelled while it was sent', fields)
    }
  }
}
