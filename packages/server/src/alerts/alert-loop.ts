/**
 * The beat of alert rules: what events and people did to issues is looked at when somebody says so and every
 * `alertLookMs`, metrics every `alertBeatMs`. Firings and their messages are one transaction of the store, so a process
 * that ends between two turns fires nothing twice and forgets nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { AlertBeat, DigestLookedUp, Evaluated } from '#ports/alerts.ts'

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
  #metricsMs = 0
  #failures = 0
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
    if (!this.#isStarted || this.#isClosing || this.#failures > 0) return
    if (this.#turn === null) this.#schedule(max('alertWakeMs'))
    else this.#wokenMeanwhile = true
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

  /** Looks at everything that waits; metrics too when their time has come. Rejects when the store fails. */
  async runOnce(): Promise<Evaluated> {
    const { store, clock } = this.#parts
    const nowMs = clock.now()
    // A clock that was set back must not silence metrics.
    const metrics = Math.abs(nowMs - this.#metricsMs) >= max('alertBeatMs')
    const lookUps = this.#lookUps
    this.#lookUps = []
    if (lookUps.length > 0) await store.noteLookUps(lookUps, nowMs)
    let sum = await this.#evaluate(nowMs, metrics)
    if (metrics) this.#metricsMs = nowMs
    while ((sum.hasMore || sum.metricsAfter !== null) && !this.#isClosing) {
      const more = await this.#evaluate(clock.now(), sum.metricsAfter ?? false)
      const { fired, messages, notices, escalated } = sum
      sum = {
        fired: fired + more.fired,
        messages: messages + more.messages,
        notices: notices + more.notices,
        escalated: escalated + more.escalated,
        hasMore: more.hasMore,
        metricsAfter: more.metricsAfter,
      }
    }
    return sum
  }

  /** Whoever has crowds of rules leaves most of the store's time to others: a turn is followed by a longer pause. */
  async #evaluate(nowMs: number, metrics: boolean | number): Promise<Evaluated> {
    const startMs = performance.now()
    const { store, mail } = this.#parts
    const turn = await store.evaluateDue(nowMs, { metrics, mail })
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
      this.#turn = this.#takeTurn().finally(() => {
        this.#turn = null
      })
    }, waitMs)
    this.#timer.unref()
  }

  async #takeTurn(): Promise<void> {
    // A clock that stands still has no next look: without a bound the timer would go off at once, again and again.
    let waitMs = Math.min(max('alertLookMs') / (this.#parts.clock.rate ?? 1), max('alertBeatMs'))
    try {
      await this.runOnce()
      if (this.#failures > 0) this.#parts.log.info('alert rules are evaluated again')
      this.#failures = 0
      if (this.#wokenMeanwhile) waitMs = max('alertWakeMs')
    } catch (cause) {
      // The store failed and undid the turn; a later one finds what waits.
      const reason = (cause instanceof Error ? cause.message : String(cause)).slice(0, 200)
      if (this.#failures === 0)
        this.#parts.log.warn('alert rules cannot be evaluated: the store fails', { reason })
      waitMs = Math.min(max('alertPauseMs') * 2 ** Math.min(this.#failures++, 10), max('alertBeatMs'))
    }
    this.#wokenMeanwhile = false
    if (!this.#isClosing) this.#schedule(waitMs)
  }
}
