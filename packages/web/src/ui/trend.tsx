import { type Bars, barsOf } from './bars.ts'
import { numberText, roundUp, shortNumberText } from './number-text.ts'
import { useZone } from './time.tsx'
import { dateText, hourText, stepText, type Zone } from './time-text.ts'

export type TrendTone = 'normal' | 'bad' | 'warn'

export interface TrendSeries {
  readonly startMs: number
  readonly stepMs: number
  readonly counts: readonly number[]
}

const FILL = { normal: 'fill-bar', bad: 'fill-bad-fill', warn: 'fill-warn-fill' } as const
const STROKE = { normal: 'stroke-bar', bad: 'stroke-bad-fill', warn: 'stroke-warn-fill' } as const

const ROW_BARS = 30
const ROW_WIDTH = 120
const ROW_HEIGHT = 24
/** Few bars stay slim, so that two hours do not look like a wall. */
const PITCH_MAX = 8

/** The trend of a row: at most 30 bars, the running one hollow, zero a tick, the peak printed beside. */
export function Trend(props: { readonly series: TrendSeries; readonly tone?: TrendTone }) {
  const bars = barsOf(props.series, ROW_BARS)
  const tone = props.tone ?? 'normal'
  const pitch = Math.min(PITCH_MAX, Math.floor(ROW_WIDTH / bars.counts.length))
  const offset = ROW_WIDTH - bars.counts.length * pitch
  const unit = stepText(bars.stepMs)
  return (
    <span className="flex items-end gap-2">
      <svg
        width={ROW_WIDTH}
        height={ROW_HEIGHT}
        viewBox={`0 0 ${ROW_WIDTH} ${ROW_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Trend, peak ${numberText(bars.peak)} per ${unit}`}
        className="shrink-0"
      >
        {bars.counts.map((count, index) => (
          <RowBar
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
            key={index}
            x={offset + index * pitch}
            width={pitch - 1}
            height={count === 0 ? 0 : Math.max(1, (count / bars.peak) * (ROW_HEIGHT - 1))}
            tone={tone}
            running={index === bars.counts.length - 1}
          />
        ))}
      </svg>
      <span className="trend-peak num text-11 text-ink-3">
        {shortNumberText(bars.peak)}/{unit.replaceAll(' ', '')}
      </span>
    </span>
  )
}

function RowBar(props: {
  readonly x: number
  readonly width: number
  readonly height: number
  readonly tone: TrendTone
  readonly running: boolean
}) {
  const { x, width, height, tone } = props
  if (height === 0) return <rect x={x} y={ROW_HEIGHT - 1} width={width} height={1} className="fill-bar-2" />
  if (props.running && height >= 3) {
    return (
      <rect
        x={x + 0.5}
        y={ROW_HEIGHT - height + 0.5}
        width={width - 1}
        height={height - 1}
        fill="none"
        className={STROKE[tone]}
      />
    )
  }
  return <rect x={x} y={ROW_HEIGHT - height} width={width} height={height} className={FILL[tone]} />
}

/** A vertical line with a name above the chart. */
export interface TrendMark {
  readonly atMs: number
  readonly label: string
  /** What does not concern the subject is dashed. */
  readonly faint?: boolean
}

/** A stretch of the axis in green: resolved, and still quiet. */
export interface TrendSpan {
  readonly startMs: number
  readonly endMs: number
}

const CHART_BARS = 112
const CHART_HEIGHT = 100
const HEAD = 20

/** The wide trend: axis, a named line, marks, the running bar hollow. `badFromMs`: from there the bars are red. */
export function TrendChart(props: {
  readonly series: TrendSeries
  readonly marks?: readonly TrendMark[]
  readonly quiet?: TrendSpan | null
  readonly badFromMs?: number | null
  readonly barsMax?: number
  readonly label: string
}) {
  const zone = useZone()
  const bars = barsOf(props.series, props.barsMax ?? CHART_BARS)
  const top = roundUp(bars.peak)
  const line = top >= 2 ? top / 2 : top
  const endMs = bars.startMs + bars.counts.length * bars.stepMs
  const percent = (atMs: number) => ((atMs - bars.startMs) / (endMs - bars.startMs)) * 100
  const y = (count: number) => HEAD + CHART_HEIGHT - (count / top) * CHART_HEIGHT
  return (
    <figure aria-label={`${props.label}, peak ${numberText(bars.peak)} per ${stepText(bars.stepMs)}`}>
      <svg
        width="100%"
        height={HEAD + CHART_HEIGHT + 1}
        role="presentation"
        className="block overflow-visible"
      >
        <line x1="0" x2="100%" y1={HEAD + 0.5} y2={HEAD + 0.5} className="stroke-grid" />
        <line x1="0" x2="100%" y1={y(line)} y2={y(line)} className="stroke-grid" />
        {bars.counts.map((count, index) => (
          <ChartBar
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
            key={index}
            bars={bars}
            index={index}
            y={y(count)}
            bad={
              typeof props.badFromMs === 'number' &&
              bars.startMs + (index + 1) * bars.stepMs > props.badFromMs
            }
          />
        ))}
        {props.quiet === null || props.quiet === undefined ? null : (
          <rect
            x={`${Math.max(0, percent(props.quiet.startMs))}%`}
            y={HEAD + CHART_HEIGHT - 3}
            width={`${Math.max(0, Math.min(100, percent(props.quiet.endMs)) - Math.max(0, percent(props.quiet.startMs)))}%`}
            height={3}
            className="fill-good-fill"
          />
        )}
        <line
          x1="0"
          x2="100%"
          y1={HEAD + CHART_HEIGHT + 0.5}
          y2={HEAD + CHART_HEIGHT + 0.5}
          className="stroke-control"
        />
        {labelled(props.marks ?? [], percent).map(({ mark, label }) => (
          <MarkLine
            key={`${mark.atMs} ${mark.label}`}
            mark={mark}
            percent={percent(mark.atMs)}
            label={label}
          />
        ))}
        <text x="4" y={y(line) - 4} className="num fill-ink-3 text-11">
          {numberText(line)} per {stepText(bars.stepMs)}
        </text>
      </svg>
      <Axis bars={bars} zone={zone} />
    </figure>
  )
}

const LABEL_PERCENT = 13

/** Names that would lie on another are left out, the newer one stays. Where it is narrow only the newest has one. */
function labelled(marks: readonly TrendMark[], percent: (atMs: number) => number) {
  let edge = Number.POSITIVE_INFINITY
  return [...marks]
    .sort((a, b) => b.atMs - a.atMs)
    .map((mark) => {
      const at = percent(mark.atMs)
      if (edge - at < LABEL_PERCENT) return { mark, label: 'none' as const }
      const label = edge === Number.POSITIVE_INFINITY ? ('shown' as const) : ('wide' as const)
      edge = at
      return { mark, label }
    })
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
  const height = Math.max(1, HEAD + CHART_HEIGHT - props.y)
  const running = props.index === props.bars.counts.length - 1
  const tone = props.bad ? 'bad' : 'normal'
  return (
    <rect
      x={`${props.index * share + share * 0.06}%`}
      y={HEAD + CHART_HEIGHT - height}
      width={`${share * 0.88}%`}
      height={height}
      className={running ? STROKE[tone] : FILL[tone]}
      fill={running ? 'none' : undefined}
    >
      <title>{`${numberText(count)}${running ? ', still running' : ''}`}</title>
    </rect>
  )
}

function MarkLine(props: {
  readonly mark: TrendMark
  readonly percent: number
  /** `wide`: there is room for it in a wide window alone. */
  readonly label: 'shown' | 'wide' | 'none'
}) {
  const { mark, percent } = props
  if (percent < 0 || percent > 100) return null
  const anchor = percent > 85 ? 'end' : percent < 8 ? 'start' : 'middle'
  return (
    <>
      <line
        x1={`${percent}%`}
        x2={`${percent}%`}
        y1={HEAD - 4}
        y2={HEAD + CHART_HEIGHT}
        className={mark.faint === true ? 'stroke-line-2' : 'stroke-ink-2'}
        strokeDasharray={mark.faint === true ? '2 3' : undefined}
      />
      {props.label === 'none' ? null : (
        <text
          x={`${percent}%`}
          y={11}
          textAnchor={anchor}
          className={`fill-ink-2 text-11 ${props.label === 'wide' ? 'max-phone:hidden' : ''}`}
        >
          {mark.label}
        </text>
      )}
    </>
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
