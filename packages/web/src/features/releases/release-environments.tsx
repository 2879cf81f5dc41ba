/** Where a release runs: its deploys, and the events that named each environment. */
import { Count } from '#ui/number.tsx'
import { numberText } from '#ui/number-text.ts'
import { safeHref } from '#ui/safe-href.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadRelease } from './releases.server.ts'

type View = Awaited<ReturnType<typeof loadRelease>>['view']
type Deploy = View['deploys'][number]

interface Place {
  readonly name: string
  readonly eventCount: number
  /** Newest first. */
  readonly deploys: readonly Deploy[]
}

export function ReleaseEnvironments() {
  const { view } = usePageData<typeof loadRelease>()
  const places = placesOf(view)
  return (
    <Section title="Where it runs" note={numberText(places.length)} id="deploys">
      {places.length === 0 ? (
        <p className="text-13 text-ink-3">
          No event named an environment, and no deploy was reported.{' '}
          <code className="text-ink-2">sentry-cli deploys new</code> reports one.
        </p>
      ) : (
        <Table caption="Environments" stacks>
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

function placesOf({ release, deploys }: View): readonly Place[] {
  const names = new Set([
    ...release.environments.map(({ name }) => name),
    ...deploys.map(({ environment }) => environment),
  ])
  return [...names].map((name) => ({
    name,
    eventCount: release.environments.find((each) => each.name === name)?.eventCount ?? 0,
    deploys: deploys.filter(({ environment }) => environment === name),
  }))
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
      <td className="max-w-60 truncate" data-label="Name">
        {last === undefined ? null : <DeployName deploy={last} />}
      </td>
    </tr>
  )
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

function Took({ deploy: { startedMs, finishedMs } }: { readonly deploy: Deploy }) {
  if (startedMs === null || startedMs >= finishedMs) return null
  const ms = finishedMs - startedMs
  const text = ms < MINUTE_MS ? `${Math.round(ms / SECOND_MS)} s` : `${Math.round(ms / MINUTE_MS)} min`
  return <span className="text-ink-3">, took {text}</span>
}

export function DeployName({ deploy: { name, url } }: { readonly deploy: Deploy }) {
  const href = url === null ? null : safeHref(url)
  if (href === null) return <span className="foreign text-ink-2">{name}</span>
  return (
    <a href={href} className="foreign link link-alone" rel="noreferrer">
      {name ?? 'Open'}
    </a>
  )
}
