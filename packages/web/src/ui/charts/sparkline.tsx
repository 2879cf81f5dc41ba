/** The chart of a row: bars or a line, without an axis. Its last value or its peak stands beside it in words. */
import { useId } from 'react'
import { FILL, STROKE } from './chart-tones.ts'
import type { ChartTone } from './chart-types.ts'
import { leaveCursor, moveCursor, useCursor } from './cursor-store.ts'
import { areaPath, linePath } from './paths.ts'
import { Readout } from './readout.tsx'

export interface SparklineProps {
  readonly label: string
  readonly as: 'bar' | 'line'
  readonly values: readonly (number | null)[]
  readonly base?: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly toneAt?: (slot: number) => ChartTone
  /** Whether the last slot is not over: its bar is hollow. */
  readonly isRunning?: boolean
  /** With it the row has the cursor of the page; left out, the row is a link that the pointer is for. */
  readonly time?: {
    readonly startMs: number
    readonly stepMs: number
    readonly textOf: (slot: number) => { readonly head: string; readonly name: string; readonly text: string }
    readonly releaseAt: (slot: number) => string | null
    /** Beginnings of releases. */
    readonly marksMs: readonly number[]
  }
}

export function Sparkline(props: SparklineProps) {
  const { label, as, values, width, height, time } = props
  const svg = (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="block shrink-0"
    >
      {as === 'bar' ? <Bars {...props} /> : <Line {...props} />}
      {time?.marksMs.map((ms) => {
        const x = ((ms - time.startMs) / (time.stepMs * values.length)) * width
        return x < 0 || x > width ? null : (
          <line key={ms} x1={x} x2={x} y1="0" y2={height} className="stroke-ink-2" />
        )
      })}
    </svg>
  )
  return time === undefined ? svg : <WithCursor {...props}>{svg}</WithCursor>
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

function WithCursor(props: SparklineProps & { readonly children: React.ReactNode }) {
  const { values, time, height } = props
  const id = useId()
  const cursor = useCursor()
  if (time === undefined) return props.children
  const at = cursor === null || cursor.kind !== 'time' ? -1 : (cursor.value - time.startMs) / time.stepMs
  const slot = at >= 0 && at < values.length ? Math.floor(at) : null
  const share = slot === null ? 0 : (slot + 0.5) / values.length
  return (
    <span
      className="relative block"
      onPointerMove={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect()
        const hit = Math.floor(((event.clientX - left) / width) * values.length)
        const value = time.startMs + (Math.min(values.length - 1, Math.max(0, hit)) + 0.5) * time.stepMs
        moveCursor({ kind: 'time', value, owner: id })
      }}
      onPointerLeave={() => leaveCursor(id)}
    >
      {props.children}
      {slot === null ? null : (
        <svg width="100%" height={height} aria-hidden="true" className="pointer-events-none absolute inset-0">
          <line x1={`${share * 100}%`} x2={`${share * 100}%`} y1="0" y2={height} className="stroke-accent" />
        </svg>
      )}
      {slot === null || cursor?.owner !== id ? null : (
        <Readout
          head={time.textOf(slot).head}
          readings={[{ ...time.textOf(slot), tone: null }]}
          share={share}
          release={time.releaseAt(slot)}
        />
      )}
    </span>
  )
}
