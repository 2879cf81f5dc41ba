/** Duration over time, on a log scale: a heat map of all that match, or of few a mark for each. A part of it can be chosen. */
import { chosenQuery, timeText } from '#parts/chosen-range.ts'
import { PageChart } from '#parts/page-chart.tsx'
import { paths, withQuery } from '#parts/paths.ts'
import { CellKey, CellShapes } from '#ui/charts/cell-shapes.tsx'
import type { ChartCells, ChartLevel, ChartPlot, ChartPoint, ChartRange } from '#ui/charts/chart-types.ts'
import { ChartLegend, type LegendItem } from '#ui/charts/legend.tsx'
import { PointShapes } from '#ui/charts/point-shapes.tsx'
import { durationLogScale } from '#ui/charts/scales.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { durationText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import { isFailed } from './failed.ts'
import type { TracesData } from './traces.server.ts'
import { tracesQuery, withDurations } from './traces-address.ts'

const HEIGHT = 148

export function TracesChart({ data }: { readonly data: TracesData }) {
  const { shown, total, heat, range, isHeat } = data
  const plot = isHeat ? heatPlot(data) : pointsPlot(data)
  return (
    <section aria-label="Duration over time" className="px-6 pt-3 pb-2 max-phone:px-4">
      <div className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-ink-3">
        <h2 className="font-strong text-ink">Duration over time</h2>
        <span>
          {isHeat
            ? `all ${quantityText(total, 'request')}, log scale; drag to narrow the search`
            : total > shown.count
              ? `${numberText(shown.count)} of ${numberText(total)} requests, log scale`
              : 'one mark per request, log scale; drag to narrow the search'}
        </span>
        <span className="ms-auto flex flex-wrap items-center gap-x-4 gap-y-1">
          {plot.cells === undefined ? (
            <ChartLegend items={pointLegend(data)} />
          ) : (
            <CellKey cells={plot.cells} />
          )}
          <ChartChoice current={isHeat ? 'heat' : 'marks'} />
        </span>
      </div>
      <PageChart
        label={tracesSummary(data)}
        x={{
          kind: 'time',
          ...{ startMs: heat.startMs, stepMs: heat.stepMs, count: heat.slots },
          ...(range.endMs === data.nowMs ? { endText: 'now' } : {}),
        }}
        plots={[plot]}
        marks={data.marks}
        rangeTo={(chosen) => rangePath(data, chosen)}
        rowsOf={(slot) =>
          rangePath(data, {
            from: heat.startMs + slot * heat.stepMs,
            to: heat.startMs + (slot + 1) * heat.stepMs,
          })
        }
      />
    </section>
  )
}

function ChartChoice({ current }: { readonly current: 'heat' | 'marks' }) {
  const { pathname, search } = useLocation()
  const others = Object.fromEntries(new URLSearchParams(search))
  return (
    <Segmented label="Chart">
      {(['heat', 'marks'] as const).map((chart) => (
        <PageLink
          key={chart}
          to={withQuery(pathname, { ...others, chart })}
          preventScrollReset
          aria-current={chart === current ? 'true' : undefined}
        >
          {chart === 'heat' ? 'Heat map' : 'Marks'}
        </PageLink>
      ))}
    </Segmented>
  )
}

/** The search within a part of the chart. */
function rangePath({ org, address }: TracesData, { from, to, low, high }: ChartRange): string {
  const query =
    low === undefined || high === undefined ? address.query : withDurations(address.query, { low, high })
  return paths.traces(org, {
    ...tracesQuery(address, { query }),
    ...chosenQuery({ startMs: from, endMs: to }),
    range: null,
  })
}

function heatPlot({ heat: { perDecade, slots, cells: found }, bounds }: TracesData): ChartPlot {
  const rows = found.map(([, row]) => row)
  const first = Math.min(perDecade, ...rows)
  const last = Math.max(perDecade * 3 - 1, ...rows)
  const valueAt = (row: number) => 10 ** (row / perDecade)
  const counts = Array.from({ length: slots }, () => Array.from({ length: last - first + 1 }, () => 0))
  for (const [slot, row, count] of found) {
    const column = counts[slot]
    if (column !== undefined) column[row - first] = count
  }
  const cells: ChartCells = {
    ...{ counts, unit: 'requests' },
    rows: Array.from({ length: last - first + 1 }, (_, at) => ({
      ...{ from: valueAt(first + at), to: valueAt(first + at + 1) },
    })),
  }
  const y = durationLogScale(valueAt(first), valueAt(last + 1))
  return { height: HEIGHT, y, series: [], cells, layer: CellShapes, levels: levelsOf(bounds) }
}

function pointsPlot({ org, points, others, bounds }: TracesData): ChartPlot {
  const all = [...points, ...others].map(({ durationMs }) => durationMs)
  const from = 10 ** Math.floor(Math.log10(Math.max(1, Math.min(10, ...all))))
  const to = Math.max(from * 100, 10 ** Math.ceil(Math.log10(Math.max(1_000, ...all))))
  return {
    ...{ height: HEIGHT, y: durationLogScale(from, to), series: [] },
    ...{ layer: PointShapes, levels: levelsOf(bounds) },
    points: [
      ...others.map(
        ({ atMs, durationMs }): ChartPoint => ({
          ...{ key: `${atMs} ${durationMs}`, atMs, value: durationMs, look: 'faint' },
        }),
      ),
      ...points.map(
        ({ traceId, atMs, durationMs, end }): ChartPoint => ({
          ...{ key: `${traceId} ${atMs} ${durationMs}`, atMs, value: durationMs },
          look: isFailed(end) ? 'failed' : 'normal',
          to: paths.trace(org, traceId, { near: Math.round(atMs) }),
        }),
      ),
    ],
  }
}

/** Returns the lines of the search's bounds on durations. */
function levelsOf({ minMs, maxMs }: TracesData['bounds']): readonly ChartLevel[] {
  return [minMs, maxMs].flatMap((ms): ChartLevel[] =>
    ms === null ? [] : [{ value: ms, name: durationText(ms), tone: 'control', isDashed: true }],
  )
}

function pointLegend({ points, others }: TracesData): readonly LegendItem[] {
  return [
    ...(others.length === 0 ? [] : [{ tone: 'bar-2', text: 'not matching' } as const]),
    ...(points.every(({ end }) => isFailed(end)) ? [] : [{ tone: 'bar', text: 'succeeded' } as const]),
    ...(points.some(({ end }) => isFailed(end)) ? [{ tone: 'bad', text: 'failed' } as const] : []),
  ]
}

/**
 * Describes the chart for people who do not see it: the list below has the same requests, each with its link.
 */
function tracesSummary({ shown, total, range }: TracesData): string {
  const { count, failed, spreadMs } = shown
  return [
    `Duration over time since ${timeText(range.startMs)}: ${quantityText(total, 'request')}`,
    ...(spreadMs === null ? [] : [`${durationText(spreadMs[0])} to ${durationText(spreadMs[1])}`]),
    ...(failed === 0 || total > count ? [] : [`${numberText(failed)} failed`]),
  ].join(', ')
}
