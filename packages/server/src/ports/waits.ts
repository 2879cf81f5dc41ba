/** What a question waits for before it is begun. */
import type { ReadScope } from './scope.ts'

/** Whose questions come first: those of the same person, of their organisation, or of others. */
export type WaitsFor = 'own' | 'organisation' | 'others'

export interface ColumnWaits {
  /** `null` while no read of the person waits. */
  waits(scope: ReadScope): Promise<WaitsFor | null>
}
