/** Counts what is asked of the control store, by everything in this process. */
import { StatementSync } from 'node:sqlite'
import { Connection } from '../../packages/server/src/store/sqlite/connection.ts'

export interface Asked {
  /** Calls of a connection: with a server behind it, each would wait for an answer. */
  readonly calls: number
  /** Prepared statements that were run; those that begin and end transactions are none. */
  readonly statements: number
  /** Texts of the calls, and how often each was made. */
  readonly texts: ReadonlyMap<string, number>
}

/** From here on; `during` answers what was asked while `work` ran. */
export function countingAsked(): { during(work: () => Promise<void>): Promise<Asked> } {
  let texts: Map<string, number> | null = null
  let statements = 0
  around(StatementSync.prototype, ['all', 'get', 'run', 'iterate'], () => statements++)
  const note = (sql: string) => texts?.set(sql, (texts.get(sql) ?? 0) + 1)
  around(Connection.prototype, ['all', 'get', 'run'], ([sql]) => note(String(sql)))
  // Of no rows nothing is asked.
  around(Connection.prototype, ['allEach', 'getEach', 'runEach'], ([sql, keys]) => {
    if (Array.isArray(keys) && keys.length > 0) note(String(sql))
  })
  around(Connection.prototype, ['runAll'], ([runs]) => {
    const [run]: readonly { readonly sql: string }[] = Array.isArray(runs) ? runs : []
    if (run !== undefined) note(run.sql)
  })
  return {
    async during(work) {
      const counted = new Map<string, number>()
      texts = counted
      const before = statements
      try {
        await work()
      } finally {
        texts = null
      }
      const calls = [...counted.values()].reduce((sum, times) => sum + times, 0)
      return { calls, statements: statements - before, texts: counted }
    },
  }
}

/** Has `count` told of the arguments of each call of these methods. */
function around(
  prototype: object,
  methods: readonly string[],
  count: (given: readonly unknown[]) => unknown,
): void {
  for (const method of methods) {
    const original: unknown = Reflect.get(prototype, method)
    if (typeof original !== 'function') throw new Error(`there is no ${method}`)
    Reflect.set(prototype, method, function counted(this: unknown, ...given: unknown[]) {
      count(given)
      return Reflect.apply(original, this, given)
    })
  }
}
