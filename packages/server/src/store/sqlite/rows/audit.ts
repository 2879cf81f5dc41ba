/** Writes the audit log, in the transaction of the change itself. */
import type { OrgId, UserId } from '#base/ids.ts'
import type { AuditNote } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'

/** `org` null: of an account that belongs to no organisation; no organisation's log shows it. */
export function insertAudit(db: Connection, org: OrgId | null, actor: Actor, note: AuditNote): void {
  db.run(
    `INSERT INTO audit (org_id, at_ms, actor, user_id, token_id, action, target, address, detail)
     VALUES (:org, :at, :actor, :user, :token, :action, :target, :address, :detail)`,
    {
      org,
      at: actor.atMs,
      actor: actor.label,
      user: actor.userId,
      token: actor.tokenId,
      action: note.action,
      target: note.target,
      address: actor.address,
      detail: JSON.stringify(note.detail ?? {}),
    },
  )
}

/** Writes what concerns an account (a sign-in, a password) to the log of every organisation it belongs to. */
export function insertAccountAudit(db: Connection, user: UserId, actor: Actor, note: AuditNote): void {
  // memberships_by_user
  const rows = db.all<{ orgId: OrgId }>('SELECT org_id AS orgId FROM memberships WHERE user_id = ?', [user])
  for (const { orgId } of rows) insertAudit(db, orgId, actor, note)
  if (rows.length === 0) insertAudit(db, null, actor, note)
}
