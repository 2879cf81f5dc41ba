/** Rows of messages and deliveries within a transaction: statements, which decide nothing. */
import type { ProjectId } from '#base/ids.ts'
import type { AlertRows } from '#ports/alert-rows.ts'
import type { Connection } from '../connection.ts'
import { settle } from '../notices/notice-deliveries.ts'
import { SuspectFinder } from '../releases/suspects.ts'
import { countOf } from '../rows/account-rows.ts'
import type { Statements } from '../statements.ts'
import { insertMessages, sendAgain } from './message-queue.ts'
import { readToldAlert } from './watched-issue.ts'

type NoticeRows = Pick<
  AlertRows,
  'queueMessages' | 'sendAgain' | 'toldIssue' | 'webhookCalls' | 'testsOf' | 'settleDelivery'
>

export function noticeStatements(db: Connection): Statements<NoticeRows> {
  return {
    queueMessages: (messages, nowMs) => insertMessages(db, messages, nowMs),
    sendAgain: (org, id, nowMs) => sendAgain(db, { org, id, nowMs }),
    toldIssue: (id) => readToldAlert(db, id, new SuspectFinder(db)),
    webhookCalls(project) {
      // notices_by_project, deliveries_by_notice
      const sql = `SELECT d.id, d.state FROM notices n JOIN deliveries d ON d.notice_id = n.id
        WHERE n.project_id = ? AND d.channel = 'webhook' AND d.state IN ('waiting', 'sending')`
      return db.all<Awaited<ReturnType<AlertRows['webhookCalls']>>[number]>(sql, [project])
    },
    testsOf: (project, { minute, underWay }) => ({
      ofMinute: testsOfMinute(db, project, minute),
      underWay: testsUnderWay(db, underWay),
    }),
    settleDelivery: (delivery, settlement, nowMs) => settle(db, { ...delivery, settlement, nowMs }),
  }
}

type Time = Parameters<AlertRows['testsOf']>[1]['minute']

function testsOfMinute(db: Connection, project: ProjectId, { afterMs, untilMs }: Time): number {
  // notices_by_project
  const sql = `SELECT count(*) AS count FROM notices
    WHERE project_id = ? AND at_ms > ? AND at_ms <= ? AND kind = 'test'`
  return countOf(db, sql, [project, afterMs, untilMs])
}

function testsUnderWay(db: Connection, { afterMs, untilMs }: Time): number {
  // notices_by_age, deliveries_by_notice
  const sql = `SELECT count(*) AS count FROM notices n JOIN deliveries d ON d.notice_id = n.id
    WHERE n.at_ms > ? AND n.at_ms <= ? AND n.kind = 'test' AND d.state = 'sending'`
  return countOf(db, sql, [afterMs, untilMs])
}
