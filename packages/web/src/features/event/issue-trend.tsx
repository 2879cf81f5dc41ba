import { paths, withQuery } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { trendState } from '#parts/trend-state.ts'
import { numberText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { TrendChart } from '#ui/trend-chart.tsx'
import type { TrendMark } from '#ui/trend-marks.tsx'
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
          {quiet === null ? null : <Legend tone="bg-good-fill" text="resolved" />}
          {view.forecast.some((limit) => limit !== null) ? (
            <Legend tone="bg-warn-fill" text="forecast" />
          ) : null}
          {regressed === null ? null : <Legend tone="bg-bad-fill" text="since the regression" />}
          <RangeSwitch current={trendKey} />
        </div>
      </div>
      <TrendChart
        label={`Events in ${range.label}`}
        series={trend}
        marks={releaseMarks(data)}
        linkOf={(mark, line) => <PageLink to={paths.release(data.org, mark.name)} {...line} />}
        quiet={quiet}
        state={regressed}
        limits={view.forecast}
      />
    </section>
  )
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

function Legend({ tone, text }: { readonly tone: string; readonly text: string }) {
  return (
    <span className="flex items-center gap-1.5 text-12 text-ink-3 max-phone:hidden">
      <span aria-hidden="true" className={`h-2 w-2 ${tone}`} />
      {text}
    </span>
  )
}

const MARKS_MAX = 4

/** When each release first had the issue, as far as its tags tell. */
function releaseMarks({ view }: IssueShared): readonly TrendMark[] {
  const { deploy } = view
  // Its tags name the builds of the tabs; what they outlived is the one that matters.
  if (deploy !== null) return [{ atMs: deploy.atMs, name: deploy.release, label: versionOf(deploy.release) }]
  const releases = view.tags.find(({ key }) => key === 'release')?.values ?? []
  return releases
    .map(({ value, firstSeenMs }) => ({ atMs: firstSeenMs, name: value, label: versionOf(value) }))
    .filter(({ atMs }) => atMs >= view.trend.startMs)
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
