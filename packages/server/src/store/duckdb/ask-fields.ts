/** Finds where a dataset's fields and attributes lie in a file, and what a row says of them. */
import { byWord } from '#base/by-word.ts'
import { assert, ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { Dataset, DatasetFieldType } from '#model/dataset.ts'
import type { RowValues, StoredRow } from '#model/fields.ts'
import { pairsIn, type TagPairs } from '#model/implied-tags.ts'
import type { FieldRef, FieldValue } from '#ports/columns.ts'
import { literalPattern, type Parameters } from './conditions.ts'
import { encodeTagKey, escapeElement, GS, splitListText } from './row-lines.ts'
import { columnsOf, type SqlColumn } from './table-columns.ts'
import { impliedText } from './table-sql.ts'

/** A field or an attribute of a dataset. */
export interface Place {
  readonly type: DatasetFieldType | 'attribute'
  /** Name that people call it by. */
  readonly name: string
  readonly column: SqlColumn
  /** Key of the attribute; empty for a field. */
  readonly attribute: string
}

/** Refuses a question that is none, with a sentence for whoever asked. */
export function badQuestion(sentence: string): ErrataError {
  return new ErrataError('bad_request', sentence)
}

/** Finds a field by its name, or the pairs of an attribute. */
export function askPlace(dataset: Dataset, ref: FieldRef): Place {
  if ('attribute' in ref) return attributePlace(dataset, ref.attribute)
  if ('column' in ref) return columnPlace(dataset, ref.column)
  const field = dataset.fields.find(({ name }) => name === ref.field)
  if (field === undefined) {
    const known = dataset.fields.map(({ name }) => name).join(', ')
    throw badQuestion(`${dataset.name} have no field ${shortenName(ref.field)}: ${known}.`)
  }
  return { type: field.type, name: field.name, column: columnNamed(dataset, field.key), attribute: '' }
}

function columnPlace(dataset: Dataset, key: string): Place {
  const column = columnNamed(dataset, key)
  return { type: TYPES[column.type] ?? 'number', name: key, column, attribute: '' }
}

const TYPES: Readonly<Record<string, DatasetFieldType>> = byWord({
  ...{ VARCHAR: 'text', BOOLEAN: 'flag' },
})

function attributePlace(dataset: Dataset, key: string): Place {
  if (dataset.attributes === null)
    throw badQuestion(`${dataset.name} have no attributes: ${shortenName(key)}.`)
  if (key === '' || key.length > max('attributeKeyAskedCharsMax'))
    throw badQuestion(
      `An attribute of ${dataset.name} has a name of at most ${max('attributeKeyAskedCharsMax')} characters.`,
    )
  return { type: 'attribute', name: key, column: columnNamed(dataset, dataset.attributes), attribute: key }
}

function columnNamed({ table }: Dataset, key: string): SqlColumn {
  const { values, lists } = columnsOf(table)
  const found = values.find((column) => column.key === key) ?? lists.find((column) => column.key === key)
  assert(found !== undefined, `${table.kind} has a column for ${key}`)
  return found
}

export function shortenName(text: string): string {
  return text.length <= NAME_CHARS ? text : `${text.slice(0, NAME_CHARS)}…`
}

const NAME_CHARS = 60

/** Returns the column of a place in SQL. */
export function columnSql({ column }: Pick<Place, 'column'>): string {
  return `e."${column.name}"`
}

/** The one value of a place as SQL, `NULL` where there is none. Of people it is the name that tells them best. */
export function valueSql(dataset: Dataset, place: Place, parameters: Parameters): string {
  const { type, column } = place
  const name = columnSql(place)
  switch (type) {
    case 'attribute':
      return attributeSql(dataset, place, parameters)
    case 'people':
      return `nullif(split_part(coalesce(${name}, ''), chr(29), 2), '')`
    case 'list':
    case 'pairs':
      throw badQuestion(`${place.name} holds several values.`)
    case 'flag':
      return name
    default:
      return column.type === 'VARCHAR' ? name : `${name}::DOUBLE`
  }
}

function attributeSql(dataset: Dataset, place: Place, parameters: Parameters): string {
  const entry = parameters.add(`${GS}${literalPattern(attributeStart(place))}([^${GS}]*)${GS}`)
  const listed = `nullif(regexp_extract(coalesce(${columnSql(place)}, ''), ${entry}, 1), '')`
  const implied = columnsOf(dataset.table).tags.get(place.attribute)
  if (implied === undefined) return listed
  return `CASE WHEN (e.implied & ${implied.bit}) <> 0 THEN ${impliedText(implied)} ELSE ${listed} END`
}

/** Returns an attribute's entry up to its value, as the column has it. */
export function attributeStart({ attribute }: Pick<Place, 'attribute'>): string {
  return `${escapeElement(encodeTagKey(attribute))}=`
}

/** Elements of a list as rows of their own, one without a value for an empty list. */
export function elementSql(place: Place): string {
  const name = columnSql(place)
  return (
    `unnest(CASE WHEN ${name} IS NULL THEN [NULL] ` +
    `ELSE string_split(substr(${name}, 2, length(${name}) - 2), chr(29)) END)`
  )
}

/** Returns a text that `valueSql` or `elementSql` answered as it was sent. */
export function plainValue({ type }: Place, value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return Number(value)
  const text = String(value)
  const isElement = type === 'attribute' || type === 'list' || type === 'people'
  return isElement ? (splitListText(`${GS}${text}${GS}`)[0] ?? '') : text
}

/** Returns what a row says of a place. */
export function fieldValue({ attributes }: Dataset, place: Place, row: StoredRow): FieldValue {
  const values: RowValues = row
  if (place.type === 'attribute')
    return tagPairsOf(values[attributes ?? '']).find(([key]) => key === place.attribute)?.[1] ?? null
  const value = values[place.column.key] ?? null
  if (place.type === 'people') return Array.isArray(value) && value.length > 0 ? String(value[0]) : null
  if (place.type === 'pairs') return tagPairsOf(value)
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Rows of before the kind had attributes have none. */
function tagPairsOf(value: unknown): TagPairs {
  return Array.isArray(value) ? pairsIn(value) : []
}
