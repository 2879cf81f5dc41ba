/** How the values of one vital are spread, and how they go over time. */
import { type ChosenRange, chosenQuery, withinRange } from '#parts/chosen-range.ts'
import { PageChart } from '#parts/page-chart.tsx'
import { paths, withQuery } from '#parts/paths.ts'
import { valueTerm } from '#parts/search-token.ts'
import { vitalText } from '#parts/vital-marks.tsx'
import type { ChartMark, ChartTone } from '#ui/charts/chart-types.ts'
import { countScale, valueScale } from '#ui/charts/scales.ts'
import { quantityText } from '#ui/number-text.ts'
import { useLocation } from '#wire/router.ts'
import { NO_ROUTE } from './example-links.ts'
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
        Distribution{' '}
        <span className="text-12 font-normal text-ink-3">
          page loads by value; select a bar for its page loads
        </span>
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
        rowsOf={(slot) => loadsPath(data, data.address.chosen, boundTerms(spread, slot, slot))}
        rangeTo={({ from, to }) =>
          loadsPath(
            data,
            data.address.chosen,
            boundTerms(spread, Math.round(from / step), Math.round(to / step) - 1),
          )
        }
      />
    </div>
  )
}

/** Returns the terms that find what is counted from one step to another; the last holds all that is beyond. */
function boundTerms({ vital, above, counts }: Spread, first: number, last: number): string {
  const bound = (at: number) => {
    const value = above[at] ?? 0
    return vital === 'cls' ? String(Number(value.toPrecision(6))) : `${Number(value.toFixed(3))}ms`
  }
  const least = first === 0 ? `${vital}:>=${bound(0)}` : `${vital}:>${bound(first)}`
  return last + 1 >= counts.length ? least : `${least} ${vital}:<=${bound(last + 1)}`
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
        rowsOf={(slot) => {
          const fromMs = startMs + slot * bucketMs
          return loadsPath(data, withinRange({ startMs: fromMs, endMs: fromMs + bucketMs }, range))
        }}
        rangeTo={({ from, to }) =>
          withQuery(pathname, { ...others, ...chosenQuery({ startMs: from, endMs: to }) })
        }
      />
    </div>
  )
}

/** Returns the page loads whose traces are kept: of a part of the range, and of what they measured. */
function loadsPath(
  { org, address, route }: VitalsData,
  chosen: ChosenRange | null,
  measured = '',
): string | null {
  const { environment, release, project, range } = address
  const terms = Object.entries({ route, environment, release }).flatMap(([key, value]) =>
    value === null ? [] : [valueTerm({ key, value, negated: false })],
  )
  if (route?.startsWith(NO_ROUTE)) return null
  return paths.traces(org, {
    ...{ query: ['op:pageload', ...terms, measured].join(' ').trim(), project },
    ...(chosen === null ? { range } : chosenQuery(chosen)),
  })
}
