/** User, contexts, extra data, modules and SDK of an event. */
import type { StoredEvent } from '#parts/issue-types.ts'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { ValueRows } from './value-rows.tsx'

export function UserSection({ event }: { readonly event: StoredEvent }) {
  const { user } = event
  if (user === undefined) return null
  const { data, geo, ...own } = user
  const rows = [...rowsOf(own), ...rowsOf(geo, 'geo.'), ...rowsOf(data, 'data.')]
  if (rows.length === 0) return null
  return (
    <Section title="User">
      <ValueRows path="user" rows={rows} />
    </Section>
  )
}

export function ContextSections({ event }: { readonly event: StoredEvent }) {
  const contexts = Object.entries(event.contexts ?? {})
  if (contexts.length === 0) return null
  return (
    <Section title="Contexts">
      <div className="grid gap-x-8 gap-y-5 wide:grid-cols-2">
        {contexts.map(([name, context]) => (
          <ValueRows
            key={name}
            title={name}
            path={`contexts.${name}`}
            rows={rowsOf(context).filter(([key]) => key !== 'type' || context.type !== name)}
          />
        ))}
      </div>
    </Section>
  )
}

export function ExtraSection({ event }: { readonly event: StoredEvent }) {
  const rows = rowsOf(event.extra)
  if (rows.length === 0) return null
  return (
    <Section title="Extra data">
      <ValueRows path="extra" rows={rows} />
    </Section>
  )
}

export function ModulesSection({ event }: { readonly event: StoredEvent }) {
  const modules = Object.entries(event.modules ?? {})
  if (modules.length === 0) return null
  return (
    <Section title="Modules" note={numberText(modules.length)}>
      <details>
        <summary className="link text-12">Show them</summary>
        <ul className="mt-2 columns-[220px] gap-6 font-mono text-12 leading-5">
          {modules.map(([name, version]) => (
            <li key={name} className="foreign">
              {name} <span className="text-ink-3">{version}</span>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  )
}

export function SdkSection({ event }: { readonly event: StoredEvent }) {
  const { sdk, platform, logger, server_name: server, dist, environment, release } = event
  const rows = rowsOf({ platform, logger, server_name: server, release, dist, environment })
  const { name, version, ...rest } = sdk ?? { name: 'unknown', version: '' }
  return (
    <Section title="SDK" note={<code className="foreign">{`${name} ${version}`}</code>}>
      <ValueRows path="sdk" rows={[...rows, ...rowsOf(rest)]} />
    </Section>
  )
}

function rowsOf(bag: object | undefined, prefix = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(bag ?? {}).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[`${prefix}${key}`, value] as const],
  )
}
