/** How far a clock is believed: what cannot be undone goes by this time, never by a clock that leapt ahead. */
import { max } from '#limits/limits.ts'

/** Says whether a clock is further ahead than can be. `knownMs`: the time it certainly is by now. */
export function isClockAhead(clockMs: number, knownMs: number): boolean {
  return clockMs > knownMs + max('clockDoubtMs')
}

/** The clock's time, or what is known while the clock is further ahead of that than is believed. */
export function believedMs(clockMs: number, knownMs: number): number {
  return isClockAhead(clockMs, knownMs) ? knownMs : clockMs
}
