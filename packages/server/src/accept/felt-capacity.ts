/**
 * How much may come in while memory or disk runs short. Nothing says what they bear, as draining does of a backlog, so
 * it is felt out: what usually comes in is where it begins, the way to the hard limit takes from it, and while that one
 * comes no nearer it grows until it is all that is asked.
 */
import { max } from '#limits/limits.ts'

const RECENT_SECONDS = 10 * 60
const DAY_SECONDS = 24 * 3_600
const OF_USUAL = 0.9
const OF_USUAL_MIN = 0.1
/** So long it takes to grow from nothing to all that is asked. */
const GROWTH_SECONDS = 60
/** Over which it is measured whether it gets worse. */
const PACE_SECONDS = 30
/** A hard limit this far away leaves time: a disk that fills slowly is no reason to refuse. */
const SOON_SECONDS = 3_600

/**
 * Usual intake in bytes a second while all is well: a night does not hide the day, nor the day a busy hour.
 */
export class UsualRate {
  #seconds = 0
  #recent = 0
  #daily = 0

  note(rate: number, seconds: number): void {
    if (seconds === 0) return
    this.#seconds = Math.min(DAY_SECONDS, this.#seconds + seconds)
    const weightIn = (window: number) => Math.min(1, seconds / Math.min(window, this.#seconds))
    this.#recent += (rate - this.#recent) * weightIn(RECENT_SECONDS)
    this.#daily += (rate - this.#daily) * weightIn(DAY_SECONDS)
  }

  /** `null` before it was watched as long as demand is, and while nothing came in at all. */
  perSecond(): number | null {
    const usual = Math.max(this.#recent, this.#daily)
    return this.#seconds < max('overloadWindowSeconds') || usual === 0 ? null : usual
  }
}

/** Reading of a gauge. */
export interface Look {
  /** Bytes a second that all keys ask for. */
  readonly asked: number
  /** How far it is on its way from the soft to the hard limit, 0 to 1. */
  readonly towards: number
  /** Since the look before. */
  readonly seconds: number
  /** False while a hard limit keeps everybody out: then nothing is learnt of what it bears. */
  readonly isOpen: boolean
}

export class FeltCapacity {
  #perSecond: number | null = null
  #least = 0
  #watchedSeconds = 0
  #towards = 0
  /** How near to the hard limit it was; eases when that is over. */
  #furthest = 0
  /** Progress towards the hard limit a second; negative while it gets better. */
  #pace = 0

  /** The soft limit was passed. Without knowing what is usual, whatever is asked may come in until that is known. */
  begin(usual: number | null, towards: number): void {
    this.#perSecond = usual === null ? null : usual * OF_USUAL * Math.max(OF_USUAL_MIN, 1 - towards)
    this.#least = (usual ?? 0) * OF_USUAL_MIN
    this.#watchedSeconds = 0
    this.#towards = towards
    this.#furthest = towards
    this.#pace = 0
  }

  follow({ asked, towards, seconds, isOpen }: Look): void {
    if (seconds === 0) return
    const pace = (towards - this.#towards) / seconds
    this.#pace += (pace - this.#pace) * Math.min(1, seconds / PACE_SECONDS)
    this.#towards = towards
    if (this.#perSecond === null) {
      if (isOpen) this.#watchAsked(asked, seconds)
    } else {
      const left = towards > this.#furthest ? (1 - towards) / (1 - this.#furthest) : 1
      const grown = isOpen && !this.#endsSoon() ? (asked * seconds) / GROWTH_SECONDS : 0
      const perSecond = Math.max(this.#least, this.#perSecond * left)
      this.#perSecond = Math.max(perSecond, Math.min(asked, perSecond + grown))
    }
    const eased = this.#furthest + (towards - this.#furthest) * Math.min(1, seconds / PACE_SECONDS)
    this.#furthest = Math.max(towards, eased)
  }

  /** Bytes a second; `Infinity` while nothing is known. */
  perSecond(): number {
    return this.#perSecond ?? Number.POSITIVE_INFINITY
  }

  /** Whether it would meet its hard limit before long, at the pace it has. */
  #endsSoon(): boolean {
    return this.#pace * SOON_SECONDS > 1 - this.#towards
  }

  #watchAsked(asked: number, seconds: number): void {
    if (asked > 0) this.#watchedSeconds += seconds
    if (this.#watchedSeconds < max('overloadWindowSeconds')) return
    this.#perSecond = asked
    this.#least = asked * OF_USUAL_MIN
  }
}
