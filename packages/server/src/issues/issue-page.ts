/** A page of issues and where the pages beside it begin. */
import type { IssueSort } from '#model/search-words.ts'
import type { IssuePage } from '#ports/issues.ts'
import { type IssueCursor, writeIssueCursor } from './issue-cursor.ts'
import type { IssuePlace, PageOrder, PlacesFound } from './issue-order.ts'

type Cursors = Pick<IssuePage, 'nextCursor' | 'previousCursor'>

export interface PageAsked {
  readonly sort: IssueSort
  readonly limit: number
  /** `null` at the beginning. */
  readonly cursor: IssueCursor | null
}

/** Returns what to look for: one place more than is shown tells whether there are others. */
export function orderOf({ limit, cursor }: PageAsked): PageOrder {
  return { way: cursor?.way ?? 'next', from: cursor, limit: limit + 1 }
}

/**
 * Returns the page of an issue list that was asked for, with the cursors before and after it. `shown` in the order of
 * the list.
 */
export function issuePage(
  { places, isBehind }: PlacesFound,
  { sort, limit, cursor }: PageAsked,
): Cursors & { readonly shown: readonly IssuePlace[] } {
  const isForward = cursor?.way !== 'previous'
  const shown = places.slice(0, limit)
  if (!isForward) shown.reverse()
  const [first] = shown
  const last = shown.at(-1)
  if (first === undefined || last === undefined) return { shown, ...emptyCursors(cursor) }
  const more = places.length > limit
  return {
    shown,
    nextCursor: (isForward ? more : isBehind) ? writeIssueCursor({ way: 'next', sort, ...last }) : null,
    previousCursor: (isForward ? isBehind : more)
      ? writeIssueCursor({ way: 'previous', sort, ...first })
      : null,
  }
}

/** A page that emptied meanwhile still leads back. */
function emptyCursors(cursor: IssueCursor | null): Cursors {
  if (cursor === null) return { nextCursor: null, previousCursor: null }
  const back = writeIssueCursor({ ...cursor, way: cursor.way === 'next' ? 'previous' : 'next' })
  return cursor.way === 'next'
    ? { nextCursor: null, previousCursor: back }
    : { nextCursor: back, previousCursor: null }
}
