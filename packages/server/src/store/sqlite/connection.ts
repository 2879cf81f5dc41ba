/** Connection to the control database: cached statements, and transactions that undo themselves. */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { assert, ErrataError } from '#base/errors.ts'
import { foldLetters } from '#base/fold-letters.ts'
import { max } from '#limits/limits.ts'

export type SqlValue = null | number | bigint | string | Uint8Array
/** By position, or by name (`:name` in the SQL, `name` here). */
export type SqlParams = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

/** How many rows a statement changed, and the id of the last one inserted. */
export interface Changed {
  readonly changes: number
  readonly lastId: number
}

/** Called with a sentence whenever SQLite says that the file is damaged. */
export type OnDamage = (sentence: string) => void

interface Prepared {
  readonly statement: StatementSync
  readonly isCounted: boolean
  /** Makes an object of a row's values; `null` until a row is read. */
  rowOf: ((values: readonly SqlValue[]) => object) | null
}

export class Connection {
  readonly path: string
  readonly #db: DatabaseSync
  readonly #onDamage: OnDamage
  /** Least recently used first. */
  readonly #statements = new Map<string, Prepared>()
  #isCounted: (sql: string) => boolean = () => false
  #counted = 0

  private constructor(path: string, db: DatabaseSync, onDamage: OnDamage) {
    this.path = path
    this.#db = db
    this.#onDamage = onDamage
  }

  /** Creates the file when it is absent. */
  static openWriter(path: string, onDamage: OnDamage = () => {}): Connection {
    return withPathInError(path, () => Connection.#openWriter(path, onDamage))
  }

  static #openWriter(path: string, onDamage: OnDamage): Connection {
    // It holds hashes of passwords and sessions: for its owner alone. The log beside it gets the same mode.
    closeSync(openSync(path, 'a', 0o600))
    const db = new DatabaseSync(path, {
      timeout: max('sqliteBusyTimeoutMs'),
      enableForeignKeyConstraints: true,
    })
    // Of a new file. Most tables of an installation hold next to nothing, and each takes a page, as does each index of it.
    db.exec('PRAGMA page_size = 2048')
    db.exec('PRAGMA journal_mode = WAL')
    // FULL: what a commit answered survives power loss. The default of WAL builds is NORMAL.
    db.exec('PRAGMA synchronous = FULL')
    db.exec('PRAGMA wal_autocheckpoint = 2000')
    db.exec('PRAGMA cache_size = -32768')
    // What people delete is overwritten with zeros; without it, their texts stay in free pages. Costs nothing measurable.
    db.exec('PRAGMA secure_delete = ON')
    return new Connection(path, harden(db), onDamage)
  }

  /** Empty and in memory. */
  static openScratch(): Connection {
    return new Connection(':memory:', withFolding(new DatabaseSync(':memory:')), () => {})
  }

  /** The file must exist: a writer has migrated it. */
  static openReader(path: string, onDamage: OnDamage = () => {}, cacheBytes = 65_536 * 1_024): Connection {
    return withPathInError(path, () => Connection.#openReader(path, onDamage, cacheBytes))
  }

  static #openReader(path: string, onDamage: OnDamage, cacheBytes: number): Connection {
    const db = new DatabaseSync(path, { readOnly: true, timeout: max('sqliteBusyTimeoutMs') })
    db.exec('PRAGMA query_only = ON')
    db.exec(`PRAGMA cache_size = ${-Math.floor(cacheBytes / 1_024)}`)
    return new Connection(path, harden(db), onDamage)
  }

  /** Opens the file as its last checkpoint left it: this changes no byte, and leaves no file beside it. */
  static openUntouched(path: string): Connection {
    const address = pathToFileURL(path)
    address.searchParams.set('immutable', '1')
    return withPathInError(path, () => {
      const db = new DatabaseSync(address, { readOnly: true })
      return new Connection(path, harden(db), () => {})
    })
  }

  /** Counts from now on each run of the statements that `isCounted` names; the answer says how many there were. */
  countRuns(isCounted: (sql: string) => boolean): () => number {
    this.#isCounted = isCounted
    this.#statements.clear()
    return () => this.#counted
  }

  all<Row>(sql: string, params: SqlParams = []): Row[] {
    try {
      return runForRows<Row>(this.#prepared(sql), params)
    } catch (cause) {
      throw this.#asFailure(cause)
    }
  }

  get<Row>(sql: string, params: SqlParams = []): Row | undefined {
    try {
      return get<Row>(this.#prepared(sql), params)
    } catch (cause) {
      throw this.#asFailure(cause)
    }
  }

  /** Answers how many rows changed and the id of the last one inserted. */
  run(sql: string, params: SqlParams = []): Changed {
    try {
      return runForChanges(this.#prepared(sql).statement, params)
    } catch (cause) {
      throw this.#asFailure(cause)
    }
  }

  /** Runs one statement over many rows, in order: one call, however many they are. */
  runEach(sql: string, rows: readonly SqlParams[]): readonly Changed[] {
    if (rows.length === 0) return []
    try {
      const { statement } = this.#prepared(sql)
      return rows.map((params) => runForChanges(statement, params))
    } catch (cause) {
      throw this.#asFailure(cause)
    }
  }

  /** Runs like `runEach`, if the number of rows a statement takes makes several texts of one. */
  runAll(runs: readonly { readonly sql: string; readonly params: SqlParams }[]): void {
    try {
      for (const { sql, params } of runs) runForChanges(this.#prepared(sql).statement, params)
    } catch (cause) {
      throw this.#asFailure(cause)
    }
  }

  /** The row of each key, in their order, `undefined` where there is none: one call, however many they are. */
  getEach<Row>(sql: string, keys: readonly SqlParams[]): readonly (Row | undefined)[] {
    if (keys.length === 0) return []
    try {
      const prepared = this.#prepared(sql)
      return keys.map((params) => get<Row>(prepared, params))
    } catch (cause) {
      throw this.#asFailure(cause)
    }
  }

  /** The rows of each key, in their order: one call, however many they are. */
  allEach<Row>(sql: string, keys: readonly SqlParams[]): readonly (readonly Row[])[] {
    if (keys.length === 0) return []
    try {
      const prepared = this.#prepared(sql)
      return keys.map((params) => runForRows<Row>(prepared, params))
    } catch (cause) {
      throw this.#asFailure(cause)
    }
  }

  /** Several statements without parameters. */
  script(sql: string): void {
    if (this.#isCounted(sql)) this.#counted++
    try {
      this.#db.exec(sql)
    } catch (cause) {
      throw this.#asFailure(cause)
    }
  }

  /** Writes the database anew, in order and without gaps. Needs room for a copy beside it. */
  rewrite(): void {
    // In memory, as other temporary tables are, the copy would be as large as the database.
    this.#db.exec('PRAGMA temp_store = FILE')
    try {
      this.script('VACUUM')
    } finally {
      this.#db.exec('PRAGMA temp_store = MEMORY')
    }
  }

  /** Moves the log into the database and empties it, unless a reader still needs it. */
  truncateLog(): void {
    this.script('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  /** Takes the write lock first, so that what is read inside cannot change before it is written. */
  transaction<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work)
  }

  /**
   * Runs a transaction of work that may wait. Nobody else may use the connection meanwhile: turns see to
   * that.
   */
  async transactionOf<T>(work: () => Promise<T>): Promise<T> {
    this.script('BEGIN IMMEDIATE')
    try {
      const value = await work()
      this.#db.exec('COMMIT')
      return value
    } catch (cause) {
      throw this.#undone(cause)
    }
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
    this.script(begin)
    try {
      const value = work()
      this.#db.exec('COMMIT')
      return value
    } catch (cause) {
      throw this.#undone(cause)
    }
  }

  #undone(cause: unknown): unknown {
    // SQLite has rolled back by itself after some failures (a full disk): a second rollback would hide the cause.
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
    return this.#asFailure(cause)
  }

  /** A disk that takes nothing, and a file that is damaged, are told by their own codes, with SQLite's words. */
  #asFailure(cause: unknown): unknown {
    if (!(cause instanceof Error) || !('errcode' in cause)) return cause
    const code = Number(cause.errcode) % 256
    if (DISK_CODES.has(code)) {
      return new ErrataError('store_full', `the control store cannot be written: ${cause.message}`, { cause })
    }
    if (!isDatabaseDamage(cause)) return cause
    const failure = new ErrataError('store_damaged', `the control store is damaged: ${cause.message}`, {
      cause,
    })
    this.#onDamage(failure.message)
    return failure
  }

  #prepared(sql: string): Prepared {
    const cached = this.#statements.get(sql)
    if (cached !== undefined) {
      if (this.#statements.size > max('sqliteStatementsMax') / 2) {
        this.#statements.delete(sql)
        this.#statements.set(sql, cached)
      }
      if (cached.isCounted) this.#counted++
      return cached
    }
    const statement = this.#db.prepare(sql)
    statement.setReturnArrays(true)
    const isCounted = this.#isCounted(sql)
    if (isCounted) this.#counted++
    const prepared: Prepared = { statement, isCounted, rowOf: null }
    this.#statements.set(sql, prepared)
    if (this.#statements.size > max('sqliteStatementsMax')) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    return prepared
  }
}

function runForRows<Row>(prepared: Prepared, params: SqlParams): Row[] {
  const { statement } = prepared
  const rows = isPositional(params) ? statement.all(...params) : statement.all(params)
  return rows.map((values) => makeRow(prepared, values)) as Row[] // each query stands beside the row type its columns are named after
}

function get<Row>(prepared: Prepared, params: SqlParams): Row | undefined {
  const { statement } = prepared
  const values = isPositional(params) ? statement.get(...params) : statement.get(params)
  return (values === undefined ? undefined : makeRow(prepared, values)) as Row | undefined // as in `all`
}

/** The driver's own rows have no prototype and are slow to read. */
function makeRow(prepared: Prepared, values: unknown): object {
  prepared.rowOf ??= rowMaker(prepared.statement.columns().map(({ name }) => name))
  assert(Array.isArray(values), 'statements answer lists of values')
  return prepared.rowOf(values)
}

/**
 * A function that is written for the columns of one statement: one of 35 columns makes a row in 0.05 µs, and in no more room than
 * that takes; naming one after the other takes 0.6 µs and leaves as much garbage again (2 vCPU Xeon, 2026-11-29).
 */
function rowMaker(names: readonly string[]): NonNullable<Prepared['rowOf']> {
  const fields = names.map((name, at) => `${JSON.stringify(name)}: values[${at}]`)
  // Names of columns are written in our own statements.
  return new Function('values', `return { ${fields.join(', ')} }`) as NonNullable<Prepared['rowOf']> // as it is spelled here
}

function runForChanges(statement: StatementSync, params: SqlParams): Changed {
  const { changes, lastInsertRowid } = isPositional(params) ? statement.run(...params) : statement.run(params)
  return { changes: Number(changes), lastId: Number(lastInsertRowid) }
}

/** Low bytes of SQLite's codes: a file that may not be written, a disk that fails, one that is full. */
const DISK_CODES: ReadonlySet<number> = new Set([8, 10, 13])

/** A page that cannot be right, and a file that is no database. */
const DAMAGE_CODES: ReadonlySet<number> = new Set([11, 26])

function isDatabaseDamage(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && DAMAGE_CODES.has(Number(cause.errcode) % 256)
}

/** "file is not a database" alone would not say which. */
function withPathInError<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `the control database ${path} cannot be opened: ${reason}`
    throw isDatabaseDamage(cause)
      ? new ErrataError('store_damaged', message, { cause })
      : new Error(message, { cause })
  }
}

/** A crafted file must not run functions of its own through its schema. */
function harden(db: DatabaseSync): DatabaseSync {
  db.exec('PRAGMA trusted_schema = OFF')
  db.exec('PRAGMA temp_store = MEMORY')
  return withFolding(db)
}

/** SQLite's own `lower` knows a to z alone. Never part of a schema: other programs open the file too. */
function withFolding(db: DatabaseSync): DatabaseSync {
  db.function('folded', { deterministic: true, directOnly: true }, (text) => foldLetters(String(text ?? '')))
  return db
}

function isPositional(params: SqlParams): params is readonly SqlValue[] {
  return Array.isArray(params)
}
