/**
 * The only file that imports the DuckDB package. Two instances on one file in one process raise no error and lose
 * rows silently, so there is one instance, and a tidy test that nobody else imports the package.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api'
import { max } from '#limits/limits.ts'

/** Parameters for `$1`, `$2`, …; numbers in a list are whole. */
export type Parameter = string | number | null | readonly string[] | readonly number[]

/** Row of an answer: column values in the order of the SELECT. */
export type AnswerRow = readonly unknown[]

/** Connection. Statements on it run one after the other, off the JS thread. */
export interface DuckSession {
  query(sql: string, parameters?: readonly Parameter[]): Promise<readonly AnswerRow[]>
  /** A statement that is planned once and run often with text parameters. */
  prepare(sql: string): Promise<PreparedText>
  /** Makes the running statement reject. */
  interrupt(): void
  close(): void
}

export interface PreparedText {
  run(texts: readonly string[]): Promise<void>
  close(): void
}

export interface Driver {
  connect(): Promise<DuckSession>
  close(): void
}

/** Opens the one instance: an in-memory catalog to which files are attached. `directory` takes spilled data. */
export async function openDriver(directory: string): Promise<Driver> {
  const spill = join(directory, 'spill')
  mkdirSync(spill, { recursive: true, mode: 0o700 })
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(max('duckdbThreads')),
    memory_limit: `${max('duckdbMemoryMb')}MB`,
    // Folding stalls the commit that meets it, for as long as the log is large: 0.25 s of CPU once in 14,000 rows at 24 MB,
    // 0.45 s once in 30,000 at 48. Memory grows with the log by twice its size (2 vCPU, 2026-11).
    checkpoint_threshold: `${max('duckdbCheckpointMb')}MB`,
    // Else folds write the row groups of those before again, as larger ones: up to 0.9 s of CPU, and 150 MB more at
    // once. A day that is over is written anew as a whole anyhow.
    max_vacuum_tasks: '0',
    temp_directory: spill,
    max_temp_directory_size: `${max('duckdbSpillMb')}MB`,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    lock_configuration: 'true',
  })
  return {
    connect: async () => openSession(await instance.connect()),
    close: () => instance.closeSync(),
  }
}

/**
 * Gives to the system what all threads have freed. The C library keeps it for whoever asks next, and Node has no call
 * that makes it let go; DuckDB calls `malloc_trim` whenever an instance is closed. After a load at full rate that is
 * 110 MB, in 30 ms (2 vCPU, 2026-11).
 */
export async function returnFreedMemory(): Promise<void> {
  const empty = await DuckDBInstance.create(':memory:', { threads: '1' })
  empty.closeSync()
}

function openSession(connection: DuckDBConnection): DuckSession {
  return {
    async query(sql, parameters = []) {
      const reader = await connection.runAndReadAll(sql, parameters.map(boundValue), parameters.map(duckType))
      return reader.getRowsJS()
    },
    async prepare(sql) {
      const statement = await connection.prepare(sql)
      return {
        async run(texts) {
          texts.forEach((text, index) => {
            statement.bindVarchar(index + 1, text)
          })
          await statement.run()
          // The bound text of a batch is large: do not keep it until the next one.
          statement.clearBindings()
        },
        close: () => statement.destroySync(),
      }
    },
    interrupt: () => connection.interrupt(),
    close: () => connection.closeSync(),
  }
}

function isList(value: Parameter): value is readonly string[] | readonly number[] {
  return Array.isArray(value)
}

function isLongList(value: Parameter): value is readonly number[] {
  return isList(value) && typeof value[0] === 'number' && value.length > LIST_BOUND_MAX
}

/** Statements cast their lists: a text costs a fifth of binding 5,000 numbers one by one, and blocks nobody. */
const LIST_BOUND_MAX = 64

function boundValue(value: Parameter): DuckDBValue {
  if (isLongList(value)) return `[${value.join(',')}]`
  return isList(value) ? listValue([...value].map(integral)) : value
}

function integral(value: string | number): string | bigint {
  return typeof value === 'number' ? BigInt(value) : value
}

function duckType(value: Parameter): DuckDBType {
  if (isLongList(value)) return VARCHAR
  if (isList(value)) return typeof value[0] === 'number' ? LIST(BIGINT) : LIST(VARCHAR)
  return typeof value === 'number' ? DOUBLE : VARCHAR
}

/** True for a statement or a commit that did not get the memory it needed, and changed nothing. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && OUT_OF_MEMORY.test(error.message)
}

/** A commit says it in other words: `Failed to commit: failed to pin block of size 64.0 KiB`. */
const OUT_OF_MEMORY = /^Out of Memory Error|failed to (?:pin|allocate|reserve)|could not allocate/

/** True for a file that DuckDB can read, but not understand: no later try will. A disk that fails says otherwise. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && DAMAGE.test(error.message) && !SHORTAGE.test(error.message)
}

/**
 * Errors about resources of the machine while a file was read, or a log replayed: they say nothing about the
 * file.
 */
const SHORTAGE =
  /Out of Memory Error|failed to (?:pin|allocate|reserve)|could not allocate|cannot allocate memory|too many open files|bad_alloc/i

const DAMAGE =
  /not a valid DuckDB database|Corrupt database|Could not read enough bytes|Serialization Error|Failed to deserialize|Failure while replaying WAL|Corrupt WAL|Checksum|Trying to read a database file with version/i

/** True for a file that the disk or its rights keep from being read: it may be, later. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^IO Error/.test(error.message) &&
    !isDamage(error) &&
    !SHORTAGE.test(error.message)
  )
}

/** A text as an SQL string literal, for the statements that take no parameters (ATTACH). */
export function duckLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
