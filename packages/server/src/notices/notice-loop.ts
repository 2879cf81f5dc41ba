/**
 * The fifth beat: opens notices that are due, claims their deliveries under a lease, sends and settles them.
 *
 * At least once. What was sent is settled afterwards; a crash in between leaves the lease to run out, and the same
 * delivery goes out again with the same key (`Errata-Notice`, Message-ID), which is how receivers tell a repeat. Two
 * loops over one store never send the same delivery within a lease, because each claims in a transaction of its own.
 * Who waits for whom is said in `places.ts`: nobody for another's slow server.
 */
import { max } from '#limits/limits.ts'
import type { ClaimedMessage } from '#ports/messages.ts'
import type { NoticeQueue } from '#ports/notices.ts'
import type { Outgoing } from '#ports/outbox.ts'
import type { ClaimedTrackerWork } from '#ports/trackers.ts'
import { type Lane, type LaneParts, type LaneWork, NoticeLane } from './notice-lane.ts'
import { type NoticeWorkParts, noticeWork } from './notice-work.ts'
import { Places } from './places.ts'

export interface NoticeLoopParts extends LaneParts, NoticeWorkParts {
  readonly queue: NoticeQueue
  /** Whether there is a mail server. */
  readonly mail: boolean
  /** Mails that carry a link for one person; `null` without a mail server. */
  readonly letterWork: LaneWork<Outgoing['letters']> | null
  /** Messages of alert rules, by mail and by call; `null`: this loop delivers none. */
  readonly messageWork: readonly LaneWork<ClaimedMessage>[] | null
  /** Work for issue trackers; if left out, this loop asks none. */
  readonly trackerWork?: LaneWork<ClaimedTrackerWork>
  /** How long what is under way may take when the loop closes. */
  readonly stopMs?: number
}

const SHORTEST_WAIT_MS = 20

export class NoticeLoop {
  readonly #parts: NoticeLoopParts
  readonly #stop = new AbortController()
  readonly #lanes: readonly Lane[]
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #wokenMeanwhile = false
  /** Turns that failed one after another. */
  #failures = 0
  #started = false
  /** True once what an earlier process had under way is due again. */
  #tookOver = false
  #closing = false

  constructor(parts: NoticeLoopParts) {
    this.#parts = parts
    const places = new Places(parts.clock)
    const own = { ...parts, places, stop: this.#stop.signal, onFree: () => this.wake() }
    // Calls of alert rules first: among them are pagers.
    const lanes: Lane[] = (parts.messageWork ?? []).map((work) => new NoticeLane({ ...own, work }))
    for (const work of noticeWork(parts)) lanes.push(new NoticeLane({ ...own, work }))
    if (parts.letterWork !== null) lanes.push(new NoticeLane({ ...own, work: parts.letterWork }))
    if (parts.trackerWork !== undefined) lanes.push(new NoticeLane({ ...own, work: parts.trackerWork }))
    this.#lanes = lanes
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

  /** Everything that is due is sent once. Answers how many were tried. */
  async runOnce(): Promise<number> {
    let tried = 0
    while (!this.#closing) {
      const claimed = await this.#look()
      tried += claimed
      const busy = this.#lanes.filter(({ isIdle }) => !isIdle)
      if (claimed === 0 && busy.length === 0) break
      if (busy.length > 0) await Promise.race(busy.map((lane) => lane.ended()))
    }
    return tried
  }

  /** Takes nothing new; what is under way has `noticeStopMs`, then it is broken off and tried after the next start. */
  async close(): Promise<void> {
    this.#closing = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    const timer = setTimeout(() => this.#stop.abort(), this.#parts.stopMs ?? max('noticeStopMs'))
    await this.#running
    for (const lane of this.#lanes) while (!lane.isIdle) await lane.ended()
    clearTimeout(timer)
  }

  /** Opens what is due and fills the free slots; waits for nothing that is sent. Answers how many were begun. */
  async #look(): Promise<number> {
    const { queue, outbox, mail, clock } = this.#parts
    if (this.#started && !this.#tookOver) {
      await outbox.endLeases(clock.now())
      this.#tookOver = true
    }
    const limit = max('noticeOpenMax')
    let begun = 0
    while (!this.#closing) {
      const opened = await queue.openDueNotices({ nowMs: clock.now(), limit, mail })
      for (const lane of this.#lanes) begun += this.#closing ? 0 : await lane.fill()
      if (opened === 0) break
    }
    return begun
  }

  async #turn(): Promise<void> {
    try {
      await this.#look()
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
    const waits = this.#lanes.flatMap(({ waitMs }) => waitMs ?? [])
    if (nextMs !== null) waits.push(nextMs - clock.now())
    return Math.max(Math.min(...waits, max('noticePollMs')), SHORTEST_WAIT_MS)
  }
}

/** Before the look after so many failures in a row. */
function pauseMs(failures: number): number {
  return Math.min(max('noticePauseMs') * 2 ** Math.min(failures - 1, 30), max('noticePollMs'))
}
