/** Statements that write and find rows of a table, as `model/tables` says them: each text is pinned by a test. */
import { assert } from '#base/errors.ts'
import { type AnyTable, columnName, type Merge } from '#model/tables/table.ts'

/** `INSERT INTO table (columns)`, of the columns in the given order. */
export function insertInto({ name }: AnyTable, keys: readonly string[]): string {
  return `INSERT INTO ${name} (${keys.map(columnName).join(', ')})`
}

/**
 * Returns what follows an insert whose rows may meet others of their key: each column becomes what its rule
 * says.
 */
export function merging(table: AnyTable, keys: readonly string[]): string {
  const conflict = table.options.key.map(columnName).join(', ')
  // What others go by changes last, so that it reads well; SQL takes all values from before anyway.
  const changes = keys.flatMap((key) => {
    const column = table.columns[key]
    assert(column !== undefined, `${table.name} has such a column`)
    const isKept = table.options.key.includes(key) || column.merge === 'kept'
    return isKept ? [] : [`${columnName(key)} = ${mergeSql(columnName(key), column.merge)}`]
  })
  return `ON CONFLICT (${conflict}) DO ${changes.length === 0 ? 'NOTHING' : `UPDATE SET ${changes.join(', ')}`}`
}

function mergeSql(name: string, merge: Exclude<Merge, 'kept'> | Merge): string {
  const later = `excluded.${name}`
  if (typeof merge === 'object') {
    const by = columnName(merge.by)
    return `iif(excluded.${by} ${merge.onTie === 'later' ? '>=' : '>'} ${by}, ${later}, ${name})`
  }
  switch (merge) {
    case 'replaced':
      return later
    case 'kept':
      return name
    case 'sum':
      return `${name} + ${later}`
    case 'least':
      return `min(${name}, ${later})`
    case 'greatest':
      return `max(${name}, ${later})`
    case 'leastKnown':
      return `min(coalesce(${name}, ${later}), coalesce(${later}, ${name}))`
    case 'greatestKnown':
      return `max(coalesce(${name}, ${later}), coalesce(${later}, ${name}))`
  }
}

/** Columns as their rows name them, of a table or of the alias that it has in a query. */
export function selectedColumns(
  { columns }: AnyTable,
  { from = '', without = [] }: { readonly from?: string; readonly without?: readonly string[] } = {},
): string {
  const before = from === '' ? '' : `${from}.`
  return Object.keys(columns)
    .filter((key) => !without.includes(key))
    .map((key) => {
      const name = columnName(key)
      return name === key ? `${before}${name}` : `${before}${name} AS ${key}`
    })
    .join(', ')
}
