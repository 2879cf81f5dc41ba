/** Colours of a trend's bars: each has the state of what it counts, from when that began. */
import { type Bars, isSince } from './bars.ts'

/** State of the trend from `fromMs` on. */
export interface TrendState {
  readonly tone: 'bad' | 'warn'
  readonly fromMs: number
}

/** Tone of one bar. */
export function toneAt(bars: Bars, index: number, state: TrendState | null): TrendState['tone'] | 'bar' {
  return state !== null && isSince(bars, index, state.fromMs) ? state.tone : 'bar'
}
