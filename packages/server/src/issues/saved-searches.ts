/** Rules of saved searches that every store shares. Pure. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { SavedSearch, SearchText } from '#ports/searches.ts'

/** `others`: shared ones where it is shared, otherwise those of its owner. */
export function refuseSearch(
  { name, isShared }: SearchText,
  others: readonly Pick<SavedSearch, 'name'>[],
): Refusal | null {
  const most = max(isShared ? 'searchesSharedMax' : 'searchesPerPersonMax')
  if (others.length >= most) {
    const message = `At most ${most} saved searches; delete one first.`
    return refuse('conflict', message, { name: [message] })
  }
  if (!others.some((other) => other.name.toLowerCase() === name.toLowerCase())) return null
  const message = `There is a saved search “${name}” already.`
  return refuse('conflict', message, { name: [message] })
}

export function noSearch(): Refusal {
  return refuse('not_found', 'There is no such saved search.')
}

/** Returns the audit entry; `null` if nobody shares the search. */
export function searchNote(
  action: 'search.created' | 'search.changed' | 'search.deleted',
  search: SearchText,
  before: SearchText | null = null,
): { readonly action: string; readonly target: string; readonly detail: { readonly query: string } } | null {
  if (!search.isShared && before?.isShared !== true) return null
  return { action, target: search.name, detail: { query: search.query } }
}
