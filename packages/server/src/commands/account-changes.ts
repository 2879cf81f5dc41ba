/** Changes of an account's password, reset links and profile. */
import type { OrgId, SessionId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import { LETTERS, PASSWORD_RESETS, USERS } from '#model/tables/accounts.ts'
import type { Landing, Theme } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { emailOf, readRole } from './account-entry.ts'
import { writeAccountAudit } from './audit-entry.ts'

interface NewPassword {
  readonly user: UserId
  readonly passwordHash: string
  /** The one session that goes on. */
  readonly keep: SessionId | null
}

/** Sets the password, and ends every session but `keep`. */
export async function setPassword(
  tx: Tx,
  { actor, ...change }: NewPassword & { readonly actor: Actor },
): Promise<void> {
  await putPassword(tx, change)
  const note = { action: 'password.changed', target: await emailOf(tx, change.user) }
  await writeAccountAudit(tx, change.user, actor, note)
}

interface NewReset {
  readonly user: UserId
  readonly codeHash: string
  readonly expiresMs: number
  readonly actor: Actor
}

export async function createPasswordReset(tx: Tx, reset: NewReset): Promise<void> {
  const { user: userId, codeHash, expiresMs, actor } = reset
  const rows = tx.rows(PASSWORD_RESETS)
  // Of links that operators make, the newest is the only one that works.
  await rows.remove({ userId, letterId: null })
  await rows.insert([{ codeHash, userId, expiresMs }])
  const note = { action: 'password.reset_link_created', target: await emailOf(tx, userId) }
  await writeAccountAudit(tx, userId, actor, note)
}

interface UsedReset {
  readonly codeHash: string
  readonly passwordHash: string
  readonly actor: Actor
}

/** Uses the link up, sets the password, ends every session and revokes every personal token. */
export async function usePasswordReset(tx: Tx, used: UsedReset): Promise<Result<UserId>> {
  const { codeHash, passwordHash, actor } = used
  const reset = await tx.rows(PASSWORD_RESETS).one({ codeHash })
  if (reset === null || reset.expiresMs <= actor.atMs) return ACCOUNT_REFUSALS.resetLink()
  const user = reset.userId
  await putPassword(tx, { user, passwordHash, keep: null })
  // Whoever knew the old password may have made them.
  const detail = { tokensRevoked: await tx.accounts.revokeTokens(user) }
  const note = { action: 'password.reset', target: await emailOf(tx, user), detail }
  await writeAccountAudit(tx, user, { ...actor, userId: user }, note)
  return ok(user)
}

async function putPassword(tx: Tx, { user: id, passwordHash, keep }: NewPassword): Promise<void> {
  const rows = tx.rows(USERS)
  // Who has a password of their own is managed by nobody else.
  await rows.update([{ id, passwordHash, orgIdManaging: null }])
  await tx.accounts.endSessions(id, keep)
  await tx.rows(PASSWORD_RESETS).remove({ userId: id })
  const account = await rows.one({ id })
  if (account === null) return
  // Links that wait to be emailed.
  const { emailFolded } = account
  await tx.rows(LETTERS).remove({ invitation: null, activityId: null, device: null, emailFolded })
}

interface ProfileChange {
  readonly user: UserId
  readonly change: {
    readonly name?: string
    readonly theme?: Theme
    readonly landing?: Landing
    readonly orgIdLast?: OrgId
  }
  readonly actor: Actor
}

export async function setProfile(tx: Tx, { user: id, change, actor }: ProfileChange): Promise<void> {
  const { name, theme, landing, orgIdLast } = change
  const rows = tx.rows(USERS)
  if (name !== undefined) {
    await rows.update([{ id, name }])
    const note = { action: 'profile.renamed', target: await emailOf(tx, id) }
    await writeAccountAudit(tx, id, actor, note)
  }
  // How Errata looks to somebody, and where they were last, is no security-relevant change.
  if (theme !== undefined) await rows.update([{ id, theme }])
  if (landing !== undefined) await rows.update([{ id, landing }])
  if (orgIdLast !== undefined && (await readRole(tx, { orgId: orgIdLast, userId: id })) !== null)
    await rows.update([{ id, orgIdLast }])
}
