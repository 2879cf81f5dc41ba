/** Rows of alert rules within a transaction: statements, which decide nothing. */
import { onlyProject } from '#alerts/rules/messages.ts'
import { testOf } from '#alerts/rules/rule-changes.ts'
import { assert } from '#base/errors.ts'
import type { AlertRows } from '#ports/alert-rows.ts'
import type { Connection } from '../connection.ts'
import { raiseAlertsVersion } from '../rows/alert-candidates.ts'
import type { Statements } from '../statements.ts'
import { alertEvaluation, readQuietHours } from './alert-evaluation.ts'
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
      const { organisations, projects } = alertEvaluation(db)
      const org = organisations([rule.orgId]).get(rule.orgId)
      assert(org !== undefined, `no organisation ${rule.orgId}: its rules go with it`)
      const only = onlyProject(rule)
      const project = only === null ? null : (projects([only]).get(only) ?? null)
      const messages = testOf(rule, { org, project }, actor)
      insertMessages(db, messages, actor.atMs)
      return messages.length
    },
  }
}
