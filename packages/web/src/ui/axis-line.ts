/** Where the named line of a chart stands, and its name beside it. Pure. */
import { roundUp } from './number-text.ts'

/** So high is the room for names of marks above a chart. */
export const CHART_HEAD = 20
export const CHART_HEIGHT = 100
const TEXT_ABOVE = 4
const TEXT_BELOW = 12

export interface AxisLine {
  /** What the whole height stands for. */
  readonly top: number
  /** What the line stands for. */
  readonly value: number
  readonly y: number
  /** Of the name: above the line, or below one at the top, where marks have their names. */
  readonly textY: number
}

export function axisLine(peak: number): AxisLine {
  const top = roundUp(peak)
  const value = top % 2 === 0 ? top / 2 : top
  const y = CHART_HEAD + CHART_HEIGHT - (value / top) * CHART_HEIGHT
  return { top, value, y, textY: value === top ? y + TEXT_BELOW : y - TEXT_ABOVE }
}

/** Bars stay at least so much of the height. */
const BARS_SHARE_MIN = 1 / 3

/** What the height has to hold: the bars, and of the limits beside them those that leave the bars readable. */
export function peakWith(peak: number, limits: readonly number[]): number {
  return Math.max(peak, ...limits.filter((limit) => limit <= Math.max(1, peak) / BARS_SHARE_MIN))
}
