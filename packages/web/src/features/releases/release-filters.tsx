/** Project, environment, order and state as menus of links, and the search. All of it lives in the URL. */
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { useShortcuts } from '#parts/shortcuts.tsx'
import { Icon } from '#ui/icons.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadReleases } from './releases.server.ts'

type Data = Awaited<ReturnType<typeof loadReleases>>
export type ReleaseListAddress = Data['address']

const SORT_LABELS = { date: 'newest deploy', semver: 'version', new: 'new issues', events: 'events' } as const
const SORTS = ['date', 'semver', 'new', 'events'] as const

/** The list with some of its address changed; the page begins again unless it is named. */
export function listPath(
  { org, address }: Pick<Data, 'org' | 'address'>,
  change: Partial<ReleaseListAddress> & { readonly page?: number | null },
): string {
  const { sort, status, ...rest } = { ...address, ...change }
  return paths.releases(org, {
    ...rest,
    sort: sort === 'date' ? null : sort,
    status: status === 'open' ? null : status,
  })
}

export function ReleaseFilters() {
  const data = usePageData<typeof loadReleases>()
  const { address, choices, environments } = data
  const { sort } = address
  return (
    <div className="flex flex-wrap items-center gap-2 px-6 pt-3 pb-4 max-phone:px-4">
      <div className="relative flex gap-2 max-phone:w-full max-phone:overflow-x-auto">
        <ProjectMenu
          org={data.org}
          choices={choices}
          chosen={address.project === '' ? [] : [address.project]}
          link={([project = '']) => listPath(data, { project })}
        />
        <Choice
          data={data}
          field="environment"
          all="All environments"
          options={environments.map((name) => ({ value: name, label: name }))}
        />
        <Menu
          className="btn touch"
          label={
            <span className="whitespace-nowrap">
              <span className="text-ink-3">Order</span> {SORT_LABELS[sort]}
            </span>
          }
        >
          {SORTS.map((each) => (
            <Item
              key={each}
              on={each === sort}
              to={listPath(data, { sort: each })}
              text={SORT_LABELS[each]}
            />
          ))}
        </Menu>
        <Menu
          className="btn touch"
          label={
            <>
              <span className="visually-hidden">State: </span>
              {address.status === 'open' ? 'Open' : 'Archived'}
            </>
          }
        >
          <Item on={address.status === 'open'} to={listPath(data, { status: 'open' })} text="Open" />
          <Item
            on={address.status === 'archived'}
            to={listPath(data, { status: 'archived' })}
            text="Archived"
          />
        </Menu>
      </div>
      <Search data={data} />
    </div>
  )
}

const SEARCH_ID = 'release-search'

function Search({ data }: { readonly data: Data }) {
  const { org, address } = data
  useShortcuts([
    {
      keys: '/',
      label: 'Search',
      run: (event) => {
        event.preventDefault()
        document.getElementById(SEARCH_ID)?.focus()
      },
    },
  ])
  const { query, sort, status, ...rest } = address
  const hidden = { ...rest, sort: sort === 'semver' ? '' : sort, status: status === 'open' ? '' : status }
  return (
    <form method="get" action={paths.releases(org)} className="min-w-40 flex-1">
      {Object.entries(hidden).map(([name, value]) =>
        value === '' ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input
        key={query}
        id={SEARCH_ID}
        type="search"
        name="query"
        className="field touch w-full"
        defaultValue={query}
        placeholder="Version or commit"
        aria-label="Find a release by its version, or a commit of it"
      />
    </form>
  )
}

/** Choice of one of a list, or all. */
function Choice(props: {
  readonly data: Data
  readonly field: 'environment'
  readonly all: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}) {
  const { data, field, all, options } = props
  const chosen = data.address[field]
  const label = options.find(({ value }) => value === chosen)?.label ?? chosen
  return (
    <Menu
      className="btn touch max-w-60"
      label={<span className="truncate">{chosen === '' ? all : label}</span>}
      disabledReason={options.length === 0 && chosen === '' ? 'There are none yet' : undefined}
    >
      <Item on={chosen === ''} to={listPath(data, { [field]: '' })} text={all} />
      {options.map(({ value, label: text }) => (
        <Item key={value} on={value === chosen} to={listPath(data, { [field]: value })} text={text} />
      ))}
    </Menu>
  )
}

function Item({ on, to, text }: { readonly on: boolean; readonly to: string; readonly text: string }) {
  return (
    <PageLink to={to} className={menuItem} aria-current={on ? 'true' : undefined}>
      {on ? <Icon name="check" size={14} /> : <span className="size-3.5 shrink-0" />}
      <span className="foreign">{text}</span>
    </PageLink>
  )
}
