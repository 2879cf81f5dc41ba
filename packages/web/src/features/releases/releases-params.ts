/** The address of the list of releases: whatever changes, it begins with its first page. */
import { type AddressOf, type AddressTable, queryOf } from '#parts/address.ts'

export const SORT_LABELS = {
  date: 'newest deploy',
  semver: 'version',
  new: 'new issues',
  events: 'events',
} as const
const TEXT = { type: 'text', first: '', charsMax: 200 } as const
const PAGES_MAX = 10_000

export const RELEASES = {
  query: TEXT,
  project: TEXT,
  environment: TEXT,
  sort: { type: 'choice', first: 'date', of: ['date', 'semver', 'new', 'events'] },
  status: { type: 'choice', first: 'open', of: ['open', 'archived'] },
  page: { type: 'page', first: 1, pagesMax: PAGES_MAX, resetBy: 'all' },
} as const satisfies AddressTable

export type ReleasesAddress = AddressOf<typeof RELEASES>

export const releasesQuery = queryOf(RELEASES)
