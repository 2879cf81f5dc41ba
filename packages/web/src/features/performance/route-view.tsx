/** Page of a route by one of its kinds: how long, how often, how it ends, what it costs, and examples. */
import { DocsLink } from '#parts/docs-link.tsx'
import { Page } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { useRangeText } from '#parts/range-name.tsx'
import { Readable } from '#parts/readable.tsx'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText, shareText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { ActionSection } from './action-section.tsx'
import { CostSection, RepeatedQueries } from './cost-sections.tsx'
import { DurationSection } from './duration-chart.tsx'
import { ExampleSection } from './example-table.tsx'
import { shortDuration } from './figure-cells.tsx'
import { isFailing, isSlower } from './figures.ts'
import { NarrowMenus } from './filters.tsx'
import { PercentileSection } from './percentile-chart.tsx'
import type { loadPerformanceRoute, RouteData } from './performance.server.ts'
import { filterQuery, PERFORMANCE_RANGES } from './performance-address.ts'
import { ReleaseChangeSection } from './release-change.tsx'
import { routeLink } from './route-link.ts'
import { RouteSide } from './route-side.tsx'

export function RoutePage() {
  const data = usePageData<typeof loadPerformanceRoute>()
  const hasFigures = data.kinds.length > 0
  return (
    <Page wide>
      <title>{`${data.route} · Performance · Errata`}</title>
      <Head data={data} />
      <Readable part="route" what="This route" range={data.address.range} ranges={PERFORMANCE_RANGES}>
        {hasFigures || data.vitals.length > 0 ? (
          <div className="grid gap-x-8 wide:grid-cols-[minmax(0,1fr)_17.5rem]">
            <div className="min-w-0">
              {hasFigures ? (
                <>
                  <DurationSection data={data} />
                  <PercentileSection data={data} />
                  <ReleaseChangeSection data={data} />
                  <ActionSection data={data} />
                  <RepeatedQueries data={data} />
                  <CostSection data={data} />
                  <ExampleSection data={data} />
                </>
              ) : (
                <p className="border-t py-5 text-13 text-ink-2">
                  Browsers reported web vitals for this page; none of its requests was traced.
                </p>
              )}
            </div>
            <RouteSide data={data} />
          </div>
        ) : (
          <NothingCounted data={data} />
        )}
      </Readable>
    </Page>
  )
}

function Head({ data }: { readonly data: RouteData }) {
  return (
    <header className="pb-4">
      <div className="mb-2 flex flex-wrap items-center gap-2 max-phone:gap-y-3">
        <nav aria-label="Breadcrumbs" className="flex flex-wrap items-center gap-1.5 text-13 text-ink-2">
          <PageLink
            to={paths.performance(data.org, { ...filterQuery({ ...data.address, project: null }) })}
            className="hover:text-ink max-phone:-my-3 max-phone:py-3"
          >
            Performance
          </PageLink>
          <Icon name="chevron-right" size={12} />
          <PageLink
            to={paths.performance(data.org, filterQuery(data.address))}
            className="foreign hover:text-ink max-phone:-my-3 max-phone:py-3"
          >
            {data.project.name}
          </PageLink>
        </nav>
        <div className="relative ms-auto flex flex-wrap gap-2 max-phone:ms-0 max-phone:w-full max-phone:flex-nowrap max-phone:overflow-x-auto">
          <NarrowMenus
            address={data.address}
            environments={data.environments}
            releases={data.releases}
            link={(change) => routeLink(data, change)}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="foreign min-w-0 text-20 font-strong">
          <code>{data.route}</code>
        </h1>
        <KindChoice data={data} />
        <PageLink
          className="link link-alone text-13"
          to={paths.newAlertRule(data.org, {
            kind: 'metric',
            project: data.project.slug,
            route: data.route,
            ...(data.kind === null ? {} : { requestKind: data.kind }),
          })}
        >
          New alert rule
        </PageLink>
      </div>
      {data.action === null ? null : (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 text-13 text-ink-2">
          <span>
            Action <code className="foreign text-ink">{data.action}</code>
          </span>
          <PageLink to={routeLink(data, { action: null })} className="link link-alone">
            All actions of the route
          </PageLink>
        </p>
      )}
      {data.kind === null ? null : <Sentence data={data} />}
    </header>
  )
}

function KindChoice({ data }: { readonly data: RouteData }) {
  if (data.kinds.length === 0) return null
  return (
    <Segmented label="Request kind">
      {data.kinds.map(({ kind }) => {
        const icon = REQUEST_KINDS[kind]?.icon
        return (
          <PageLink
            key={kind}
            to={routeLink(data, { kind })}
            aria-current={kind === data.kind ? 'true' : undefined}
            preventScrollReset
          >
            {icon === undefined ? null : <Icon name={icon} size={12} />}
            {REQUEST_KINDS[kind]?.label ?? kind}
          </PageLink>
        )
      })}
    </Segmented>
  )
}

/** A sentence before any chart: how many, how long, how they end, and what changed. */
function Sentence({ data }: { readonly data: RouteData }) {
  const within = useRangeText(data.address)
  const { figures, before, alarms } = data
  const { count, failed, p50Ms, p75Ms, p95Ms } = figures
  if (count === 0 || p50Ms === null || p95Ms === null) return null
  const { change } = data
  const strong = 'num font-strong'
  const repeated = data.costs.find(({ repeatedIn }) => repeatedIn > 0)
  const calls = data.repeated.find(({ description }) => description === repeated?.description)?.calls.length
  return (
    <p className="mt-2 text-15 text-ink-2">
      <b className={`${strong} text-ink`}>
        {figures.isEstimated ? '≈ ' : ''}
        {numberText(count)}
      </b>{' '}
      {count === 1 ? 'request' : 'requests'} in {within}, half within{' '}
      <b className={`${strong} text-ink`}>{shortDuration(p50Ms)}</b>, 1 in 20 slower than{' '}
      <b className={`${strong} text-ink`}>{shortDuration(p95Ms)}</b>.{' '}
      {failed === 0 ? (
        'None failed.'
      ) : (
        <>
          <b className={`${strong} ${isFailing(failed, count, alarms) ? 'text-bad' : 'text-ink'}`}>
            {numberText(failed)}
          </b>{' '}
          failed, {shareText(failed, count)}.
        </>
      )}
      {change === null || !isSlower(p75Ms, before?.p75Ms ?? null) ? null : (
        <>
          {' '}
          <b className={`${strong} text-warn`}>{Math.round(change * 100)} %</b> slower than in the previous
          period.
        </>
      )}
      {repeated === undefined
        ? null
        : ` A query runs ${calls === undefined ? 'repeatedly' : `${calls} times in a request`}: see N+1 below.`}
    </p>
  )
}

function NothingCounted({ data }: { readonly data: RouteData }) {
  return (
    <Empty
      title="No requests"
      next={
        <PageLink
          className={buttonClass()}
          to={routeLink(data, { environment: null, release: null, range: '30d' })}
        >
          Show the last 30 days
        </PageLink>
      }
    >
      No requests to this route match the filters in this time range. Figures appear once the app sends
      traces: <code>tracesSampleRate</code> above 0 where it calls <code>Sentry.init</code>.{' '}
      <DocsLink to="traces#turn-it-on" />
    </Empty>
  )
}
