/** Transactions that may wait, in turns. */
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
import { transactionTurns } from './transaction-turns.ts'
import type { Turns } from './turns.ts'

export function controlOf(db: Connection, turns: Turns): Control {
  const within = transactionTurns(db, turns)
  return { write: (work) => within((use) => work(txOf(db, use))) }
}

function txOf(db: Connection, use: () => void): Tx {
  return {
    rows: (table) => rowsOf(db, table, use),
    issues: withinTransaction<IssueRows>(issueStatements(db), use),
    accounts: withinTransaction<AccountRows>(accountStatements(db), use),
    alerts: withinTransaction<AlertRows>(alertStatements(db), use),
    releases: withinTransaction<ReleaseRows>(releaseStatements(db), use),
    projects: withinTransaction<ProjectRows>(projectStatements(db), use),
  }
}
