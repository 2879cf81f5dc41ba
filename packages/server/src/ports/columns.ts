/**
 * Questions about stored rows of whatever kind. The store checks each against its dataset and its bounds, and leaves out
 * what the scope may not read and what was deleted or has expired.
 */
import type { FileName } from '#model/file-name.ts'
import type { ReadScope } from './scope.ts'
import type { EventConditions, EventFilter } from './telemetry.ts'

/**
 * A field of the dataset by its name, or an attribute by its key. `column` is a key of the row, whether or not people may
 * ask for it by name: for questions of Errata's own.
 */
export type FieldRef =
  | { readonly field: string }
  | { readonly attribute: string }
  | { readonly column: string }

/** `like`: the whole value, in which `*` stands for any text; `begins`: ASCII letters in any case. */
export type Comparison =
  | { readonly op: 'present' }
  | { readonly op: 'like' | 'begins' | 'contains'; readonly value: string }
  | { readonly op: '=' | '<' | '<=' | '>' | '>='; readonly value: number }
  | { readonly op: 'is'; readonly value: boolean }
  /** Any of these names of a person, as columns have them (`email:anna@shop.example`); `*` stands for any text. */
  | { readonly op: 'names'; readonly value: readonly string[] }

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  /** Occurs in any of the dataset's texts, case-insensitively; `*` in it stands for any text. */
  | { readonly words: string }
  | { readonly of: FieldRef; readonly is: Comparison }

/** Meets everything. */
export const EVERY_ROW: Condition = { all: [] }

interface Asked {
  readonly dataset: string
  /** Files to look into; those of other kinds are left out. */
  readonly files: readonly FileName[]
  /** From the first on, before the second. */
  readonly range: { readonly startMs: number; readonly endMs: number }
  readonly where: Condition
}

/**
 * Conditions that only events have: the groups that they are of (`null`: any), and conditions in the words of issues.
 */
export interface OfEvents extends Omit<EventConditions, 'startMs' | 'endMs'> {
  readonly groups: EventFilter['groups'] | null
}

export interface RowsAsked extends Asked {
  readonly ask: 'rows'
  readonly fields: readonly FieldRef[]
  /** Rows without a value come last, in either order. */
  readonly sort: { readonly by: FieldRef; readonly isDescending: boolean }
  readonly limit: number
  readonly cursor: string | null
}

/**
 * `present`: how many rows have a value. `unique`: how many values there are; nothing and an empty text are none. Others are of numbers, without those that are
 * not there. `quantile`: within 1 % of the number that `q` (0 to 1) of all are at or below.
 */
export type Figure =
  | { readonly is: 'count' }
  | { readonly is: 'present' | 'unique' | 'sum' | 'avg' | 'min' | 'max'; readonly of: FieldRef }
  | { readonly is: 'quantile'; readonly q: number; readonly of: FieldRef }

export interface FiguresAsked extends Asked {
  readonly ask: 'figures'
  /** Conditions beside `where`, of a kind whose rows belong to groups; left out: none. */
  readonly ofEvents?: OfEvents
  /** Each element of a list counts as a value of its own; at most one of them is a list. */
  readonly by: readonly FieldRef[]
  readonly figures: readonly Figure[]
  /** Step from the start of the range; `null` for none. */
  readonly stepMs: number | null
  /** Values of `by`, those with most rows first; what is beyond is left out. */
  readonly limit: number
}

/** `attribute keys`: with how many rows have them, most first. */
export interface NamedAsked extends Asked {
  readonly ask: 'named'
  readonly name: 'attribute keys'
  readonly of: { readonly prefix: string; readonly limit: number }
}

export type Question = RowsAsked | FiguresAsked | NamedAsked
export type Answer = RowsAnswer | FiguresAnswer | NamedAnswer

/** Lists have their texts, pairs their keys and values. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | readonly (readonly [string, string])[]

export interface RowsAnswer {
  /** Values in the order of the fields. */
  readonly rows: readonly (readonly FieldValue[])[]
  readonly nextCursor: string | null
}

export interface FiguresAnswer {
  readonly groups: readonly {
    /** Values in the order of `by`. */
    readonly values: readonly (string | number | boolean | null)[]
    /** How many steps after the start of the range; 0 without steps. */
    readonly step: number
    readonly rows: number
    /** Values in the order of the figures; `null` where there is nothing to say. */
    readonly figures: readonly (number | null)[]
    readonly firstMs: number
    readonly lastMs: number
  }[]
}

export interface NamedAnswer {
  readonly values: readonly { readonly value: string; readonly count: number }[]
}

export interface Columns {
  /**
   * @throws `bad_request` for a question that is none: an unknown dataset or field, a comparison that a field does not
   * take, a cursor of another list, or too much at once; `store_timeout` for one that takes too long
   */
  ask(scope: ReadScope, question: RowsAsked): Promise<RowsAnswer>
  ask(scope: ReadScope, question: FiguresAsked): Promise<FiguresAnswer>
  ask(scope: ReadScope, question: NamedAsked): Promise<NamedAnswer>
}
