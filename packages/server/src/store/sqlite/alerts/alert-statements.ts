import { testOf } from '#alerts/rules/rule-changes.ts'
import type { AlertRows } from '#ports/alert-rows.ts'
import type { Connection } from '../connection.ts'
import { raiseAlertsVersion } from '../rows/alert-candidates.ts'
import type { Statements } from '../statements.ts'
import { alertStore, readQuietHours } from './alert-beat.ts'
import { forgetSlots, ruleOfOrg } from './alert-rows.ts'
import { insertMessages } from './message-queue.ts'
import { noticeStatements } from './notice-statements.ts'

export function alertStatements(db: Connection): Statements<AlertRows> {
  return {
    rule: (org, id) => ruleOfOrg(db, org, id),
    quietHours: (org) => readQuietHours(db, org),
    noteChange: () => raiseAlertsVersion(db),
    ...noticeStatements(db),
    forgetCounts: (id) => forgetSlots(db, id),
    endFiring(id, nowMs) {
      db.run('UPDATE alert_firings SET ended_ms = ? WHERE rule_id = ? AND ended_ms IS NULL', [nowMs, id])
      db.run('DELETE FROM alert_states WHERE rule_id = ?', [id])
    },
    queueTest(rule, actor) {
      const messages = testOf(alertStore(db), rule, actor)
      insertMessages(db, messages, actor.atMs)
      return messages.length
    },
  }
}
