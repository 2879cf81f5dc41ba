/** Stored above the axis; what was not stored hangs below it, on its own scale that says so. */
import type { OutcomesView } from '@errata/server/queries'
import { PageChart } from '#parts/page-chart.tsx'
import { stepWords } from '#parts/step-words.ts'
import type { ChartMark } from '#ui/charts/chart-types.ts'
import { countScale } from '#ui/charts/scales.ts'
import { numberText } from '#ui/number-text.ts'
import { type Amounts, COLUMNS, NOT_STORED, notStored } from './ledger.ts'
import { TONE_OF_COLUMN } from './swatch.tsx'

type ChartView = Pick<OutcomesView, 'range' | 'intervalMs' | 'buckets' | 'groups'>

const UP = 96
const DOWN = 64

export function OutcomesChart(props: {
  readonly view: ChartView
  readonly buckets: readonly Amounts[]
  readonly marks: readonly ChartMark[]
  /** Its end is now. */
  readonly isLive: boolean
  /** The page of a part of the range. */
  readonly rangeTo: (range: { readonly from: number; readonly to: number }) => string
}) {
  const { view, buckets } = props
  const peakUp = Math.max(0, ...buckets.map(({ stored }) => stored))
  const peakDown = Math.max(0, ...buckets.map(notStored))
  const per = `per ${stepWords(view.intervalMs)}`
  const series = (key: (typeof COLUMNS)[number]['key']) => ({
    name: COLUMNS.find((column) => column.key === key)?.label ?? key,
    ...{ as: 'bar' as const, tone: TONE_OF_COLUMN[key], values: buckets.map((amounts) => amounts[key]) },
  })
  return (
    <div className="px-6 max-phone:px-4">
      <p className="py-1 text-12 text-ink-3">
        <b className="font-strong text-ink-2">Stored</b> above,{' '}
        <b className="font-strong text-ink-2">not stored</b> below on its own scale, {per}
      </p>
      <PageChart
        label={`Stored: at most ${numberText(peakUp)} ${per}. Not stored: at most ${numberText(peakDown)} ${per}.`}
        x={{
          kind: 'time',
          ...{
            startMs: view.buckets[0] ?? view.range.startMs,
            stepMs: view.intervalMs,
            count: buckets.length,
          },
          ...(props.isLive ? { endText: 'now', isRunning: true } : {}),
        }}
        plots={[
          { name: 'stored', height: UP, y: countScale(peakUp), series: [series('stored')] },
          {
            ...{ name: 'not stored', height: DOWN, hangs: true, y: countScale(peakDown) },
            series: NOT_STORED.map(series),
          },
        ]}
        marks={props.marks}
        rowsOf={(slot) => {
          const from = (view.buckets[0] ?? view.range.startMs) + slot * view.intervalMs
          return props.rangeTo({ from, to: from + view.intervalMs })
        }}
        rangeTo={props.rangeTo}
      />
    </div>
  )
}
