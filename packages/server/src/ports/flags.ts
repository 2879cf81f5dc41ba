/** Changes of feature flags, as whatever holds the flags tells of them. */
import type { ProjectId } from '#base/ids.ts'
import type { FLAG_CHANGES } from '#model/tables/flags.ts'
import type { TableRow } from '#model/tables/table.ts'
import type { ReadScope } from './scope.ts'

export type FlagChange = Omit<TableRow<typeof FLAG_CHANGES>, 'orgId' | 'createdMs'>

export interface FlagChangesAsked {
  /** `null`: all of the scope. Changes of flags that all projects have are always among them. */
  readonly projects: readonly ProjectId[] | null
  /** `null`: of any flag. */
  readonly flag: string | null
  readonly startMs: number
  /** Not included. */
  readonly endMs: number
  /** Goes on behind this change; `null`: begins with the newest. */
  readonly after: Pick<FlagChange, 'atMs' | 'id'> | null
  readonly limit: number
}

export interface FlagsRead {
  /** Newest first; of two at one time the one that was told later. */
  flagChanges(scope: ReadScope, asked: FlagChangesAsked): Promise<readonly FlagChange[]>
}
