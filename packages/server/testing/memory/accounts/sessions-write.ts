/** Sessions, passwords and profiles: what concerns one account. */
import { type OrgId, type SessionId, sessionId, type UserId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS, noteUseBefore, shownEmail } from '#model/account-rules.ts'
import type { AccountsWrite } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import { descending, inOrder } from '../order.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { emailOf, roleOf, userByEmail } from '../rows/members.ts'
import type { Tables } from '../tables.ts'
import { removeResets } from './letters.ts'

type SessionsWrite = Pick<
  AccountsWrite,
  'createSession' | 'touchSession' | 'endSession' | 'recordSignInFailure'
>
type ProfilesWrite = Pick<
  AccountsWrite,
  'setPassword' | 'createPasswordReset' | 'usePasswordReset' | 'setProfile'
>

export function sessionsWrite(to: Tables): SessionsWrite {
  return {
    createSession: async (user, tokenHash, userAgent, actor) =>
      to.transaction(() => createSession(to, { user, tokenHash, userAgent }, actor)),
    touchSession: async (id, nowMs) =>
      to.transaction(() => {
        const session = to.sessions.get(id)
        if (session !== undefined && session.seenMs <= noteUseBefore(nowMs))
          to.sessions.change(id, { seenMs: nowMs })
      }),
    endSession: async (id, user, actor) =>
      to.transaction(() => {
        if (to.sessions.get(id)?.userId !== user) return ACCOUNT_REFUSALS.sessionEnded()
        to.sessions.delete(id)
        writeAccountAudit(to, user, actor, { action: 'session.ended', target: emailOf(to, user) })
        return ok(null)
      }),
    recordSignInFailure: async (email, actor) =>
      to.transaction(() => {
        const note = { action: 'session.sign_in_failed', target: shownEmail(email) }
        const user = userByEmail(to, email)
        if (user === undefined) writeAudit(to, null, actor, note)
        else writeAccountAudit(to, user.id, actor, note)
      }),
  }
}

export function createSession(
  to: Tables,
  session: {
    readonly user: UserId
    readonly tokenHash: string
    readonly userAgent: string | null
    readonly orgId?: OrgId
  },
  actor: Actor,
): SessionId {
  const { user, tokenHash, orgId } = session
  const id = sessionId(to.sessions.nextId())
  const times = { createdMs: actor.atMs, seenMs: actor.atMs, confirmedMs: actor.atMs }
  const userAgent = session.userAgent?.slice(0, max('tagValueCharsMax')) ?? null
  const from = { address: actor.address, userAgent, ...(orgId === undefined ? {} : { orgId }) }
  to.sessions.put(id, { id, userId: user, tokenHash, ...times, ...from })
  endOldest(to, user, orgId)
  const note = { action: 'session.signed_in', target: emailOf(to, user) }
  if (orgId === undefined) writeAccountAudit(to, user, actor, note)
  else writeAudit(to, orgId, actor, note)
  return id
}

function endOldest(to: Tables, user: UserId, org: OrgId | undefined): void {
  const sessions = to.sessions.where(({ userId, orgId }) => userId === user && orgId === org)
  const newest = inOrder<{ readonly id: SessionId; readonly seenMs: number }>(
    descending(({ seenMs }) => seenMs),
    descending(({ id }) => id),
  )
  for (const { id } of sessions.sort(newest).slice(max('sessionsPerUserMax'))) to.sessions.delete(id)
}

export function profilesWrite(to: Tables): ProfilesWrite {
  return {
    setPassword: async (user, passwordHash, keep, actor) =>
      to.transaction(() => {
        setPassword(to, { user, passwordHash, keep })
        writeAccountAudit(to, user, actor, { action: 'password.changed', target: emailOf(to, user) })
      }),
    createPasswordReset: async (user, codeHash, expiresMs, actor) =>
      to.transaction(() => {
        // Of links that operators make, the newest is the only one that works.
        to.passwordResets.deleteWhere(({ userId, letterId }) => userId === user && letterId === null)
        to.passwordResets.put(codeHash, { codeHash, userId: user, expiresMs, letterId: null })
        const target = emailOf(to, user)
        writeAccountAudit(to, user, actor, { action: 'password.reset_link_created', target })
      }),
    usePasswordReset: async (codeHash, passwordHash, actor) =>
      to.transaction(() => {
        const reset = to.passwordResets.get(codeHash)
        if (reset === undefined || reset.expiresMs <= actor.atMs) return ACCOUNT_REFUSALS.resetLink()
        const user = reset.userId
        setPassword(to, { user, passwordHash, keep: null })
        const tokens = to.tokens.where(({ userId }) => userId === user)
        for (const { id } of tokens) to.tokens.delete(id)
        const by: Actor = { ...actor, userId: user }
        const note = { action: 'password.reset', target: emailOf(to, user) }
        writeAccountAudit(to, user, by, { ...note, detail: { tokensRevoked: tokens.length } })
        return ok(user)
      }),
    setProfile: async (user, { name, theme, orgIdLast }, actor) =>
      to.transaction(() => {
        if (name !== undefined) {
          to.users.change(user, { name })
          writeAccountAudit(to, user, actor, { action: 'profile.renamed', target: emailOf(to, user) })
        }
        if (theme !== undefined) to.users.change(user, { theme })
        if (orgIdLast !== undefined && roleOf(to, orgIdLast, user) !== null)
          to.users.change(user, { orgIdLast })
      }),
  }
}

function setPassword(
  to: Tables,
  change: { readonly user: UserId; readonly passwordHash: string; readonly keep: SessionId | null },
): void {
  const { user, passwordHash, keep } = change
  const before = to.users.get(user)
  if (before !== undefined) {
    const { orgIdManaging: _, ...kept } = before
    to.users.put(user, { ...kept, passwordHash })
  }
  to.sessions.deleteWhere(({ id, userId }) => userId === user && id !== keep)
  removeResets(to, user)
}
