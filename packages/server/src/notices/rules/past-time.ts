/** Stretches of time that end now: a clock that was set back leaves notices of the future, which count in none. */

/** After `afterMs`, up to and with `untilMs`. */
export interface PastTime {
  readonly afterMs: number
  readonly untilMs: number
}

export function pastTime(nowMs: number, lengthMs: number): PastTime {
  return { afterMs: nowMs - lengthMs, untilMs: nowMs }
}
