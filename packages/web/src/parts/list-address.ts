/** The issue list's address: filter, sort, tab, range and page, read from the URL and written back to it. */
import type { IssueSort, IssueTab } from './issue-types.ts'
import { withQuery } from './paths.ts'
import { RANGES, type RangeKey } from './ranges.ts'

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
]

/** Saved searches that stand above the list, with their counts; more are in a menu. */
export const SEARCHES_SHOWN = 5

/** The list's address in parts; equal addresses give equal parts. */
export interface ListAddress {
  readonly query: string
  readonly projects: readonly string[]
  readonly environments: readonly string[]
  readonly range: RangeKey
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
    tab: TABS.find(({ key }) => key === search.get('tab'))?.key ?? 'unresolved',
    sort: SORTS.find(({ key }) => key === search.get('sort'))?.key ?? 'date',
    cursor: search.get('cursor'),
    saved: search.get('saved') === 'none' ? 'none' : null,
  }
}

const CHOICES_MAX = 100

/** The query of a link to the list. Any change but of the page itself goes back to the first page. */
export function listQuery(address: ListAddress, change: Partial<ListAddress> = {}) {
  const next = { ...address, cursor: null, ...change }
  return {
    query: next.query,
    project: next.projects,
    environment: next.environments,
    range: next.range === '14d' ? null : next.range,
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
