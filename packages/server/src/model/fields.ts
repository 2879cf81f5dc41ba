/**
 * A kind's one table of fields. From it follow the type of its rows, the record that lies behind a payload, the columns of
 * its files in whatever store keeps them, and the columns that an older file lacks: nobody lists the fields again.
 *
 * ```ts
 * const SPAN_FIELDS = { traceId: text(), op: text(), durationMs: number() }
 * const SPANS = rowTable('span', SPAN_FIELDS, { hasEventId: false, neighbours: ['traceId'] })
 * type SpanRow = RowOf<typeof SPANS>
 * ```
 *
 * New fields go to the end and may be null: rows that were stored before lack them.
 */
import { assert } from '#base/errors.ts'
import type { Day, EventId, ProjectId, Seq } from '#base/ids.ts'
import type { KindName, RetentionDays } from './file-name.ts'

/** `pairs`: keys and values in turn, as tags are. */
export type FieldType = 'whole' | 'number' | 'text' | 'flag' | 'list' | 'pairs'

export interface Field<T> {
  readonly type: FieldType
  readonly isNullable: boolean
  /** Key of the tag that says the same: stores leave it out of the row's pairs and put it back. */
  readonly tag: string | null
  /** Searches ask for it and nobody is shown it: stores may pack it so that it is slow to read row by row. */
  readonly isOnlySearched: boolean
  /** Never there: what makes the type of a row follow from the table. */
  readonly of?: T
}

/** A whole number below 2^53. */
export const whole = <T extends number = number>(): Field<T> => makeField('whole')
export const number = <T extends number = number>(): Field<T> => makeField('number')
export const text = <T extends string = string>(): Field<T> => makeField('text')
export const flag = (): Field<boolean> => makeField('flag')
/** Texts, each once. */
export const list = (): Field<readonly string[]> => makeField('list')
/** Tags: sorted by key, each key once. */
export const pairs = (): Field<readonly (readonly [string, string])[]> => makeField('pairs')
export const orNull = <T>(of: Field<T>): Field<T | null> => ({ ...of, isNullable: true })
export const onlySearched = <T>(of: Field<T>): Field<T> => ({ ...of, isOnlySearched: true })
export const asTag = <T>(key: string, of: Field<T>): Field<T> => ({ ...of, tag: key })

function makeField<T>(type: FieldType): Field<T> {
  return { type, isNullable: false, tag: null, isOnlySearched: false }
}

export type Fields = Readonly<Record<string, Field<unknown>>>

/** Fields of every stored row, whatever its kind. */
export type StoredRow = {
  readonly seq: Seq
  readonly projectId: ProjectId
  /** Day of receipt. */
  readonly day: Day
  readonly retentionDays: RetentionDays
  /** Milliseconds since 1970 UTC, may have a fraction. */
  readonly timestampMs: number
  readonly receivedMs: number
}

type ValuesOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never
}

/** Place of a row: its file and its entry in a block state it, so that the record need not. */
export type RowPlace = Pick<StoredRow, 'seq' | 'projectId' | 'day' | 'retentionDays'> & {
  /** Event id, for kinds that have one; else `null`. */
  readonly eventId: EventId | null
}

/** A kind's table, with the type of its rows. */
export interface RowTable<R extends StoredRow = StoredRow> {
  readonly kind: KindName
  readonly fields: Fields
  /** Names of the fields, in their order. */
  readonly keys: readonly string[]
  /** The items have an id that tells a repeat, and by which one of them is found. */
  readonly hasEventId: boolean
  /** Fields that make rows alike: neighbours in a block and in a sealed file, behind their project. */
  readonly neighbours: readonly string[]
  readonly of?: R
}

export type RowOf<T> = T extends RowTable<infer R> ? R : never

type WithId<HasId extends boolean> = HasId extends true ? { readonly eventId: EventId } : unknown

const RESERVED = new Set(['seq', 'projectId', 'eventId', 'day', 'retentionDays', 'timestampMs', 'receivedMs'])

export function rowTable<F extends Fields, HasId extends boolean>(
  kind: KindName,
  fields: F,
  {
    hasEventId,
    neighbours = [],
  }: { readonly hasEventId: HasId; readonly neighbours?: readonly (keyof F & string)[] },
): RowTable<StoredRow & WithId<HasId> & ValuesOf<F>> {
  assert(!Object.keys(fields).some((key) => RESERVED.has(key)), 'no field is called like one of every row')
  return { kind, fields, keys: Object.keys(fields), hasEventId, neighbours }
}

/** True for a kind whose rows belong to groups, which issues own. */
export function isGrouped({ fields }: RowTable): boolean {
  return fields.groupHash !== undefined
}

/** True for a kind whose rows name the people they are about. */
export function namesPeople({ fields }: RowTable): boolean {
  return fields.people !== undefined
}

/** True for a kind whose rows say what a search asks of them beside their tags. */
export function hasDetails({ fields }: RowTable): boolean {
  return fields.details !== undefined
}

/** True for a kind whose rows say which source maps were missed. */
export function missesMaps({ fields }: RowTable): boolean {
  return fields.missedMaps !== undefined
}

/** A row by the names of its fields, for what is generic over kinds. */
export type RowValues = Readonly<Record<string, unknown>>

/** Returns the key that a row shares with its neighbours. */
export function neighbourKey({ neighbours }: RowTable, row: StoredRow): string {
  const values: RowValues = row
  let key = String(row.projectId)
  for (const name of neighbours) key += `:${values[name]}`
  return key
}

/** Fields that stand for a tag, in the order of the table: the place of each is its bit in what a store keeps. */
export function tagFields({ fields }: RowTable): readonly { readonly tag: string; readonly key: string }[] {
  const found = Object.entries(fields).flatMap(([key, { tag }]) => (tag === null ? [] : [{ tag, key }]))
  assert(found.length < 31, 'the tags that fields stand for fit the bits of a number')
  return found
}
