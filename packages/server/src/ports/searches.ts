/** Searches that people keep, and how they have the issue list. */
import type { LIST_PREFERENCES, SAVED_SEARCHES } from '#model/tables/searches.ts'
import type { TableRow } from '#model/tables/table.ts'
import type { ReadScope } from './scope.ts'

/** Where it is shared, everybody of the organisation has it; otherwise its owner alone. */
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
