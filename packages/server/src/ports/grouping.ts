/** Joins groups into one issue, and takes an issue apart again. */
import type { GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import type { ReadScope } from './scope.ts'

/** A group as the issue that owns it lists it. */
export interface MergedGroup {
  readonly projectId: ProjectId
  readonly projectSlug: string
  readonly hash: GroupHash
  /** True for a browser's copy of the issue's failure, which has its own undo. */
  readonly isFolded: boolean
  /** Title of its newest event. */
  readonly title: string
  readonly culprit: string
  readonly eventCount: number
  readonly users: { readonly count: number; readonly isExact: boolean }
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}

/** An issue that may be the same failure as another. */
export interface AlikeIssue {
  readonly id: IssueId
  readonly shortId: string
  readonly title: string
  readonly type: string
  readonly value: string
  readonly culprit: string
  readonly filename: string | null
  readonly function: string | null
  readonly status: 'unresolved' | 'resolved' | 'archived'
  readonly eventCount: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}

/** Kinds of likeness between two issues of one exception type. */
export type Likeness = 'place_and_message' | 'place' | 'message'

export interface SimilarIssue extends AlikeIssue {
  readonly likeness: Likeness
}

export interface GroupingRead {
  /** Most events first, of projects that the scope may read; `null` for an issue outside the scope. */
  mergedGroups(scope: ReadScope, id: IssueId): Promise<readonly MergedGroup[] | null>
  /**
   * Other issues of its project and type among the `similarIssuesRead` seen last, newest first; `null` for an issue
   * outside the scope.
   */
  issuesOfType(scope: ReadScope, id: IssueId): Promise<readonly AlikeIssue[] | null>
}
