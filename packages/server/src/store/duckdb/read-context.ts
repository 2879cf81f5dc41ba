/** Parts of a read. */
import type { RowTable } from '#model/fields.ts'
import type { HiddenRules } from '#model/hidden.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventLike, RowsOfEvents } from '#ports/telemetry.ts'
import type { ColumnFiles } from './column-files.ts'
import type { RunQuery } from './query-slots.ts'

export interface ReadContext<R extends EventLike = EventLike> {
  /** Table of the kind that is read. */
  readonly table: RowTable<R>
  readonly files: ColumnFiles
  /** Carries the read's deadline. */
  readonly query: RunQuery
  readonly scope: ReadScope
  readonly rules: HiddenRules
  readonly rowsOf: RowsOfEvents<R>
}
