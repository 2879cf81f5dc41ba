/** Deleting what holds events. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { Actor } from './scope.ts'

/** Each method is one transaction with a record of who deleted what, and leaves tombstones for the events. */
export interface Deletions {
  /** Removes the project, its keys, issues, groups, digests and counters, and writes a tombstone for its events. */
  deleteProject(org: OrgId, id: ProjectId, actor: Actor): Promise<Result<null>>
}
