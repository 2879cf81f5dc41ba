/** Types of reads of any dataset. */
import type { ProjectId } from '#base/ids.ts'
import type { DatasetField, FieldUnit } from '#model/dataset.ts'
import type { FieldValue } from '#ports/columns.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SearchProblem, Suggestion } from './search-words.ts'
import type { TimeRange } from './time-range.ts'

export interface DatasetView {
  readonly name: string
  readonly aliases: readonly string[]
  readonly fields: readonly Pick<DatasetField, 'name' | 'aliases' | 'type' | 'values' | 'unit'>[]
  readonly hasAttributes: boolean
}

export interface DatasetAsked {
  readonly dataset: string
  /** `null`: all that may be read. */
  readonly projects: readonly ProjectId[] | null
  /** Any of these; none for all. */
  readonly environments: readonly string[]
  readonly query: string
  readonly range: TimeRange
}

export interface DatasetRowsAsked extends DatasetAsked {
  /** Names of fields, attributes as `tags[key]`; none for every field. */
  readonly fields: readonly string[]
  /** A field, `-` before it for the greatest first; empty: the newest first. */
  readonly sort: string
  readonly limit: number
  readonly cursor: string | null
}

export type ResultColumnType = 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'

export interface DatasetColumn {
  /** Name that was asked for. */
  readonly name: string
  readonly type: ResultColumnType
  readonly unit: FieldUnit
}

export interface DatasetRows {
  readonly columns: readonly DatasetColumn[]
  /** Values in the order of the columns. */
  readonly rows: readonly (readonly FieldValue[])[]
  readonly nextCursor: string | null
  readonly problems: readonly SearchProblem[]
}

export interface DatasetFiguresAsked extends DatasetAsked {
  /** Fields and figures such as `count()` or `avg(duration)`, in any order. */
  readonly fields: readonly string[]
  readonly stepMs: number | null
  readonly limit: number
}

export interface DatasetFigures {
  /** Columns of `by`, in the order asked. */
  readonly by: readonly DatasetColumn[]
  readonly figures: readonly DatasetColumn[]
  readonly groups: readonly {
    readonly values: readonly (string | number | boolean | null)[]
    readonly step: number
    readonly rows: number
    /** Dates in milliseconds. */
    readonly figures: readonly (number | null)[]
  }[]
  readonly problems: readonly SearchProblem[]
}

export interface DatasetValuesAsked extends DatasetAsked {
  readonly key: string
  readonly prefix: string
  readonly limit: number
}

export interface DatasetFieldsAsked extends DatasetAsked {
  readonly fields: readonly string[]
}

export interface DatasetSuggestionsAsked {
  readonly dataset: string
  readonly key: string | null
  readonly prefix: string
  /** `null`: all that may be read. */
  readonly projects: readonly ProjectId[] | null
}

type Counted = readonly { readonly value: string; readonly count: number }[]

/** An unknown dataset or field, or a cursor of another list, is refused as `bad_request` with a sentence. */
export interface DatasetQueries {
  datasets(): readonly DatasetView[]
  datasetRows(scope: ReadScope, asked: DatasetRowsAsked): Promise<DatasetRows>
  datasetFigures(scope: ReadScope, asked: DatasetFiguresAsked): Promise<DatasetFigures>
  /** Values of a field or an attribute, most frequent first. */
  datasetValues(scope: ReadScope, asked: DatasetValuesAsked): Promise<Counted>
  /** Keys of attributes, with how many rows have them. */
  datasetKeys(scope: ReadScope, asked: Omit<DatasetValuesAsked, 'key'>): Promise<Counted>
  /** Fields, with how many rows have a value of each; none where the search is wrong. */
  datasetFieldCounts(scope: ReadScope, asked: DatasetFieldsAsked): Promise<Counted>
  /** Completes a search of it while it is typed: keys for `key` null, else values of the last month. */
  datasetSuggestions(scope: ReadScope, asked: DatasetSuggestionsAsked): Promise<readonly Suggestion[]>
  /** Returns what is wrong with a search of it; nothing if it would be taken. */
  datasetSearchProblems(dataset: string, query: string): readonly SearchProblem[]
  /** Returns why a field or figure of it would be refused; `null` if it would be taken. */
  datasetFieldProblem(scope: ReadScope, asked: DatasetAsked, field: string): Promise<string | null>
}
