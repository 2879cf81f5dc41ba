/** Sections below the folded lines: user, contexts, extra data, modules and SDK of an event. */
import type { StoredEvent } from '#parts/issue-types.ts'
import { paths } from '#parts/paths.ts'
import { PageLink } from '#wire/page-link.tsx'
import { ValueRows } from './value-rows.tsx'

export function UserFacts(props: {
  readonly org: string
  readonly event: StoredEvent
  /** Person as the list of people names them; `null` if unknown. */
  readonly person: string | null
}) {
  const { org, event, person } = props
  const { data, geo, ...own } = event.user ?? {}
  return (
    <>
      <ValueRows path="user" rows={[...bagRows(own), ...bagRows(geo, 'geo.'), ...bagRows(data, 'data.')]} />
      {person === null ? null : (
        <PageLink
          className="link mt-2 inline-flex min-h-8 items-center text-13"
          to={paths.person(org, person)}
        >
          Open this person
        </PageLink>
      )}
    </>
  )
}

export function ContextFacts({ event }: { readonly event: StoredEvent }) {
  return (
    <div className="grid gap-x-8 gap-y-5 wide:grid-cols-2">
      {Object.entries(event.contexts ?? {}).map(([name, context]) => (
        <ValueRows
          key={name}
          title={name}
          path={`contexts.${name}`}
          rows={bagRows(context).filter(([key]) => key !== 'type' || context.type !== name)}
        />
      ))}
    </div>
  )
}

export function ExtraFacts({ event }: { readonly event: StoredEvent }) {
  return <ValueRows path="extra" rows={bagRows(event.extra)} />
}

export function ModuleFacts({ event }: { readonly event: StoredEvent }) {
  return (
    <ul className="columns-[220px] gap-6 font-mono text-12 leading-5">
      {Object.entries(event.modules ?? {}).map(([name, version]) => (
        <li key={name} className="foreign">
          {name} <span className="text-ink-3">{version}</span>
        </li>
      ))}
    </ul>
  )
}

export function SdkFacts({ event }: { readonly event: StoredEvent }) {
  const { sdk, platform, logger, server_name: server, dist, environment, release } = event
  const own = bagRows({ platform, logger, server_name: server, release, dist, environment })
  return <ValueRows path="sdk" rows={[...bagRows(sdk), ...own]} />
}

function bagRows(bag: object | undefined, prefix = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(bag ?? {}).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[`${prefix}${key}`, value] as const],
  )
}
