/** The search of traces: duration over time, what can be chosen from, and a row for each request. */

import { chosenText, timeText } from '#parts/chosen-range.ts'
import { ConnectApp } from '#parts/connect-app.tsx'
import { DocsLink } from '#parts/docs-link.tsx'
import { FileLinks } from '#parts/file-links.tsx'
import { FilterBar, RangeMenu } from '#parts/filter-bar.tsx'
import { KeptFields } from '#parts/kept-fields.tsx'
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { RangeName } from '#parts/range-name.tsx'
import { RANGES, rangeOf } from '#parts/ranges.ts'
import { Readable } from '#parts/readable.tsx'
import { TurnOn } from '#parts/turn-on.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { useZone } from '#ui/time.tsx'
import type { Zone } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { tracesPaths } from './paths.ts'
import { SpentLegend } from './time-spent.tsx'
import type { loadTraces, TracesData } from './traces.server.ts'
import { type TracesAddress, tracesQuery, withKey } from './traces-address.ts'
import { TracesChart } from './traces-chart.tsx'
import { TracesFacets } from './traces-facets.tsx'
import { TracesSearch } from './traces-search.tsx'
import { TracesTable } from './traces-table.tsx'

export function TracesPage() {
  const data = usePageData<typeof loadTraces>()
  return (
    <>
      <title>{`Traces · ${data.org} · Errata`}</title>
      <h1 className="visually-hidden">Traces</h1>
      <Filters data={data} />
      <Readable part="traces" what="These traces" range={data.address.range}>
        {data.rows.length === 0 && data.total === 0 ? (
          <NoTraces data={data} />
        ) : (
          <>
            <Head data={data} />
            <TracesChart data={data} />
            <div className="border-t wide:grid wide:grid-cols-[216px_minmax(0,1fr)]">
              <TracesFacets data={data} />
              <div className="min-w-0 wide:border-s">
                <TracesTable data={data} />
                <Foot data={data} />
              </div>
            </div>
          </>
        )}
      </Readable>
    </>
  )
}

function linkWithChange({ org, address }: TracesData) {
  return (change: Partial<TracesAddress>) => paths.traces(org, tracesQuery(address, change))
}

function Filters({ data }: { readonly data: TracesData }) {
  const { org, address, problems } = data
  const link = linkWithChange(data)
  return (
    <FilterBar
      menus={
        <>
          <ProjectMenu
            org={org}
            choices={data.choices}
            chosen={address.project === null ? [] : [address.project]}
            link={([slug = null]) => link({ project: slug })}
          />
          <RangeMenu
            ranges={RANGES}
            chosen={address.chosen === null ? address.range : null}
            label={<RangeName address={address} />}
            link={(range) => link({ range })}
          />
        </>
      }
    >
      <search className="min-w-60 flex-1 max-phone:min-w-full">
        <form
          method="get"
          action={paths.traces(org)}
          className={`field relative flex h-auto min-h-8 flex-wrap items-center gap-1 py-0.5 ps-2 pe-9 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent max-phone:min-h-11 ${problems.length > 0 ? 'border-bad-fill' : ''}`}
        >
          <Icon name="search" size={14} className="shrink-0 text-ink-3" />
          <KeptFields query={{ ...tracesQuery(address), query: null }} />
          {/* Another address brings another search. */}
          <TracesSearch key={address.query} data={data} />
          <span className="pointer-events-none absolute end-2 flex max-wide:hidden">
            <Key>/</Key>
          </span>
        </form>
        <UnknownKeys data={data} />
        {problems.length === 0 ? null : (
          <p id="trace-problems" role="alert" className="mt-1 flex gap-1 text-12 text-bad">
            <Icon name="exclamation" size={14} />
            <span className="foreign">{problems.join(' ')}</span>
          </p>
        )}
      </search>
    </FilterBar>
  )
}

/** Why nothing matches: a tag that no request has, and the search with what was probably meant. */
function UnknownKeys({ data }: { readonly data: TracesData }) {
  const { address, unknownTags } = data
  const link = linkWithChange(data)
  return unknownTags.map(({ key, nearest }) => (
    <p key={key} className="mt-1 flex gap-1 text-12 text-warn">
      <Icon name="exclamation" size={14} />
      <span className="foreign">
        No request in this time range has the tag “{key}”.
        {nearest === null ? null : (
          <>
            {' '}
            Did you mean{' '}
            <PageLink
              className="link link-text"
              to={link({ query: withKey(address.query, key, nearest), cursor: null })}
            >
              {nearest}
            </PageLink>
            ?
          </>
        )}
      </span>
    </p>
  ))
}

function Head({ data }: { readonly data: TracesData }) {
  const { address, total } = data
  const link = linkWithChange(data)
  const zone = useZone()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-6 pt-3 max-phone:px-4">
      <p className="min-w-0 flex-1 text-14 text-ink-2">
        <b className="num font-strong text-ink">{numberText(total)}</b> {nounOf(data, total)}{' '}
        {withinText(address, zone)}
        {address.query === '' ? '' : ' match'}
      </p>
      <Segmented label="Order">
        {(['newest', 'slowest'] as const).map((sort) => (
          <PageLink key={sort} to={link({ sort })} aria-current={sort === address.sort ? 'true' : undefined}>
            {sort === 'newest' ? 'Newest' : 'Slowest'}
          </PageLink>
        ))}
      </Segmented>
    </div>
  )
}

/** `in the last 24 hours`, or from when to when. */
function withinText({ chosen, range }: TracesAddress, zone: Zone): string {
  return chosen === null ? `in the ${rangeOf(range).label.toLowerCase()}` : `on ${chosenText(chosen, zone)}`
}

/** Returns the noun for what is listed: requests, or other spans as well. */
function nounOf({ of }: TracesData, count: number): string {
  const one = of === 'requests' ? 'request' : 'operation'
  return count === 1 ? one : `${one}s`
}

function Foot({ data }: { readonly data: TracesData }) {
  const { address, nextCursor, otherTotal, rows, total } = data
  const link = linkWithChange(data)
  return (
    <footer className="flex flex-wrap items-center gap-2 px-6 py-3 text-12 text-ink-3 max-phone:px-4">
      <span className="flex flex-1 flex-wrap items-center gap-x-4 gap-y-1">
        <span className="num">
          {quantityText(rows.length, 'trace')}, {numberText(data.requests)} of {numberText(total)}{' '}
          {nounOf(data, total)}
        </span>
        {otherTotal === 0 ? null : (
          <PageLink className="link" to={link({ query: `${address.query} kind:other`.trim(), cursor: null })}>
            {quantityText(otherTotal, 'other operation')}
          </PageLink>
        )}
        {total === 0 ? null : <FileLinks to={(format) => tracesFilePath(data, format)} />}
        <SpentLegend rows={rows} />
      </span>
      {address.cursor === null ? null : (
        <PageLink className={buttonClass('plain', 'small', 'touch')} to={link({ cursor: null })}>
          First page
        </PageLink>
      )}
      {nextCursor === null ? null : (
        <PageLink
          className={buttonClass('plain', 'small', 'touch')}
          to={link({ cursor: nextCursor })}
          rel="next"
        >
          Next
          <Icon name="chevron-right" size={14} />
        </PageLink>
      )}
    </footer>
  )
}

const FILE_FIELDS = [
  ...['timestamp', 'trace', 'id', 'transaction', 'span.op', 'span.duration', 'route', 'kind', 'status'],
  ...['http.status_code', 'environment', 'release', 'project'],
]

function tracesFilePath({ org, address }: TracesData, format: 'csv' | 'jsonl'): string {
  const { query, project, range, sort, chosen } = address
  return tracesPaths.tracesFile(org, {
    ...{ dataset: 'spans', field: FILE_FIELDS, query, project, format },
    ...(chosen === null
      ? { statsPeriod: range }
      : { start: timeText(chosen.startMs), end: timeText(chosen.endMs) }),
    sort: sort === 'slowest' ? '-span.duration' : '-timestamp',
  })
}

const TRACING = { file: 'Sentry.init', text: "Sentry.init({\n  dsn: '…',\n  tracesSampleRate: 1,\n})" }

function NoTraces({ data }: { readonly data: TracesData }) {
  const { address, problems } = data
  const link = linkWithChange(data)
  const range = withinText(address, useZone())
  if (problems.length > 0) {
    return (
      <Empty
        title="Invalid search"
        next={
          <PageLink className={buttonClass()} to={link({ query: '' })}>
            Show all traces
          </PageLink>
        }
      >
        See the message below the search field. <DocsLink to="traces#search" />
      </Empty>
    )
  }
  if (address.query !== '' || address.project !== null) {
    return (
      <Empty
        title="No trace matches"
        next={
          <>
            <PageLink className={buttonClass()} to={link({ query: '', project: null })}>
              Show all traces
            </PageLink>
            {address.range === '30d' || address.range === '90d' ? null : (
              <PageLink className={buttonClass()} to={link({ range: '30d' })}>
                Search the last 30 days
              </PageLink>
            )}
          </>
        }
      >
        No trace {range} matches all of the terms above.
      </Empty>
    )
  }
  return (
    <Empty
      title={`No traces ${range}`}
      next={
        <>
          {address.range === '30d' || address.range === '90d' ? null : (
            <PageLink className={buttonClass()} to={link({ range: '30d' })}>
              Show the last 30 days
            </PageLink>
          )}
          <ConnectApp org={data.org} project={data.choices.projects[0]?.slug} />
        </>
      }
    >
      <p>
        SDKs send traces only where tracing is on. Set a sample rate where the app calls{' '}
        <code>Sentry.init</code>, on the server and in the browser:
      </p>
      <TurnOn {...TRACING} />
      <p className="mt-3">
        In the browser also add <code>Sentry.browserTracingIntegration()</code>. The next request then appears
        here. <DocsLink to="traces#turn-it-on" />
      </p>
    </Empty>
  )
}
