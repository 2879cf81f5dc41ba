/**
 * The clock as far as what cannot be undone believes it. A machine that wakes in a wrong year must not remove in a second
 * what was kept for months: a clock that is suddenly ahead is believed once it has been so for `clockDoubtMs`, and until
 * then time goes on from what was known. What was known, and for how long it is doubted, is kept over restarts, so that
 * a machine that is off at night comes to believe its clock too.
 */

import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { isClockAhead } from '#model/believed-time.ts'
import type { FileName } from '#model/file-name.ts'
import type { ControlRetention } from '../stores/control.ts'

type KnownTimes = Pick<ControlRetention, 'knownTime' | 'setKnownTime'>

export class BelievedClock {
  readonly #clock: Clock
  readonly #log: Log
  readonly #times: KnownTimes
  /** Believed time at `#readMs`. */
  #knownMs: number
  #readMs: number
  /** Time for which the clock has been ahead of it. */
  #doubtedMs = 0
  #isDoubtTold = false

  constructor({
    clock,
    log,
    control,
  }: { readonly clock: Clock; readonly log: Log; readonly control: KnownTimes }) {
    this.#clock = clock
    this.#log = log
    this.#times = control
    this.#knownMs = clock.now()
    this.#readMs = this.#passedMs()
  }

  /**
   * Goes on from what the last process knew, or from the newest of the stored files. On a full disk that is known in
   * memory alone: reading goes on there, and nothing is removed before it could be kept.
   */
  async start(files: readonly FileName[]): Promise<void> {
    const before = await this.#times.knownTime()
    const newestDay = files.reduce((newest, { day }) => Math.max(newest, day), 0)
    const ofFiles = files.length === 0 ? this.#clock.now() : (newestDay + 1) * DAY_MS
    this.#knownMs = before?.knownMs ?? ofFiles
    this.#doubtedMs = before?.doubtedMs ?? 0
    await this.now().catch((cause: unknown) => {
      if (!(cause instanceof ErrataError && cause.code === 'store_full')) throw cause
      this.#log.warn('the known time could not be kept', { reason: cause.message })
    })
  }

  /** Milliseconds since 1970 UTC, never further ahead than is believed. */
  async now(): Promise<number> {
    const nowMs = this.#clock.now()
    const readMs = this.#passedMs()
    const passedMs = Math.max(0, readMs - this.#readMs)
    this.#readMs = readMs
    this.#knownMs += passedMs
    this.#doubtedMs = this.#isAhead(nowMs) ? this.#doubtedMs + passedMs : 0
    if (!this.#isAhead(nowMs) || this.#doubtedMs >= max('clockDoubtMs')) {
      this.#knownMs = nowMs
      this.#doubtedMs = 0
      this.#isDoubtTold = false
    } else this.#tell(nowMs)
    await this.#times.setKnownTime({ knownMs: this.#knownMs, doubtedMs: this.#doubtedMs })
    return this.#knownMs
  }

  /** Returns the believed time while the clock is not trusted; `null` while it is. */
  get doubted(): { readonly believedMs: number } | null {
    const knownMs = this.#knownMs + Math.max(0, this.#passedMs() - this.#readMs)
    return isClockAhead(this.#clock.now(), knownMs) ? { believedMs: knownMs } : null
  }

  #isAhead(nowMs: number): boolean {
    return isClockAhead(nowMs, this.#knownMs)
  }

  #tell(nowMs: number): void {
    if (this.#isDoubtTold) return
    this.#isDoubtTold = true
    this.#log.error(
      'the clock is ahead of what was known: until it has been for a day, nothing goes by age',
      {
        clock: new Date(nowMs).toISOString(),
        known: new Date(this.#knownMs).toISOString(),
      },
    )
  }

  /** Returns the time passed, as fast as the clock runs. */
  #passedMs(): number {
    return this.#clock.passed?.() ?? this.#clock.elapsed() * (this.#clock.rate ?? 1)
  }
}
