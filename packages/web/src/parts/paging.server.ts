import { max } from '@errata/server/limits'
import type { AddressTable } from './address.ts'

/** More pages than the longest list fills. */
const PAGES_MAX = 100_000

/** Address of a list that is found by its names and shown page by page. */
export const PAGED = {
  query: { type: 'text', first: '', charsMax: max('findCharsMax') },
  page: { type: 'page', first: 1, pagesMax: PAGES_MAX },
} as const satisfies AddressTable

/** Returns the rows of a page; of the last one, if the list is shorter. */
export function pageOf<T>(all: readonly T[], asked: number, limit = max('pageRowsDefault')) {
  const pages = Math.max(1, Math.ceil(all.length / limit))
  const page = Math.min(asked, pages)
  return { rows: all.slice((page - 1) * limit, page * limit), page, pages, total: all.length }
}
