/** The schema of SQLite as `model/tables` says it. Indices of words, views and triggers are in the migrations alone. */
import { type AnyTable, columnName } from '#model/tables/table.ts'

type AnyColumn = AnyTable['columns'][string]

const TYPES = {
  whole: 'INTEGER',
  real: 'REAL',
  text: 'TEXT',
  bytes: 'BLOB',
  flag: 'INTEGER',
  json: 'TEXT',
} as const

/** A table and its indices. */
export function tableSchema(table: AnyTable): readonly string[] {
  const { name, columns, options } = table
  const inline = inlineKey(table)
  const lines = Object.entries(columns).map(([key, column]) =>
    columnLine(key, column, { isKey: key === inline }),
  )
  if (inline === null) lines.push(`PRIMARY KEY (${columnNames(options.key)})`)
  for (const unique of options.unique ?? []) lines.push(`UNIQUE (${columnNames(unique)})`)
  for (const check of options.checks ?? []) lines.push(`CHECK (${check})`)
  for (const { columns: of, table: parent } of options.references ?? []) {
    lines.push(`FOREIGN KEY (${columnNames(of)}) REFERENCES ${parent} (${columnNames(of)}) ON DELETE CASCADE`)
  }
  const kept = isByKey(table) ? 'STRICT, WITHOUT ROWID' : 'STRICT'
  return [`CREATE TABLE ${name} (\n  ${lines.join(',\n  ')}\n) ${kept}`, ...indicesOf(table)]
}

function indicesOf({ name, options }: AnyTable): readonly string[] {
  return Object.entries(options.indices ?? {}).map(([index, { on, isUnique = false, where }]) => {
    const parts = on.map((part) => (typeof part === 'string' ? columnName(part) : part.sql))
    const only = where === undefined ? '' : ` WHERE ${where}`
    return `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${index} ON ${name} (${parts.join(', ')})${only}`
  })
}

function columnLine(key: string, column: AnyColumn, { isKey }: { readonly isKey: boolean }): string {
  const words = [columnName(key), TYPES[column.type]]
  if (column.origin === 'made') words.push('PRIMARY KEY AUTOINCREMENT')
  else if (isKey) words.push('PRIMARY KEY')
  else if (!column.isNullable) words.push('NOT NULL')
  if (column.initial !== null) words.push(`DEFAULT ${sqlLiteral(column.initial)}`)
  if (column.oneOf !== null)
    words.push(`CHECK (${columnName(key)} IN (${column.oneOf.map(sqlLiteral).join(', ')}))`)
  if (column.computed !== null) words.push(`AS (${column.computed})`)
  if (column.reference !== null) {
    const { table, column: of, whenGone } = column.reference
    const then = whenGone === 'goes too' ? 'CASCADE' : 'SET NULL'
    words.push(`REFERENCES ${table} (${columnName(of)}) ON DELETE ${then}`)
  }
  return words.join(' ')
}

/** The one column of the key, which says so itself. */
function inlineKey({ options }: AnyTable): string | null {
  const [first, ...others] = options.key
  return first !== undefined && others.length === 0 ? first : null
}

/** Rows lie in the order of the key: a number as the only key is what rows are numbered by anyhow. */
function isByKey(table: AnyTable): boolean {
  const key = inlineKey(table)
  return table.options.hasRowId !== true && (key === null || table.columns[key]?.type !== 'whole')
}

function columnNames(keys: readonly string[]): string {
  return keys.map(columnName).join(', ')
}

function sqlLiteral(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(Number(value))
}
