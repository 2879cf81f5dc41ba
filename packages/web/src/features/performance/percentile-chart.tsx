/** p50, p75 and p95 over time, and the 75th percentile of the period before as a line across. */
import { chosenQuery } from '#parts/chosen-range.ts'
import { PageChart } from '#parts/page-chart.tsx'
import { paths, withQuery } from '#parts/paths.ts'
import { ChartLegend } from '#ui/charts/legend.tsx'
import { durationScale } from '#ui/charts/scales.ts'
import { Section } from '#ui/section.tsx'
import { useLocation } from '#wire/router.ts'
import { examplesPath } from './example-links.ts'
import { shortDuration } from './figure-cells.tsx'
import type { RouteData } from './performance.server.ts'

const HEIGHT = 120
const LINES = [
  { key: 'p95Ms', name: 'p95', tone: 'ink-2', width: 1.5 },
  { key: 'p75Ms', name: 'p75', tone: 'ink', width: 2.5 },
  { key: 'p50Ms', name: 'p50', tone: 'bar', width: 1.5 },
] as const
const DAY_MS = 86_400_000

export function PercentileSection({ data }: { readonly data: RouteData }) {
  const { buckets, before } = data
  const [first, second] = buckets
  const { pathname, search } = useLocation()
  if (first === undefined || second === undefined) return null
  const stepMs = second.startMs - first.startMs
  const beforeMs = before?.p75Ms ?? null
  const peak = Math.max(...buckets.map(({ p95Ms }) => p95Ms ?? 0), beforeMs ?? 0)
  const { range: _, ...others } = Object.fromEntries(new URLSearchParams(search))
  const { route, kind, action, project } = data
  const requestsIn = (startMs: number) => {
    const chosen = { startMs, endMs: startMs + stepMs }
    return examplesPath(data.org, { ...data.address, chosen }, { route, kind, action, project: project.slug })
  }
  return (
    <Section
      title="Over time"
      note={`per ${stepMs < DAY_MS ? 'hour' : 'day'}${beforeMs === null ? '' : '; dashed: p75 of the previous period'}; select a point for its requests, drag to zoom in`}
      end={
        <ChartLegend
          items={LINES.map(({ key, name, tone }) => {
            const ms = data.figures[key]
            return { text: name, tone, as: 'line', value: ms === null ? '–' : shortDuration(ms) }
          })}
        />
      }
    >
      <PageChart
        label={`p50, p75 and p95 over time, peak ${shortDuration(peak)}`}
        x={{
          kind: 'time',
          ...{ startMs: first.startMs, stepMs, count: buckets.length },
          ...(data.address.chosen === null ? { endText: 'now', isRunning: true } : {}),
        }}
        plots={[
          {
            ...{ height: HEIGHT, y: durationScale(peak) },
            series: LINES.map(({ key, name, tone, width }) => ({
              ...{ name, tone, width, as: 'line', values: buckets.map((bucket) => bucket[key]) },
            })),
            levels:
              beforeMs === null ? [] : [{ value: beforeMs, name: 'p75 before', tone: 'bar', isDashed: true }],
          },
        ]}
        marks={data.marks.map((mark) =>
          mark.kind === 'flag' ? mark : { ...mark, to: paths.release(data.org, mark.name) },
        )}
        rowsOf={(slot) => requestsIn(first.startMs + slot * stepMs)}
        rangeTo={({ from, to }) =>
          withQuery(pathname, { ...others, ...chosenQuery({ startMs: from, endMs: to }) })
        }
      />
    </Section>
  )
}
