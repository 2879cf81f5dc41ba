/** Crash-free over time beside the release before, and adoption below it. */
import { crashFreeText, floorOf, GOALS, labelledParts } from '#parts/crash-free.ts'
import { PageChart } from '#parts/page-chart.tsx'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { valueTerm } from '#parts/search-token.ts'
import type { ChartSeries } from '#ui/charts/chart-types.ts'
import { ChartLegend } from '#ui/charts/legend.tsx'
import { valueScale } from '#ui/charts/scales.ts'
import type { PageHealth } from './health.server.ts'

const LINES = 120
const BARS = 44

export function HealthChart(props: {
  readonly health: PageHealth
  readonly org: string
  readonly version: string
}) {
  const { health, org, version } = props
  const { of, line, before, shares, startMs, stepMs, isOver } = health
  const floor = floorOf([...line, ...(before?.line ?? [])])
  const last = line.findLast((share) => share !== null) ?? null
  const goal = GOALS[of]
  const isBad = last !== null && !health.isYoung && last < goal
  const tone = isBad ? 'bad' : 'ink'
  const count = Math.max(1, line.length, shares.length)
  const parts = labelledParts(count)
  const own: ChartSeries = { name: 'this release', as: 'line', tone, width: 2, values: line }
  const other: readonly ChartSeries[] =
    before === null
      ? []
      : [{ name: versionOf(before.version), as: 'line', tone: 'bar', values: before.line.slice(0, count) }]
  const issuesIn = (from: number, to: number) =>
    paths.issues(org, {
      ...{ query: valueTerm({ key: 'release', value: version, negated: false }), tab: 'all' },
      ...{ from: minuteText(from), to: minuteText(to) },
    })
  return (
    <>
      <PageChart
        label={`Crash-free ${of === 'people' ? 'users' : 'sessions'}: ${crashFreeText(last)} recently`}
        x={{
          kind: 'time',
          ...{ startMs, stepMs, count, isRunning: !isOver },
          ...(parts === null ? {} : { parts }),
          ...(isOver ? {} : { endText: 'now' }),
        }}
        plots={[
          {
            height: LINES,
            y: valueScale({
              ...{ base: floor, top: 1, text: crashFreeText },
              ticks: [floor, (floor + 1) / 2, 1].map((value) => ({ value, text: shareTickText(value) })),
            }),
            series: [...other, own],
            levels: [
              { name: `goal ${Math.round(goal * 100)} %`, value: goal, tone: 'control', isDashed: true },
            ],
          },
          {
            ...{ name: 'adopted', height: BARS },
            y: valueScale({
              ...{ base: 0, top: 1, text: crashFreeText },
              ticks: [0, 0.5, 1].map((value) => ({ value, text: shareTickText(value) })),
            }),
            series: [{ name: 'adopted', as: 'bar', tone: 'bar', values: shares }],
          },
        ]}
        marks={health.marks}
        rowsOf={(slot) => issuesIn(startMs + slot * stepMs, startMs + (slot + 1) * stepMs)}
        rangeTo={({ from, to }) => issuesIn(from, to)}
      />
      <div className="mt-2 ms-12">
        <ChartLegend
          items={[
            { text: 'this release', tone, as: 'line' },
            ...(before === null
              ? []
              : [{ text: versionOf(before.version), tone: 'bar', as: 'line' } as const]),
            { text: 'adopted', tone: 'bar' },
          ]}
        />
      </div>
    </>
  )
}

/** `99.5 %`: no more digits than it has. */
function shareTickText(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`
}

/** `2026-11-20T08:00`, as the address of the issue list has it. */
export function minuteText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}
