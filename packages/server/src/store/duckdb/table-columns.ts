/** The columns of a kind's files, as its table of fields says: one list, from which SQL, writing and reading follow. */
import { hash } from 'node:crypto'
import { type RowTable, tagFields } from '#model/fields.ts'

export type SqlType = 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'BOOLEAN' | 'INTEGER'

export interface SqlColumn {
  /** Key of the row. */
  readonly key: string
  /** Name in SQL. */
  readonly name: string
  readonly type: SqlType
  /** Same as `Field.isOnlySearched`. */
  readonly isOnlySearched?: boolean
}

export interface SqlListColumn extends SqlColumn {
  readonly holds: 'list' | 'pairs'
}

export interface TableColumns {
  /** Columns with one value each, in the order of a row's line. */
  readonly values: readonly SqlColumn[]
  /** Several in one text, behind the others. */
  readonly lists: readonly SqlListColumn[]
  /** Bits of the tags that columns tell: see `row-lines.ts`. `null` for a table without pairs. */
  readonly implied: SqlColumn | null
  /** Bit and column of each such tag. */
  readonly tags: ReadonlyMap<string, ImpliedTag>
}

export interface ImpliedTag {
  readonly bit: number
  /** Key of the row. */
  readonly key: string
  readonly column: SqlColumn
}

const TYPES = { whole: 'BIGINT', number: 'DOUBLE', text: 'VARCHAR', flag: 'BOOLEAN' } as const
const IMPLIED: SqlColumn = { key: 'implied', name: 'implied', type: 'INTEGER' }
const KNOWN = new WeakMap<RowTable, TableColumns>()

/** Made once a table. */
export function columnsOf(table: RowTable): TableColumns {
  const known = KNOWN.get(table)
  if (known !== undefined) return known
  const made = makeColumns(table)
  KNOWN.set(table, made)
  return made
}

/** Every column, in the order in which files have them. */
export function allColumns(table: RowTable): readonly SqlColumn[] {
  const { values, lists, implied } = columnsOf(table)
  return [...values, ...(implied === null ? [] : [implied]), ...lists]
}

/** Changes with the columns of any kind. */
export function columnsVersion(tables: readonly RowTable[]): string {
  const columns = tables.map(
    (table) => `${table.kind}: ${allColumns(table).map(({ name, type }) => `${name} ${type}`)}`,
  )
  return hash('md5', columns.join('; '))
}

function makeColumns(table: RowTable): TableColumns {
  const values: SqlColumn[] = [
    { key: 'seq', name: 'seq', type: 'BIGINT' },
    { key: 'projectId', name: 'project_id', type: 'BIGINT' },
    ...(table.hasEventId ? [{ key: 'eventId', name: 'event_id', type: 'VARCHAR' } as const] : []),
    { key: 'timestampMs', name: 'timestamp_ms', type: 'DOUBLE' },
    { key: 'receivedMs', name: 'received_ms', type: 'DOUBLE' },
  ]
  const lists: SqlListColumn[] = []
  for (const [key, { type, isOnlySearched }] of Object.entries(table.fields)) {
    const name = nameOf(key)
    if (type === 'list' || type === 'pairs')
      lists.push({ key, name, type: 'VARCHAR', holds: type, isOnlySearched })
    else values.push({ key, name, type: TYPES[type], isOnlySearched })
  }
  const tags = tagFields(table).flatMap(({ tag, key }, index) => {
    const column = values.find((each) => each.key === key)
    return column === undefined ? [] : [[tag, { bit: 1 << index, key, column }] as const]
  })
  const implied = lists.some(({ holds }) => holds === 'pairs') ? IMPLIED : null
  return { values, lists, implied, tags: new Map(tags) }
}

/** `requestKind` is `request_kind`. */
function nameOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
