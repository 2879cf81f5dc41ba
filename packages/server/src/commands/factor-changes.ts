/** Changes of passkeys, authenticator apps and recovery codes. Each is asked for by the person, or by the command line. */
import type { UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { keepsCodes, refusePasskeys, SECOND_FACTOR_REFUSALS } from '#model/second-factor-rules.ts'
import { AUTHENTICATORS, PASSKEYS, RECOVERY_CODES, SESSIONS } from '#model/tables/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import type { Enrolled, NewPasskey } from '#ports/second-factors.ts'
import { emailOf } from './account-entry.ts'
import { writeAccountAudit } from './audit-entry.ts'

interface OfPerson {
  readonly user: UserId
  readonly actor: Actor
}

/** Refused when the person has too many, or the credential is known. */
export async function addPasskey(
  tx: Tx,
  {
    passkey,
    codeHashes,
    actor,
  }: { readonly passkey: NewPasskey; readonly codeHashes: readonly string[]; readonly actor: Actor },
): Promise<Result<Enrolled>> {
  const { userId, name, credentialId, transports } = passkey
  const rows = tx.rows(PASSKEYS)
  if ((await rows.one({ credentialId })) !== null) return SECOND_FACTOR_REFUSALS.passkeyKnown()
  const tooMany = refusePasskeys(await rows.count({ userId }))
  if (tooMany !== null) return tooMany
  const factorsBefore = await countFactors(tx, userId)
  await rows.insert([{ ...passkey, transports: transports.join(','), createdMs: actor.atMs }])
  await writeAccountAudit(tx, userId, actor, { action: 'passkey.added', target: name })
  return ok(await noteEnrolment(tx, userId, { factorsBefore, codeHashes }))
}

/** Notes that it was used: its counter as the authenticator says. */
export async function notePasskeyUse(
  tx: Tx,
  { id, counter, nowMs: usedMs }: { readonly id: number; readonly counter: number; readonly nowMs: number },
): Promise<void> {
  await tx.rows(PASSKEYS).update([{ id, counter, usedMs }])
}

export async function renamePasskey(
  tx: Tx,
  { user: userId, id, name, actor }: OfPerson & { readonly id: number; readonly name: string },
): Promise<Result<null>> {
  const before = await tx.rows(PASSKEYS).one({ id, userId })
  if (before === null) return SECOND_FACTOR_REFUSALS.passkeyGone()
  await tx.rows(PASSKEYS).update([{ id, name }])
  const detail = { nameBefore: before.name }
  await writeAccountAudit(tx, userId, actor, { action: 'passkey.renamed', target: name, detail })
  return ok(null)
}

/** Recovery codes go with the last factor. */
export async function removePasskey(
  tx: Tx,
  { user: userId, id, actor }: OfPerson & { readonly id: number },
): Promise<Result<null>> {
  const passkey = await tx.rows(PASSKEYS).one({ id, userId })
  if (passkey === null) return SECOND_FACTOR_REFUSALS.passkeyGone()
  await tx.rows(PASSKEYS).remove({ id })
  await removeLonelyCodes(tx, userId)
  await writeAccountAudit(tx, userId, actor, { action: 'passkey.removed', target: passkey.name })
  return ok(null)
}

/** Replaces one that was not confirmed; `conflict` where one is. */
export async function beginAuthenticator(
  tx: Tx,
  { user: userId, sealedSecret }: { readonly user: UserId; readonly sealedSecret: string },
): Promise<Result<null>> {
  const rows = tx.rows(AUTHENTICATORS)
  const known = await rows.one({ userId })
  if (known !== null && known.confirmedMs !== null) return SECOND_FACTOR_REFUSALS.authenticatorSet()
  await rows.remove({ userId })
  await rows.insert([{ userId, sealedSecret }])
  return ok(null)
}

/** `step` is that of the code that was tried. */
export async function confirmAuthenticator(
  tx: Tx,
  {
    user: userId,
    step: usedStep,
    codeHashes,
    actor,
  }: OfPerson & { readonly step: number; readonly codeHashes: readonly string[] },
): Promise<Result<Enrolled>> {
  const factorsBefore = await countFactors(tx, userId)
  const begun = { userId, confirmedMs: null }
  const confirmed = await tx.rows(AUTHENTICATORS).change(begun, { confirmedMs: actor.atMs, usedStep })
  if (confirmed === 0) return SECOND_FACTOR_REFUSALS.authenticatorGone()
  await noteOf(tx, { user: userId, actor }, 'authenticator.added')
  return ok(await noteEnrolment(tx, userId, { factorsBefore, codeHashes }))
}

/** Answers false, and changes nothing, when a code of this step or a later one was used already. */
export async function useAuthenticatorStep(
  tx: Tx,
  { user: userId, step }: { readonly user: UserId; readonly step: number },
): Promise<boolean> {
  const rows = tx.rows(AUTHENTICATORS)
  const app = await rows.one({ userId })
  if (app === null || app.confirmedMs === null || app.usedStep >= step) return false
  await rows.update([{ userId, usedStep: step }])
  return true
}

/** Recovery codes go with the last factor. */
export async function removeAuthenticator(tx: Tx, { user: userId, actor }: OfPerson): Promise<Result<null>> {
  if ((await tx.rows(AUTHENTICATORS).remove({ userId })) === 0)
    return SECOND_FACTOR_REFUSALS.authenticatorGone()
  await removeLonelyCodes(tx, userId)
  await noteOf(tx, { user: userId, actor }, 'authenticator.removed')
  return ok(null)
}

/** Replaces the recovery codes; earlier ones stop working. */
export async function setRecoveryCodes(
  tx: Tx,
  { user, codeHashes, actor }: OfPerson & { readonly codeHashes: readonly string[] },
): Promise<void> {
  await putCodes(tx, user, codeHashes)
  await noteOf(tx, { user, actor }, 'recovery.codes_created')
}

/** Answers false when there is no such code any more. */
export async function useRecoveryCode(
  tx: Tx,
  { user: userId, codeHash, actor }: OfPerson & { readonly codeHash: string },
): Promise<boolean> {
  if ((await tx.rows(RECOVERY_CODES).remove({ codeHash, userId })) === 0) return false
  await noteOf(tx, { user: userId, actor }, 'recovery.code_used')
  return true
}

/** Lets whoever has lost everything begin again: passkeys, authenticator and codes are gone, all sessions end. */
export async function removeSecondFactors(tx: Tx, { user: userId, actor }: OfPerson): Promise<void> {
  await tx.rows(PASSKEYS).remove({ userId })
  await tx.rows(AUTHENTICATORS).remove({ userId })
  await tx.rows(RECOVERY_CODES).remove({ userId })
  await tx.rows(SESSIONS).remove({ userId })
  await noteOf(tx, { user: userId, actor }, 'recovery.factors_removed')
}

async function noteOf(tx: Tx, { user, actor }: OfPerson, action: string): Promise<void> {
  await writeAccountAudit(tx, user, actor, { action, target: await emailOf(tx, user) })
}

/** Counts passkeys, and the authenticator where it was confirmed. */
async function countFactors(tx: Tx, userId: UserId): Promise<number> {
  const app = await tx.rows(AUTHENTICATORS).one({ userId })
  const isConfirmed = app !== null && app.confirmedMs !== null
  return (await tx.rows(PASSKEYS).count({ userId })) + (isConfirmed ? 1 : 0)
}

async function noteEnrolment(
  tx: Tx,
  user: UserId,
  { factorsBefore, codeHashes }: { readonly factorsBefore: number; readonly codeHashes: readonly string[] },
): Promise<Enrolled> {
  const codesKept = keepsCodes(factorsBefore)
  if (codesKept) await putCodes(tx, user, codeHashes)
  return { codesKept }
}

async function putCodes(tx: Tx, userId: UserId, codeHashes: readonly string[]): Promise<void> {
  const rows = tx.rows(RECOVERY_CODES)
  await rows.remove({ userId })
  await rows.insert(codeHashes.map((codeHash) => ({ codeHash, userId })))
}

async function removeLonelyCodes(tx: Tx, userId: UserId): Promise<void> {
  if ((await countFactors(tx, userId)) === 0) await tx.rows(RECOVERY_CODES).remove({ userId })
}
