/** Percentiles on one log scale for all rows: block p50 to p75, tick p95, dot p99. */
import { placeOn } from '#ui/charts/scales.ts'
import { type Alarms, type Figures, isSlow } from './figures.ts'

const WIDTH = 150
const HEIGHT = 16
const MIDDLE = HEIGHT / 2
const BLOCK_MIN = 3

function x(ms: number): number {
  return Math.round((4 + placeOn(ms, STRIP_FROM_MS, STRIP_TO_MS) * (WIDTH - 8)) * 10) / 10
}

/** The numbers stand beside it: it is a picture of them. */
export function PercentileStrip(props: {
  readonly figures: Pick<Figures, 'p50Ms' | 'p75Ms' | 'p95Ms' | 'p99Ms'>
  readonly alarms: Alarms
}) {
  const { p50Ms, p75Ms, p95Ms, p99Ms } = props.figures
  if (p50Ms === null || p75Ms === null || p95Ms === null || p99Ms === null) return null
  const slow = isSlow(p99Ms, props.alarms)
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" className="block">
      <path d={TICKS_PATH} className="stroke-grid" />
      <path d={`M${x(p50Ms)} ${MIDDLE}H${x(p99Ms)}`} className="stroke-bar-2" />
      <path
        d={`M${x(p50Ms)} ${MIDDLE - 3}H${Math.max(x(p50Ms) + BLOCK_MIN, x(p75Ms))}v6H${x(p50Ms)}z`}
        className="fill-span-server"
      />
      <path d={`M${x(p95Ms)} ${MIDDLE - 5}v10`} className="stroke-ink-2" />
      <circle
        cx={x(p99Ms)}
        cy={MIDDLE}
        r="2.5"
        className={slow ? 'fill-warn-fill stroke-warn-fill' : 'fill-canvas stroke-bar'}
      />
    </svg>
  )
}

/** Names of the scale, above the strips. */
export function StripScale() {
  return (
    <svg width={WIDTH} height="16" role="img" aria-label="p50 to p99, from 10 ms to 10 s" className="block">
      {STRIP_TICKS.map(({ ms, label }, at) => (
        <text
          key={ms}
          x={x(ms) + (at === 0 ? -4 : at === STRIP_TICKS.length - 1 ? 4 : 0)}
          y="12"
          textAnchor={at === 0 ? 'start' : at === STRIP_TICKS.length - 1 ? 'end' : 'middle'}
          className="fill-ink-3 text-11"
        >
          {label}
        </text>
      ))}
    </svg>
  )
}

/** The key below the table. */
export function StripKey() {
  return (
    <svg width="34" height="12" aria-hidden="true" className="inline-block align-middle">
      <line x1="2" x2="30" y1="6" y2="6" className="stroke-bar-2" />
      <rect x="2" y="3" width="10" height="6" className="fill-span-server" />
      <line x1="20" x2="20" y1="1" y2="11" className="stroke-ink-2" />
      <circle cx="29" cy="6" r="2.5" className="fill-canvas stroke-bar" />
    </svg>
  )
}

/** Least value of the strips: one scale for all rows. */
const STRIP_FROM_MS = 10
const STRIP_TO_MS = 10_000
const STRIP_TICKS = [
  { ms: 10, label: '10 ms' },
  { ms: 100, label: '0.1 s' },
  { ms: 1_000, label: '1 s' },
  { ms: 10_000, label: '10 s' },
] as const
/** Shape of all ticks at once: a page has a hundred of these strips. */
const TICKS_PATH = STRIP_TICKS.map(({ ms }) => `M${x(ms)} 0v${HEIGHT}`).join('')
