import { timeText } from '#parts/chosen-range.ts'
import { PageChart } from '#parts/page-chart.tsx'
import { paths, withQuery } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { trendState } from '#parts/trend-state.ts'
import { type Bars, barsOf } from '#ui/charts/bars.ts'
import type { ChartMark, ChartSeries } from '#ui/charts/chart-types.ts'
import { ChartLegend, flagLegend, type LegendItem } from '#ui/charts/legend.tsx'
import { peakWith } from '#ui/charts/limits.ts'
import { countScale } from '#ui/charts/scales.ts'
import { toneAt } from '#ui/charts/trend-tones.ts'
import { numberText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { stepText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import type { IssueShared } from './issue.server.ts'
import { TREND_RANGES } from './trend-ranges.ts'

/** Events over time with first and last release, the resolved span, and red from the regression on. */
export function IssueTrend({ data }: { readonly data: IssueShared }) {
  const { view, trendKey } = data
  const { issue, trend } = view
  const range = TREND_RANGES.find(({ key }) => key === trendKey) ?? TREND_RANGES[1]
  const inRange = trend.counts.reduce((sum, count) => sum + count, 0)
  const state = trendState(issue)
  const regressed = state?.tone === 'bad' ? state : null
  const quiet = quietSpan(data)
  const hasForecast = view.forecast.some((limit) => limit !== null)
  const legend: readonly LegendItem[] = [
    ...(quiet === null ? [] : [{ tone: 'good', text: 'resolved' } as const]),
    ...(hasForecast ? [{ tone: 'warn', as: 'dashed', text: 'forecast' } as const] : []),
    ...(regressed === null ? [] : [{ tone: 'bad', text: 'since the regression' } as const]),
    ...flagLegend(data.flags),
  ]
  return (
    <section aria-label="Events over time" className="py-4">
      <div className="mb-1 flex flex-wrap items-center gap-x-5 gap-y-1">
        <h2 className="text-13 font-strong">Events</h2>
        <span className="num text-12 text-ink-3">{numberText(view.eventsLastDay)} in 24 h</span>
        {trendKey === '24h' ? null : (
          <span className="num text-12 text-ink-3">
            {numberText(inRange)} in {range.label}
          </span>
        )}
        <div className="ms-auto flex items-center gap-4">
          <span className="max-phone:hidden">
            <ChartLegend items={legend} />
          </span>
          <RangeSwitch current={trendKey} />
        </div>
      </div>
      <TrendChart data={data} label={`Events in ${range.label}`} />
    </section>
  )
}

const BARS_MAX = 112
const HEIGHT = 100

function TrendChart({ data, label }: { readonly data: IssueShared; readonly label: string }) {
  const { view, org } = data
  const bars = barsOf(view.trend, BARS_MAX)
  const state = trendState(view.issue)
  const regressed = state?.tone === 'bad' ? state : null
  const limits = limitsOf(data)
  const y = countScale(peakWith(bars.peak, limits))
  const step = stepText(bars.stepMs)
  const quiet = quietSpan(data)
  const eventsIn = (startMs: number, endMs: number) =>
    paths.issueEvents(org, view.issue.shortId, {
      query: `timestamp:>=${timeText(startMs)} timestamp:<${timeText(endMs)}`,
      list: data.list.text,
    })
  return (
    <PageChart
      label={`${label}, peak ${numberText(bars.peak)} per ${step}`}
      x={{ kind: 'time', ...bars, count: bars.counts.length, endText: 'now', isRunning: true }}
      plots={[
        {
          height: HEIGHT,
          y,
          series: [
            {
              name: `Events per ${step}`,
              as: 'bar',
              tone: 'bar',
              values: bars.counts,
              toneAt: (slot) => toneAt(bars, slot, regressed),
            },
            ...forecastOf(limits, y.ticks.at(-1)?.value ?? 0),
          ],
          ...(quiet === null ? {} : { strips: [{ ...quiet, tone: 'good' as const }] }),
        },
      ]}
      marks={trendMarks(data, bars)}
      rowsOf={(slot) => eventsIn(bars.startMs + slot * bars.stepMs, bars.startMs + (slot + 1) * bars.stepMs)}
      rangeTo={({ from, to }) => eventsIn(from, to)}
    />
  )
}

/** Joined as the bars are; 0 where there is none. Empty without a forecast. */
function limitsOf({ view: { trend, forecast } }: IssueShared): readonly number[] {
  if (forecast.length !== trend.counts.length || forecast.every((limit) => limit === null)) return []
  return barsOf({ ...trend, counts: forecast.map((limit) => limit ?? 0) }, BARS_MAX).counts
}

/** Returns forecast series; what lies beyond the chart stands at its edge, with an arrow and its number. */
function forecastOf(limits: readonly number[], top: number): readonly ChartSeries[] {
  if (limits.length === 0) return []
  const last = Math.round(limits.findLast((limit) => limit > 0) ?? 0)
  return [
    {
      name: 'Forecast',
      as: 'step',
      tone: 'warn',
      values: limits.map((limit) => (limit === 0 ? null : Math.round(limit))),
      endText: `≤ ${numberText(last)}${last > top ? ' ↑' : ''}`,
    },
  ]
}

function RangeSwitch({ current }: { readonly current: string }) {
  const { pathname, search } = useLocation()
  const others = Object.fromEntries(new URLSearchParams(search))
  return (
    <Segmented label="Range of the trend">
      {TREND_RANGES.map(({ key, label }) => (
        <PageLink
          key={key}
          to={withQuery(pathname, { ...others, trend: key === '14d' ? null : key })}
          preventScrollReset
          aria-current={key === current ? 'true' : undefined}
        >
          {label}
        </PageLink>
      ))}
    </Segmented>
  )
}

const MARKS_MAX = 4

/** When each release first had the issue, as far as its tags tell, and when flags were changed. */
function trendMarks(data: IssueShared, bars: Bars): readonly ChartMark[] {
  return [...releaseMarks(data, bars), ...data.flags]
}

function releaseMarks({ view, org }: IssueShared, { startMs }: Bars): readonly ChartMark[] {
  const { deploy } = view
  const markOf = (atMs: number, name: string, kind: 'release' | 'deploy'): ChartMark => ({
    ...{ atMs, name, kind, label: versionOf(name), to: paths.release(org, name) },
  })
  // Its tags name the builds of the tabs; what they outlived is the one that matters.
  if (deploy !== null) return [markOf(deploy.atMs, deploy.release, 'deploy')]
  const releases = view.tags.find(({ key }) => key === 'release')?.values ?? []
  return releases
    .map(({ value, firstSeenMs }) => markOf(firstSeenMs, value, 'release'))
    .filter(({ atMs }) => atMs >= startMs)
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, MARKS_MAX)
}

/** The newest stretch in which the issue was resolved: until now, or until it came back. */
function quietSpan({ view, nowMs }: IssueShared) {
  const resolved = view.activity.find(({ kind }) => kind === 'resolved')
  if (resolved === undefined) return null
  if (view.issue.status === 'resolved') return { startMs: resolved.atMs, endMs: nowMs }
  const back = view.activity.find(
    ({ kind, atMs }) => (kind === 'regressed' || kind === 'unresolved') && atMs >= resolved.atMs,
  )
  return back === undefined ? null : { startMs: resolved.atMs, endMs: back.atMs }
}
