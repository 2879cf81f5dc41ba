/** Rows of a table over the writing connection: prepared statements run in bulk, for nothing goes over a wire here. */
import { assert } from '#base/errors.ts'
import { type AnyTable, columnName, type Table, type TableRow } from '#model/tables/table.ts'
import type { Rows } from '#ports/control.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { insertInto, merging, selectedColumns } from './statements.ts'

/** A row as the program has it, whatever its table. */
type Values = Readonly<Record<string, unknown>>

/** `use` is called before each statement, and throws once the transaction has ended. */
export function rowsOf<T extends Table>(db: Connection, table: T, use: () => void): Rows<T>
export function rowsOf(db: Connection, own: AnyTable, use: () => void): object {
  const select = `SELECT ${selectedColumns(own)} FROM ${own.name}`
  const find = (where: Values, limit: number) => {
    const { sql, params } = condition(own, where)
    const order = own.options.key.map(columnName).join(', ')
    return db
      .all<Values>(`${select} ${sql} ORDER BY ${order} LIMIT ?`, [...params, limit])
      .map((row) => asValues(own, row))
  }
  const put = (rows: readonly Values[], after: string) => {
    const [first] = rows
    if (first === undefined) return []
    const keys = Object.keys(first)
    const sql = `${insertInto(own, keys)} VALUES (${keys.map(() => '?').join(', ')})${after}`
    return db.runEach(
      sql,
      rows.map((row) => sqlValues(own, keys, row)),
    )
  }
  return {
    find: async (where: Values, limit: number) => {
      use()
      return find(where, limit)
    },
    one: async (where: Values) => {
      use()
      return find(where, 1)[0] ?? null
    },
    count: async (where: Values) => {
      use()
      const { sql, params } = condition(own, where)
      return db.get<{ count: number }>(`SELECT count(*) AS count FROM ${own.name} ${sql}`, params)?.count ?? 0
    },
    insert: async (added: readonly Values[]) => {
      use()
      const done = put(added, '')
      return givesIds(own) ? done.map(({ lastId }) => lastId) : []
    },
    merge: async (added: readonly Values[]) => {
      use()
      put(added, ` ${merging(own, Object.keys(added[0] ?? {}))}`)
    },
    update: async (changes: readonly Values[]) => {
      use()
      return update(db, own, changes)
    },
    change: async (where: Values, to: Values) => {
      use()
      const { sql, params } = condition(own, where)
      const keys = Object.keys(to)
      const set = keys.map((key) => `${columnName(key)} = ?`).join(', ')
      return db.run(`UPDATE ${own.name} SET ${set} ${sql}`, [...sqlValues(own, keys, to), ...params]).changes
    },
    remove: async (where: Values) => {
      use()
      const { sql, params } = condition(own, where)
      return db.run(`DELETE FROM ${own.name} ${sql}`, params).changes
    },
  }
}

function update(db: Connection, table: AnyTable, changes: readonly Values[]): number {
  const [first] = changes
  if (first === undefined) return 0
  const { key } = table.options
  const keys = Object.keys(first).filter((name) => !key.includes(name))
  assert(
    key.every((name) => name in first),
    `a change of ${table.name} says which row`,
  )
  const set = keys.map((name) => `${columnName(name)} = ?`).join(', ')
  const place = key.map((name) => `${columnName(name)} = ?`).join(' AND ')
  const sql = `UPDATE ${table.name} SET ${set} WHERE ${place}`
  const done = db.runEach(
    sql,
    changes.map((change) => sqlValues(table, [...keys, ...key], change)),
  )
  return done.reduce((sum, { changes: count }) => sum + count, 0)
}

function givesIds({ columns }: AnyTable): boolean {
  return Object.values(columns).some(({ origin }) => origin === 'made' || origin === 'rowid')
}

/** Returns values in the order of `keys`; a row with other columns was meant for a call of its own. */
function sqlValues(table: AnyTable, keys: readonly string[], row: Values): SqlValue[] {
  assert(Object.keys(row).length === keys.length, `all rows of ${table.name} say the same columns`)
  return keys.map((key) => storedValue(table, key, row[key]))
}

function storedValue({ name, columns }: AnyTable, key: string, value: unknown): SqlValue {
  const column = columns[key]
  assert(column !== undefined && value !== undefined, `${name} has a column ${key}, and the row says it`)
  if (value === null) return null
  if (column.type === 'json') return JSON.stringify(value)
  if (column.type === 'flag') return value === true ? 1 : 0
  const isPlain = typeof value === 'number' || typeof value === 'string' || value instanceof Uint8Array
  assert(isPlain, `${name}.${key} is given a number, a text or bytes`)
  return value
}

/** A row as the program has it, of columns that were read by their names. */
export function readRow<T extends Table>(table: T, row: object): TableRow<T>
export function readRow(table: AnyTable, row: object): object {
  return asValues(table, { ...row })
}

function asValues({ columns }: AnyTable, row: Values): Values {
  const read: Record<string, unknown> = { ...row }
  for (const [key, { type }] of Object.entries(columns)) {
    const value = read[key]
    if (value === null || value === undefined) continue
    if (type === 'flag') read[key] = value === 1
    else if (type === 'json') read[key] = JSON.parse(String(value))
  }
  return read
}

interface Condition {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

function condition(table: AnyTable, where: Values): Condition {
  const keys = Object.keys(where)
  assert(
    isFoundByIndex(table, keys),
    `${table.name} is asked by the beginning of its key or of an index: ${keys}`,
  )
  const parts = keys.map((key) => {
    const value = where[key]
    const name = columnName(key)
    // As a word, not a parameter: indices of rows that have no such value are found by it.
    if (value === null) return { text: `${name} IS NULL`, params: [] }
    if (!Array.isArray(value)) return { text: `${name} = ?`, params: [storedValue(table, key, value)] }
    const values = value.map((each) => storedValue(table, key, each))
    return { text: `${name} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(values)] }
  })
  return {
    sql: `WHERE ${parts.map(({ text }) => text).join(' AND ')}`,
    params: parts.flatMap(({ params }) => params),
  }
}

/** Nothing is read from end to end by what people or batches ask for. */
function isFoundByIndex({ options }: AnyTable, keys: readonly string[]): boolean {
  const { key, unique = [], indices = {} } = options
  const whole = Object.values(indices).filter(
    // One of the rows that have a value at all is as good: what is asked for is one.
    ({ on: [first], where }) =>
      where === undefined || (typeof first === 'string' && where === `${columnName(first)} IS NOT NULL`),
  )
  const beginnings = [key[0], ...unique.map(([first]) => first), ...whole.map(({ on }) => on[0])]
  return keys.some((name) => beginnings.includes(name))
}
