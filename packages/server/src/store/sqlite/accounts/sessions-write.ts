/** Sessions, passwords and profiles: what concerns one account. */

import { type OrgId, type SessionId, sessionId, type UserId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS, foldEmail, noteUseBefore, shownEmail } from '#model/account-rules.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { roleOf } from '../rows/account-rows.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { removeResets } from './letters.ts'

type SessionsWrite = Pick<
  AccountsWrite,
  | 'createSession'
  | 'touchSession'
  | 'endSession'
  | 'recordSignInFailure'
  | 'setPassword'
  | 'createPasswordReset'
  | 'usePasswordReset'
  | 'setProfile'
>

export function sessionsWrite(db: Connection): SessionsWrite {
  return {
    createSession: async (user, tokenHash, userAgent, actor) =>
      db.transaction(() => createSession(db, { user, tokenHash, userAgent }, actor)),
    touchSession: async (id, nowMs) => touch(db, 'sessions', { id, nowMs }),
    endSession: async (id, user, actor) =>
      db.transaction(() => {
        const { changes } = db.run('DELETE FROM sessions WHERE id = ? AND user_id = ?', [id, user])
        if (changes === 0) return ACCOUNT_REFUSALS.sessionEnded()
        writeAccountAudit(db, user, actor, { action: 'session.ended', target: emailOf(db, user) })
        return ok(null)
      }),
    recordSignInFailure: async (email, actor) => db.transaction(() => recordSignInFailure(db, email, actor)),
    setPassword: async (user, passwordHash, keep, actor) =>
      db.transaction(() => {
        setPassword(db, { user, passwordHash, keep })
        writeAccountAudit(db, user, actor, { action: 'password.changed', target: emailOf(db, user) })
      }),
    createPasswordReset: async (user, codeHash, expiresMs, actor) =>
      db.transaction(() => {
        // Of links that operators make, the newest is the only one that works.
        db.run('DELETE FROM password_resets WHERE user_id = ? AND letter_id IS NULL', [user])
        const sql = 'INSERT INTO password_resets (code_hash, user_id, expires_ms) VALUES (?, ?, ?)'
        db.run(sql, [codeHash, user, expiresMs])
        writeAccountAudit(db, user, actor, {
          action: 'password.reset_link_created',
          target: emailOf(db, user),
        })
      }),
    usePasswordReset: async (codeHash, passwordHash, actor) =>
      db.transaction(() => {
        const sql = 'SELECT user_id AS userId FROM password_resets WHERE code_hash = ? AND expires_ms > ?'
        const user = db.get<{ userId: UserId }>(sql, [codeHash, actor.atMs])?.userId
        if (user === undefined) return ACCOUNT_REFUSALS.resetLink()
        setPassword(db, { user, passwordHash, keep: null })
        // Whoever knew the old password may have made them.
        const { changes: tokensRevoked } = db.run('DELETE FROM tokens WHERE user_id = ?', [user])
        const by: Actor = { ...actor, userId: user }
        const note = { action: 'password.reset', target: emailOf(db, user) }
        writeAccountAudit(db, user, by, { ...note, detail: { tokensRevoked } })
        return ok(user)
      }),
    setProfile: async (user, change, actor) => db.transaction(() => setProfile(db, user, change, actor)),
  }
}

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

/** Notes use, at most once a minute: most calls end with the read. */
export function touch(
  db: Connection,
  table: 'sessions' | 'tokens',
  { id, nowMs }: { readonly id: number; readonly nowMs: number },
): void {
  const [due, note] =
    table === 'sessions'
      ? [
          'SELECT 1 FROM sessions WHERE id = ? AND seen_ms <= ?',
          'UPDATE sessions SET seen_ms = ? WHERE id = ?',
        ]
      : [
          'SELECT 1 FROM tokens WHERE id = ? AND coalesce(used_ms, 0) <= ?',
          'UPDATE tokens SET used_ms = ? WHERE id = ?',
        ]
  if (db.get(due, [id, noteUseBefore(nowMs)]) !== undefined) db.run(note, [nowMs, id])
}

function recordSignInFailure(db: Connection, email: string, actor: Actor): void {
  const note = { action: 'session.sign_in_failed', target: shownEmail(email) }
  const user = db.get<{ id: UserId }>('SELECT id FROM users WHERE email_folded = ?', [foldEmail(email)])
  if (user === undefined) writeAudit(db, null, actor, note)
  else writeAccountAudit(db, user.id, actor, note)
}

function setPassword(
  db: Connection,
  change: { readonly user: UserId; readonly passwordHash: string; readonly keep: SessionId | null },
): void {
  // Who has a password of their own is managed by nobody else.
  const sql = 'UPDATE users SET password_hash = ?, org_id_managing = NULL WHERE id = ?'
  db.run(sql, [change.passwordHash, change.user])
  db.run('DELETE FROM sessions WHERE user_id = ? AND id IS NOT ?', [change.user, change.keep])
  removeResets(db, change.user)
}

function setProfile(
  db: Connection,
  user: UserId,
  change: Parameters<AccountsWrite['setProfile']>[1],
  actor: Actor,
): void {
  const { name, theme, landing, orgIdLast } = change
  if (name !== undefined) {
    db.run('UPDATE users SET name = ? WHERE id = ?', [name, user])
    writeAccountAudit(db, user, actor, { action: 'profile.renamed', target: emailOf(db, user) })
  }
  // How Errata looks to somebody, and where they were last, is no security-relevant change.
  if (theme !== undefined) db.run('UPDATE users SET theme = ? WHERE id = ?', [theme, user])
  if (landing !== undefined) db.run('UPDATE users SET landing = ? WHERE id = ?', [landing, user])
  if (orgIdLast !== undefined && roleOf(db, orgIdLast, user) !== null) {
    db.run('UPDATE users SET org_id_last = ? WHERE id = ?', [orgIdLast, user])
  }
}

export function emailOf(db: Connection, user: UserId): string {
  return db.get<{ email: string }>('SELECT email FROM users WHERE id = ?', [user])?.email ?? `user ${user}`
}
