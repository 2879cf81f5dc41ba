/** Rows of issues and of what is below them. */
import type { IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import type { IssueChoices } from '#issues/issue-changes.ts'
import type { HourCount } from '#issues/issue-sums.ts'
import type { IssueState } from '#issues/issue-transition.ts'
import type { Priority } from '#model/priority.ts'
import type { IssueMark } from '#ports/issue-people.ts'
import type { IssueShare } from '#ports/issue-shares.ts'
import type { Activity } from '#ports/issues.ts'
import type { SuggestedOwner } from '#ports/ownership.ts'
import type { TrackerLinkRow } from './tracker-tables.ts'

export interface ShareRow extends IssueShare {
  readonly tokenHash: string
}

/** Its numbers are the sums over its groups, taken when they are asked for. */
export interface IssueRow extends IssueState {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly number: number
  readonly assigneeId: UserId | null
  readonly assigneeTeamId: TeamId | null
  readonly priorityChosen: Priority | null
  readonly prioritySetMs: number | null
  readonly window: HourCount
}

/** An issue that was merged away. */
export interface RedirectRow {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly number: number
  readonly issueId: IssueId
}

/** An issue that was merged away, and all that went with it. */
interface KeptIssue {
  readonly row: IssueRow
  readonly groups: readonly number[]
  readonly redirects: readonly IssueId[]
  readonly comments: readonly number[]
  readonly links: readonly TrackerLinkRow[]
  readonly activities: readonly ActivityRow[]
  readonly marks: readonly MarkRow[]
  readonly owners: readonly SuggestedOwner[] | null
  readonly share: ShareRow | null
}

/** The last merge into an issue. */
export interface MergeRow {
  readonly issueId: IssueId
  readonly userId: number
  readonly atMs: number
  readonly issues: readonly KeptIssue[]
  readonly marks: readonly MarkRow[]
  readonly windowBefore: HourCount
}

export interface ActivityRow extends Activity {
  readonly issueId: IssueId
  /** The state that a person's change replaced. */
  readonly before: IssueState | null
  readonly choicesBefore: IssueChoices | null
}

/** Of one person and one issue. */
export interface MarkRow extends IssueMark {
  readonly userId: UserId
}
