/** The tables of a column file: made, brought up to date, and what the file says of itself. */
import type { RowTable } from '#model/fields.ts'
import type { DuckSession } from './driver.ts'
import { allColumns } from './table-columns.ts'
import { addColumn, createRows, ROWS } from './table-sql.ts'

/** Facts of a file; the only row of its table `facts`, written in the transaction of the rows. */
export interface FileFacts {
  readonly appliedSeq: number
  /** Least and greatest event time in milliseconds; `null` in a file without rows. */
  readonly leastMs: number | null
  readonly greatestMs: number | null
}

/** A new file, or one whose making a crash cut short, has no tables yet; one of before lacks the columns added since. */
export async function prepareTables(catalog: DuckSession, table: RowTable, alias: string): Promise<void> {
  const found = await catalog.query(
    'SELECT table_name, column_name FROM duckdb_columns() WHERE database_name = $1',
    [alias],
  )
  const tables = new Set(found.map(([name]) => name))
  if (tables.size < 2) return makeTables(catalog, table, alias)
  const present = new Set(found.flatMap(([name, column]) => (name === ROWS ? [column] : [])))
  const missing = allColumns(table).filter(({ name }) => !present.has(name))
  if (missing.length === 0) return
  await runFileTransaction(catalog, async () => {
    for (const column of missing) await catalog.query(addColumn(alias, column))
  })
}

async function makeTables(catalog: DuckSession, table: RowTable, alias: string): Promise<void> {
  await runFileTransaction(catalog, async () => {
    await catalog.query(createRows(table, alias))
    await catalog.query(
      `CREATE TABLE ${alias}.facts (applied_seq BIGINT, least_ms DOUBLE, greatest_ms DOUBLE)`,
    )
    await catalog.query(`INSERT INTO ${alias}.facts VALUES (0, NULL, NULL)`)
  })
}

export async function readFacts(catalog: DuckSession, alias: string): Promise<FileFacts> {
  const [row] = await catalog.query(`SELECT applied_seq::DOUBLE, least_ms, greatest_ms FROM ${alias}.facts`)
  const [appliedSeq, leastMs, greatestMs] = row as [number, number | null, number | null] // as selected
  return { appliedSeq, leastMs, greatestMs }
}

/** Runs one transaction on `session`; undone if `work` fails. */
export async function runFileTransaction(session: DuckSession, work: () => Promise<void>): Promise<void> {
  await session.query('BEGIN')
  try {
    await work()
    await session.query('COMMIT')
  } catch (error) {
    // A failed COMMIT has undone it already; then there is nothing to roll back, and the first error is the one to tell.
    await session.query('ROLLBACK').catch(() => {})
    throw error
  }
}
