/** Rows of an answer in the order that a caller asks for. */
import { badField } from './refusals.ts'

type Row<Value> = Readonly<Record<string, Value>>

/** Sorts by one of the fields, with `-` before it for the greatest first; as they come where nothing is said. */
export function sortedRows<Value>(
  rows: readonly Row<Value>[],
  fields: readonly string[],
  sort: string,
): readonly Row<Value>[] {
  if (sort === '') return rows
  const name = sort.replace(/^-/, '')
  const field = fields.find(
    (each) => each === name || (!name.startsWith('-') && sortName(each) === sortName(name)),
  )
  if (field === undefined)
    throw badField('sort', 'One of the fields, with - before it for the greatest first.')
  return sortedBy(rows, (row) => row[field], sort.startsWith('-'))
}

/** Sorts by a value of each row. What has none comes last in either order. */
export function sortedBy<Row>(
  rows: readonly Row[],
  shownOf: (row: Row) => unknown,
  isDescending: boolean,
): readonly Row[] {
  const sign = isDescending ? -1 : 1
  const isNone = (row: Row) => (shownOf(row) ?? null) === null
  return rows.toSorted(
    (a, b) => Number(isNone(a)) - Number(isNone(b)) || sign * compareCells(shownOf(a), shownOf(b)),
  )
}

/** Compares numbers as numbers, and everything else by its text. */
function compareCells(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

/** Returns the field that a sort names: `-count`, `-count_unique_user` and `-count()` are all accepted. */
function sortName(field: string): string {
  return field.replaceAll(/[^A-Za-z0-9.]+/g, '_').replaceAll(/^_|_$/g, '')
}
