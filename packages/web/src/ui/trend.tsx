import { barsOf } from './bars.ts'
import { numberText, shortNumberText } from './number-text.ts'
import { stepText } from './time-text.ts'
import { TREND_FILL, TREND_STROKE, type TrendState, type TrendTone, toneAt } from './trend-tones.ts'

export interface TrendSeries {
  readonly startMs: number
  readonly stepMs: number
  readonly counts: readonly number[]
}

const ROW_BARS = 30
const ROW_WIDTH = 120
const ROW_HEIGHT = 24
/** Few bars stay slim, so that two hours do not look like a wall. */
const PITCH_MAX = 8

/**
 * The trend of a row: at most 30 bars, the running one hollow, zero a tick, the peak printed beside. What has a state
 * has its colour from when it began: `state`.
 */
export function Trend(props: { readonly series: TrendSeries; readonly state?: TrendState | null }) {
  const bars = barsOf(props.series, ROW_BARS)
  const state = props.state ?? null
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
            tone={toneAt(bars, index, state)}
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
        className={TREND_STROKE[tone]}
      />
    )
  }
  return <rect x={x} y={ROW_HEIGHT - height} width={width} height={height} className={TREND_FILL[tone]} />
}
