/** Names below a chart, each at the place that it names. */
import { useZone } from '../time.tsx'
import { clockText, dateText, hourText } from '../time-text.ts'
import { dayTicks } from './day-ticks.ts'
import { shortDurationText } from './scales.ts'
import { timeTicks } from './time-ticks.ts'

const DAY_MS = 86_400_000
/** A shorter axis needs seconds. */
const MINUTES_MS = 5 * 60_000

/** Share of the axis beyond which a name would run into that of its end, where the chart is narrow. */
const CLEAR_ON_PHONES = 0.85

/** `endText`: at the end of the axis; left out, its time. */
export function TimeAxis(props: {
  readonly startMs: number
  readonly endMs: number
  readonly parts?: readonly number[]
  readonly endText?: string
}) {
  const { startMs, endMs } = props
  const zone = useZone()
  const isLong = endMs - startMs > 2 * DAY_MS
  const parts = props.parts ?? (isLong ? dayTicks(props, zone) : timeTicks(props, zone))
  const textAt = (part: number) => {
    const atMs = startMs + (endMs - startMs) * part
    if (isLong) return dateText(atMs, zone)
    return endMs - startMs < MINUTES_MS ? clockText(atMs, zone) : hourText(atMs, zone)
  }
  return (
    <Axis
      ticks={[...parts.filter((part) => part < 1), 1].map((part) => ({
        part,
        text: part === 1 ? (props.endText ?? textAt(1)) : textAt(part),
      }))}
    />
  )
}

export function DurationAxis(props: {
  readonly ticks: readonly number[]
  readonly part: (ms: number) => number
}) {
  return <Axis ticks={props.ticks.map((ms) => ({ part: props.part(ms), text: shortDurationText(ms) }))} />
}

export function Axis({
  ticks,
}: {
  readonly ticks: readonly { readonly part: number; readonly text: string }[]
}) {
  return (
    <svg width="100%" height="19" aria-hidden="true" className="num block overflow-visible text-11">
      {ticks.map(({ part, text }) => (
        <g key={part} className={part > CLEAR_ON_PHONES && part < 1 ? 'max-phone:hidden' : undefined}>
          <line
            x1={`${part * 100}%`}
            x2={`${part * 100}%`}
            y1="0"
            y2="4"
            transform={part === 1 ? 'translate(-1 0)' : undefined}
            className="stroke-control"
          />
          <text
            x={`${part * 100}%`}
            y="15"
            textAnchor={part < 0.03 ? 'start' : part > 0.97 ? 'end' : 'middle'}
            className="fill-ink-3"
          >
            {text}
          </text>
        </g>
      ))}
    </svg>
  )
}
