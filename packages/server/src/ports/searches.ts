/** Searches that people keep, and how they have the issue list. */
import type { OrgId, UserId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { IssueSort } from './issues.ts'
import type { Actor, ReadScope } from './scope.ts'

export interface SavedSearch {
  readonly id: number
  /** `null`: an organisation token made it. */
  readonly ownerId: UserId | null
  readonly name: string
  readonly query: string
  readonly sort: IssueSort
  /** Everybody of the organisation has it; otherwise its owner alone. */
  readonly isShared: boolean
  readonly createdMs: number
}

export type SearchText = Pick<SavedSearch, 'name' | 'query' | 'sort' | 'isShared'>

export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]
/** Columns of the issue list that may be left out. */
export const LIST_COLUMNS = ['trend', 'events', 'users', 'age', 'assignee'] as const
export type ListColumn = (typeof LIST_COLUMNS)[number]

export interface ListPreferences {
  /** The search that the list opens with; it is gone from here when it is deleted. */
  readonly defaultSearch: number | null
  readonly density: Density
  readonly hiddenColumns: readonly ListColumn[]
}

export const NO_PREFERENCES: ListPreferences = {
  defaultSearch: null,
  density: 'comfortable',
  hiddenColumns: [],
}

export interface SearchesRead {
  /** Shared ones and those of whoever asks, by name in any case. */
  savedSearches(scope: ReadScope): Promise<readonly SavedSearch[]>
  listPreferences(scope: ReadScope): Promise<ListPreferences>
}

/** Each method is one transaction. What concerns shared searches has an audit entry; one's own are nobody's business. */
export interface SearchesWrite {
  createSearch(
    search: SearchText & { readonly orgId: OrgId; readonly ownerId: UserId | null },
    actor: Actor,
  ): Promise<Result<SavedSearch>>
  changeSearch(
    org: OrgId,
    change: SearchText & { readonly id: number },
    actor: Actor,
  ): Promise<Result<SavedSearch>>
  deleteSearch(org: OrgId, id: number, actor: Actor): Promise<Result<null>>
  setListPreferences(org: OrgId, user: UserId, preferences: ListPreferences): Promise<Result<null>>
}
