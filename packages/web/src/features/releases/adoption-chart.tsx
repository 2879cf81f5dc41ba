/** How much each release of a project was used over a week: the newest lies at the bottom and grows. */
import { versionOf } from '#parts/release-text.ts'
import { quantityText, shareText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { dateText, exactText } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { ListedAdoption, ListedAdoptions } from './adoption.server.ts'
import { type Band, bandsOf, labelsOf } from './adoption-bands.ts'
import { listPath } from './release-filters.tsx'
import type { loadReleases } from './releases.server.ts'

const HEIGHT = 84
const STRIP_HEIGHT = 24

/** Greys in order of weight: the newest is the darkest, and neighbours are told apart. */
const FILLS = ['fill-span-server', 'fill-bar-2', 'fill-bar'] as const
const SWATCHES = ['bg-span-server', 'bg-bar-2', 'bg-bar'] as const

function toneOf<T>([newest, light, dark]: readonly [T, T, T], at: number): T {
  if (at === 0) return newest
  return at % 2 === 1 ? light : dark
}

/** The most used project in full, and further ones as strips. */
export function AdoptionCharts({ adoption }: { readonly adoption: ListedAdoptions }) {
  const { org, address } = usePageData<typeof loadReleases>()
  const { views, others } = adoption
  const [most, ...rest] = views
  if (most === undefined) return null
  return (
    <div className="px-6 pb-4 max-phone:px-4">
      <figure aria-label={`Adoption of ${most.project}`}>
        <Caption adoption={most} />
        <Labels adoption={most} />
        <Bands adoption={most} height={HEIGHT} />
        <Days adoption={most} />
        <Shares adoption={most} />
      </figure>
      {rest.map((each) => (
        <figure key={each.project} aria-label={`Adoption of ${each.project}`} className="mt-4">
          <Caption adoption={each} to={listPath({ org, address }, { project: each.project })} />
          <Bands adoption={each} height={STRIP_HEIGHT} />
          <Shares adoption={each} />
        </figure>
      ))}
      {others === 0 ? null : (
        <p className="mt-3 text-12 text-ink-3">
          {quantityText(others, 'further project')} had sessions or requests: choose one above.
        </p>
      )}
    </div>
  )
}

function Caption({ adoption, to }: { readonly adoption: ListedAdoption; readonly to?: string }) {
  const { project } = adoption
  return (
    <figcaption className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
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
    </figcaption>
  )
}

function Bands({ adoption, height }: { readonly adoption: ListedAdoption; readonly height: number }) {
  return (
    <svg
      width="100%"
      height={height}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      role="presentation"
      className="block"
    >
      {bandsOf(adoption).map((band) => (
        <BandShape key={band.version} band={band} />
      ))}
      {adoption.releases.map(({ version, at }) =>
        at === null || !at.isDeploy ? null : (
          <line
            key={version}
            x1={at.part * 100}
            x2={at.part * 100}
            y1="0"
            y2={HEIGHT}
            vectorEffect="non-scaling-stroke"
            className="stroke-ink"
          />
        ),
      )}
    </svg>
  )
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
          <span aria-hidden="true" className={`size-2.5 ${toneOf(SWATCHES, index)} border border-line-2`} />
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

/** What the chart counts. */
function countedText({ counted, environment, releases }: ListedAdoption): string {
  const where = environment === '' ? '' : ` in ${environment}`
  const line = releases.some(({ at }) => at?.isDeploy === true) ? '; a line is a deploy' : ''
  return counted === 'sessions'
    ? `share of sessions${where}, 7 days, the last 24 h below${line}`
    : `share of requests${where}, 7 days (UTC), today’s below${line}`
}

function latelyText(share: number | null): string {
  return share === null ? 'none' : shareText(share, 1)
}

function BandShape({ band }: { readonly band: Band }) {
  return band.shapes.map((points) => (
    <polygon
      key={points[0]?.x}
      points={points.map(({ x, y }) => `${x.toFixed(2)},${(y * HEIGHT).toFixed(2)}`).join(' ')}
      vectorEffect="non-scaling-stroke"
      className={`${band.version === null ? 'fill-grid' : toneOf(FILLS, band.index)} stroke-canvas`}
    >
      <title>{band.version === null ? 'further releases' : versionOf(band.version)}</title>
    </polygon>
  ))
}

/** Above where a release begins, the newest first where two lie too near; the list below has all. */
function Labels({ adoption }: { readonly adoption: ListedAdoption }) {
  const zone = useZone()
  return (
    <svg width="100%" height="16" aria-hidden="true" className="mb-1 block text-11 max-wide:hidden">
      {labelsOf(adoption.releases).map(({ version, at }) => (
        <text
          key={version}
          x={`${at.part * 100}%`}
          y="12"
          textAnchor={at.part > LAST_PART ? 'end' : 'start'}
          className="foreign fill-ink-2"
        >
          <title>{exactText(at.ms, zone)}</title>
          {versionOf(version)}
        </text>
      ))}
    </svg>
  )
}

/** A name that begins later would go over the edge. */
const LAST_PART = 0.9

/** A name further on would lie on that of the end. */
const DAYS_END = 0.86

function Days({ adoption }: { readonly adoption: ListedAdoption }) {
  const zone = useZone()
  return (
    <svg width="100%" height="16" aria-hidden="true" className="num mt-1 block text-11">
      {adoption.days
        .filter(({ part }) => part < DAYS_END)
        .map(({ ms, part }, index) => (
          <text
            key={ms}
            x={`${part * 100}%`}
            y="12"
            className={`fill-ink-3 ${index % 2 === 1 ? 'max-phone:hidden' : ''}`}
          >
            {dateText(ms, zone)}
          </text>
        ))}
      <text x="100%" y="12" textAnchor="end" className="fill-ink-3">
        {adoption.counted === 'sessions' ? 'now' : 'today'}
      </text>
    </svg>
  )
}
