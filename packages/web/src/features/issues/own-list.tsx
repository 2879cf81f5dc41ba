/** Menu of a person's own list: searches one press away, density and columns. */

import { useCan } from '#parts/frame-data.ts'
import { type ListAddress, listQuery, SEARCHES_SHOWN } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { tokenText } from '#parts/search-token.ts'
import { useSearchTotals } from '#parts/search-totals.ts'
import { Button } from '#ui/button.tsx'
import { closeDialog, Dialog, DialogButton, DialogCancel } from '#ui/dialog.tsx'
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { numberText } from '#ui/number-text.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueListData } from './issue-list.server.ts'

const SAVE_ID = 'save-search'
const RENAME_ID = 'rename-search'

type Search = IssueListData['searches'][number]

/** Row of searches one press away, where the rail does not show them, and what can be done with the open one. */
export function SavedSearches({ data }: { readonly data: IssueListData }) {
  const { org, address, searches, preferences, nowMs } = data
  const { chosen, canSave } = useOpenSearch(data)
  const totals = useSearchTotals(org, {
    searches,
    nowMs,
    list: listQuery(address, { query: '', sort: 'date' }),
  })
  if (searches.length === 0 && !canSave) return null
  const [shown, more] = [searches.slice(0, SEARCHES_SHOWN), searches.slice(SEARCHES_SHOWN)]
  return (
    <>
      <nav
        aria-label="Saved searches"
        className="flex gap-2 overflow-x-auto px-6 pt-3 max-phone:px-4 max-phone:[scrollbar-width:none]"
      >
        {shown.map((search) => (
          <PageLink
            key={search.id}
            to={linkTo(org, address, search)}
            className={`btn in-rail touch shrink-0 ${search === chosen ? 'border-ink' : ''}`}
            aria-current={search === chosen ? 'page' : undefined}
          >
            {search.id === preferences.defaultSearch ? (
              <Icon name="bookmark" size={14} label="Default" />
            ) : null}
            <span className="foreign max-w-48 truncate">{search.name}</span>
            <Total count={totals.get(search.id)} />
          </PageLink>
        ))}
        {more.length === 0 ? null : (
          <Menu className="btn touch shrink-0" label="More">
            {more.map((search) => (
              <PageLink
                key={search.id}
                to={linkTo(org, address, search)}
                className={menuItem}
                aria-current={search === chosen ? 'true' : undefined}
              >
                <span className="foreign">{search.name}</span>
              </PageLink>
            ))}
          </Menu>
        )}
        {chosen === undefined && !canSave ? null : (
          <div className="in-rail flex">
            <OpenSearch data={data} />
          </div>
        )}
      </nav>
      {chosen === undefined ? null : <RenameDialog key={chosen.id} search={chosen} />}
      {canSave ? <SaveDialog address={address} /> : null}
    </>
  )
}

function useOpenSearch({ searches, address, list }: IssueListData) {
  const chosen = searches.find((search) => isChosen(search, address))
  const canWrite = useCan('search.write')
  const canSave = canWrite && chosen === undefined && address.query !== '' && list.problems.length === 0
  return { chosen, canSave }
}

/** Saves the search that is open or, once it is saved, changes it: beside the tabs where the rail lists what is saved. */
export function OpenSearch({ data }: { readonly data: IssueListData }) {
  const { chosen, canSave } = useOpenSearch(data)
  if (chosen !== undefined) return <Chosen data={data} search={chosen} />
  if (!canSave) return null
  return (
    <DialogButton dialog={SAVE_ID} className="btn btn-quiet btn-small touch shrink-0">
      <Icon name="bookmark" size={14} /> Save search
    </DialogButton>
  )
}

/** Its room alone until the answer comes, and where only events could tell. */
function Total({ count }: { readonly count: number | undefined }) {
  return (
    <span className="num min-w-4 text-end text-ink-3">
      {count === undefined ? null : (
        <>
          {numberText(count)}
          <span className="sr-only"> issues</span>
        </>
      )}
    </span>
  )
}

function isChosen(search: Search, { query, sort }: ListAddress): boolean {
  return search.query === query && search.sort === sort
}

function linkTo(org: string, address: ListAddress, { query, sort }: Search): string {
  return paths.issues(org, listQuery(address, { query, sort }))
}

/** Actions on the search that is open. */
function Chosen({ data, search }: { readonly data: IssueListData; readonly search: Search }) {
  const canShare = useCan('search.share')
  const canChange = canShare || !search.isShared
  const isDefault = data.preferences.defaultSearch === search.id
  return (
    <Menu
      className="btn btn-quiet btn-icon touch shrink-0"
      chevron={false}
      name={`Options of “${search.name}”`}
      label={<Icon name="menu" size={14} />}
    >
      <ActionForm action="list.preferences" hidden={{ search: isDefault ? 'none' : String(search.id) }}>
        <button type="submit" className={menuItem}>
          {isDefault ? 'Don’t open the list with this search' : 'Open the list with this search'}
        </button>
      </ActionForm>
      {canChange ? (
        <>
          <MenuLine />
          <DialogButton dialog={RENAME_ID} className={menuItem}>
            {canShare ? 'Rename or share' : 'Rename'}
          </DialogButton>
          <ActionForm action="search.delete" hidden={{ id: search.id }}>
            <button type="submit" className={menuItem}>
              {search.isShared ? 'Delete for everyone' : 'Delete'}
            </button>
          </ActionForm>
        </>
      ) : null}
    </Menu>
  )
}

/** Its fields are plain: the list’s first load has no room for all that forms can do. */
function SaveDialog({ address }: { readonly address: ListAddress }) {
  const { query, sort } = address
  return (
    <SearchDialog
      id={SAVE_ID}
      title="Save search"
      action="search.save"
      hidden={{ query, sort }}
      search={{ query, name: '', isShared: false }}
    />
  )
}

function RenameDialog({ search }: { readonly search: Search }) {
  const hidden = { id: search.id, ...(search.isShared ? { was: 'shared' } : {}) }
  return <SearchDialog id={RENAME_ID} title="Rename search" action="search.rename" {...{ hidden, search }} />
}

function SearchDialog(props: {
  readonly id: string
  readonly title: string
  readonly action: string
  readonly hidden: Readonly<Record<string, string | number>>
  readonly search: Pick<Search, 'query' | 'name' | 'isShared'>
}) {
  const { id, title, search } = props
  const canShare = useCan('search.share')
  return (
    <Dialog id={id} title={title}>
      <ActionForm
        action={props.action}
        hidden={props.hidden}
        onResult={() => closeDialog(id)}
        className="grid gap-4"
      >
        {({ error, pending }) => (
          <>
            <p className="foreign rounded-mark bg-sunken px-2 py-1.5 font-mono text-12 wrap-anywhere">
              {search.query}
            </p>
            <label className="grid gap-1 text-13">
              Name
              <input
                className="field"
                name="name"
                defaultValue={search.name}
                required
                maxLength={100}
                autoComplete="off"
              />
            </label>
            {canShare ? (
              <label className="flex items-center gap-2 text-13">
                <input
                  type="checkbox"
                  className="check"
                  name="shared"
                  value="yes"
                  defaultChecked={search.isShared}
                />{' '}
                Share with everyone in the organisation
              </label>
            ) : null}
            {error === null ? null : (
              <p role="alert" className="foreign text-13 text-bad">
                {error.fields?.name?.join(' ') ?? error.message}
              </p>
            )}
            <div className="flex justify-end gap-2">
              <DialogCancel dialog={id}>Cancel</DialogCancel>
              <Button type="submit" variant="primary" busy={pending}>
                Save search
              </Button>
            </div>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

const MY_TEAMS = 'my_teams'
/** Written is the last: what rules suggest is for the team’s review, too. */
const ASSIGNED: readonly string[] = ['assigned', 'assigned_or_suggested']

/** Menu of teams: issues for review, or any, of one team. It writes a term of the search. */
export function TeamMenu({ data }: { readonly data: IssueListData }) {
  const { org, address, list } = data
  const { tokens, teams, isPlain } = list
  if (teams.length < 2 || !isPlain) return null
  const isOfTeam = ({ key, value, negated }: Token) =>
    ASSIGNED.includes(key ?? '') && !negated && (value === MY_TEAMS || value.startsWith('#'))
  const chosen = tokens.find(isOfTeam)?.value ?? null
  const others = tokens.filter((token) => !isOfTeam(token)).map(tokenText)
  const to = (team: string | null) => {
    const query = [...others, ...(team === null ? [] : [`assigned_or_suggested:${team}`])].join(' ')
    const saved = query === '' && data.preferences.defaultSearch !== null ? 'none' : null
    return paths.issues(org, listQuery(address, { query, saved }))
  }
  const entry = (team: string | null, label: string) => (
    <PageLink
      key={label}
      to={to(team)}
      className={menuItem}
      aria-current={team === chosen ? 'true' : undefined}
    >
      <span className="foreign">{label}</span>
    </PageLink>
  )
  const shown = chosen === null ? 'Any team' : chosen === MY_TEAMS ? 'My teams' : chosen
  return (
    <Menu
      align="end"
      className="btn btn-quiet btn-small touch px-0"
      chevron={false}
      name={`Team: ${shown}`}
      label={
        <>
          <Icon name="people" size={14} />
          <span className="foreign max-w-32 truncate">{shown}</span>
        </>
      }
    >
      {entry(null, 'Any team')}
      {teams.some(({ isMine }) => isMine) ? entry(MY_TEAMS, 'My teams') : null}
      <MenuLine />
      {teams.map(({ slug }) => entry(`#${slug}`, `#${slug}`))}
    </Menu>
  )
}

type Token = IssueListData['list']['tokens'][number]

/** How somebody has the list: its density and its columns, remembered for them. */
export function ViewMenu({ preferences }: Pick<IssueListData, 'preferences'>) {
  const { density, hiddenColumns } = preferences
  return (
    <Menu
      align="end"
      className="btn btn-quiet btn-small px-0 max-phone:hidden"
      chevron={false}
      name="Columns and density"
      label={<Icon name="menu" size={14} />}
    >
      <ActionForm action="list.preferences">
        <MenuHead>Density</MenuHead>
        {DENSITIES.map((value) => (
          <Entry key={value} name="density" value={value} on={density === value} />
        ))}
        <MenuHead>Columns</MenuHead>
        {COLUMNS.map((value) => {
          const on = !hiddenColumns.includes(value)
          return <Entry key={value} name={on ? 'hide' : 'show'} value={value} on={on} />
        })}
      </ActionForm>
    </Menu>
  )
}

const DENSITIES = ['comfortable', 'compact'] as const
const COLUMNS = ['trend', 'events', 'users', 'age', 'assignee'] as const

function Entry(props: { readonly name: string; readonly value: string; readonly on: boolean }) {
  return (
    <button type="submit" name={props.name} value={props.value} className={`${menuItem} capitalize`}>
      {props.on ? <Icon name="check" size={14} label="on" /> : <span className="size-3.5 shrink-0" />}
      {props.value}
    </button>
  )
}
