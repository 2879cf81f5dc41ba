/** Types of waits before a question is begun. */
import type { ReadScope } from './scope.ts'

/** Owner of the questions that come first: the same person, their organisation, or others. */
export type WaitsFor = 'own' | 'organisation' | 'others'

export interface ColumnWaits {
  /** Returns `null` while no read of the person waits. */
  waits(scope: ReadScope): Promise<WaitsFor | null>
}
