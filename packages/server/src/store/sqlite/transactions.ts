/** Transactions that may wait, in turns. */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { AccountRows } from '#ports/account-rows.ts'
import type { AlertRows } from '#ports/alert-rows.ts'
import type { Control, Tx } from '#ports/control.ts'
import type { IssueRows } from '#ports/issue-rows.ts'
import type { ProjectRows } from '#ports/project-rows.ts'
import type { ReleaseRows } from '#ports/release-rows.ts'
import { accountStatements } from './accounts/account-statements.ts'
import { alertStatements } from './alerts/alert-statements.ts'
import type { Connection } from './connection.ts'
import { issueStatements } from './issues/issue-statements.ts'
import { projectStatements } from './projects/project-statements.ts'
import { releaseStatements } from './releases/release-statements.ts'
import { withinTransaction } from './statements.ts'
import { rowsOf } from './tables/rows.ts'
import type { Turns } from './turns.ts'

export function controlOf(db: Connection, turns: Turns): Control {
  return { write: (work) => turns.take(() => within(db, work)) }
}

async function within<T>(db: Connection, work: (tx: Tx) => Promise<T>): Promise<T> {
  let ended: string | null = null
  const use = () => {
    if (ended !== null) throw new ErrataError('internal', `a statement ${ended} its transaction`)
  }
  const tx: Tx = {
    rows: (table) => rowsOf(db, table, use),
    issues: withinTransaction<IssueRows>(issueStatements(db), use),
    accounts: withinTransaction<AccountRows>(accountStatements(db), use),
    alerts: withinTransaction<AlertRows>(alertStatements(db), use),
    releases: withinTransaction<ReleaseRows>(releaseStatements(db), use),
    projects: withinTransaction<ProjectRows>(projectStatements(db), use),
  }
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    const mostMs = max('controlTurnMs')
    timer = setTimeout(() => {
      ended = 'came too late for'
      reject(new ErrataError('store_timeout', `a transaction did not end within ${mostMs} ms, and is undone`))
    }, mostMs)
  })
  try {
    return await db.transactionOf(async () => {
      const value = await Promise.race([work(tx), tooLong])
      ended = 'came behind'
      return value
    })
  } finally {
    ended ??= 'came behind'
    clearTimeout(timer)
  }
}
