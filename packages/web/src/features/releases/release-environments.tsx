/** Environments of a release: its deploys, and those that events and sessions named. */
import { crashFreeText, crashFreeTone, TONE_TEXT } from '#parts/crash-free.ts'
import { Count } from '#ui/number.tsx'
import { numberText } from '#ui/number-text.ts'
import { safeHref } from '#ui/safe-href.ts'
import { Section } from '#ui/section.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadReleaseDeploys } from './release.server.ts'
import { type PlaceDeploy, type ReleasePlace, releasePlaces } from './release-places.ts'

export function ReleaseEnvironments() {
  const { view, health } = usePageData<typeof loadReleaseDeploys>()
  const places = releasePlaces({
    events: view.release.environments,
    deploys: view.deploys,
    sessions: health?.environments ?? [],
  })
  return (
    <Section title="Where it runs" note={numberText(places.length)}>
      {places.length === 0 ? (
        <p className="text-13 text-ink-3">
          No event or session carries an environment, and no deploy was reported.{' '}
          <code className="text-ink-2">sentry-cli deploys new</code> reports one.
        </p>
      ) : (
        <Table caption="Health, events and deploys by environment" stacks="columns">
          <thead>
            <tr>
              <th scope="col">Environment</th>
              <th scope="col" className="max-phone:text-end">
                Adoption, 24 h
              </th>
              <th scope="col" className={tableNum}>
                Sessions
              </th>
              <th scope="col" className={tableNum}>
                Crash-free sessions
              </th>
              <th scope="col" className={tableNum}>
                Crash-free users
              </th>
              <th scope="col" className={tableNum}>
                Events
              </th>
              <th scope="col" className="stack-end mid-only">
                Deployed
              </th>
            </tr>
          </thead>
          <tbody>
            {places.map((place) => (
              <PlaceRow key={place.name} place={place} />
            ))}
          </tbody>
        </Table>
      )}
      <Deploys />
    </Section>
  )
}

function PlaceRow({ place }: { readonly place: ReleasePlace }) {
  const [last] = place.deploys
  return (
    <tr>
      <th scope="row" className="foreign max-w-60 truncate font-normal">
        {place.name === '' ? <span className="text-ink-3">no environment</span> : place.name}
      </th>
      <PlaceHealthCells health={place.health} />
      <td className={tableNum} data-label="Events">
        <Count value={place.eventCount} />
      </td>
      <td className="stack-end mid-only">
        {last === undefined ? (
          <span className="text-ink-3">none reported</span>
        ) : (
          <Time ms={last.finishedMs} />
        )}
      </td>
    </tr>
  )
}

function PlaceHealthCells({ health }: { readonly health: ReleasePlace['health'] }) {
  if (health === null)
    return (
      <td colSpan={4} className="text-ink-3">
        no sessions
      </td>
    )
  const { adoption, totals, free, isYoung } = health
  return (
    <>
      <td className="max-phone:[&_svg]:hidden">
        {adoption.sessions === null ? (
          <span className="text-ink-3">none</span>
        ) : (
          <ShareBar part={adoption.sessions} whole={1} width={64} />
        )}
      </td>
      <td className={tableNum} data-label="Sessions">
        <Count value={totals.sessions} />
      </td>
      <td className={tableNum} data-label="Crash-free sessions">
        <span className={TONE_TEXT[crashFreeTone(free.sessions, { of: 'sessions', isYoung })]}>
          {crashFreeText(free.sessions)}
        </span>
      </td>
      <td className={tableNum} data-label="Crash-free users">
        <span className={TONE_TEXT[crashFreeTone(free.people, { of: 'people', isYoung })]}>
          {totals.isExact || free.people === null ? null : '≈ '}
          {crashFreeText(free.people)}
        </span>
      </td>
    </>
  )
}

/** Every one that was reported. */
function Deploys() {
  const { view } = usePageData<typeof loadReleaseDeploys>()
  if (view.deploys.length === 0) return null
  return (
    <div className="mt-6">
      <Table caption="Deploys, newest first" stacks>
        <thead>
          <tr>
            <th scope="col">Deploy</th>
            <th scope="col">Environment</th>
            <th scope="col">Finished</th>
          </tr>
        </thead>
        <tbody>
          {view.deploys.map((deploy) => (
            <tr key={deploy.id}>
              <th scope="row" className="max-w-60 truncate font-normal">
                <DeployName deploy={deploy} />
              </th>
              <td className="foreign stack-line max-phone:text-12 max-phone:text-ink-3">
                {deploy.environment}
              </td>
              <td className="stack-end whitespace-nowrap">
                <Time ms={deploy.finishedMs} />
                <Took deploy={deploy} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

function Took({ deploy: { startedMs, finishedMs } }: { readonly deploy: PlaceDeploy }) {
  if (startedMs === null || startedMs >= finishedMs) return null
  const ms = finishedMs - startedMs
  const text = ms < MINUTE_MS ? `${Math.round(ms / SECOND_MS)} s` : `${Math.round(ms / MINUTE_MS)} min`
  return <span className="text-ink-3">, took {text}</span>
}

export function DeployName({ deploy: { name, url } }: { readonly deploy: PlaceDeploy }) {
  const href = url === null ? null : safeHref(url)
  if (href === null) return <span className="foreign text-ink-2">{name ?? 'without a name'}</span>
  return (
    <a href={href} className="foreign link link-alone" rel="noreferrer">
      {name ?? 'Open'}
    </a>
  )
}
