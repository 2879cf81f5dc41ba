/** The issue list as the web app and the web API ask for it. */

import type { IssueSort } from '#model/search-words.ts'
import type { Member, Team } from '#ports/accounts.ts'
import type { IssueListRow, MatchingEvents } from '#ports/issues.ts'
import type { Project } from '#ports/projects.ts'
import type { SearchOffer, SearchProblem, SearchToken, UnknownTag } from './search-words.ts'
import type { TimeRange } from './time-range.ts'

export interface IssueListParams {
  /**
   * Search as typed: free text, a field of `search/fields.ts`, any tag as `key:value`, `has:`, `!`, quotes;
   * or a digest, event id or short id.
   */
  readonly query: string
  /** Slugs or ids; empty means all readable. */
  readonly projects: readonly string[]
  readonly environments: readonly string[]
  readonly range: TimeRange
  readonly sort: IssueSort
  readonly limit: number
  readonly cursor: string | null
  /** Tab of the screen; the API leaves it out and says `is:` in the query. */
  readonly tab?: 'review' | 'unresolved' | 'archived' | 'all'
  /** Rows and cursors alone, without tabs, menus and footer: what the web API answers. */
  readonly rowsOnly?: true
  /** The search finds by names and tags of issues alone where those answer, and counts nothing: for who looks a title up. */
  readonly withoutCounts?: true
}

/** An issue of a list, and what of it the search matches: `null` where it asks events nothing, or they were not counted. */
export interface ListedIssue extends IssueListRow {
  readonly matching: MatchingEvents | null
}

/** List and order. */
export type IssueListPlace = Pick<
  IssueListParams,
  'query' | 'projects' | 'environments' | 'range' | 'sort' | 'tab'
>

export interface IssueList {
  readonly rows: readonly ListedIssue[]
  readonly total: number
  readonly nextCursor: string | null
  readonly previousCursor: string | null
  readonly tabs: {
    readonly review: number
    readonly unresolved: number
    readonly archived: number
    readonly all: number
  }
  /** Sum over the shown rows and range. */
  readonly eventsInRange: number
  /** Number of matching events; `null` if the search asks nothing of events. */
  readonly eventsMatching: number | null
  /**
   * Part that was too much to count exactly. `counts`: rows have none. `order`: issues are found and sorted
   * by their tags one by one. `order by users`: by all their users. `null`: everything is exact.
   */
  readonly inexact: 'counts' | 'order' | 'order by users' | null
  /** Items in the range that are missing (`isLeftOut`), for the footer's link to outcomes. */
  readonly notStored: number
  /** The tokens the parser understood, for the search field. */
  readonly tokens: readonly SearchToken[]
  /** The tokens say all of it: no alternatives, no parentheses. */
  readonly isPlain: boolean
  /** The search says which states are meant; the rows are of no tab then. */
  readonly namesState: boolean
  /** Parts that were not understood, each with its place; the list is then empty and says so. */
  readonly problems: readonly SearchProblem[]
  /** Tags that were asked for and that no event has: why the list may be empty. */
  readonly unknownTags: readonly UnknownTag[]
  readonly offers: readonly SearchOffer[]
  /** The same search for parts of values that are compared whole; `null` where there are none. */
  readonly looser: string | null
  readonly projects: readonly Project[]
  readonly environments: readonly string[]
  /** Environments that the menu leaves out; `null` if none. */
  readonly environmentsBeyond: { readonly listed: number; readonly otherEvents: number } | null
  readonly members: readonly Pick<Member, 'userId' | 'name' | 'email'>[]
  /** Teams that open a project which may be read: their issues are reviewed by them, and assigned to them. */
  readonly teams: readonly (Pick<Team, 'id' | 'slug' | 'name'> & { readonly isMine: boolean })[]
}
