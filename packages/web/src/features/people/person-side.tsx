/** Facts about a person: names, projects, releases, devices. */
import { paths } from '#parts/paths.ts'
import { nameParts } from '#parts/person-name.ts'
import { packageOf, versionOf } from '#parts/release-text.ts'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { PersonData } from './people.server.ts'
import { countedOf } from './sessions.ts'

/** Entries shown of each list; the rest is in the file of their data. */
const SHOWN = 8

export function PersonSide({ data }: { readonly data: PersonData }) {
  return (
    <>
      <Names data={data} />
      <Projects data={data} />
      <Counted data={data} what="release" title="Releases" />
      <Counted data={data} what="device" title="Devices" />
    </>
  )
}

function Names({ data: { org, key, names, firstMs, lastMs } }: { readonly data: PersonData }) {
  const own = nameParts(key)
  return (
    <SideSection title="Person">
      <Facts>
        <Fact term={own.kind}>
          <span className="foreign">{own.name}</span>
        </Fact>
        {names.slice(0, SHOWN).map(({ name, rows }) => {
          const { kind, name: text } = nameParts(name)
          return (
            <Fact key={name} term={kind}>
              <PageLink
                className="link foreign"
                to={paths.person(org, name)}
                title={`Seen together ${quantityText(rows, 'time')}`}
              >
                {text}
              </PageLink>
            </Fact>
          )
        })}
        {names.length > SHOWN ? <Fact term="">{quantityText(names.length - SHOWN, 'more name')}</Fact> : null}
        {firstMs === null ? null : (
          <Fact term="First seen">
            <Time ms={firstMs} />
          </Fact>
        )}
        {lastMs === null ? null : (
          <Fact term="Last seen">
            <Time ms={lastMs} />
          </Fact>
        )}
      </Facts>
    </SideSection>
  )
}

function Projects({ data: { projects, ...data } }: { readonly data: PersonData }) {
  if (data.projectSums.length === 0) return null
  return (
    <SideSection title="Projects">
      <ul className="text-13">
        {data.projectSums.map(({ projectId, events, traces, others }) => (
          <li key={projectId} className="flex min-h-7 items-center justify-between gap-3">
            <span className="foreign min-w-0 truncate">{projects[String(projectId)]}</span>
            <span className="num shrink-0 text-12 text-ink-3">
              {[
                ...(events === 0 ? [] : [quantityText(events, 'event')]),
                ...(traces === 0 ? [] : [quantityText(traces, 'trace')]),
                ...(others === 0 ? [] : [quantityText(others, 'other item')]),
              ].join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </SideSection>
  )
}

function Counted(props: {
  readonly data: PersonData
  readonly what: 'release' | 'device'
  readonly title: string
}) {
  const { data, what, title } = props
  const found = countedOf(data.items, what)
  if (found.length === 0) return null
  // Packages may have releases of one version: with more than one, each release says its own.
  const isMixed = new Set(found.map(({ value }) => packageOf(value))).size > 1
  return (
    <SideSection title={title} note="in the entries listed">
      <ul className="text-13">
        {found.slice(0, SHOWN).map(({ value, count }) => (
          <li key={value} className="flex min-h-7 items-center justify-between gap-3">
            {what === 'release' ? (
              <PageLink className="link foreign min-w-0 truncate" to={paths.release(data.org, value)}>
                {isMixed ? value : versionOf(value)}
              </PageLink>
            ) : (
              <span className="foreign min-w-0 truncate">{value}</span>
            )}
            <span className="num shrink-0 text-12 text-ink-3">{numberText(count)}</span>
          </li>
        ))}
      </ul>
    </SideSection>
  )
}
