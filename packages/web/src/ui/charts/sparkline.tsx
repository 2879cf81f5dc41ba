/** The chart of a row: bars or a line, without an axis. Its last value or its peak stands beside it in words. */
import { FILL, STROKE } from './chart-tones.ts'
import type { ChartTone } from './chart-types.ts'
import { areaPath, linePath } from './paths.ts'

export interface SparklineProps {
  readonly label: string
  readonly as: 'bar' | 'line' | 'heat'
  readonly values: readonly (number | null)[]
  readonly base?: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly toneAt?: (slot: number) => ChartTone
  /** Whether the last slot is not over: its bar is hollow. */
  readonly isRunning?: boolean
  /** Where lines stand, as shares of the width: beginnings of releases. */
  readonly marks?: readonly number[]
}

export function Sparkline(props: SparklineProps) {
  const { label, as, width, height, marks = [] } = props
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
      {as === 'line' ? <Line {...props} /> : as === 'bar' ? <Bars {...props} /> : <Cells {...props} />}
      {marks.map((share) => (
        <line key={share} x1={share * width} x2={share * width} y1="0" y2={height} className="stroke-ink-2" />
      ))}
    </svg>
  )
}

function yOf({ base = 0, top, height }: SparklineProps): (value: number) => number {
  return (value) => 1 + (1 - Math.min(1, Math.max(0, (value - base) / (top - base || 1)))) * (height - 2)
}

/** Few bars stay slim, so that two hours do not look like a wall. */
const PITCH_MAX = 8

function Bars(props: SparklineProps) {
  const { values, width, height, top, isRunning } = props
  const pitch = Math.min(PITCH_MAX, Math.floor(width / values.length))
  const offset = width - values.length * pitch
  return values.map((value, slot) => {
    const tall = value === null || value === 0 ? 0 : Math.max(1, (value / (top || 1)) * (height - 1))
    const tone = props.toneAt?.(slot) ?? 'bar'
    const isHollow = isRunning === true && slot === values.length - 1 && tall >= 3
    const edge = isHollow ? 0.5 : 0
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
        key={slot}
        x={offset + slot * pitch + edge}
        y={tall === 0 ? height - 1 : height - tall + edge}
        width={pitch - 1 - 2 * edge}
        height={tall === 0 ? 1 : tall - 2 * edge}
        fill={isHollow ? 'none' : undefined}
        className={tall === 0 ? FILL['bar-2'] : tone === 'hatch' ? '' : isHollow ? STROKE[tone] : FILL[tone]}
      />
    )
  })
}

/** The more, the darker: a row of a matrix. */
function Cells({ values, top, width, height }: SparklineProps) {
  const pitch = width / Math.max(1, values.length)
  return values.map((value, slot) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place in time
      key={slot}
      x={slot * pitch}
      y="1"
      width={pitch * 0.92}
      height={height - 2}
      opacity={value === null || value === 0 ? 1 : 0.3 + 0.7 * (value / (top || 1))}
      className={value === null || value === 0 ? 'fill-grid' : FILL.server}
    />
  ))
}

function Line(props: SparklineProps) {
  const { values, width, height, base = 0 } = props
  const y = yOf(props)
  const from = values.map(() => base)
  return (
    <>
      <path d={areaPath({ from, to: values, width, y })} className="fill-grid" />
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line-2" />
      <path
        d={linePath(values, { step: width / Math.max(1, values.length), y })}
        fill="none"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-bar"
      />
    </>
  )
}
