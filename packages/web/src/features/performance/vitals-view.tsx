/** Web vitals: how one of them is spread and how it goes, all of them by page, release and device, and what was measured. */
import { DocsLink } from '#parts/docs-link.tsx'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { useRangeText } from '#parts/range-name.tsx'
import { Readable } from '#parts/readable.tsx'
import { TurnOn } from '#parts/turn-on.tsx'
import { VITALS, VitalBar, VitalRating, VitalShares, VitalValue, vitalText } from '#parts/vital-marks.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { quantityText, shareText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { NarrowMenus } from './filters.tsx'
import { PERFORMANCE_RANGES } from './performance-address.ts'
import { PerformanceTabs } from './performance-tabs.tsx'
import { MeasuredSections } from './vital-causes.tsx'
import { VitalSpreadChart, VitalTrendChart } from './vital-charts.tsx'
import { VitalTables } from './vital-table.tsx'
import type { loadVitals, VitalsData } from './vitals.server.ts'
import { vitalsLink } from './vitals-link.ts'

export function VitalsPage() {
  const data = usePageData<typeof loadVitals>()
  return (
    <>
      <title>{`Web vitals · ${data.org} · Errata`}</title>
      <h1 className="visually-hidden">Web vitals</h1>
      <Filters data={data} />
      <Readable part="vitals" what="Web vitals" range={data.address.range} ranges={PERFORMANCE_RANGES}>
        {data.spreads.length === 0 ? (
          <NothingMeasured data={data} />
        ) : (
          <>
            <OneVital data={data} />
            <VitalTables data={data} />
            <MeasuredSections data={data} />
          </>
        )}
      </Readable>
    </>
  )
}

function Filters({ data }: { readonly data: VitalsData }) {
  const { org, address, route } = data
  return (
    <div className="flex flex-wrap items-center gap-2 px-6 pt-3 max-phone:px-4">
      <div className="relative flex gap-2 phone:contents max-phone:w-full max-phone:overflow-x-auto">
        <ProjectMenu
          org={org}
          choices={data.choices}
          chosen={address.project === null ? [] : [address.project]}
          link={([project = null]) =>
            vitalsLink(data, { project, environment: null, release: null, route: null })
          }
        />
        <NarrowMenus
          address={address}
          environments={data.environments}
          releases={data.offeredReleases}
          link={(change) => vitalsLink(data, change)}
        />
      </div>
      <PerformanceTabs org={org} address={address} current="vitals" />
      {route === null ? null : (
        <span className="flex min-w-0 items-center gap-2 text-13">
          <code className="foreign font-strong">{route}</code>
          <PageLink to={vitalsLink(data, { route: null })} className="link link-alone">
            All pages
          </PageLink>
        </span>
      )}
    </div>
  )
}

function OneVital({ data }: { readonly data: VitalsData }) {
  const within = useRangeText(data.address)
  const spread = data.spreads.find(({ vital }) => vital === data.vital) ?? data.spreads[0]
  if (spread === undefined) return null
  const { vital, count, shares } = spread
  const name = VITALS.find(({ key }) => key === vital)?.name ?? vital
  const [good, poor] = data.bounds[vital]
  return (
    <section aria-label={name} className="border-b px-6 py-4 max-phone:px-4">
      <p className="mb-3 text-15 text-ink-2">
        In{' '}
        <b className="num font-strong text-ink">
          {data.isEstimated ? '≈ ' : ''}
          {quantityText(count, 'page load')}
        </b>{' '}
        of {within}, the {name} was good in{' '}
        <b className="num font-strong text-ink">{shareText(shares[0], 1)}</b> and poor in{' '}
        <b className="num font-strong text-ink">{shareText(shares[2], 1)}</b>; the p75 is{' '}
        <b className="num font-strong text-ink">{vitalText(vital, spread.p75)}</b>.
      </p>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Segmented label="Web vital">
          {VITALS.filter(({ key }) => data.spreads.some((one) => one.vital === key)).map(({ key, short }) => (
            <PageLink
              key={key}
              to={vitalsLink(data, { vital: key })}
              preventScrollReset
              aria-current={key === vital ? 'true' : undefined}
            >
              {short}
            </PageLink>
          ))}
        </Segmented>
        <span className="flex items-baseline gap-2 text-18 font-strong">
          <VitalValue figures={spread} bounds={data.bounds} />
          <VitalRating figures={spread} bounds={data.bounds} />
        </span>
        <span className="text-12 text-ink-3">
          p75; good to {vitalText(vital, good)}, poor from {vitalText(vital, poor)}
        </span>
        <span className="ms-auto grid w-60 gap-1 max-wide:w-full">
          <VitalBar figures={spread} />
          <VitalShares figures={spread} />
        </span>
      </div>
      <div className="grid gap-x-8 gap-y-5 wide:grid-cols-2">
        <VitalSpreadChart spread={spread} data={data} />
        <VitalTrendChart spread={spread} data={data} />
      </div>
    </section>
  )
}

const TRACING = {
  file: 'Sentry.init in the browser',
  text: `Sentry.init({
  dsn: '…',
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
})`,
}

function NothingMeasured({ data }: { readonly data: VitalsData }) {
  return (
    <Empty
      title="No page loads were measured"
      next={
        <PageLink
          className={buttonClass()}
          to={vitalsLink(data, { environment: null, release: null, range: '30d', route: null })}
        >
          Show the last 30 days
        </PageLink>
      }
    >
      Browsers measure web vitals where browser tracing is on. <DocsLink to="traces#web-vitals" />
      <TurnOn {...TRACING} />
    </Empty>
  )
}
