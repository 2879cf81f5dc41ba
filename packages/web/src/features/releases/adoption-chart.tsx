/** How much each release of a project was used over a week: the newest lies at the bottom and grows. */
import { PageChart } from '#parts/page-chart.tsx'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import type { ChartMark, ChartSeries, ChartTone } from '#ui/charts/chart-types.ts'
import { LegendMark } from '#ui/charts/legend.tsx'
import { valueScale } from '#ui/charts/scales.ts'
import { quantityText, shareText } from '#ui/number-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { ListedAdoption, ListedAdoptions } from './adoption.server.ts'
import { minuteText } from './health-chart.tsx'
import { listPath } from './release-filters.tsx'
import type { loadReleases } from './releases.server.ts'

const HEIGHT = 84
const STRIP_HEIGHT = 36

/** Greys in order of weight: the newest is the darkest, and neighbours are told apart. */
function seriesTone(at: number): ChartTone {
  if (at === 0) return 'server'
  return at % 2 === 1 ? 'bar-2' : 'bar'
}

/** The most used project in full, and further ones as strips. */
export function AdoptionCharts({ adoption }: { readonly adoption: ListedAdoptions }) {
  const { org, address } = usePageData<typeof loadReleases>()
  const { views, others } = adoption
  const [most, ...rest] = views
  if (most === undefined) return null
  return (
    <section aria-label="Adoption" className="px-6 pb-4 max-phone:px-4">
      <Caption adoption={most} />
      <Bands adoption={most} height={HEIGHT} org={org} />
      <Shares adoption={most} />
      {rest.map((each) => (
        <div key={each.project} className="mt-4">
          <Caption adoption={each} to={listPath({ org, address }, { project: each.project })} />
          <Bands adoption={each} height={STRIP_HEIGHT} org={org} />
          <Shares adoption={each} />
        </div>
      ))}
      {others === 0 ? null : (
        <p className="mt-3 text-12 text-ink-3">
          {quantityText(others, 'other project')} also {others === 1 ? 'has' : 'have'} sessions or requests.
          Choose a project above to see its chart.
        </p>
      )}
    </section>
  )
}

function Caption({ adoption, to }: { readonly adoption: ListedAdoption; readonly to?: string }) {
  const { project } = adoption
  return (
    <div className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="text-13 font-strong">
        {to === undefined ? 'Adoption of ' : null}
        {to === undefined ? (
          <span className="foreign">{project}</span>
        ) : (
          <PageLink to={to} className="foreign link">
            {project}
          </PageLink>
        )}
      </span>
      <span className="text-12 text-ink-3">{countedText(adoption)}</span>
    </div>
  )
}

function Bands(props: { readonly adoption: ListedAdoption; readonly height: number; readonly org: string }) {
  const { adoption, height, org } = props
  const { startMs, stepMs, totals, project, environment } = adoption
  const issuesIn = (from: number, to: number) =>
    paths.issues(org, {
      ...{ project, tab: 'all', from: minuteText(from), to: minuteText(to) },
      environment: environment === '' ? null : environment,
    })
  return (
    <PageChart
      label={`Adoption of ${project}`}
      x={{
        kind: 'time',
        ...{ startMs, stepMs, count: Math.max(1, totals.length), isRunning: true },
        endText: adoption.counted === 'sessions' ? 'now' : 'today',
      }}
      plots={[
        {
          height,
          y: valueScale({
            ...{ base: 0, top: 1, text: (share) => shareText(share, 1) },
            ticks: [0, 0.5, 1].map((value) => ({ value, text: `${value * 100} %` })),
          }),
          series: seriesOf(adoption),
        },
      ]}
      marks={adoption.releases.flatMap(({ version, at }): ChartMark[] => {
        if (at === null) return []
        const kind = at.isDeploy ? 'deploy' : 'release'
        const to = paths.release(org, version)
        return [{ atMs: at.ms, kind, name: version, label: versionOf(version), to }]
      })}
      rowsOf={(slot) => issuesIn(startMs + slot * stepMs, startMs + (slot + 1) * stepMs)}
      rangeTo={({ from, to }) => issuesIn(from, to)}
    />
  )
}

/** Shares of what was counted then, the newest release first; `null` where nothing was. */
function seriesOf({ releases, totals }: ListedAdoption): readonly ChartSeries[] {
  const shareOf = (count: number, at: number) => {
    const total = totals[at] ?? 0
    return total <= 0 ? null : count / total
  }
  const named = releases.map(
    ({ version, counts }, at): ChartSeries => ({
      ...{ name: versionOf(version), as: 'area', tone: seriesTone(at) },
      values: totals.map((_, slot) => shareOf(counts[slot] ?? 0, slot)),
    }),
  )
  const rest = totals.map((total, slot) =>
    Math.max(0, total - releases.reduce((sum, { counts }) => sum + (counts[slot] ?? 0), 0)),
  )
  if (rest.every((count) => count < 0.5)) return named
  const values = rest.map(shareOf)
  return [...named, { name: 'further releases', as: 'area', tone: 'grid', values }]
}

function Shares({ adoption }: { readonly adoption: ListedAdoption }) {
  const { releases, others } = adoption
  return (
    <ul
      aria-label={`Share of each release of ${adoption.project}`}
      className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-12 text-ink-2"
    >
      {releases.map((release, index) => (
        <li key={release.version} className="inline-flex items-center gap-2">
          <LegendMark tone={seriesTone(index)} as="bar" />
          <span className="foreign" title={release.version}>
            {versionOf(release.version)}
          </span>
          <span className="num text-ink-3">{latelyText(release.lately)}</span>
        </li>
      ))}
      {others === 0 ? null : <li className="text-ink-3">and {others} more, in grey</li>}
    </ul>
  )
}

/** Describes what the chart counts. */
function countedText({ counted, environment, releases }: ListedAdoption): string {
  const where = environment === '' ? '' : ` in ${environment}`
  const line = releases.some(({ at }) => at?.isDeploy === true) ? '; a line is a deploy' : ''
  return counted === 'sessions'
    ? `share of sessions${where}, 7 days, the last 24 h below${line}; select a time for its issues`
    : `share of requests${where}, 7 days (UTC), today’s below${line}; select a day for its issues`
}

function latelyText(share: number | null): string {
  return share === null ? 'none' : shareText(share, 1)
}
