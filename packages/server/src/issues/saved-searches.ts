/** Rules of saved searches. Pure. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { SavedSearch, SearchText } from '#ports/searches.ts'

/**
 * Refuses a saved search whose name is taken, or one too many. `others`: shared ones where it is shared, otherwise
 * those of its owner.
 */
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

export function noPerson(): Refusal {
  return refuse('forbidden', 'Private searches need a personal token; this one belongs to the organisation.')
}

/** Returns what the audit log says; `null`: nothing, for nobody shares it. */
export function searchNote(
  action: 'search.created' | 'search.changed' | 'search.deleted',
  search: SearchText,
  before: SearchText | null = null,
): { readonly action: string; readonly target: string; readonly detail: { readonly query: string } } | null {
  if (!search.isShared && before?.isShared !== true) return null
  return { action, target: search.name, detail: { query: search.query } }
}
