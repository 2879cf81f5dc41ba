/** Which issues a change is about. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'

export interface IssueChange {
  readonly orgId: OrgId
  /** Readable projects of whoever asks: ids outside are left alone and not counted. */
  readonly projects: readonly ProjectId[]
  readonly ids: readonly IssueId[]
}
