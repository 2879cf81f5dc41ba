/** Words of saved searches and of how somebody has the issue list, as they are stored. */

/**
 * `trends`: by how many more events the second half of the range has than the first; `priority`: high first, then the
 * newest.
 */
export type IssueSort = 'date' | 'new' | 'freq' | 'user' | 'trends' | 'priority'

export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]
/** Columns of the issue list that may be left out. */
export const LIST_COLUMNS = ['trend', 'events', 'users', 'age', 'assignee'] as const
export type ListColumn = (typeof LIST_COLUMNS)[number]
