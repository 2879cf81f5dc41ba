/** Reads what a database is made of, however its statements are written: to compare the schemas of two. */
import type { Connection } from '../connection.ts'

interface Shape {
  readonly kind: 'table' | 'words' | 'text'
  readonly name: string
  /** A sentence each. */
  readonly says: readonly string[]
}

interface Stored {
  readonly type: string
  readonly name: string
  readonly sql: string
}

/** By name; of tables, columns, keys, references, checks and indices one by one. */
export function readShapes(db: Connection): readonly Shape[] {
  const own = db.all<Stored & { readonly kind: string }>(
    `SELECT s.type, s.name, s.sql, l.type AS kind FROM sqlite_schema s
      LEFT JOIN pragma_table_list l ON l.name = s.name AND l.schema = 'main'
      WHERE s.sql IS NOT NULL AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND s.type <> 'index' ORDER BY s.name`,
  )
  return own.flatMap(({ type, name, sql, kind }): readonly Shape[] => {
    if (kind === 'shadow') return []
    if (kind === 'table') return [{ kind, name, says: tableShape(db, name, sql) }]
    const text = normalizeSql(sql)
    return [{ kind: kind === 'virtual' ? 'words' : 'text', name, says: [`${type} ${text}`] }]
  })
}

function tableShape(db: Connection, name: string, sql: string): readonly string[] {
  const rows = (text: string) =>
    db.all<Record<string, unknown>>(text, [name]).map((row) => JSON.stringify(row))
  const kept = `SELECT wr, strict FROM pragma_table_list WHERE name = ? AND schema = 'main'`
  const columns =
    'SELECT cid, name, type, "notnull", dflt_value AS initial, pk, hidden FROM pragma_table_xinfo(?)'
  const references = `SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(?)`
  const indices = 'SELECT name, "unique", origin, partial FROM pragma_index_list(?)'
  const found = db.all<{ name: string; unique: number; origin: string; partial: number }>(indices, [name])
  const ofIndices = found.map((index) => {
    const on = db
      .all<{ name: string | null }>('SELECT name FROM pragma_index_info(?)', [index.name])
      .map((part) => part.name)
    const text = db.get<{ sql: string | null }>('SELECT sql FROM sqlite_schema WHERE name = ?', [index.name])
    return `index ${index.unique} ${on} ${text?.sql == null ? index.origin : normalizeSql(text.sql)}`
  })
  return [...rows(kept), ...rows(columns), ...rows(references).sort(), ...ofIndices.sort(), ...clausesOf(sql)]
}

/** Returns clauses that no pragma tells. */
function clausesOf(sql: string): readonly string[] {
  const text = normalizeSql(sql)
  return [...text.matchAll(/(?:CHECK|AS) (\((?:[^()]|\([^()]*\))*\))|AUTOINCREMENT/g)]
    .map(([found]) => found)
    .sort()
}

/** Without comments, quotes of names, and whatever lines it has. */
function normalizeSql(sql: string): string {
  return sql
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/"(\w+)"/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([()]) ?/g, ' $1 ')
    .replaceAll(/ ,/g, ',')
}
