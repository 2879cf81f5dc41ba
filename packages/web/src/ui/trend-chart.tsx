import { axisLine, CHART_HEAD, CHART_HEIGHT, peakWith } from './axis-line.ts'
import { type Bars, barsOf } from './bars.ts'
import { numberText } from './number-text.ts'
import { TimeAxis } from './time-axis.tsx'
import { stepText } from './time-text.ts'
import type { TrendSeries } from './trend.tsx'
import { type LinkOfMark, MarkLinks, type TrendMark } from './trend-marks.tsx'
import { TREND_FILL, TREND_STROKE, type TrendState, type TrendTone, toneAt } from './trend-tones.ts'

/** A stretch of the axis in green: resolved, and still quiet. */
export interface TrendSpan {
  readonly startMs: number
  readonly endMs: number
}

const CHART_BARS = 112

/** The wide trend: axis, a named line, marks, the running bar hollow. */
export function TrendChart(props: {
  readonly series: TrendSeries
  readonly marks?: readonly TrendMark[]
  readonly linkOf?: LinkOfMark
  readonly quiet?: TrendSpan | null
  readonly state?: TrendState | null
  readonly barsMax?: number
  /** A dashed line beside each step of the series; `null` where there is none. */
  readonly limits?: readonly (number | null)[]
  readonly label: string
}) {
  const bars = barsOf(props.series, props.barsMax ?? CHART_BARS)
  const limits = limitsOf(props)
  const line = axisLine(peakWith(bars.peak, limits))
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
            tone={toneAt(bars, index, props.state ?? null)}
          />
        ))}
        <LimitLine limits={limits} top={line.top} y={y} />
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
      <TimeAxis startMs={bars.startMs} endMs={endMs} endText="now" />
    </figure>
  )
}

/** Joined as the bars are; 0 where there is none. Empty without limits. */
function limitsOf(props: Pick<Parameters<typeof TrendChart>[0], 'series' | 'limits' | 'barsMax'>) {
  const { series, limits = [], barsMax = CHART_BARS } = props
  if (limits.length !== series.counts.length) return []
  return barsOf({ ...series, counts: limits.map((limit) => limit ?? 0) }, barsMax).counts
}

/** What lies beyond the chart is not drawn at its edge, where it would be another number: a sentence says it. */
function LimitLine(props: {
  readonly limits: readonly number[]
  readonly top: number
  readonly y: (count: number) => number
}) {
  const { limits, top, y } = props
  const share = 100 / Math.max(1, limits.length)
  const beyond = limits.filter((limit) => limit > top)
  return (
    <>
      {limits.map((limit, index) =>
        limit === 0 || limit > top ? null : (
          <line
            // biome-ignore lint/suspicious/noArrayIndexKey: a limit is its place in time
            key={index}
            x1={`${index * share}%`}
            x2={`${(index + 1) * share}%`}
            y1={y(limit)}
            y2={y(limit)}
            strokeDasharray="3 2"
            className="stroke-warn-fill"
          />
        ),
      )}
      {beyond.length === 0 ? null : (
        <text
          x="100%"
          y={CHART_HEAD + 12}
          textAnchor="end"
          className="num stroke-canvas fill-ink-3 text-11 [paint-order:stroke] [stroke-width:3px]"
        >
          forecast beyond the chart: {rangeText(beyond)}
        </text>
      )}
    </>
  )
}

/** `420`, or `380 to 420`. */
function rangeText(values: readonly number[]): string {
  const [least, most] = [Math.round(Math.min(...values)), Math.round(Math.max(...values))]
  return least === most ? numberText(most) : `${numberText(least)} to ${numberText(most)}`
}

function ChartBar(props: {
  readonly bars: Bars
  readonly index: number
  readonly y: number
  readonly tone: TrendTone
}) {
  const count = props.bars.counts[props.index] ?? 0
  const share = 100 / props.bars.counts.length
  if (count === 0) return null
  const height = Math.max(1, CHART_HEAD + CHART_HEIGHT - props.y)
  const running = props.index === props.bars.counts.length - 1
  const { tone } = props
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
