/** The most frequent values among what matches: each adds its value to the search, or takes it away. */

import { paths } from '#parts/paths.ts'
import { distinctVersion } from '#parts/release-text.ts'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'
import { byWord } from '#ui/by-word.ts'
import { Icon } from '#ui/icons.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { numberText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { TracesData } from './traces.server.ts'
import { chosenValues, facetTerm, tracesQuery, withTagValues } from './traces-address.ts'

const NAMES: Readonly<Record<string, string>> = byWord({
  request_kind: 'Request kind',
  service: 'Service',
  waits: 'Waits for',
  issue: 'Issue',
  route: 'Route',
  environment: 'Environment',
  release: 'Release',
  browser: 'Browser',
})

export function TracesFacets({ data }: { readonly data: TracesData }) {
  return (
    <>
      <aside aria-label="Narrow the search" className="px-6 py-1 max-wide:hidden">
        {data.facets.map((facet) => (
          <section key={facet.tag} aria-label={facetName(facet)} className="border-b py-3 last:border-b-0">
            <h2 className="mb-1 text-12 font-strong">{facetName(facet)}</h2>
            <ul className="text-13">
              {withChosen(data, facet).map((value) => (
                <li key={value.value}>
                  <FacetValue
                    {...{ data, tag: facet.tag, ...value }}
                    className="flex h-6.5 items-center gap-2 rounded-mark hover:text-ink"
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </aside>
      <div className="relative flex flex-wrap gap-2 border-b px-6 py-2 max-phone:flex-nowrap max-phone:overflow-x-auto max-phone:px-4 wide:hidden">
        {data.facets.map((facet) => (
          <Menu key={facet.tag} className="btn btn-small touch" label={facetName(facet)}>
            {withChosen(data, facet).map((value) => (
              <FacetValue
                key={value.value}
                {...{ data, tag: facet.tag, ...value }}
                className={`${menuItem} text-13`}
              />
            ))}
          </Menu>
        ))}
      </div>
    </>
  )
}

type Facet = TracesData['facets'][number]

/** Adds chosen values, even if nothing has them. */
function withChosen({ address }: TracesData, { tag, values }: Facet): Facet['values'] {
  const known = new Set(values.map(({ value }) => value))
  const others = chosenValues(address.query, tag).filter((value) => !known.has(value))
  return [...values, ...others.map((value) => ({ value, count: 0 }))]
}

function facetName({ tag }: { readonly tag: string }): string {
  return NAMES[tag] ?? tag
}

function FacetValue(props: {
  readonly data: TracesData
  readonly tag: string
  readonly value: string
  readonly count: number
  /** Title of an issue. */
  readonly title?: string
  readonly className: string
}) {
  const { data, tag, value } = props
  const term = facetTerm(tag, value)
  const chosen = chosenValues(data.address.query, tag)
  const isChosen = chosen.includes(value)
  // An issue is one at a time: a request with two of them is rare.
  const beside = tag === 'issue' ? [] : chosen
  const query = withTagValues(
    data.address.query,
    tag,
    isChosen ? chosen.filter((one) => one !== value) : [...beside, value],
  )
  const about = props.title === undefined ? term : `${term}: ${props.title}`
  return (
    <PageLink
      to={paths.traces(data.org, tracesQuery(data.address, { query }))}
      data-stay=""
      className={`${props.className} ${isChosen ? 'font-strong' : 'text-ink-2'}`}
      aria-current={isChosen ? 'true' : undefined}
      title={isChosen ? `Remove ${about}` : about}
    >
      <span
        aria-hidden="true"
        className={`grid size-3.5 shrink-0 place-content-center rounded-mark border ${isChosen ? 'border-fill bg-fill text-on-fill' : 'border-control'}`}
      >
        {isChosen ? <Icon name="check" size={12} /> : null}
      </span>
      <span className="foreign min-w-0 flex-1 truncate" title={shownValue(tag, value, data)}>
        {shownValue(tag, value, data)}
      </span>
      <span className="num text-12 text-ink-3">{numberText(props.count)}</span>
    </PageLink>
  )
}

function shownValue(tag: string, value: string, { facets }: TracesData): string {
  if (tag === 'release') {
    const values = facets.find((facet) => facet.tag === tag)?.values ?? []
    return distinctVersion(
      value,
      values.map((other) => other.value),
    )
  }
  const kind =
    tag === 'request_kind' ? Object.entries(REQUEST_KINDS).find(([name]) => name === value) : undefined
  return kind?.[1]?.label ?? value
}
