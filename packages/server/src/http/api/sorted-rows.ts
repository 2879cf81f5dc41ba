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
  const field = fields.find((each) => each === name || sortName(each) === sortName(name))
  if (field === undefined)
    throw badField('sort', 'One of the fields, with - before it for the greatest first.')
  const sign = sort.startsWith('-') ? -1 : 1
  // What has no value comes last in either order.
  const isNone = (row: Row<Value>) => (row[field] ?? null) === null
  return rows.toSorted(
    (a, b) =>
      Number(isNone(a)) - Number(isNone(b)) || sign * compareCells(a[field] ?? null, b[field] ?? null),
  )
}

/** Compares numbers as numbers, and everything else by its text. */
export function compareCells(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

/** Returns the field that a sort names: `-count`, `-count_unique_user` and `-count()` are all accepted. */
function sortName(field: string): string {
  return field.replaceAll(/[^A-Za-z0-9.]+/g, '_').replaceAll(/^_|_$/g, '')
}
