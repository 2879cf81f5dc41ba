/** Saved searches, and how people have the issue list. */

import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { noSearch } from '#issues/saved-searches.ts'
import type { IssueSort } from '#ports/issues.ts'
import type { ListPreferences, SavedSearch, SearchText } from '#ports/searches.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import type { CommandParts } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'

export interface SearchCommands {
  createSearch(asking: Asking, search: SearchInput): Promise<Result<SavedSearch>>
  changeSearch(asking: Asking, change: SearchInput & { readonly id: number }): Promise<Result<SavedSearch>>
  deleteSearch(asking: Asking, id: number): Promise<Result<null>>
  /** What is left out stays as it is. */
  setListPreferences(asking: Asking, change: Partial<ListPreferences>): Promise<Result<null>>
}

interface SearchInput {
  readonly name: string
  readonly query: string
  readonly sort: IssueSort
  readonly isShared: boolean
}

type Parts = Pick<CommandParts, 'accounts' | 'accountsWrite' | 'clock'>

export function searchCommands(parts: Parts): SearchCommands {
  return {
    createSearch: async (asking, search) => {
      const checked = checkedSearch(asking, search)
      if (!checked.ok) return checked
      const { orgId, userId } = asking.scope
      const refused = userId === undefined && !search.isShared ? noPerson() : refuseSharing(asking, search)
      if (refused !== null) return refused
      const made = { ...checked.value, orgId, ownerId: userId ?? null }
      return parts.accountsWrite.createSearch(made, actorOf(parts, asking))
    },
    changeSearch: async (asking, { id, ...search }) => {
      const checked = checkedSearch(asking, search)
      if (!checked.ok) return checked
      const known = await ownSearch(parts, asking, id)
      if (!known.ok) return known
      const refused = refuseSharing(asking, search)
      if (refused !== null) return refused
      const { orgId } = asking.scope
      return parts.accountsWrite.changeSearch(orgId, { ...checked.value, id }, actorOf(parts, asking))
    },
    deleteSearch: async (asking, id) => {
      const refused = refusalOf(asking, 'search.write')
      if (refused !== null) return refused
      const known = await ownSearch(parts, asking, id)
      if (!known.ok) return known
      return parts.accountsWrite.deleteSearch(asking.scope.orgId, id, actorOf(parts, asking))
    },
    setListPreferences: async (asking, change) => {
      const refused = refusalOf(asking, 'search.write')
      if (refused !== null) return refused
      const { orgId, userId } = asking.scope
      if (userId === undefined) return noPerson()
      const preferences = { ...(await parts.accounts.listPreferences(asking.scope)), ...change }
      return parts.accountsWrite.setListPreferences(orgId, userId, preferences)
    },
  }
}

function checkedSearch(asking: Asking, search: SearchInput): Result<SearchText> {
  const refused = refusalOf(asking, 'search.write')
  if (refused !== null) return refused
  const checked = read(SCHEMAS.search, { name: search.name, query: search.query })
  return checked.ok ? ok({ ...search, ...checked.value }) : checked
}

/** One's own, or a shared one by whoever may share. What somebody else keeps for themselves is not there. */
async function ownSearch({ accounts }: Parts, asking: Asking, id: number): Promise<Result<SavedSearch>> {
  const search = (await accounts.savedSearches(asking.scope)).find((one) => one.id === id)
  if (search === undefined) return noSearch()
  return (search.isShared ? refusalOf(asking, 'search.share') : null) ?? ok(search)
}

function refuseSharing(asking: Asking, { isShared }: SearchInput): Refusal | null {
  return isShared ? refusalOf(asking, 'search.share') : null
}

function noPerson(): Refusal {
  return refuse('forbidden', 'Private searches need a personal token; this one belongs to the organisation.')
}
