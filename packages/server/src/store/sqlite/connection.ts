/** One connection to the control database: cached statements, and transactions that undo themselves. */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { max } from '#base/limits.ts'

export type SqlValue = null | number | bigint | string | Uint8Array
/** By position, or by name (`:name` in the SQL, `name` here). */
export type SqlParams = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

export class Connection {
  readonly path: string
  readonly #db: DatabaseSync
  /** Least recently used first. */
  readonly #statements = new Map<string, StatementSync>()

  private constructor(path: string, db: DatabaseSync) {
    this.path = path
    this.#db = db
  }

  /** Creates the file when it is absent. */
  static openWriter(path: string): Connection {
    return named(path, () => Connection.#openWriter(path))
  }

  static #openWriter(path: string): Connection {
    // It holds hashes of passwords and sessions: for its owner alone. The log beside it gets the same mode.
    closeSync(openSync(path, 'a', 0o600))
    const db = new DatabaseSync(path, {
      timeout: max('sqliteBusyTimeoutMs'),
      enableForeignKeyConstraints: true,
    })
    db.exec('PRAGMA journal_mode = WAL')
    // FULL: what a commit answered survives power loss. The default of WAL builds is NORMAL.
    db.exec('PRAGMA synchronous = FULL')
    db.exec('PRAGMA wal_autocheckpoint = 1000')
    db.exec('PRAGMA cache_size = -32768')
    return new Connection(path, harden(db))
  }

  /** The file must exist: a writer has migrated it. */
  static openReader(path: string): Connection {
    return named(path, () => Connection.#openReader(path))
  }

  static #openReader(path: string): Connection {
    const db = new DatabaseSync(path, { readOnly: true, timeout: max('sqliteBusyTimeoutMs') })
    db.exec('PRAGMA query_only = ON')
    db.exec('PRAGMA cache_size = -65536')
    return new Connection(path, harden(db))
  }

  all<Row>(sql: string, params: SqlParams = []): Row[] {
    const statement = this.#statement(sql)
    const rows = isPositional(params) ? statement.all(...params) : statement.all(params)
    // The driver's rows have no prototype: a copy is an object like any other.
    return rows.map((row) => ({ ...row })) as Row[] // each query stands beside the row type its columns are named after
  }

  get<Row>(sql: string, params: SqlParams = []): Row | undefined {
    const statement = this.#statement(sql)
    const row = isPositional(params) ? statement.get(...params) : statement.get(params)
    return (row === undefined ? undefined : { ...row }) as Row | undefined // as above
  }

  /** Answers how many rows changed and the id of the last one inserted. */
  run(sql: string, params: SqlParams = []): { readonly changes: number; readonly lastId: number } {
    const statement = this.#statement(sql)
    const { changes, lastInsertRowid } = isPositional(params)
      ? statement.run(...params)
      : statement.run(params)
    return { changes: Number(changes), lastId: Number(lastInsertRowid) }
  }

  /** Several statements without parameters. */
  script(sql: string): void {
    this.#db.exec(sql)
  }

  /** Takes the write lock first, so that what is read inside cannot change before it is written. */
  transaction<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work)
  }

  /** Several reads of one state of the database. */
  snapshot<T>(work: () => T): T {
    return this.#within('BEGIN', work)
  }

  close(): void {
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
  }

  #within<T>(begin: string, work: () => T): T {
    this.#db.exec(begin)
    try {
      const value = work()
      this.#db.exec('COMMIT')
      return value
    } catch (cause) {
      // SQLite has rolled back by itself after some failures (a full disk): a second rollback would hide the cause.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw cause
    }
  }

  #statement(sql: string): StatementSync {
    const cached = this.#statements.get(sql)
    if (cached !== undefined) {
      if (this.#statements.size > max('sqliteStatementsMax') / 2) {
        this.#statements.delete(sql)
        this.#statements.set(sql, cached)
      }
      return cached
    }
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    if (this.#statements.size > max('sqliteStatementsMax')) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    return statement
  }
}

/** "file is not a database" alone would not say which. */
function named<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`the control database ${path} cannot be opened: ${reason}`, { cause })
  }
}

/** A crafted file must not run functions of its own through its schema. */
function harden(db: DatabaseSync): DatabaseSync {
  db.exec('PRAGMA trusted_schema = OFF')
  db.exec('PRAGMA temp_store = MEMORY')
  return db
}

function isPositional(params: SqlParams): params is readonly SqlValue[] {
  return Array.isArray(params)
}
