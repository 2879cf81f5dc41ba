/**
 * The fifth beat: opens notices that are due, claims their deliveries under a lease, sends and settles them.
 *
 * At least once. What was sent is settled afterwards; a crash in between leaves the lease to run out, and the same
 * delivery goes out again with the same key (`Errata-Notice`, Message-ID), which is how receivers tell a repeat. Two
 * loops over one store never send the same delivery within a lease, because each claims in a transaction of its own.
 */
import type { Clock } from '#base/clock.ts'
import { max } from '#base/limits.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import type { ClaimedDelivery, NoticeQueue } from '#ports/notices.ts'
import type { Attempt } from './attempt.ts'
import { type Sending, settlementOf } from './deliver.ts'

export interface NoticeLoopParts {
  readonly queue: NoticeQueue
  readonly send: (sending: Sending) => Promise<Attempt>
  /** Whether there is a mail server. */
  readonly mail: boolean
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** How long what is under way may take when the loop closes. */
  readonly stopMs?: number
}

const LEASE_BYTES = 16
const SHORTEST_WAIT_MS = 20

export class NoticeLoop {
  readonly #parts: NoticeLoopParts
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #wokenMeanwhile = false
  /** Turns that failed one after another. */
  #failures = 0
  #started = false
  #closing = false

  constructor(parts: NoticeLoopParts) {
    this.#parts = parts
  }

  /** Looks at once, then whenever something is due. */
  start(): void {
    this.#started = true
    this.wake()
  }

  /**
   * Something was queued, or may be due. Cheap: one look follows, whoever calls how often; after a turn that failed
   * it follows when the pause is over.
   */
  wake(): void {
    if (this.#closing || !this.#started) return
    if (this.#running !== null) this.#wokenMeanwhile = true
    else if (this.#failures === 0) this.#begin()
  }

  #begin(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#running = this.#turn().finally(() => {
      this.#running = null
      if (this.#wokenMeanwhile) {
        this.#wokenMeanwhile = false
        this.wake()
      }
    })
  }

  /** One look: everything that is due is sent once. Answers how many were tried. */
  async runOnce(): Promise<number> {
    const { queue, mail, clock } = this.#parts
    const open = { limit: max('noticeOpenMax'), mail }
    let tried = 0
    while (!this.#closing) {
      const opened = await queue.openDueNotices({ ...open, nowMs: clock.now() })
      const claimed = await this.#claim()
      await Promise.all(claimed.map((delivery) => this.#deliver(delivery)))
      tried += claimed.length
      if (opened === 0 && claimed.length === 0) break
    }
    return tried
  }

  /** Takes nothing new; what is under way has `noticeStopMs`, then it is broken off and tried after the next start. */
  async close(): Promise<void> {
    this.#closing = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    const timer = setTimeout(() => this.#stop.abort(), this.#parts.stopMs ?? max('noticeStopMs'))
    await this.#running
    clearTimeout(timer)
  }

  #claim(): Promise<readonly ClaimedDelivery[]> {
    const { queue, clock, random } = this.#parts
    return queue.claimDeliveries({
      nowMs: clock.now(),
      leaseMs: max('noticeLeaseMs'),
      lease: random.hex(LEASE_BYTES),
      limit: max('noticeSendsMax'),
      triesMax: max('noticeTriesMax'),
    })
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { queue, send, clock, random, log } = this.#parts
    const attempt = await send({ ...delivery, signal: this.#stop.signal })
    const nowMs = clock.now()
    const settlement = settlementOf(attempt, { tries: delivery.tries, nowMs, random })
    const settled = await queue.settleDelivery(delivery, settlement, nowMs)
    if (!settled)
      log.warn('a delivery outlived its lease, or was cancelled while it was sent', { delivery: delivery.id })
  }

  async #turn(): Promise<void> {
    try {
      await this.runOnce()
      this.#succeed()
    } catch (cause) {
      this.#fail(cause)
    }
    if (!this.#closing) await this.#sleep()
  }

  /** The store failed: leases run out by themselves, and a later look finds what is due. */
  #fail(cause: unknown): void {
    if (this.#failures === 0) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      this.#parts.log.warn('notices cannot be delivered: the store fails', { reason: reason.slice(0, 200) })
    }
    this.#failures++
  }

  #succeed(): void {
    if (this.#failures > 0) this.#parts.log.info('notices are delivered again')
    this.#failures = 0
  }

  async #sleep(): Promise<void> {
    const waitMs = this.#failures === 0 ? await this.#untilNextMs() : pauseMs(this.#failures)
    if (this.#closing) return
    this.#timer = setTimeout(() => this.#begin(), waitMs)
    this.#timer.unref()
  }

  async #untilNextMs(): Promise<number> {
    const { queue, clock } = this.#parts
    const nextMs = await queue.nextNoticeMs().catch(() => null)
    const waitMs = nextMs === null ? max('noticePollMs') : nextMs - clock.now()
    return Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), max('noticePollMs'))
  }
}

/** Before the look after so many failures in a row. */
function pauseMs(failures: number): number {
  return Math.min(max('noticePauseMs') * 2 ** Math.min(failures - 1, 30), max('noticePollMs'))
}
