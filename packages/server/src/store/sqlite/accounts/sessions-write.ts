/** Sessions that identity providers begin. */

import { type OrgId, type SessionId, sessionId, type UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'

export function createSession(
  db: Connection,
  session: {
    readonly user: UserId
    readonly tokenHash: string
    readonly userAgent: string | null
    /** Organisation whose provider began it. */
    readonly org?: OrgId
  },
  actor: Actor,
): SessionId {
  const sql = `INSERT INTO sessions
      (user_id, token_hash, created_ms, seen_ms, confirmed_ms, address, user_agent, org_id)
    VALUES (:user, :tokenHash, :at, :at, :at, :address, :agent, :org)`
  const { user, tokenHash, org = null } = session
  const agent = session.userAgent?.slice(0, max('tagValueCharsMax')) ?? null
  const { atMs: at, address } = actor
  const id = sessionId(db.run(sql, { user, tokenHash, at, address, agent, org }).lastId)
  // sessions_by_user. What a provider begins ends no session that it did not begin.
  const oldest = `DELETE FROM sessions WHERE user_id = :user AND org_id IS :org AND id NOT IN
    (SELECT id FROM sessions WHERE user_id = :user AND org_id IS :org ORDER BY seen_ms DESC, id DESC LIMIT :keep)`
  db.run(oldest, { user, org, keep: max('sessionsPerUserMax') })
  const note = { action: 'session.signed_in', target: emailOf(db, user) }
  if (org === null) writeAccountAudit(db, user, actor, note)
  else writeAudit(db, org, actor, note)
  return id
}

export function emailOf(db: Connection, user: UserId): string {
  return db.get<{ email: string }>('SELECT email FROM users WHERE id = ?', [user])?.email ?? `user ${user}`
}
