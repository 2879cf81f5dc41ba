/** Parts of a question's answer. */
import type { Dataset } from '#model/dataset.ts'
import type { HiddenRules } from '#model/hidden.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { ColumnFiles } from './column-files.ts'
import type { RunQuery } from './query-slots.ts'

export interface AskContext {
  readonly dataset: Dataset
  readonly files: ColumnFiles
  readonly query: RunQuery
  readonly scope: ReadScope
  /** Rules about rows that are left out. */
  readonly rules: HiddenRules
}
