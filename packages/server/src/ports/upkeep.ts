/** Control store's part of upkeep; for the operator, across organisations. */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'

export interface GroupState {
  readonly id: number
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly eventCount: number
  readonly payloadCount: number
  /** Files that hold its events. */
  readonly files: readonly FileName[]
}

/** Count of a group in one file, by the control store. */
export interface GroupCount {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  /** `null` while it is not known. */
  readonly events: number | null
}

export interface UpkeepRead {
  /** Groups with an id above `afterId`, in order of id, at most `limit`. */
  groupStates(afterId: number, limit: number): Promise<readonly GroupState[]>
  /**
   * Returns counts of a file for `limit` groups with an id above `afterId`; `last` is the last id looked at,
   * `null` after the last group.
   */
  groupCounts(
    file: FileName,
    afterId: number,
    limit: number,
  ): Promise<{ readonly groups: readonly GroupCount[]; readonly last: number | null }>
  /** Sentences about numbers that contradict each other, at most `limit`; empty when all agree. */
  contradictions(limit: number): Promise<readonly string[]>
}
