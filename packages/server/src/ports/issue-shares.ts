/** Links to single issues, for people without an account. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { IssueChange } from './issue-change.ts'
import type { Actor, ReadScope } from './scope.ts'

export interface IssueShare {
  /** Unguessable: whoever knows it reads the issue. */
  readonly token: string
  readonly createdMs: number
  /** Who made it, as the activity names people. */
  readonly createdBy: string
}

/** What a link opens. */
export interface SharedIssue {
  readonly organisation: { readonly id: OrgId; readonly slug: string }
  readonly projectId: ProjectId
  readonly issueId: IssueId
}

export interface IssueSharesRead {
  /** `null`: it is not shared, or not to be seen. */
  issueShare(scope: ReadScope, id: IssueId): Promise<IssueShare | null>
  /** By the token alone: who asks is nobody. */
  sharedIssue(token: string): Promise<SharedIssue | null>
}

/** Each method is one transaction with its audit entry. Issues outside the change's projects are `not_found`. */
export interface IssueSharesWrite {
  /** An issue has one link: sharing it again answers the one that it has. */
  shareIssue(change: IssueChange, token: string, actor: Actor): Promise<Result<IssueShare>>
  /** The link opens nothing from then on, nor does a later one have its token. */
  unshareIssue(change: IssueChange, actor: Actor): Promise<Result<null>>
}
