/** The stored half of a kind whose rows are all that is kept: no payload, no group, nothing in the control store. */
import type { Dataset } from '#model/dataset.ts'
import type { RowTable, StoredRow } from '#model/fields.ts'
import { type KindKeep, type KindSum, type StoredKind, storedKind } from './kind.ts'

interface PlainKind<R extends StoredRow> {
  readonly table: RowTable<R>
  /** Data category under which its items are counted. */
  readonly category: string
  readonly dataset?: Dataset<R>
}

/** Makes the stored half of such a kind. */
export function plainKind<R extends StoredRow>(kind: PlainKind<R>): StoredKind {
  return storedKind<R, null, null>({ ...kind, sum: NOTHING_SUMMED, keep: EVERYTHING_KEPT })
}

const NOTHING_SUMMED: KindSum<never, null, null> = {
  pack: () => ({ head: null, columns: {} }),
  unpack: () => null,
}

const EVERYTHING_KEPT: KindKeep<never, null, null> = {
  thinner: null,
  hints: null,
  settle: async (part) => ({ part, bare: new Set(), control: null, hint: null }),
  holds: () => true,
}
