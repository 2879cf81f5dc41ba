/** The issue list's address: filter, sort, tab, range and page, read from the URL and written back to it. */

import { dateText, hourText } from '#ui/time-text.ts'
import { type AddressOf, type AddressTable, queryOf, readAddress } from './address.ts'
import type { IssueSort, IssueTab } from './issue-types.ts'
import { withQuery } from './paths.ts'
import { RANGES, rangeOf } from './ranges.ts'

export const TABS: readonly { readonly key: IssueTab; readonly label: string }[] = [
  { key: 'review', label: 'For review' },
  { key: 'unresolved', label: 'Unresolved' },
  { key: 'archived', label: 'Archived' },
  { key: 'all', label: 'All' },
]

export const SORTS: readonly { readonly key: IssueSort; readonly label: string }[] = [
  { key: 'date', label: 'Last seen' },
  { key: 'new', label: 'Age' },
  { key: 'freq', label: 'Events' },
  { key: 'user', label: 'Users' },
  { key: 'priority', label: 'Priority' },
  { key: 'trends', label: 'Change' },
]

/** Saved searches that stand in the rail and above the list, with their counts; more are in a menu there. */
export const SEARCHES_SHOWN = 5

const CHOICES_MAX = 100

const LIST = {
  query: { type: 'search', first: '' },
  projects: { type: 'several', name: 'project', first: [], countMax: CHOICES_MAX },
  environments: { type: 'several', name: 'environment', first: [], countMax: CHOICES_MAX },
  range: { type: 'choice', first: '14d', of: RANGES, unless: 'from' },
  /** Minutes of UTC such as `2026-11-20T08:00`, in place of `range`; without `to`: until now. */
  from: { type: 'value', first: null },
  to: { type: 'value', first: null },
  tab: { type: 'choice', first: 'unresolved', of: TABS },
  sort: { type: 'choice', first: 'date', of: SORTS },
  cursor: { type: 'value', first: null, resetBy: 'all' },
  /** `none`: without the search that a person’s list opens with. */
  saved: { type: 'choice', first: null, of: ['none'], unless: 'query' },
} as const satisfies AddressTable

/** The list's address in parts; equal addresses give equal parts. */
export type ListAddress = AddressOf<typeof LIST>

export function readListAddress(search: URLSearchParams): ListAddress {
  const read = readAddress(LIST, search)
  return { ...read, query: read.query.replace(/\s+/g, ' '), ...customOf(read) }
}

const MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** Both or neither are understood: half of a range would show another list than was meant. */
function customOf({ from, to }: Pick<ListAddress, 'from' | 'to'>): Pick<ListAddress, 'from' | 'to'> {
  if (from === null || readMinute(from) === null) return { from: null, to: null }
  if (to === null) return { from, to: null }
  const [start, last] = [readMinute(from), readMinute(to)]
  return start === null || last === null || last <= start ? { from: null, to: null } : { from, to }
}

function readMinute(text: string): number | null {
  const atMs = MINUTE.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(atMs) ? null : atMs
}

/** Returns the range that was typed; `null`: one of those that are offered. `endMs` is `null` for now. */
export function customRange({
  from,
  to,
}: Pick<ListAddress, 'from' | 'to'>): { readonly startMs: number; readonly endMs: number | null } | null {
  const startMs = from === null ? null : readMinute(from)
  return startMs === null ? null : { startMs, endMs: to === null ? null : readMinute(to) }
}

export interface RangeText {
  readonly label: string
  readonly short: string
}

/** Returns what the range is called: `Last 24 hours`, `20 Nov 08:00 to 21 Nov 09:30`. */
export function listRangeText(address: ListAddress): RangeText {
  const custom = customRange(address)
  if (custom === null) {
    const { label, short } = rangeOf(address.range)
    return { label, short }
  }
  const text = (atMs: number) => `${dateText(atMs, 'utc')} ${hourText(atMs, 'utc')}`
  const label =
    custom.endMs === null
      ? `Since ${text(custom.startMs)}`
      : `${text(custom.startMs)} to ${text(custom.endMs)}`
  return { label, short: 'this range' }
}

/** Query of a link to the list. Any change but of the page itself goes back to the first page. */
export const listQuery = queryOf(LIST)

/** Returns the list as one text that the pages of its issues carry; empty for the list as it first opens. */
export function listText(address: ListAddress): string {
  return withQuery('', listQuery(address)).slice(1)
}
