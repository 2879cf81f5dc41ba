/**
 * A kind of stored rows as people ask for it: what its fields are called in searches and answers, what each takes, and
 * where it lies. Everything follows from the kind's table; a kind says only what the table cannot.
 *
 * ```ts
 * export const NOTE_DATASET = datasetOf(NOTES, { name: 'notes', words: ['text'], fields: { level: { values: LEVELS } } })
 * ```
 */
import { assert } from '#base/errors.ts'
import type { Field, FieldType, RowTable, StoredRow } from './fields.ts'

/** `people`: every name of the people that a row is about. */
export type DatasetFieldType = 'text' | 'number' | 'flag' | 'list' | 'time' | 'project' | 'people' | 'pairs'

/** Unit of a number; `null` for one that has none. */
export type FieldUnit = 'ms' | 'bytes' | 'percent' | null

export interface DatasetField {
  /** Name in searches and answers. */
  readonly name: string
  /** Other names; case, `_` and `-` never count. */
  readonly aliases: readonly string[]
  readonly type: DatasetFieldType
  /** Key of the row that holds it. */
  readonly key: string
  /** Every value that it takes; `null`: anything. */
  readonly values: readonly string[] | null
  readonly unit: FieldUnit
}

export interface Dataset<R extends StoredRow = StoredRow> {
  /** Name in questions: `dataset=notes`. */
  readonly name: string
  /** Names of it in the words of other tools: `dataset=tracemetrics`. */
  readonly aliases: readonly string[]
  readonly table: RowTable<R>
  /** An item is a row. */
  readonly shape: 'rows'
  readonly fields: readonly DatasetField[]
  /** Keys of the texts in which plain words are looked for. */
  readonly words: readonly string[]
  /** Key of the pairs that attributes stand in; `null` for a kind without any. */
  readonly attributes: string | null
}

/** Words about a field that its table cannot say. */
export type FieldWords = Partial<Pick<DatasetField, 'name' | 'aliases' | 'values' | 'unit'>> & {
  /** Numbers that are milliseconds since 1970 UTC. */
  readonly isTime?: true
}

interface DatasetWords {
  readonly name: string
  readonly aliases?: readonly string[]
  /** Texts in which plain words are looked for, by their keys. */
  readonly words: readonly string[]
  readonly fields?: Readonly<Record<string, FieldWords>>
  /** Fields that nobody asks for by name. */
  readonly internal?: readonly string[]
}

/** Fields of this name bring behaviour of their own, and are not asked for by name. */
const INTERNAL: readonly string[] = ['groupHash', 'missedMaps', 'details', 'people']
const NUMBERS: ReadonlySet<unknown> = new Set(['whole', 'number'])
const NAME = /^[a-z][a-z0-9_-]{0,39}$/

/** Makes the dataset of a table. */
export function datasetOf<R extends StoredRow>(
  table: RowTable<R>,
  { name, aliases = [], words, fields = {}, internal = [] }: DatasetWords,
): Dataset<R> {
  assert(NAME.test(name), 'a dataset has a name of lower-case letters')
  const known = new Set(table.keys)
  for (const key of [...words, ...Object.keys(fields), ...internal])
    assert(known.has(key), `${table.kind} has the field ${key}`)
  for (const key of words)
    assert(table.fields[key]?.type === 'text', `words are looked for in ${key}, which is a text`)
  for (const [key, { isTime, unit = null }] of Object.entries(fields))
    assert(
      (isTime !== true && unit === null) || NUMBERS.has(table.fields[key]?.type),
      `${key} has a unit or is a time, and so a number`,
    )
  const pairs = Object.values(table.fields).filter(({ type }) => type === 'pairs')
  assert(pairs.length <= 1, `${table.kind} has its attributes in one field`)
  // Whom a row is about is found by each of their names.
  const unnamed = [...INTERNAL, ...internal, ...(table.fields.people === undefined ? [] : ['user'])]
  const own = Object.entries(table.fields).flatMap(([key, field]) =>
    unnamed.includes(key) || field.isOnlySearched ? [] : [datasetField(key, field, fields[key] ?? {})],
  )
  const attributes = Object.entries(table.fields).find(([, { type }]) => type === 'pairs')?.[0] ?? null
  const all = [...fieldsOfEveryRow(table), ...own]
  // A field of the kind stands for one of every row that is called the same.
  const named = [...new Map(all.map((field) => [field.name, field])).values()]
  return { name, aliases, table, shape: 'rows', fields: named, words, attributes }
}

function fieldsOfEveryRow({ hasEventId, fields }: RowTable): readonly DatasetField[] {
  return [
    ...(hasEventId ? [plainField('id', 'eventId', 'text')] : []),
    { ...plainField('timestamp', 'timestampMs', 'time'), aliases: ['date', 'time'] },
    plainField('received', 'receivedMs', 'time'),
    { ...plainField('project', 'projectId', 'project'), aliases: ['project.name'] },
    { ...plainField('project.id', 'projectId', 'number'), aliases: ['project_id'] },
    ...(fields.people === undefined ? [] : [plainField('user', 'people', 'people')]),
  ]
}

function plainField(name: string, key: string, type: DatasetFieldType): DatasetField {
  return { name, key, type, aliases: [], values: null, unit: null }
}

const TYPES: Readonly<Record<FieldType, DatasetFieldType>> = {
  whole: 'number',
  number: 'number',
  text: 'text',
  flag: 'flag',
  list: 'list',
  pairs: 'pairs',
}

function datasetField(key: string, { type, tag }: Field<unknown>, words: FieldWords): DatasetField {
  const { isTime, ...said } = words
  const spelt = snakeCase(key)
  const name = said.name ?? tag ?? spelt
  const aliases = said.aliases ?? []
  return {
    ...plainField(name, key, isTime === true ? 'time' : TYPES[type]),
    ...said,
    name,
    aliases: name === spelt ? aliases : [...aliases, spelt],
  }
}

/** `requestKind` is `request_kind`. */
function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The name as it is compared: case, `_` and `-` never count. */
export function foldedName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Returns the field that a name means, however it is spelt; `null` for none. A `-` before it is no spelling. */
export function fieldNamed({ fields }: Dataset, name: string): DatasetField | null {
  if (name.startsWith('-')) return null
  const wanted = foldedName(name)
  const isOf = (field: DatasetField) =>
    [field.name, ...field.aliases].some((each) => foldedName(each) === wanted)
  return fields.find(({ name: own }) => own === name) ?? fields.find(isOf) ?? null
}

/** Returns a time of a row as answers have it; `null` for a number that no calendar holds. */
export function datasetTimeText(ms: number): string | null {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
