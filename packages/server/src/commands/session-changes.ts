/** Changes of sessions, and of what is known of whoever signs in. Each is asked for once the person is known. */
import { type OrgId, type SessionId, sessionId, type TokenId, type UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS, foldEmail, noteUseBefore, shownEmail } from '#model/account-rules.ts'
import { devicesBeyond, isNewDevice, sessionsBeyond } from '#model/session-rules.ts'
import { DEVICES, SESSIONS, USERS } from '#model/tables/accounts.ts'
import { TOKENS } from '#model/tables/organisations.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { emailOf } from './account-entry.ts'
import { writeAccountAudit, writeAudit } from './audit-entry.ts'

interface NewSession {
  readonly user: UserId
  /** SHA-256 of the cookie's value in hex. */
  readonly tokenHash: string
  readonly userAgent: string | null
  /** Organisation whose provider begins it. */
  readonly org?: OrgId
  readonly actor: Actor
}

/** Begins a session. What a provider begins ends no session that it did not begin. */
export async function createSession(tx: Tx, begun: NewSession): Promise<SessionId> {
  const { user: userId, tokenHash, org: orgId = null, actor } = begun
  const { atMs: createdMs, address } = actor
  const rows = tx.rows(SESSIONS)
  const userAgent = begun.userAgent?.slice(0, max('tagValueCharsMax')) ?? null
  const times = { createdMs, seenMs: createdMs, confirmedMs: createdMs }
  const [id = 0] = await rows.insert([{ userId, tokenHash, ...times, address, userAgent, orgId }])
  const beyond = sessionsBeyond(await rows.find({ userId, orgId }, 2 * max('sessionsPerUserMax')))
  if (beyond.length > 0) await rows.remove({ id: beyond.map((one) => one.id) })
  const note = { action: 'session.signed_in', target: await emailOf(tx, userId) }
  if (orgId === null) await writeAccountAudit(tx, userId, actor, note)
  else await writeAudit(tx, orgId, actor, note)
  return sessionId(id)
}

type Used = { readonly nowMs: number } & (
  | { readonly of: 'session'; readonly id: SessionId }
  | { readonly of: 'token'; readonly id: TokenId }
)

/** Notes use of a session or token, at most once a minute. */
export async function noteUse(tx: Tx, { nowMs, ...used }: Used): Promise<void> {
  const before = noteUseBefore(nowMs)
  if (used.of === 'session') {
    const known = await tx.rows(SESSIONS).one({ id: used.id })
    if (known !== null && known.seenMs <= before)
      await tx.rows(SESSIONS).update([{ id: used.id, seenMs: nowMs }])
    return
  }
  const known = await tx.rows(TOKENS).one({ id: used.id })
  if (known !== null && (known.usedMs ?? 0) <= before)
    await tx.rows(TOKENS).update([{ id: used.id, usedMs: nowMs }])
}

interface OfSession {
  readonly user: UserId
  readonly id: SessionId
  readonly actor: Actor
}

export async function endSession(tx: Tx, { user: userId, id, actor }: OfSession): Promise<Result<null>> {
  if ((await tx.rows(SESSIONS).remove({ id, userId })) === 0) return ACCOUNT_REFUSALS.sessionEnded()
  const note = { action: 'session.ended', target: await emailOf(tx, userId) }
  await writeAccountAudit(tx, userId, actor, note)
  return ok(null)
}

/** Notes that whoever holds the session proved who they are. */
export async function confirmSession(tx: Tx, { user: userId, id, actor }: OfSession): Promise<void> {
  await tx.rows(SESSIONS).change({ id, userId }, { confirmedMs: actor.atMs })
  const note = { action: 'session.confirmed', target: await emailOf(tx, userId) }
  await writeAccountAudit(tx, userId, actor, note)
}

/** Records a refused sign-in; `email` as typed. */
export async function recordSignInFailure(
  tx: Tx,
  { email, actor }: { readonly email: string; readonly actor: Actor },
): Promise<void> {
  const note = { action: 'session.sign_in_failed', target: shownEmail(email) }
  const user = await tx.rows(USERS).one({ emailFolded: foldEmail(email) })
  if (user === null) await writeAudit(tx, null, actor, note)
  else await writeAccountAudit(tx, user.id, actor, note)
}

/** Answers whether others of the person's devices are known and this one is not. It is from now on. */
export async function noteDevice(
  tx: Tx,
  {
    user: userId,
    name,
    nowMs: seenMs,
  }: { readonly user: UserId; readonly name: string; readonly nowMs: number },
): Promise<boolean> {
  const rows = tx.rows(DEVICES)
  const known = await rows.find({ userId }, 2 * max('devicesPerPersonMax'))
  const after = [...known.filter((one) => one.name !== name), { userId, name, seenMs }]
  await rows.merge([{ userId, name, seenMs }])
  const beyond = devicesBeyond(after)
  if (beyond.length > 0) await rows.remove({ userId, name: beyond.map((one) => one.name) })
  return isNewDevice(known, name)
}
