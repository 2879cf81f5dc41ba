/**
 * The beat of alert rules: what events and people did to issues is looked at when somebody says so and every
 * `alertLookMs`, metrics every `alertBeatMs`; neither waits for the other where it fails. Firings and their messages are one transaction of the store, so a process
 * that ends between two turns fires nothing twice and forgets nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { AlertBeat, DigestLookedUp, Evaluated, WaitingLook } from '#ports/alerts.ts'

export interface AlertLoopParts {
  readonly store: AlertBeat
  readonly clock: Clock
  readonly log: Log
  /** Whether there is a mail server. */
  readonly mail: boolean
  /** Messages were queued. */
  readonly onMessages: () => void
}

export class AlertLoop {
  readonly #parts: AlertLoopParts
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> | null = null
  #wokenMeanwhile = false
  /** True while the next look is as near as it may be. */
  #isWoken = false
  #metricsMs = 0
  /** Failures in a row. */
  readonly #failures = { issues: 0, metrics: 0 }
  /** Rules that were said to be passed over. */
  readonly #saidOf = new Set<number>()
  #isStarted = false
  #isClosing = false
  #lookUps: DigestLookedUp[] = []

  constructor(parts: AlertLoopParts) {
    this.#parts = parts
  }

  start(): void {
    this.#isStarted = true
    this.#schedule(max('alertWakeMs'))
  }

  /** Something happened that rules may look at. Cheap, whoever calls how often. */
  wake(): void {
    if (!this.#isStarted || this.#isClosing || this.#failures.issues > 0) return
    if (this.#turn !== null) this.#wokenMeanwhile = true
    // Whoever says so without end puts no look off.
    else if (!this.#isWoken) {
      this.#isWoken = true
      this.#schedule(max('alertWakeMs'))
    }
  }

  /** Counted with the next turn; beyond the bound none. */
  noteLookUps(lookUps: readonly DigestLookedUp[]): void {
    const room = max('alertLookUpsWaitingMax') - this.#lookUps.length
    this.#lookUps.push(...lookUps.slice(0, Math.max(0, room)))
    if (lookUps.length > 0) this.wake()
  }

  /** Waits for the turn under way. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#timer)
    await this.#turn
  }

  /** Looks at everything that waits; metrics too when their time has come. What fails waits for a later look. */
  async runOnce(): Promise<void> {
    const nowMs = this.#parts.clock.now()
    let hasMore = true
    // A clock that was set back must not silence metrics.
    let after: number | null = Math.abs(nowMs - this.#metricsMs) < max('alertBeatMs') ? null : 0
    let atMs = nowMs
    // A turn of each: nothing of one sort waits behind a crowd of the other.
    for (let isFirst = true; (hasMore || after !== null) && !this.#isClosing; isFirst = false) {
      if (hasMore) hasMore = (await this.#attempt('issues', () => this.#lookAtIssues(atMs, isFirst))) ?? false
      if (after !== null && !this.#isClosing) after = await this.#measure(atMs, { after, beganMs: nowMs })
      atMs = this.#parts.clock.now()
    }
  }

  /** `null` where it failed: the store undid that turn alone, and a later one finds what waits. */
  async #attempt<T>(of: 'issues' | 'metrics', run: () => Promise<T>): Promise<T | null> {
    const { log } = this.#parts
    try {
      const answer = await run()
      if (this.#failures[of] > 0) log.info('alert rules are evaluated again', { of })
      this.#failures[of] = 0
      return answer
    } catch (cause) {
      const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 200)
      if (this.#failures[of] === 0)
        log.warn('alert rules cannot be evaluated: the store fails', { of, reason })
      this.#failures[of]++
      return null
    }
  }

  #pauseMs(of: 'issues' | 'metrics'): number {
    const doublings = Math.min(this.#failures[of] - 1, 10)
    return Math.min(max('alertPauseMs') * 2 ** doublings, max('alertBeatMs'))
  }

  /** Looks at what one turn takes; true if more waits. */
  async #lookAtIssues(nowMs: number, isFirst: boolean): Promise<boolean> {
    const { store, clock } = this.#parts
    // Whatever failed of rules, a project's own alerts are told.
    if (isFirst && this.#failures.issues > 0)
      while ((await this.#evaluate(clock.now(), { waiting: 'presets', metrics: false })).hasMore)
        if (this.#isClosing) return false
    const lookUps = this.#lookUps
    this.#lookUps = []
    if (lookUps.length > 0) await store.noteLookUps(lookUps, nowMs)
    return (await this.#evaluate(nowMs, { waiting: 'all', metrics: false })).hasMore
  }

  /** Returns the metric rule that the next turn goes on behind; `null` when all are measured, or one failed. */
  async #measure(
    nowMs: number,
    { after, beganMs }: { readonly after: number; readonly beganMs: number },
  ): Promise<number | null> {
    const turn = await this.#attempt('metrics', () =>
      this.#evaluate(nowMs, { waiting: 'none', metrics: after }),
    )
    if (turn === null) this.#metricsMs = beganMs - max('alertBeatMs') + this.#pauseMs('metrics')
    else if (turn.metricsAfter === null) this.#metricsMs = beganMs
    return turn?.metricsAfter ?? null
  }

  #sayFailed(rules: readonly number[]): void {
    for (const rule of rules) {
      if (this.#saidOf.has(rule)) continue
      this.#saidOf.add(rule)
      this.#parts.log.warn('an alert rule cannot be evaluated as it is stored', { rule })
    }
  }

  /** Whoever has crowds of rules leaves most of the store's time to others: a turn is followed by a longer pause. */
  async #evaluate(
    nowMs: number,
    look: { readonly waiting: WaitingLook; readonly metrics: false | number },
  ): Promise<Evaluated> {
    const startMs = performance.now()
    const { store, mail } = this.#parts
    const turn = await store.evaluateDue(nowMs, { ...look, mail })
    this.#sayFailed(turn.failedRules)
    if (turn.messages + turn.notices > 0) this.#parts.onMessages()
    if (turn.hasMore || turn.metricsAfter !== null) {
      const tookMs = performance.now() - startMs
      await sleep(Math.min(max('alertTurnPauseMsMax'), tookMs * max('alertTurnPauses')))
    }
    return turn
  }

  #schedule(waitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#isWoken = false
      this.#turn = this.#takeTurn().finally(() => {
        this.#turn = null
      })
    }, waitMs)
    this.#timer.unref()
  }

  async #takeTurn(): Promise<void> {
    // A clock that stands still has no next look: without a bound the timer would go off at once, again and again.
    let waitMs = Math.min(max('alertLookMs') / (this.#parts.clock.rate ?? 1), max('alertBeatMs'))
    await this.runOnce()
    if (this.#failures.issues > 0) waitMs = this.#pauseMs('issues')
    else if (this.#wokenMeanwhile) waitMs = max('alertWakeMs')
    this.#wokenMeanwhile = false
    if (!this.#isClosing) this.#schedule(waitMs)
  }
}
