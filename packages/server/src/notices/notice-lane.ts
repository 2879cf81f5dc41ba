/** Deliveries of one sort under way: as many at once as there are places, and another as soon as one is free. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { Claim, ClaimedDelivery, Settlement, Waiting } from '#ports/notices.ts'
import type { Outbox, Outgoing, SenderName } from '#ports/outbox.ts'
import type { Attempt } from './channels/attempt.ts'
import { settlementOf } from './deliver.ts'
import type { Places, PoolName } from './places.ts'

/** Parts that every lane works with. */
export interface LaneParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Lane as the loop drives it, whatever it delivers. */
export interface Lane {
  fill(): Promise<number>
  /** Until it takes something again of its own accord, as the last `fill` found it; `null`: nothing of that sort. */
  readonly waitMs: number | null
  ended(): Promise<void>
  readonly isIdle: boolean
}

/** Work that one sort of deliveries needs. */
export interface LaneWork<Delivery> {
  readonly pool: PoolName
  waiting(): Promise<readonly Waiting[]>
  /** Claims at most one for each of `only`. */
  claim(claim: Claim & Required<Pick<Claim, 'only'>>): Promise<readonly Delivery[]>
  /** `stop` breaks it off. */
  send(delivery: Delivery, stop: AbortSignal): Promise<Attempt>
  settle(delivery: Delivery, settlement: Settlement, nowMs: number): Promise<boolean>
}

/** Claims that a sender takes from the outbox. */
export function claimsOf<N extends SenderName>(
  outbox: Pick<Outbox, 'waitingFor' | 'claimFor'>,
  sender: N,
): Pick<LaneWork<Outgoing[N]>, 'waiting' | 'claim'> {
  return {
    waiting: () => outbox.waitingFor(sender),
    claim: (claim) => outbox.claimFor(sender, claim),
  }
}

export interface NoticeLaneParts<Delivery> extends LaneParts {
  readonly work: LaneWork<Delivery>
  readonly places: Places
  /** Breaks off what is under way. */
  readonly stop: AbortSignal
  /** A place is free again. */
  readonly onFree: () => void
}

const LEASE_BYTES = 16

export class NoticeLane<Delivery extends Pick<ClaimedDelivery, 'id' | 'tries' | 'receiver'>> implements Lane {
  readonly #parts: NoticeLaneParts<Delivery>
  readonly #underWay = new Set<Promise<void>>()
  #waitMs: number | null = null
  /** Failure of a delivery that could not be settled. */
  #failure: { readonly cause: unknown } | null = null

  constructor(parts: NoticeLaneParts<Delivery>) {
    this.#parts = parts
  }

  get waitMs(): number | null {
    return this.#waitMs
  }

  /** Claims as many as may begin now. Answers how many; rejects when the store fails, or failed one of before. */
  async fill(): Promise<number> {
    if (this.#failure !== null) {
      const { cause } = this.#failure
      this.#failure = null
      throw cause
    }
    let begun = 0
    while (!this.#parts.stop.aborted) {
      const claimed = await this.#claim()
      if (claimed === 0) break
      begun += claimed
    }
    return begun
  }

  async #claim(): Promise<number> {
    const { work, places, clock, random } = this.#parts
    const { chosen, waitMs } = places.choose(work.pool, await work.waiting())
    this.#waitMs = waitMs
    if (chosen.length === 0) return 0
    const claimed = await work.claim({
      nowMs: clock.now(),
      leaseMs: max('noticeLeaseMs'),
      lease: random.hex(LEASE_BYTES),
      limit: chosen.length,
      triesMax: max('noticeTriesMax'),
      only: chosen.map(({ receiver }) => receiver),
    })
    const orgs = new Map(chosen.map(({ receiver, orgId }) => [receiver, orgId]))
    for (const delivery of claimed) {
      const { receiver } = delivery
      this.#begin(delivery, { receiver, orgId: orgs.get(receiver) ?? null })
    }
    return claimed.length
  }

  /** Until one of those under way has ended; at once when there is none. */
  async ended(): Promise<void> {
    if (this.#underWay.size > 0) await Promise.race(this.#underWay)
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0
  }

  #begin(delivery: Delivery, place: Pick<Waiting, 'receiver' | 'orgId'>): void {
    const { places, work: sort, onFree } = this.#parts
    places.begin(sort.pool, place)
    let attempt: Attempt | null = null
    const work = this.#deliver(delivery, (made) => {
      attempt = made
    })
      .catch((cause: unknown) => {
        this.#failure = { cause }
      })
      .finally(() => {
        this.#underWay.delete(work)
        places.end(sort.pool, place, attempt)
        onFree()
      })
    this.#underWay.add(work)
  }

  async #deliver(delivery: Delivery, onAttempt: (attempt: Attempt) => void): Promise<void> {
    const { work, clock, random, log, stop } = this.#parts
    const attempt = await work.send(delivery, stop)
    onAttempt(attempt)
    const nowMs = clock.now()
    const settlement = settlementOf(attempt, { tries: delivery.tries, nowMs, random })
    const settled = await work.settle(delivery, settlement, nowMs)
    if (!settled) {
      const fields = { delivery: delivery.id }
      log.warn('a delivery outlived its lease, or was cancelled while it was sent', fields)
    }
  }
}
