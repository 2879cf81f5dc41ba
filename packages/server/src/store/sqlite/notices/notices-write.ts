/** What people set about notices. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import type { NoticesWrite } from '#ports/notices.ts'
import { NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAccountAudit, writeAudit } from '../accounts/audit.ts'
import type { Connection } from '../connection.ts'
import { projectById } from '../projects/project-rows.ts'
import { webhookTarget } from './notice-deliveries.ts'
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

function noProject(): Refusal {
  return refuse('not_found', 'The project does not exist.')
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
  if (found === null) return noProject()
  ensureRow(db, project)
  const { mail, quietHours } = change
  const sql = 'UPDATE notice_settings SET mail = ?, quiet_hours = ? WHERE project_id = ?'
  db.run(sql, [mail ? 1 : 0, quietHours, project])
  writeAudit(db, org, actor, {
    action: 'notices.changed',
    target: found.name,
    detail: { mail, quietHours },
  })
  return ok(null)
}

/** The audit names the host alone: an address may carry a secret in its path. */
function setWebhook(
  db: Connection,
  place: Place & { readonly webhook: Parameters<NoticesWrite['setWebhook']>[2] },
  actor: Actor,
): Result<null> {
  const { org, project, webhook } = place
  const found = projectById(db, org, project)
  if (found === null) return noProject()
  ensureRow(db, project)
  const before = webhookTarget(db, project)
  const secret = webhook.secret ?? before?.secret
  if (secret === undefined) return refuse('conflict', 'The webhook was removed meanwhile. Add it again.')
  const sql = `UPDATE notice_settings SET webhook_url = ?, webhook_secret = ?, webhook_changed_ms = ?
    WHERE project_id = ?`
  db.run(sql, [webhook.url, secret, actor.atMs, project])
  const detail = {
    host: new URL(webhook.url).host,
    secretChanged: webhook.secret !== undefined && before !== null,
  }
  const action = before === null ? 'webhook.created' : 'webhook.changed'
  writeAudit(db, org, actor, { action, target: found.name, detail })
  return ok(null)
}

function removeWebhook(db: Connection, { org, project }: Place, actor: Actor): Result<null> {
  const found = projectById(db, org, project)
  if (found === null) return noProject()
  const sql = `UPDATE notice_settings SET webhook_url = NULL, webhook_secret = NULL, webhook_changed_ms = NULL
    WHERE project_id = ? AND webhook_url IS NOT NULL`
  if (db.run(sql, [project]).changes === 0) return refuse('not_found', 'The project has no webhook.')
  cancelCalls(db, project, actor.atMs)
  writeAudit(db, org, actor, { action: 'webhook.removed', target: found.name })
  return ok(null)
}

/** No try of before may go to an address set later: what is under way loses its lease, and with it the next try. */
function cancelCalls(db: Connection, project: ProjectId, nowMs: number): void {
  const sql = `UPDATE deliveries SET state = 'cancelled', due_ms = NULL, lease = NULL, settled_ms = ?,
      says = iif(state = 'sending', 'The webhook was removed while it was called; it may have arrived.',
        'The webhook was removed.')
    WHERE channel = 'webhook' AND state IN ('waiting', 'sending')
      AND notice_id IN (SELECT id FROM notices WHERE project_id = ?)`
  db.run(sql, [nowMs, project])
}
