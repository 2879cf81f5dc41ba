/** Paging as Sentry's API does it: a `Link` header with `results` and `cursor`, and `X-Hits` where exact. */
import { max } from '#limits/limits.ts'
import type { QueryParameter } from './query.ts'
import { apiRefusal, badField } from './refusals.ts'

export interface PageLinks {
  readonly previous: string | null
  readonly next: string | null
  /** Exact number of all rows; `null` where it is not known. */
  readonly hits: number | null
}

interface PageQuery {
  readonly limit: number
  /** Cursor from an earlier answer; `null` for the first page. */
  readonly cursor: string | null
}

/** Cursors that clients make up for the first page of any list. */
const FIRST_PAGE = /^0:0:[01]$/
const OFFSET = /^0:(\d{1,9}):[01]$/
const BEHIND = /^0:(\d{1,9}):0:(\d{1,15})$/
const CURSOR = /^[A-Za-z0-9_.:=-]{1,600}$/

/** Parameters that `readPage` reads. */
const ROWS = { type: 'integer', minimum: 1, maximum: max('pageRowsMax'), default: max('pageRowsDefault') }
export const PAGE: readonly QueryParameter[] = [
  {
    name: 'cursor',
    what: 'Of the next page, from the `Link` header of the page before',
    schema: { type: 'string', pattern: CURSOR.source },
  },
  { name: 'limit', what: 'Rows of a page', schema: ROWS },
  { name: 'per_page', what: 'The same, as older clients call it', schema: ROWS },
]

export function readPage(url: URL): PageQuery {
  if (url.href.length > max('listAddressCharsMax')) throw tooLong()
  const text = url.searchParams.get('cursor')
  if (text !== null && text !== '' && !CURSOR.test(text)) throw badCursor()
  return {
    limit: readLimit(url),
    cursor: text === null || text === '' || FIRST_PAGE.test(text) ? null : text,
  }
}

function tooLong() {
  const most = max('listAddressCharsMax').toLocaleString('en-US')
  return apiRefusal(
    'invalid_input',
    `The address of a list has at most ${most} characters: shorten the search.`,
  )
}

export function badCursor() {
  return badField('cursor', 'Take the cursor from the Link header of the page before.')
}

function readLimit({ searchParams }: URL): number {
  const name = searchParams.has('limit') ? 'limit' : 'per_page'
  const text = searchParams.get(name)
  if (text === null || text === '') return max('pageRowsDefault')
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1 || Number(text) > max('pageRowsMax'))
    throw badField(name, `A number from 1 to ${max('pageRowsMax')}.`)
  return Number(text)
}

/** Returns where a page begins in a list with counted pages. */
function pageAt({ cursor }: PageQuery): number {
  const offset = cursor === null ? 0 : Number(OFFSET.exec(cursor)?.[1] ?? Number.NaN)
  if (Number.isNaN(offset)) throw badCursor()
  return offset
}

/**
 * Returns where a page begins in a list that grows at its front: behind the row `after`, wherever that is by now. Without
 * one, at the place `offset`.
 */
export function pageAfterCursor({ cursor }: PageQuery): {
  readonly offset: number
  readonly after: number | null
} {
  const [, offset, after] = BEHIND.exec(cursor ?? '') ?? []
  if (after !== undefined) return { offset: Number(offset), after: Number(after) }
  return { offset: pageAt({ limit: 0, cursor }), after: null }
}

/** Returns the cursor of a page that `pageAfterCursor` reads; `null` for the id of nothing. */
export function cursorBehind(offset: number, after: number | null): string | null {
  return after === null ? null : `0:${offset}:0:${after}`
}

/** A page of a list that was read whole. */
export function pageOf<T>(
  all: readonly T[],
  { limit, cursor }: PageQuery,
): { rows: readonly T[]; page: PageLinks } {
  const offset = pageAt({ limit, cursor })
  const rows = all.slice(offset, offset + limit)
  return {
    rows,
    page: {
      previous: offset === 0 ? null : `0:${Math.max(0, offset - limit)}:1`,
      next: offset + limit < all.length ? `0:${offset + limit}:0` : null,
      hits: all.length,
    },
  }
}

export function linkHeader({ previous, next }: PageLinks, url: URL): string {
  return [pageLink(url, 'previous', previous), pageLink(url, 'next', next)].join(', ')
}

function pageLink(url: URL, rel: 'previous' | 'next', cursor: string | null): string {
  const target = new URL(url)
  const shown = cursor ?? (rel === 'previous' ? '0:0:1' : '0:0:0')
  target.searchParams.set('cursor', shown)
  return `<${target.href}>; rel="${rel}"; results="${cursor !== null}"; cursor="${shown}"`
}
