/** Assignee, level, priority and release as buttons: each adds its term to the search, or takes it away. */
import { useRef, useState } from 'react'
import { Tick } from '#parts/filter-bar.tsx'
import { FindField } from '#parts/find-field.tsx'
import type { SearchToken } from '#parts/issue-types.ts'
import { type ListAddress, listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { tokenText } from '#parts/search-token.ts'
import { Menu, menuItem } from '#ui/menu.tsx'
import { numberText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'

interface Filter {
  readonly key: string
  readonly name: string
  /** Offered at once; what else there is is asked for when the menu opens. */
  readonly values: readonly string[]
  /** Name of one of many others, which are looked for by how they begin. */
  readonly finds?: string
}

const FILTERS: readonly Filter[] = [
  { key: 'assigned', name: 'Assignee', values: ['me', 'my_teams', 'none'], finds: 'assignee' },
  { key: 'level', name: 'Level', values: ['fatal', 'error', 'warning', 'info', 'debug'] },
  { key: 'priority', name: 'Priority', values: ['high', 'medium', 'low'] },
  { key: 'release', name: 'Release', values: ['latest'], finds: 'release' },
]

export interface Filtered {
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
}

/** Buttons for searches without alternatives: others are no list of terms. */
export function FilterButtons(props: Filtered) {
  return FILTERS.map((filter) => <FilterMenu key={filter.key} filter={filter} {...props} />)
}

function FilterMenu({ filter, org, address, tokens }: Filtered & { readonly filter: Filter }) {
  const { key, name, values, finds } = filter
  const [found, setFound] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const asked = useRef('')
  const list = useRef<HTMLDivElement>(null)
  const chosen = chosenValues(tokens, key)
  const load = async (prefix: string) => {
    setText(prefix)
    asked.current = prefix
    const next = await askValues(org, { key, prefix, project: address.projects })
    // The last question wins.
    if (asked.current === prefix) setFound(next)
  }
  const all = [...new Set(text === '' ? [...values, ...chosen, ...found] : found)]
  return (
    <Menu
      className="btn touch"
      onOpen={(open) => {
        if (open && found.length === 0) void load(text)
      }}
      label={
        <span className="truncate">
          {name}
          {chosen.length === 0 ? '' : ': '}
          <span className="font-strong">
            {chosen.length > 1 ? numberText(chosen.length) : chosen.map((value) => valueText(key, value))}
          </span>
        </span>
      }
    >
      {finds === undefined ? null : (
        <FindField
          label={`Find ${finds}`}
          text={text}
          onText={load}
          onTake={() => list.current?.querySelector('a')?.click()}
        />
      )}
      <div ref={list} className="contents">
        {all.map((value) => {
          const on = chosen.includes(value)
          const next = on ? chosen.filter((one) => one !== value) : [...chosen, value]
          return (
            <PageLink
              key={value}
              data-stay=""
              to={paths.issues(org, listQuery(address, { query: withFilterValues(tokens, key, next) }))}
              className={menuItem}
              aria-current={on ? 'true' : undefined}
            >
              <Tick on={on} />
              <span className={`foreign ${values.includes(value) ? 'first-letter:uppercase' : ''}`}>
                {valueText(key, value)}
              </span>
            </PageLink>
          )
        })}
      </div>
      {text !== '' && all.length === 0 ? (
        <p className="px-2 py-1 text-12 text-ink-3">
          No {finds} matches “{text}”.
        </p>
      ) : null}
    </Menu>
  )
}

/** A release whole: several packages may have one of the same version. */
function valueText(key: string, value: string): string {
  return key === 'release' ? value : value.replace('_', ' ')
}

const isOf = (token: SearchToken, key: string) => token.key === key && !token.negated

function chosenValues(tokens: readonly SearchToken[], key: string): readonly string[] {
  return tokens.filter((token) => isOf(token, key)).flatMap(({ among, value }) => among ?? [value])
}

/** Several values are one list of which any is meant. */
function withFilterValues(tokens: readonly SearchToken[], key: string, values: readonly string[]): string {
  const others = tokens.filter((token) => !isOf(token, key)).map(tokenText)
  const plain = values.map((value) => tokenText({ key: null, value, negated: false }))
  const own = plain.length > 1 ? [`${key}:[${plain.join(', ')}]`] : plain.map((value) => `${key}:${value}`)
  return [...others, ...own].join(' ')
}

/** Asks what the search field would offer for the key; without an answer, what stands there already works. */
async function askValues(
  org: string,
  of: { readonly key: string; readonly prefix: string; readonly project: readonly string[] },
): Promise<readonly string[]> {
  const { askSuggestions } = await import('#parts/search-offers.tsx')
  const path = paths.issueSuggestions(org, { ...of, of: 'issues' })
  return (await askSuggestions(path)).map(({ text }) => text)
}
