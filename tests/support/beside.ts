/** Databases of a data directory that a server may be using: after a kill its log is recovered, which locks readers out too. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const WAIT_MS = 60_000

/** Opens the database `name` of the data directory read-only and returns what `use` makes of it. */
export function readBeside<T>(data: string, name: string, use: (database: DatabaseSync) => T): T {
  return using(new DatabaseSync(join(data, name), { readOnly: true, timeout: WAIT_MS }), use)
}

/** Runs statements on the control store. */
export function changeBeside(data: string, sql: string): void {
  using(new DatabaseSync(join(data, 'control.sqlite'), { timeout: WAIT_MS }), (control) => control.exec(sql))
}

function using<T>(database: DatabaseSync, use: (database: DatabaseSync) => T): T {
  try {
    return use(database)
  } finally {
    database.close()
  }
}
