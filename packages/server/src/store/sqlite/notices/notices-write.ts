/** Writes people's settings of notices. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { PROJECT_REFUSALS, refuseUnseen } from '#model/project-rules.ts'
import { cancelledCall } from '#notices/rules/deliveries.ts'
import { webhookChange } from '#notices/rules/webhook-change.ts'
import type { DeliveryState, NoticesWrite } from '#ports/notices.ts'
import { NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { writeSettled } from '../outbox/claims.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { projectById } from '../rows/project-rows.ts'
import { webhookTarget } from './notice-deliveries.ts'
import { noticeSettings } from './notice-rows.ts'
import { beginTest, settleTest } from './notice-tests.ts'

export function noticesWrite(db: Connection): NoticesWrite {
  return {
    setNotices: async (org, project, change, actor) =>
      db.transaction(() => setNotices(db, { org, project, change }, actor)),
    setWebhook: async (org, project, webhook, actor) =>
      db.transaction(() => setWebhook(db, { org, project, webhook }, actor)),
    removeWebhook: async (org, project, actor) =>
      db.transaction(() => removeWebhook(db, { org, project }, actor)),
    webhookTarget: async (org, project) =>
      projectById(db, org, project) === null ? null : webhookTarget(db, project),
    beginTest: async (org, project, test, actor) =>
      db.transaction(() => beginTest(db, { org, project, test }, actor)),
    settleTest: async (org, project, test, actor) =>
      db.transaction(() => settleTest(db, { org, project, test }, actor)),
    setNoticeMailOf: async (user, mail, actor) =>
      db.transaction(() => {
        const off = 'INSERT INTO notice_mail_off (user_id, at_ms) VALUES (?, ?) ON CONFLICT DO NOTHING'
        const { changes } = mail
          ? db.run('DELETE FROM notice_mail_off WHERE user_id = ?', [user])
          : db.run(off, [user, actor.atMs])
        if (changes === 0) return
        writeAccountAudit(db, user, actor, {
          action: mail ? 'account.mail_switched_on' : 'account.mail_switched_off',
          target: actor.label,
        })
      }),
  }
}

interface Place {
  readonly org: OrgId
  readonly project: ProjectId
}

/** The row of a project that had the defaults until now. */
function ensureRow(db: Connection, project: ProjectId): void {
  const { mail, quietHours } = NOTICE_SETTINGS_DEFAULT
  const sql =
    'INSERT INTO notice_settings (project_id, mail, quiet_hours) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
  db.run(sql, [project, mail ? 1 : 0, quietHours])
}

function setNotices(
  db: Connection,
  place: Place & { readonly change: Parameters<NoticesWrite['setNotices']>[2] },
  actor: Actor,
): Result<null> {
  const { org, project, change } = place
  const found = projectById(db, org, project)
  if (found === null) return PROJECT_REFUSALS.noProject()
  const { mail, quietHours, seen } = change
  const unseen = refuseUnseen(noticeSettings(db, project), seen)
  if (unseen !== null) return unseen
  ensureRow(db, project)
  const sql = 'UPDATE notice_settings SET mail = ?, quiet_hours = ? WHERE project_id = ?'
  db.run(sql, [mail ? 1 : 0, quietHours, project])
  writeAudit(db, org, actor, {
    action: 'notices.changed',
    target: found.name,
    detail: { mail, quietHours },
  })
  return ok(null)
}

function setWebhook(
  db: Connection,
  place: Place & { readonly webhook: Parameters<NoticesWrite['setWebhook']>[2] },
  actor: Actor,
): Result<null> {
  const { org, project, webhook } = place
  const found = projectById(db, org, project)
  if (found === null) return PROJECT_REFUSALS.noProject()
  ensureRow(db, project)
  const before = webhookTarget(db, project)
  const change = webhookChange(webhook, before)
  if (!change.ok) return change
  const { secret, action, detail } = change.value
  const sql = `UPDATE notice_settings SET webhook_url = ?, webhook_secret = ?, webhook_changed_ms = ?
    WHERE project_id = ?`
  db.run(sql, [webhook.url, secret, actor.atMs, project])
  writeAudit(db, org, actor, { action, target: found.name, detail })
  return ok(null)
}

function removeWebhook(db: Connection, { org, project }: Place, actor: Actor): Result<null> {
  const found = projectById(db, org, project)
  if (found === null) return PROJECT_REFUSALS.noProject()
  const sql = `UPDATE notice_settings SET webhook_url = NULL, webhook_secret = NULL, webhook_changed_ms = NULL
    WHERE project_id = ? AND webhook_url IS NOT NULL`
  if (db.run(sql, [project]).changes === 0) return PROJECT_REFUSALS.noWebhook()
  cancelCalls(db, project, actor.atMs)
  writeAudit(db, org, actor, { action: 'webhook.removed', target: found.name })
  return ok(null)
}

function cancelCalls(db: Connection, project: ProjectId, nowMs: number): void {
  // notices_by_project, deliveries_by_notice
  const sql = `SELECT d.id, d.state FROM notices n JOIN deliveries d ON d.notice_id = n.id
    WHERE n.project_id = ? AND d.channel = 'webhook' AND d.state IN ('waiting', 'sending')`
  for (const { id, state } of db.all<{ id: number; state: DeliveryState }>(sql, [project])) {
    const after = cancelledCall(state, nowMs)
    if (after !== null) writeSettled(db, 'deliveries', { id, after })
  }
}
