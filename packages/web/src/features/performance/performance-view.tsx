/** Routes by request kind, what got worse with a release, and web vitals by page. */
import { FilterBar } from '#parts/filter-bar.tsx'
import { KeptFields } from '#parts/kept-fields.tsx'
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { Readable } from '#parts/readable.tsx'
import { Icon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { NarrowMenus } from './filters.tsx'
import { GotWorse } from './got-worse.tsx'
import { KindStrip } from './kind-strip.tsx'
import { NoMatch, NoRequests } from './no-requests.tsx'
import { StripKey } from './percentile-strip.tsx'
import type { loadPerformance, PerformanceData } from './performance.server.ts'
import { PERFORMANCE_RANGES, type PerformanceAddress, performanceQuery } from './performance-address.ts'
import { PerformanceTabs } from './performance-tabs.tsx'
import { RouteTable } from './route-table.tsx'
import { ROUTE_PROBLEMS_ID, RoutesSearch } from './routes-search.tsx'

export function PerformancePage() {
  const data = usePageData<typeof loadPerformance>()
  return (
    <>
      <title>{`Performance · ${data.org} · Errata`}</title>
      <h1 className="visually-hidden">Performance</h1>
      <Filters data={data} />
      <Readable part="performance" what="Performance" range={data.address.range} ranges={PERFORMANCE_RANGES}>
        {data.hasAny ? (
          <>
            <KindStrip data={data} />
            <GotWorse data={data} />
            {data.found.total === 0 ? (
              <NoMatch data={data} />
            ) : (
              <>
                <RouteTable data={data} />
                <Foot data={data} />
              </>
            )}
          </>
        ) : (
          <NoRequests data={data} />
        )}
      </Readable>
    </>
  )
}

function Filters({ data }: { readonly data: PerformanceData }) {
  const { org, address } = data
  const link = (change: Partial<PerformanceAddress>) =>
    paths.performance(org, performanceQuery(address, change))
  return (
    <FilterBar
      menus={
        <>
          <ProjectMenu
            org={org}
            choices={data.choices}
            chosen={address.project === null ? [] : [address.project]}
            link={([project = null]) => link({ project })}
          />
          <NarrowMenus
            address={address}
            environments={data.environments}
            releases={data.releases}
            link={link}
          />
        </>
      }
    >
      <PerformanceTabs org={org} address={address} current="routes" />
      <search className="min-w-50 flex-1 max-phone:min-w-full">
        <form method="get" action={paths.performance(org)} className="relative flex items-center">
          <KeptFields query={{ ...performanceQuery(address), text: null }} />
          {/* Another address brings another search. */}
          <RoutesSearch key={address.text} data={data} />
        </form>
        <Problems data={data} />
      </search>
    </FilterBar>
  )
}

function Problems({ data: { problems } }: { readonly data: PerformanceData }) {
  if (problems.length === 0) return null
  return (
    <p id={ROUTE_PROBLEMS_ID} role="alert" className="mt-1 flex gap-1 text-12 text-bad">
      <Icon name="exclamation" size={14} />
      <span className="foreign">{problems.join(' ')}</span>
    </p>
  )
}

function Foot({ data }: { readonly data: PerformanceData }) {
  const { org, address, found } = data
  const link = (page: number) => paths.performance(org, performanceQuery(address, { page }))
  const last = Math.min(found.total, found.first + found.limit)
  const isAll = found.total <= found.limit
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-6 py-4 text-12 text-ink-3 max-phone:px-4">
      <span className="num">
        {isAll
          ? quantityText(found.total, 'route')
          : `${numberText(found.first + 1)}–${numberText(last)} of ${quantityText(found.total, 'route')}`}
      </span>
      {address.page > 1 ? (
        <PageLink to={link(address.page - 1)} className="link link-alone">
          Previous
        </PageLink>
      ) : null}
      {last < found.total ? (
        <PageLink to={link(address.page + 1)} className="link link-alone">
          Next
        </PageLink>
      ) : null}
      <span className="inline-flex items-center gap-1.5 max-wide:hidden">
        <StripKey /> block p50 to p75, tick p95, dot p99
      </span>
      <span>
        Failed: the request threw an error, whatever its status. Redirects, 404s and aborted requests don’t
        count. Totals exclude prefetches and browser measurements.
      </span>
    </div>
  )
}
