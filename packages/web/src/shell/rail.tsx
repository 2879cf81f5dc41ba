/**
 * Organisation, jump box, places and the person: a rail at the left of every page of the app. Where the window is too
 * narrow for it, it is the platform's own popover, which a bar above the page opens without JavaScript, too.
 */
import type { MouseEvent } from 'react'
import { BrandMark } from '#parts/brand-mark.tsx'
import { PLACE_GROUPS, type PlaceGroup } from '#parts/feature.ts'
import { type FrameData, useFrame } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { useSearchTotals } from '#parts/search-totals.ts'
import { Icon, PathIcon } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { boundedText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import { OrgMenu, PersonMenu } from './frame-menus.tsx'
import { type Place, shellPlaceAt, shellPlaces } from './places.ts'

/** Id that the buttons which open it name. */
const RAIL_ID = 'places'

const HEADINGS: Readonly<Record<PlaceGroup, string | null>> = {
  work: null,
  data: 'Data',
  deploys: 'Deploys',
  monitors: 'Monitors',
  house: null,
}

export function Rail(props: {
  readonly isCollapsed: boolean
  readonly onCollapse: () => void
  readonly onJump: () => void
}) {
  const frame = useFrame()
  const { pathname, search } = useLocation()
  const places = shellPlaces(frame).filter(({ rail }) => rail)
  const here = shellPlaceAt(places, pathname)
  const groups = PLACE_GROUPS.map((group) => ({
    group,
    places: places.filter(({ rail }) => rail?.group === group),
  })).filter((one) => one.places.length > 0)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes the drawer after a link in it was followed
    <header id={RAIL_ID} popover="auto" className="rail" onClick={closeAfterLink}>
      <div className="rail-head">
        <OrgMenu frame={frame} />
        <button
          type="button"
          popoverTarget={RAIL_ID}
          popoverTargetAction="hide"
          className="rail-close btn btn-quiet btn-icon"
          aria-label="Close the menu"
        >
          <Icon name="close" />
        </button>
      </div>
      <Jump onJump={props.onJump} />
      <nav aria-label="Places" className="rail-places">
        {groups.map(({ group, places: ofGroup }) => (
          <div key={group} className={`rail-group rail-group-${group}`}>
            {HEADINGS[group] === null ? null : <div className="rail-heading">{HEADINGS[group]}</div>}
            <ul className="rail-list">
              {ofGroup.map((place) => (
                <li key={place.path}>
                  <PlaceRow place={place} isHere={place === here} />
                  {place.name === 'Issues' ? (
                    <Searches frame={frame} address={`${pathname}${search}`} />
                  ) : null}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="rail-foot">
        {frame.viewer === null ? null : <PersonMenu viewer={frame.viewer} unread={frame.unread} withName />}
        <button
          type="button"
          className="rail-collapse btn btn-quiet btn-icon"
          aria-pressed={props.isCollapsed}
          aria-label="Collapse the rail"
          title={props.isCollapsed ? 'Expand' : 'Collapse'}
          onClick={props.onCollapse}
        >
          <PathIcon path="M2.5 3h11v10h-11Zm4 0v10" />
        </button>
      </div>
    </header>
  )
}

function PlaceRow({ place, isHere }: { readonly place: Place; readonly isHere: boolean }) {
  const { forReview } = useFrame()
  if (place.rail === undefined) return null
  return (
    <PageLink to={place.path} prefetch className="rail-row" aria-current={isHere ? 'page' : undefined}>
      <PathIcon path={place.rail.icon} />
      <span className="rail-label">
        {place.name}
        {place.key === undefined ? null : (
          <span className="rail-keys" aria-hidden="true">
            <Key>g</Key> <Key>{place.key}</Key>
          </span>
        )}
      </span>
      {place.name === 'Issues' ? <Waiting count={forReview} of="for review" /> : null}
      {place.name === 'Alerts' ? <AlertStates /> : null}
      {place.key === undefined ? null : (
        <span className="rail-letter" aria-hidden="true">
          <Key>{place.key}</Key>
        </span>
      )}
    </PageLink>
  )
}

/** Number of issues that wait for somebody. */
function Waiting({ count, of }: { readonly count: number | undefined; readonly of: string }) {
  return (
    count !== undefined &&
    count > 0 && (
      <span className="rail-states rail-count num" title={of}>
        {boundedText(count)}
        <span className="visually-hidden"> {of}</span>
      </span>
    )
  )
}

/** How many alert rules are away from normal: only what watches by itself has a state. */
function AlertStates() {
  const { alerts } = useFrame()
  if (alerts === null || alerts.critical + alerts.warning === 0) return null
  return (
    <span className="rail-states num">
      {alerts.critical === 0 ? null : (
        <span title={`${alerts.critical} critical`}>
          <span className="rail-disc" aria-hidden="true" />
          <span className="rail-count">{alerts.critical}</span>
          <span className="visually-hidden"> critical</span>
        </span>
      )}
      {alerts.warning === 0 ? null : (
        <span title={`${alerts.warning} warning`}>
          <svg width="10" height="9" viewBox="0 0 10 9" aria-hidden="true" className="rail-triangle">
            <path d="M5 0.5 9.6 8.5H0.4Z" />
          </svg>
          <span className="rail-count">{alerts.warning}</span>
          <span className="visually-hidden"> warning</span>
        </span>
      )}
    </span>
  )
}

function Searches({ frame, address }: { readonly frame: FrameData; readonly address: string }) {
  const { org, searches, nowMs } = frame
  const totals = useSearchTotals(org?.slug ?? '', { searches, nowMs, list: {} })
  if (org === null || searches.length === 0) return null
  return (
    <ul className="rail-searches">
      {searches.map(({ id, name, query, sort }) => {
        const to = paths.issues(org.slug, { query, sort: sort === 'date' ? null : sort })
        return (
          <li key={id}>
            <PageLink
              to={to}
              className="rail-search"
              aria-current={to === address ? 'true' : undefined}
              title={query}
            >
              <span className="rail-label foreign truncate">{name}</span>
              <Waiting count={totals.get(id)} of="issues" />
            </PageLink>
          </li>
        )
      })}
    </ul>
  )
}

/** Looks like a field and opens the palette; without script it leads to the digest page. */
export function Jump({ onJump }: { readonly onJump: () => void }) {
  return (
    <a
      href={paths.digest()}
      className="jump"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        hide()
        onJump()
      }}
    >
      <Icon name="search" size={14} />
      <span className="jump-text">
        <span className="jump-long">Go to a page or issue, or paste a digest</span>
        <span className="jump-short">Go to…</span>
      </span>
      <span className="jump-key">
        <Key>Ctrl K</Key>
      </span>
    </a>
  )
}

/** The bar above the page where the rail has no room. */
export function Bar({ onJump }: { readonly onJump: () => void }) {
  const frame = useFrame()
  const { pathname } = useLocation()
  const here = shellPlaceAt(shellPlaces(frame), pathname)
  return (
    <header className="bar">
      <button
        type="button"
        popoverTarget={RAIL_ID}
        className="bar-menu btn btn-quiet btn-icon touch"
        aria-label="Menu"
      >
        <Icon name="menu" />
      </button>
      <PageLink to={paths.home()} className="bar-brand" aria-label="Errata, home">
        <BrandMark />
      </PageLink>
      <div className="bar-title">
        <span className="bar-place">{here?.name ?? 'Errata'}</span>
        <OrgMenu frame={frame} />
        <span className="bar-org foreign">{frame.org?.name}</span>
      </div>
      <Jump onJump={onJump} />
      {frame.viewer === null ? null : <PersonMenu viewer={frame.viewer} unread={frame.unread} />}
    </header>
  )
}

/** Bar of what is pressed most, within reach of a thumb. */
export function BottomBar() {
  const frame = useFrame()
  const { pathname } = useLocation()
  const places = shellPlaces(frame).filter(({ rail }) => rail)
  const here = shellPlaceAt(places, pathname)
  const shown = SHORT.flatMap(({ name, as }) => {
    const place = places.find((one) => one.name === name)
    return place === undefined ? [] : [{ ...place, name: as }]
  })
  return (
    <nav aria-label="Most used" className="bottom-bar">
      {shown.map(({ name, path, rail }) => (
        <PageLink
          key={path}
          to={path}
          className="bottom-place"
          aria-current={path === here?.path ? 'page' : undefined}
        >
          {rail === undefined ? null : <PathIcon path={rail.icon} />}
          {name}
          {name === 'Monitors' && (frame.alerts?.critical ?? 0) > 0 ? (
            <span className="bottom-disc">
              <span className="visually-hidden">{frame.alerts?.critical} critical</span>
            </span>
          ) : null}
        </PageLink>
      ))}
      <button
        type="button"
        popoverTarget={RAIL_ID}
        className="bottom-place"
        aria-current={shown.every(({ path }) => path !== here?.path) || undefined}
      >
        <Icon name="menu" />
        Menu
      </button>
    </nav>
  )
}

const SHORT = [
  { name: 'Overview', as: 'Overview' },
  { name: 'Issues', as: 'Issues' },
  { name: 'Traces', as: 'Data' },
  { name: 'Alerts', as: 'Monitors' },
]

/** A link was followed: the page is what was asked for. */
function closeAfterLink({ target }: MouseEvent): void {
  if (target instanceof Element && target.closest('a') !== null) hide()
}

function hide(): void {
  const rail = document.getElementById(RAIL_ID)
  if (rail?.matches(':popover-open') === true) rail.hidePopover()
}
