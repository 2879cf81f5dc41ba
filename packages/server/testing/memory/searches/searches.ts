/** Searches that people keep, and how they have the issue list. */
import { ok } from '#base/result.ts'
import { noSearch, refuseSearch, searchNote } from '#issues/saved-searches.ts'
import { NO_PREFERENCES, type SavedSearch, type SearchesRead, type SearchesWrite } from '#ports/searches.ts'
import { writeAudit } from '../rows/audit.ts'
import type { SearchRow, Tables } from '../tables.ts'

export function searchesRead(of: Tables): SearchesRead {
  return {
    savedSearches: async ({ orgId, userId }) =>
      of.searches
        .where((one) => one.orgId === orgId && (one.isShared || one.ownerId === userId))
        .sort((a, b) => {
          const [first, second] = [a.name.toLowerCase(), b.name.toLowerCase()]
          return first === second ? a.id - b.id : first < second ? -1 : 1
        })
        .map(searchOf),
    listPreferences: async ({ orgId, userId }) =>
      of.listPreferences.get(`${orgId} ${userId}`)?.preferences ?? NO_PREFERENCES,
  }
}

function searchOf({ orgId: _, ...search }: SearchRow): SavedSearch {
  return search
}

export function searchesWrite(to: Tables): SearchesWrite {
  const find = (org: number, id: number) => to.searches.where((one) => one.orgId === org && one.id === id)[0]
  const besides = (row: Pick<SearchRow, 'orgId' | 'ownerId' | 'isShared' | 'id'>) =>
    to.searches.where(
      (one) =>
        one.orgId === row.orgId &&
        one.id !== row.id &&
        one.isShared === row.isShared &&
        (one.isShared || one.ownerId === row.ownerId),
    )
  return {
    createSearch: async (search, actor) =>
      to.transaction(() => {
        const refused = refuseSearch(search, besides({ ...search, id: 0 }))
        if (refused !== null) return refused
        const row = { ...search, id: to.searches.nextId(), createdMs: Math.floor(actor.atMs) }
        to.searches.put(row.id, row)
        const note = searchNote('search.created', search)
        if (note !== null) writeAudit(to, search.orgId, actor, note)
        return ok(searchOf(row))
      }),
    changeSearch: async (org, change, actor) =>
      to.transaction(() => {
        const before = find(org, change.id)
        if (before === undefined) return noSearch()
        const row = { ...before, ...change }
        const refused = refuseSearch(change, besides(row))
        if (refused !== null) return refused
        to.searches.put(row.id, row)
        if (before.isShared && !row.isShared) forgetDefaults(to, row.id, row.ownerId)
        const note = searchNote('search.changed', change, before)
        if (note !== null) writeAudit(to, org, actor, note)
        return ok(searchOf(row))
      }),
    deleteSearch: async (org, id, actor) =>
      to.transaction(() => {
        const search = find(org, id)
        if (search === undefined) return noSearch()
        to.searches.delete(id)
        forgetDefaults(to, id, null)
        const note = searchNote('search.deleted', search)
        if (note !== null) writeAudit(to, org, actor, note)
        return ok(null)
      }),
    setListPreferences: async (org, user, preferences) =>
      to.transaction(() => {
        const { defaultSearch } = preferences
        const search = defaultSearch === null ? undefined : find(org, defaultSearch)
        const isOpen = search?.isShared === true || search?.ownerId === user
        if (defaultSearch !== null && !isOpen) return noSearch()
        to.listPreferences.put(`${org} ${user}`, { userId: user, preferences })
        return ok(null)
      }),
  }
}

function forgetDefaults(to: Tables, id: number, butOf: number | null): void {
  for (const [key, row] of to.listPreferences.entries())
    if (row.preferences.defaultSearch === id && row.userId !== butOf)
      to.listPreferences.put(key, { ...row, preferences: { ...row.preferences, defaultSearch: null } })
}
