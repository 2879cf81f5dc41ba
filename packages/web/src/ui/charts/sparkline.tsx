/** The chart of a row: bars or another shape, without an axis. Its last value or its peak stands beside it in words. */
import type { ReactNode } from 'react'
import { FILL, STROKE } from './chart-tones.ts'
import type { ChartTone } from './chart-types.ts'

export interface SparklineProps {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly base?: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly toneAt?: (slot: number) => Exclude<ChartTone, 'hatch'>
  /** Whether the last slot is not over: its bar is hollow. */
  readonly isRunning?: boolean
  /** Bars, unless another is given. */
  readonly shape?: (props: SparklineProps) => ReactNode
  /** Places of lines, as shares of the width: beginnings of releases. */
  readonly marks?: readonly number[]
}

export function Sparkline(props: SparklineProps) {
  const { label, width, height, marks = [], shape: Shape = Bars } = props
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="block shrink-0"
    >
      <Shape {...props} />
      {marks.length > 0 ? <path d={markPath(marks, props)} className="stroke-ink-2" /> : null}
    </svg>
  )
}

/** Returns how far bars stand apart. */
export function barPitch(count: number, width: number): number {
  return Math.min(PITCH_MAX, Math.floor(width / count))
}

/** Draws one shape, and one line where several would be: a page has a hundred rows with the same marks. */
function markPath(
  marks: readonly number[],
  { width, height }: Pick<SparklineProps, 'width' | 'height'>,
): string {
  const places = new Set(marks.map((share) => Math.round(share * width * 2) / 2))
  return [...places].map((x) => `M${x} 0v${height}`).join('')
}

/** Few bars stay slim, so that two hours do not look like a wall. */
const PITCH_MAX = 8

/** A path a tone: a page has a hundred rows of thirty bars, and an element a bar would be a sixth of its document. */
function Bars({ values, width, height, top, isRunning, toneAt }: SparklineProps) {
  const pitch = barPitch(values.length, width)
  const offset = width - values.length * pitch
  const paths: Record<string, string> = {}
  values.forEach((value, slot) => {
    const tall = Math.max(1, ((value ?? 0) / (top || 1)) * (height - 1))
    const tone = toneAt?.(slot) ?? 'bar'
    const isHollow = isRunning && slot === values.length - 1 && tall >= 3
    const edge = isHollow ? 1 : 0
    const shown = +(tall - edge).toFixed(2)
    const look = value ? (isHollow ? `fill-none ${STROKE[tone]}` : FILL[tone]) : FILL['bar-2']
    paths[look] =
      `${paths[look] ?? ''}M${offset + slot * pitch + edge / 2} ${height - edge / 2}v${-shown}h${pitch - 1 - edge}v${shown}z`
  })
  return Object.entries(paths).map(([look, d]) => <path key={look} d={d} className={look} />)
}
