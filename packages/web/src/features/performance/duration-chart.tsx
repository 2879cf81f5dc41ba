/** How many requests took how long, on a log scale: each bar leads to requests that it counts, a dragged stretch to its own. */
import { PageChart } from '#parts/page-chart.tsx'
import type { ChartMark, ChartPlot } from '#ui/charts/chart-types.ts'
import { ChartLegend } from '#ui/charts/legend.tsx'
import { countScale } from '#ui/charts/scales.ts'
import { countText, numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { examplesPath } from './example-links.ts'
import { shortDuration } from './figure-cells.tsx'
import type { Figures } from './figures.ts'
import type { RouteData } from './performance.server.ts'

const HEIGHT = 120

export function DurationSection({ data }: { readonly data: RouteData }) {
  const { durations, figures } = data
  if (durations.length === 0) return null
  const note = `log scale, all ${numberText(figures.count)}${figures.aborted === 0 ? '' : ' except aborted'}; select a bar or drag for examples`
  const legend = [
    { tone: 'bar', text: 'succeeded' },
    { tone: 'bad', text: 'failed' },
  ] as const
  return (
    <Section
      title="Duration"
      note={note}
      end={figures.failed > 0 ? <ChartLegend items={legend} /> : undefined}
    >
      <DurationChart data={data} />
    </Section>
  )
}

function DurationChart({ data }: { readonly data: RouteData }) {
  const { durations, figures, route, kind, action, project } = data
  const [first, last] = [durations[0], durations.at(-1)]
  if (first === undefined || last === undefined) return null
  const examples = (fromMs: number, toMs: number) =>
    examplesPath(data.org, data.address, { route, kind, action, project: project.slug, fromMs, toMs })
  return (
    <PageChart
      label={durationSummary(figures)}
      x={{ kind: 'log', fromMs: first.fromMs, toMs: last.toMs, count: durations.length }}
      plots={[durationPlot(data)]}
      marks={percentileMarks(figures)}
      rowsOf={(slot) => {
        const bucket = durations[slot]
        return bucket === undefined || bucket.count === 0 ? null : examples(bucket.fromMs, bucket.toMs)
      }}
      rangeTo={({ from, to }) => examples(from, to)}
    />
  )
}

function durationPlot({ durations, figures }: RouteData): ChartPlot {
  const isNear = (count: number) => figures.isEstimated && count > 0
  return {
    height: HEIGHT,
    y: {
      ...countScale(Math.max(...durations.map(({ count }) => count))),
      text: (count) => countText(count, isNear(count) ? 'approximate' : 'exact'),
    },
    series: [
      { name: 'failed', as: 'bar', tone: 'bad', values: durations.map(({ failed }) => failed) },
      {
        ...{ name: 'succeeded', as: 'bar', tone: 'bar' },
        values: durations.map(({ count, failed }) => count - failed),
      },
    ],
  }
}

const MARKS = [
  { key: 'p50Ms', name: 'p50' },
  { key: 'p75Ms', name: 'p75' },
  { key: 'p95Ms', name: 'p95' },
  { key: 'p99Ms', name: 'p99' },
] as const

function percentileMarks(figures: Figures): readonly ChartMark[] {
  return MARKS.flatMap(({ key, name }): ChartMark[] => {
    const ms = figures[key]
    const text = ms === null ? '' : `${name} ${shortDuration(ms)}`
    return ms === null ? [] : [{ atMs: ms, kind: 'percentile', name: text, label: text }]
  })
}

function durationSummary({ p50Ms, p75Ms, p95Ms, p99Ms }: Figures): string {
  const text = (ms: number | null) => (ms === null ? 'unknown' : shortDuration(ms))
  return `Durations: p50 ${text(p50Ms)}, p75 ${text(p75Ms)}, p95 ${text(p95Ms)}, p99 ${text(p99Ms)}`
}
