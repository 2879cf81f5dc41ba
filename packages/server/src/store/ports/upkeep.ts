/** What looking after the stores needs of the control store: for the operator, across organisations. */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import type { FileName } from './telemetry.ts'

export interface GroupState {
  readonly id: number
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly eventCount: number
  readonly payloadCount: number
  /** Where its events are. */
  readonly files: readonly FileName[]
}

export interface UpkeepRead {
  /** Groups with an id above `afterId`, in order of id, at most `limit`. */
  groupStates(afterId: number, limit: number): Promise<readonly GroupState[]>
  /** Sentences about numbers that contradict each other, at most `limit`; empty when all agree. */
  contradictions(limit: number): Promise<readonly string[]>
}
