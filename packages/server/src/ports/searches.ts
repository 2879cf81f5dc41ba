/** Searches that people keep, and how they have the issue list. */
import type { LIST_PREFERENCES, SAVED_SEARCHES } from '#model/tables/searches.ts'
import type { TableRow } from '#model/tables/table.ts'
import type { ReadScope } from './scope.ts'

/** A saved search. Everybody of the organisation has a shared one, its owner alone any other. */
export type SavedSearch = Omit<TableRow<typeof SAVED_SEARCHES>, 'orgId'>

export type SearchText = Pick<SavedSearch, 'name' | 'query' | 'sort' | 'isShared'>

/** A default search that is deleted is gone from here. */
export type ListPreferences = Omit<TableRow<typeof LIST_PREFERENCES>, 'orgId' | 'userId'>

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
