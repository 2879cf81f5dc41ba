/** How the values of one vital are spread, and how they go over time. */
import { chosenQuery } from '#parts/chosen-range.ts'
import { PageChart } from '#parts/page-chart.tsx'
import { paths, withQuery } from '#parts/paths.ts'
import { valueTerm } from '#parts/search-token.ts'
import { vitalText } from '#parts/vital-marks.tsx'
import type { ChartMark, ChartTone } from '#ui/charts/chart-types.ts'
import { countScale, valueScale } from '#ui/charts/scales.ts'
import { quantityText } from '#ui/number-text.ts'
import { useLocation } from '#wire/router.ts'
import { examplesPath } from './example-links.ts'
import type { VitalsData } from './vitals.server.ts'

type Spread = VitalsData['spreads'][number]

const HEIGHT = 120

export function VitalSpreadChart({ spread, data }: { readonly spread: Spread; readonly data: VitalsData }) {
  const { vital, step, counts, p75, count } = spread
  const [good, poor] = data.bounds[vital]
  const toneAt = (slot: number): ChartTone => {
    const middle = (slot + 0.5) * step
    return middle <= good ? 'good' : middle > poor ? 'bad' : 'warn'
  }
  const end = step * counts.length
  const text = (value: number) => (value === 0 ? '0' : vitalText(vital, value))
  const marks: readonly ChartMark[] = [
    { value: p75, name: `p75 ${text(p75)}` },
    { value: poor, name: `poor from ${text(poor)}` },
  ].flatMap(({ value, name }): ChartMark[] =>
    value >= end ? [] : [{ atMs: value, kind: 'percentile', name, label: name }],
  )
  return (
    <div className="min-w-0">
      <h2 className="mb-1 text-13 font-strong">
        Distribution <span className="text-12 font-normal text-ink-3">page loads by value</span>
      </h2>
      <PageChart
        label={`Distribution of ${quantityText(count, 'page load')}: p75 ${text(p75)}`}
        x={{ kind: 'linear', step, count: counts.length, text, name: 'Value' }}
        plots={[
          {
            ...{ height: HEIGHT, y: countScale(Math.max(...counts)) },
            series: [{ name: 'Page loads', as: 'bar', tone: 'bar', toneAt, values: counts }],
          },
        ]}
        marks={marks}
      />
    </div>
  )
}

export function VitalTrendChart({ spread, data }: { readonly spread: Spread; readonly data: VitalsData }) {
  const { vital } = spread
  const { pathname, search } = useLocation()
  const { bucketMs, range, bounds } = data
  const startMs = Math.floor(range.startMs / bucketMs) * bucketMs
  const count = Math.max(1, Math.ceil((range.endMs - startMs) / bucketMs))
  const own = data.series.filter((one) => one.vital === vital)
  const at = (slot: number) => own.find(({ key }) => Number(key) === startMs + slot * bucketMs) ?? null
  const values = Array.from({ length: count }, (_, slot) => at(slot)?.p75 ?? null)
  const [good, poor] = bounds[vital]
  const peak = Math.max(good, ...values.map((value) => value ?? 0))
  const text = (value: number) => (value === 0 ? '0' : vitalText(vital, value))
  const { range: _, ...others } = Object.fromEntries(new URLSearchParams(search))
  return (
    <div className="min-w-0">
      <h2 className="mb-1 text-13 font-strong">
        Over time{' '}
        <span className="text-12 font-normal text-ink-3">
          p75 per {bucketMs < 86_400_000 ? 'hour' : 'day'}; select a point for its page loads, drag to zoom in
        </span>
      </h2>
      <PageChart
        label={`p75 over time, ${vitalText(vital, spread.p75)} of all`}
        x={{
          ...{ kind: 'time', startMs, stepMs: bucketMs, count },
          ...(data.address.chosen === null ? { endText: 'now', isRunning: true } : {}),
        }}
        plots={[
          {
            height: HEIGHT,
            y: valueScale({ base: 0, top: Math.max(peak * 1.1, good * 1.2), text }),
            series: [{ name: 'p75', as: 'line', tone: 'ink', width: 2, values }],
            levels: [
              { value: good, name: `good ${text(good)}`, tone: 'good', isDashed: true },
              ...(poor > peak * 1.1
                ? []
                : [{ value: poor, name: `poor ${text(poor)}`, tone: 'bad', isDashed: true } as const]),
            ],
          },
        ]}
        marks={data.marks}
        rowsOf={(slot) => loadsIn(data, startMs + slot * bucketMs)}
        rangeTo={({ from, to }) =>
          withQuery(pathname, { ...others, ...chosenQuery({ startMs: from, endMs: to }) })
        }
      />
    </div>
  )
}

/** Returns the page loads of a step of the chart whose traces are kept. */
function loadsIn({ org, address, route, bucketMs }: VitalsData, startMs: number): string | null {
  const chosen = { startMs, endMs: startMs + bucketMs }
  if (route !== null)
    return examplesPath(org, { ...address, chosen }, { route, kind: 'browser', op: 'pageload' })
  const { environment, release, project } = address
  const terms = [
    { key: 'environment', value: environment },
    { key: 'release', value: release },
  ].flatMap(({ key, value }) => (value === null ? [] : [valueTerm({ key, value, negated: false })]))
  return paths.traces(org, { query: ['op:pageload', ...terms].join(' '), project, ...chosenQuery(chosen) })
}
