/** Counts calls of a database. */
import type { Connection } from '#store/sqlite/connection.ts'

const BY_ROWS = new Set(['runEach', 'getEach', 'allEach', 'runAll'])
const CALLS = new Set(['all', 'get', 'run', ...BY_ROWS])

/** The connection, counting what is asked of it; by many rows is once, by none is not at all. */
export function countedConnection(db: Connection, onCall: () => void): Connection {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const rows = given.at(-1)
        const isNone = BY_ROWS.has(String(name)) && Array.isArray(rows) && rows.length === 0
        if (CALLS.has(String(name)) && !isNone) onCall()
        return Reflect.apply(value, target, given)
      }
    },
  })
}
