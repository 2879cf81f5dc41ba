/** What colours the bars of a trend: each is of the state of what it counts, from when that began. */
import { type Bars, isSince } from './bars.ts'

export type TrendTone = 'normal' | 'bad' | 'warn'

/** What was before `fromMs` is as of anything else. */
export interface TrendState {
  readonly tone: TrendTone
  readonly fromMs: number
}

export const TREND_FILL = { normal: 'fill-bar', bad: 'fill-bad-fill', warn: 'fill-warn-fill' } as const
export const TREND_STROKE = {
  normal: 'stroke-bar',
  bad: 'stroke-bad-fill',
  warn: 'stroke-warn-fill',
} as const

/** Tone of one bar. */
export function toneAt(bars: Bars, index: number, state: TrendState | null): TrendTone {
  return state !== null && isSince(bars, index, state.fromMs) ? state.tone : 'normal'
}
