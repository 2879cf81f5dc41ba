import { axisLine, CHART_HEAD, CHART_HEIGHT } from './axis-line.ts'
import { type Bars, barsOf, isSince } from './bars.ts'
import { numberText } from './number-text.ts'
import { useZone } from './time.tsx'
import { dateText, hourText, stepText, type Zone } from './time-text.ts'
import { TREND_FILL, TREND_STROKE, type TrendSeries } from './trend.tsx'
import { type LinkOfMark, MarkLinks, type TrendMark } from './trend-marks.tsx'

/** A stretch of the axis in green: resolved, and still quiet. */
export interface TrendSpan {
  readonly startMs: number
  readonly endMs: number
}

const CHART_BARS = 112

/** The wide trend: axis, a named line, marks, the running bar hollow. `badFromMs`: from there the bars are red. */
export function TrendChart(props: {
  readonly series: TrendSeries
  readonly marks?: readonly TrendMark[]
  readonly linkOf?: LinkOfMark
  readonly quiet?: TrendSpan | null
  readonly badFromMs?: number | null
  readonly barsMax?: number
  /** A dashed line beside each step of the series; `null` where there is none. */
  readonly limits?: readonly (number | null)[]
  readonly label: string
}) {
  const zone = useZone()
  const bars = barsOf(props.series, props.barsMax ?? CHART_BARS)
  const line = axisLine(bars.peak)
  const endMs = bars.startMs + bars.counts.length * bars.stepMs
  const percent = (atMs: number) => ((atMs - bars.startMs) / (endMs - bars.startMs)) * 100
  const y = (count: number) => CHART_HEAD + CHART_HEIGHT - (count / line.top) * CHART_HEIGHT
  return (
    <figure aria-label={`${props.label}, peak ${numberText(bars.peak)} per ${stepText(bars.stepMs)}`}>
      <svg
        width="100%"
        height={CHART_HEAD + CHART_HEIGHT + 1}
        role="presentation"
        className="block overflow-visible"
      >
        <line x1="0" x2="100%" y1={CHART_HEAD + 0.5} y2={CHART_HEAD + 0.5} className="stroke-grid" />
        <line x1="0" x2="100%" y1={line.y} y2={line.y} className="stroke-grid" />
        {bars.counts.map((count, index) => (
          <ChartBar
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
            key={index}
            bars={bars}
            index={index}
            y={y(count)}
            bad={typeof props.badFromMs === 'number' && isSince(bars, index, props.badFromMs)}
          />
        ))}
        <LimitLine
          series={props.series}
          limits={props.limits ?? []}
          barsMax={props.barsMax ?? CHART_BARS}
          y={y}
        />
        {props.quiet === null || props.quiet === undefined ? null : (
          <rect
            x={`${Math.max(0, percent(props.quiet.startMs))}%`}
            y={CHART_HEAD + CHART_HEIGHT - 3}
            width={`${Math.max(0, Math.min(100, percent(props.quiet.endMs)) - Math.max(0, percent(props.quiet.startMs)))}%`}
            height={3}
            className="fill-good-fill"
          />
        )}
        <line
          x1="0"
          x2="100%"
          y1={CHART_HEAD + CHART_HEIGHT + 0.5}
          y2={CHART_HEAD + CHART_HEIGHT + 0.5}
          className="stroke-control"
        />
        {props.linkOf === undefined ? null : (
          <MarkLinks marks={props.marks ?? []} percent={percent} linkOf={props.linkOf} />
        )}
        <text
          x="4"
          y={line.textY}
          className="num stroke-canvas fill-ink-3 text-11 [paint-order:stroke] [stroke-width:3px]"
        >
          {numberText(line.value)} per {stepText(bars.stepMs)}
        </text>
      </svg>
      <Axis bars={bars} zone={zone} />
    </figure>
  )
}

/** Joined as the bars are; what is beyond the chart runs along its top. */
function LimitLine(props: {
  readonly series: TrendSeries
  readonly limits: readonly (number | null)[]
  readonly barsMax: number
  readonly y: (count: number) => number
}) {
  const { series, limits } = props
  if (limits.length !== series.counts.length) return null
  const bars = barsOf({ ...series, counts: limits.map((limit) => limit ?? 0) }, props.barsMax)
  const share = 100 / bars.counts.length
  return bars.counts.map((limit, index) =>
    limit === 0 ? null : (
      <line
        // biome-ignore lint/suspicious/noArrayIndexKey: a limit is its place in time
        key={index}
        x1={`${index * share}%`}
        x2={`${(index + 1) * share}%`}
        y1={Math.max(CHART_HEAD, props.y(limit))}
        y2={Math.max(CHART_HEAD, props.y(limit))}
        strokeDasharray="3 2"
        className="stroke-warn-fill"
      />
    ),
  )
}

function ChartBar(props: {
  readonly bars: Bars
  readonly index: number
  readonly y: number
  readonly bad: boolean
}) {
  const count = props.bars.counts[props.index] ?? 0
  const share = 100 / props.bars.counts.length
  if (count === 0) return null
  const height = Math.max(1, CHART_HEAD + CHART_HEIGHT - props.y)
  const running = props.index === props.bars.counts.length - 1
  const tone = props.bad ? 'bad' : 'normal'
  return (
    <rect
      x={`${props.index * share + share * 0.06}%`}
      y={CHART_HEAD + CHART_HEIGHT - height}
      width={`${share * 0.88}%`}
      height={height}
      className={running ? TREND_STROKE[tone] : TREND_FILL[tone]}
      fill={running ? 'none' : undefined}
    >
      <title>{`${numberText(count)}${running ? ', still running' : ''}`}</title>
    </rect>
  )
}

/** Five places of the axis named, the last one "now". */
function Axis({ bars, zone }: { readonly bars: Bars; readonly zone: Zone }) {
  const spanMs = bars.counts.length * bars.stepMs
  const text = (atMs: number) => (spanMs > 2 * 86_400_000 ? dateText(atMs, zone) : hourText(atMs, zone))
  return (
    <div className="num mt-1 flex justify-between text-11 text-ink-3" aria-hidden="true">
      {[0, 0.25, 0.5, 0.75].map((part) => (
        <span key={part}>{text(bars.startMs + spanMs * part)}</span>
      ))}
      <span>now</span>
    </div>
  )
}
