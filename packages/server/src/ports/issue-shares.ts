/** Links to single issues, for people without an account. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { ReadScope } from './scope.ts'

export interface IssueShare {
  /** The link's secret, sealed, to show it again; `null`: only its hash is kept. */
  readonly sealedToken: string | null
  /** It opens nothing from then on; `null`: until it is revoked. */
  readonly expiresMs: number | null
  readonly createdMs: number
  /** Name of the person who made the link, as in the activity. */
  readonly createdBy: string
}

/** A link as it is made. */
export interface NewShare {
  /** Hash that a visitor's secret is compared with. */
  readonly tokenHash: string
  readonly sealedToken: string
  readonly expiresMs: number | null
}

/** Issue that a public link opens. */
export interface SharedIssue {
  readonly organisation: { readonly id: OrgId; readonly slug: string }
  readonly projectId: ProjectId
  readonly issueId: IssueId
}

export interface IssueSharesRead {
  /** `null`: it is not shared, or not any more, or not to be seen. */
  issueShare(scope: ReadScope, id: IssueId, nowMs: number): Promise<IssueShare | null>
  /** By the secret's hash alone: who asks is nobody. */
  sharedIssue(tokenHash: string, nowMs: number): Promise<SharedIssue | null>
}
