import { numberText, quantityText, shortNumberText } from '../number-text.ts'
import { useZone } from '../time.tsx'
import { stepText } from '../time-text.ts'
import { barsOf } from './bars.ts'
import { LiveSparkline } from './live-sparkline.tsx'
import { readingHead } from './reading-head.ts'
import { type TrendState, toneAt } from './trend-tones.ts'

export interface TrendSeries {
  readonly startMs: number
  readonly stepMs: number
  readonly counts: readonly number[]
}

const ROW_BARS = 30
const ROW_WIDTH = 120
const ROW_HEIGHT = 24

/**
 * The trend of a row: at most 30 bars, the running one hollow, zero a tick, the peak printed beside. What has a state
 * has its colour from when it began: `state`.
 */
export function Trend(props: { readonly series: TrendSeries; readonly state?: TrendState | null }) {
  const bars = barsOf(props.series, ROW_BARS)
  const unit = stepText(bars.stepMs)
  const zone = useZone()
  return (
    <span className="flex items-end gap-2">
      <LiveSparkline
        label={`Trend, peak ${numberText(bars.peak)} per ${unit}`}
        values={bars.counts}
        top={bars.peak}
        width={ROW_WIDTH}
        height={ROW_HEIGHT}
        toneAt={(slot) => toneAt(bars, slot, props.state ?? null)}
        isRunning
        startMs={bars.startMs}
        stepMs={bars.stepMs}
        textOf={(slot) => ({
          head: readingHead(bars, slot, zone),
          name: '',
          text: quantityText(bars.counts[slot] ?? 0, 'event'),
        })}
      />
      <span className="trend-peak num text-11 text-ink-3">
        {shortNumberText(bars.peak)}/{unit.replaceAll(' ', '')}
      </span>
    </span>
  )
}
