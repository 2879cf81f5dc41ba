/** The issue list's address: filter, sort, tab, range and page, read from the URL and written back to it. */

import { dateText, hourText } from '#ui/time-text.ts'
import type { IssueSort, IssueTab } from './issue-types.ts'
import { withQuery } from './paths.ts'
import { RANGES, type RangeKey, rangeOf } from './ranges.ts'

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

/** Saved searches that stand above the list, with their counts; more are in a menu. */
export const SEARCHES_SHOWN = 5

/** The list's address in parts; equal addresses give equal parts. */
export interface ListAddress {
  readonly query: string
  readonly projects: readonly string[]
  readonly environments: readonly string[]
  readonly range: RangeKey
  /** Minutes of UTC such as `2026-11-20T08:00`, in place of `range`; without `to`: until now. */
  readonly from: string | null
  readonly to: string | null
  readonly tab: IssueTab
  readonly sort: IssueSort
  readonly cursor: string | null
  /** `none`: without the search that a person’s list opens with. */
  readonly saved: 'none' | null
}

/** Values that mean nothing give the default: an old or mistyped link still shows a list. */
export function readListAddress(search: URLSearchParams): ListAddress {
  return {
    query: search.getAll('query').join(' ').replace(/\s+/g, ' ').trim(),
    projects: search.getAll('project').slice(0, CHOICES_MAX),
    environments: search.getAll('environment').slice(0, CHOICES_MAX),
    range: RANGES.find(({ key }) => key === search.get('range'))?.key ?? '14d',
    ...readCustom(search.get('from'), search.get('to')),
    tab: TABS.find(({ key }) => key === search.get('tab'))?.key ?? 'unresolved',
    sort: SORTS.find(({ key }) => key === search.get('sort'))?.key ?? 'date',
    cursor: search.get('cursor'),
    saved: search.get('saved') === 'none' ? 'none' : null,
  }
}

const CHOICES_MAX = 100
const MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** Both or neither are understood: half of a range would show another list than was meant. */
function readCustom(from: string | null, to: string | null): Pick<ListAddress, 'from' | 'to'> {
  const end = to === '' ? null : to
  if (from === null || minuteOf(from) === null) return { from: null, to: null }
  if (end === null) return { from, to: null }
  const [start, last] = [minuteOf(from), minuteOf(end)]
  return start === null || last === null || last <= start ? { from: null, to: null } : { from, to: end }
}

function minuteOf(text: string): number | null {
  const atMs = MINUTE.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  return Number.isNaN(atMs) ? null : atMs
}

/** Returns the range that was typed; `null`: one of those that are offered. `endMs` is `null` for now. */
export function customRange({
  from,
  to,
}: Pick<ListAddress, 'from' | 'to'>): { readonly startMs: number; readonly endMs: number | null } | null {
  const startMs = from === null ? null : minuteOf(from)
  return startMs === null ? null : { startMs, endMs: to === null ? null : minuteOf(to) }
}

export interface RangeText {
  readonly label: string
  readonly short: string
}

/** Returns what the range is called: `Last 24 hours`, `20 Nov 08:00 to 21 Nov 09:30`. */
export function rangeText(address: ListAddress): RangeText {
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

/** The query of a link to the list. Any change but of the page itself goes back to the first page. */
export function listQuery(address: ListAddress, change: Partial<ListAddress> = {}) {
  const next = { ...address, cursor: null, ...change }
  return {
    query: next.query,
    project: next.projects,
    environment: next.environments,
    range: next.range === '14d' || next.from !== null ? null : next.range,
    from: next.from,
    to: next.to,
    tab: next.tab === 'unresolved' ? null : next.tab,
    sort: next.sort === 'date' ? null : next.sort,
    cursor: next.cursor,
    saved: next.query === '' ? next.saved : null,
  }
}

/** Which list it is, as one text that the pages of its issues carry; empty for the list as it first opens. */
export function listText(address: ListAddress): string {
  return withQuery('', listQuery(address)).slice(1)
}
