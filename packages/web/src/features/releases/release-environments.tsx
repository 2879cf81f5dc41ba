/** Where a release runs: its deploys, and the environments that events and sessions named. */
import { Count } from '#ui/number.tsx'
import { numberText } from '#ui/number-text.ts'
import { safeHref } from '#ui/safe-href.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { type Place, type PlaceDeploy, placesOf } from './release-places.ts'
import type { loadRelease } from './releases.server.ts'

export function ReleaseEnvironments() {
  const { view, health } = usePageData<typeof loadRelease>()
  const places = placesOf({
    events: view.release.environments,
    deploys: view.deploys,
    sessions: health?.environments ?? [],
  })
  return (
    <Section title="Environments" note={numberText(places.length)} id="deploys">
      {places.length === 0 ? (
        <p className="text-13 text-ink-3">
          No event or session named an environment, and no deploy was reported.{' '}
          <code className="text-ink-2">sentry-cli deploys new</code> reports one.
        </p>
      ) : (
        <Table caption="Events and deploys by environment" stacks>
          <thead>
            <tr>
              <th scope="col">Environment</th>
              <th scope="col" className={tableNum}>
                Events
              </th>
              <th scope="col" className={tableNum}>
                Deploys
              </th>
              <th scope="col">Last deploy</th>
              <th scope="col">Name</th>
            </tr>
          </thead>
          <tbody>
            {places.map((place) => (
              <PlaceRow key={place.name} place={place} />
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

function PlaceRow({ place }: { readonly place: Place }) {
  const [last] = place.deploys
  return (
    <tr>
      <th scope="row" className="foreign max-w-60 truncate font-normal">
        {place.name}
      </th>
      <td className={tableNum} data-label="Events">
        <Count value={place.eventCount} />
      </td>
      <td className={tableNum} data-label="Deploys">
        <Count value={place.deploys.length} />
      </td>
      <td data-label="Last deploy">
        {last === undefined ? (
          <span className="text-ink-3">none reported</span>
        ) : (
          <>
            <Time ms={last.finishedMs} />
            <Took deploy={last} />
          </>
        )}
      </td>
      <td
        className="max-w-60 truncate max-phone:overflow-visible max-phone:whitespace-normal"
        data-label="Name"
      >
        {last === undefined ? null : <DeployName deploy={last} />}
      </td>
    </tr>
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
  if (href === null) return <span className="foreign text-ink-2">{name}</span>
  return (
    <a href={href} className="foreign link link-alone" rel="noreferrer">
      {name ?? 'Open'}
    </a>
  )
}
