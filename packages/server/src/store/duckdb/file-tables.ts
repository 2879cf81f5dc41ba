/** The tables of a column file: made, brought up to date, and what the file says of itself. */
import { CONVERT_LISTS, CREATE_EVENTS } from './columns.ts'
import type { Session } from './driver.ts'

/** What a file says of itself; the only row of its table `facts`, written in the transaction of the rows. */
export interface FileFacts {
  readonly appliedSeq: number
  /** Least and greatest event time in milliseconds; `null` in a file without rows. */
  readonly leastMs: number | null
  readonly greatestMs: number | null
}

/** A new file, or one whose making a crash cut short, has no tables yet; an older one has lists. */
export async function prepareTables(catalog: Session, alias: string): Promise<void> {
  const [found = []] = await catalog.query(
    'SELECT (SELECT count(*)::DOUBLE FROM duckdb_tables() WHERE database_name = $1), ' +
      `(SELECT max(data_type) FROM duckdb_columns() WHERE database_name = $1 AND column_name = 'tags'), ` +
      `(SELECT count(*)::DOUBLE FROM duckdb_columns() WHERE database_name = $1 AND column_name = 'people')`,
    [alias],
  )
  const [tables, typeOfTags, peopleColumns] = found
  if (tables === 2) {
    if (typeOfTags === 'VARCHAR[]') await convertLists(catalog, alias, { hasPeople: peopleColumns === 1 })
    return
  }
  await inTransaction(catalog, async () => {
    await catalog.query(CREATE_EVENTS(alias))
    await catalog.query(
      `CREATE TABLE ${alias}.facts (applied_seq BIGINT, least_ms DOUBLE, greatest_ms DOUBLE)`,
    )
    await catalog.query(`INSERT INTO ${alias}.facts VALUES (0, NULL, NULL)`)
  })
}

async function convertLists(
  catalog: Session,
  alias: string,
  lists: { readonly hasPeople: boolean },
): Promise<void> {
  await inTransaction(catalog, async () => {
    for (const sql of CONVERT_LISTS(alias, lists)) await catalog.query(sql)
  })
}

export async function readFacts(catalog: Session, alias: string): Promise<FileFacts> {
  const [row] = await catalog.query(`SELECT applied_seq::DOUBLE, least_ms, greatest_ms FROM ${alias}.facts`)
  const [appliedSeq, leastMs, greatestMs] = row as [number, number | null, number | null] // as selected
  return { appliedSeq, leastMs, greatestMs }
}

/** One transaction on `session`; undone when `work` fails. */
export async function inTransaction(session: Session, work: () => Promise<void>): Promise<void> {
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
