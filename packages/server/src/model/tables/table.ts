/**
 * Describes tables of the control store: columns, key, indices, and how two rows of one key become one.
 * The types of rows, the schema and the statements that write rows follow from it.
 *
 * ```ts
 * const GROUP_HOURS = table('group_hours', { groupId: ref('groups'), hour: whole(), count: sum(whole()) }, { key: ['groupId', 'hour'] })
 * type Row = RowOf<typeof GROUP_HOURS>
 * ```
 *
 * Columns stand in the order of the schema: one that a later version adds goes to the end, and has a default or may be null.
 * Times are whole milliseconds since 1970 UTC. Ids made by `id` are never given twice: telemetry rows and tombstones outlive
 * what they name.
 */

/** Type of a column in the store: a flag is 0 or 1, a value of JSON is its text. */
export type ColumnType = 'whole' | 'real' | 'text' | 'bytes' | 'flag' | 'json'

/**
 * Rule for a column when a row meets one of its key, as in `merge`. `replaced`: the later. `kept`: the
 * earlier. `sum`, `least`, `greatest`: of both, and unknown (NULL) when either is; `leastKnown`,
 * `greatestKnown`: of what is known. `{ by, onTie }`: of the row whose column `by` is greater.
 */
export type Merge =
  | 'replaced'
  | 'kept'
  | 'sum'
  | 'least'
  | 'greatest'
  | 'leastKnown'
  | 'greatestKnown'
  | { readonly by: string; readonly onTie: 'later' | 'earlier' }

/** The table that a column names a row of, and what becomes of this row when that one goes. */
export interface Reference {
  readonly table: string
  readonly column: string
  readonly whenGone: 'goes too' | 'names nothing'
}

/** `made`: the store gives it, once and never again; `rowid`: the store gives it where nobody does; `computed`: of others. */
export type Origin = 'given' | 'made' | 'rowid' | 'computed'

export interface Column<T, IsOptional extends boolean = false, From extends Origin = 'given'> {
  readonly type: ColumnType
  readonly isNullable: boolean
  /** Value for rows that state none. */
  readonly initial: string | number | boolean | null
  readonly oneOf: readonly string[] | null
  readonly reference: Reference | null
  readonly origin: From
  /** SQL over the other columns, of one that is computed. */
  readonly computed: string | null
  readonly merge: Merge
  /** Whoever writes a row may leave it out. */
  readonly isOptional: IsOptional
  /** Never there: what makes the types of rows follow from the table. */
  readonly of?: T
}

type AnyColumn = Column<unknown, boolean, Origin>
type Columns = Readonly<Record<string, AnyColumn>>

/** A row's number, given by the store and never given again. */
export const id = <T extends number = number>(): Column<T, true, 'made'> => ({
  ...column<T>('whole'),
  origin: 'made',
  isOptional: true,
})
/** A row's number, which may be given again when the row is gone. */
export const rowId = <T extends number = number>(): Column<T, true, 'rowid'> => ({
  ...column<T>('whole'),
  origin: 'rowid',
  isOptional: true,
})
export const whole = <T extends number = number>(): Column<T> => column('whole')
export const time = (): Column<number> => column('whole')
export const real = (): Column<number> => column('real')
export const text = <T extends string = string>(): Column<T> => column('text')
export const bytes = (): Column<Uint8Array> => column('bytes')
export const flag = (): Column<boolean> => column('flag')
export const json = <T = unknown>(): Column<T> => column('json')
export const oneOf = <T extends string>(...values: readonly T[]): Column<T> => ({
  ...column('text'),
  oneOf: values,
})
/** The row goes with the one that it names. */
export const ref = <T extends number = number>(table: string): Column<T> => ({
  ...column('whole'),
  reference: { table, column: 'id', whenGone: 'goes too' },
})
/** The row stays, and names nothing then: the column may be null. */
export const looseRef = <T extends number = number>(table: string): Column<T> => ({
  ...column('whole'),
  reference: { table, column: 'id', whenGone: 'names nothing' },
})
export const textRef = (table: string, key: string): Column<string> => ({
  ...column('text'),
  reference: { table, column: key, whenGone: 'goes too' },
})
/** Not stored: SQL over other columns of the row. */
export const computed = <T>(sql: string, of: Column<T>): Column<T | null, true, 'computed'> => ({
  ...of,
  isNullable: true,
  origin: 'computed',
  isOptional: true,
  computed: sql,
})

export const orNull = <T>(of: Column<T, boolean>): Column<T | null, true> => ({
  ...of,
  isNullable: true,
  isOptional: true,
})
export const withDefault = <T, V extends T & (string | number | boolean)>(
  initial: V,
  of: Column<T, boolean>,
): Column<T, true> => ({ ...of, initial, isOptional: true })

type Merging = <T, O extends boolean>(of: Column<T, O>) => Column<T, O>
export const kept: Merging = (of) => ({ ...of, merge: 'kept' })
export const sum: Merging = (of) => ({ ...of, merge: 'sum' })
export const least: Merging = (of) => ({ ...of, merge: 'least' })
export const greatest: Merging = (of) => ({ ...of, merge: 'greatest' })
export const leastKnown: Merging = (of) => ({ ...of, merge: 'leastKnown' })
export const greatestKnown: Merging = (of) => ({ ...of, merge: 'greatestKnown' })
/** Keeps the value of the row whose other column is greater; of two equal ones the later row's. */
export const newest = <T, O extends boolean>(by: string, of: Column<T, O>): Column<T, O> => ({
  ...of,
  merge: { by, onTie: 'later' },
})
/** Keeps a value as `newest` does; of two equal ones the earlier row's. */
export const ofGreatest = <T, O extends boolean>(by: string, of: Column<T, O>): Column<T, O> => ({
  ...of,
  merge: { by, onTie: 'earlier' },
})

function column<T>(type: ColumnType): Column<T> {
  return {
    ...{ type, isNullable: false, initial: null, oneOf: null, reference: null },
    ...{ origin: 'given', computed: null, merge: 'replaced', isOptional: false },
  }
}

/** An expression of SQL among the columns of an index. */
export interface Expression {
  readonly sql: string
}
export const sql = (expression: string): Expression => ({ sql: expression })

export interface Index<Name extends string> {
  readonly on: readonly (Name | Expression)[]
  readonly isUnique?: boolean
  /** Which rows stand in it, in SQL. */
  readonly where?: string
}

export interface TableOptions<Name extends string> {
  readonly key: readonly Name[]
  /** Rows have a number of the store's beside their key: of tables whose rows are large. */
  readonly hasRowId?: boolean
  readonly unique?: readonly (readonly Name[])[]
  /** Conditions that hold for every row, in SQL. */
  readonly checks?: readonly string[]
  /** Names a row by several columns, and goes with it. */
  readonly references?: readonly { readonly columns: readonly Name[]; readonly table: string }[]
  readonly indices?: Readonly<Record<string, Index<Name>>>
}

export interface Table<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  readonly options: TableOptions<keyof C & string>
}

/** Table with any columns, for code that is generic over tables. */
export interface AnyTable {
  readonly name: string
  readonly columns: Columns
  readonly options: TableOptions<string>
}

export function table<C extends Columns>(
  name: string,
  columns: C,
  options: TableOptions<keyof C & string>,
): Table<C> {
  return { name, columns, options }
}

/** `orgId` is `org_id` there. */
export function columnName(name: string): string {
  return name.replaceAll(/[A-Z]|(?<=[a-z])\d+/g, (part) => `_${part.toLowerCase()}`)
}

type ValueOf<T> = T extends Column<infer V, boolean, Origin> ? V : never
type ColumnsOf<T> = T extends Table<infer C> ? C : never
type Optional<C> = {
  [K in keyof C]: C[K] extends Column<unknown, infer O, Origin> ? (true extends O ? K : never) : never
}[keyof C]
type Written<C> = {
  [K in keyof C]: C[K] extends Column<unknown, boolean, infer From>
    ? From extends 'computed'
      ? never
      : K
    : never
}[keyof C]

/** A row as it is read. */
export type TableRow<T> = { readonly [K in keyof ColumnsOf<T>]: ValueOf<ColumnsOf<T>[K]> }

/** A row as it is written: what has a default, may be null or is given by the store may be left out. */
export type NewRow<T, C = ColumnsOf<T>> = {
  readonly [K in Exclude<Written<C>, Optional<C>>]: ValueOf<C[K]>
} & {
  readonly [K in Extract<Written<C>, Optional<C>>]?: ValueOf<C[K]>
}
