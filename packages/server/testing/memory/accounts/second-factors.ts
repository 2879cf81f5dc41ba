/** Passkeys, authenticators, recovery codes and known devices. */
import type { UserId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import { keepsCodes, refusePasskeys, SECOND_FACTOR_REFUSALS } from '#model/second-factor-rules.ts'
import type { Enrolled, SecondFactorsRead, SecondFactorsWrite } from '#ports/second-factors.ts'
import { ascending, byId, descending, inOrder } from '../order.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { emailOf } from '../rows/members.ts'
import type { Tables } from '../tables.ts'

export function secondFactorsRead(of: Tables): SecondFactorsRead {
  return {
    passkeys: async (user) => of.passkeys.where(({ userId }) => userId === user).sort(byId),
    passkey: async (credentialId) => of.passkeys.find((one) => one.credentialId === credentialId) ?? null,
    authenticator: async (user) => {
      const row = of.authenticators.get(user)
      return row === undefined ? null : { sealedSecret: row.sealedSecret, confirmedMs: row.confirmedMs }
    },
    recoveryCodesLeft: async (user) => of.recoveryCodes.where(({ userId }) => userId === user).length,
    hasSecondFactor: async (user) => factorsOf(of, user) > 0,
  }
}

type Passkeys = Pick<SecondFactorsWrite, 'addPasskey' | 'notePasskeyUse' | 'renamePasskey' | 'removePasskey'>
type Apps = Pick<
  SecondFactorsWrite,
  'beginAuthenticator' | 'confirmAuthenticator' | 'useAuthenticatorStep' | 'removeAuthenticator'
>

export function secondFactorsWrite(to: Tables): SecondFactorsWrite {
  return { ...passkeys(to), ...authenticators(to), ...codesAndDevices(to) }
}

function passkeys(to: Tables): Passkeys {
  return {
    addPasskey: async (passkey, codeHashes, actor) =>
      to.transaction(() => {
        const { userId: user, credentialId, name } = passkey
        if (to.passkeys.find((one) => one.credentialId === credentialId) !== undefined)
          return SECOND_FACTOR_REFUSALS.passkeyKnown()
        const tooMany = refusePasskeys(to.passkeys.where(({ userId }) => userId === user).length)
        if (tooMany !== null) return tooMany
        const factorsBefore = factorsOf(to, user)
        const id = to.passkeys.nextId()
        to.passkeys.put(id, { ...passkey, id, createdMs: actor.atMs, usedMs: null })
        writeAccountAudit(to, user, actor, { action: 'passkey.added', target: name })
        return ok(enrolled(to, { user, factorsBefore, codeHashes }))
      }),
    notePasskeyUse: async (id, counter, nowMs) =>
      to.transaction(() => {
        if (to.passkeys.has(id)) to.passkeys.change(id, { counter, usedMs: nowMs })
      }),
    renamePasskey: async (user, { id, name }, actor) =>
      to.transaction(() => {
        const passkey = to.passkeys.get(id)
        if (passkey?.userId !== user) return SECOND_FACTOR_REFUSALS.passkeyGone()
        to.passkeys.change(id, { name })
        const detail = { nameBefore: passkey.name }
        writeAccountAudit(to, user, actor, { action: 'passkey.renamed', target: name, detail })
        return ok(null)
      }),
    removePasskey: async (user, id, actor) =>
      to.transaction(() => {
        const passkey = to.passkeys.get(id)
        if (passkey?.userId !== user) return SECOND_FACTOR_REFUSALS.passkeyGone()
        to.passkeys.delete(id)
        removeLonelyCodes(to, user)
        writeAccountAudit(to, user, actor, { action: 'passkey.removed', target: passkey.name })
        return ok(null)
      }),
  }
}

function authenticators(to: Tables): Apps {
  return {
    beginAuthenticator: async (user, sealedSecret) =>
      to.transaction(() => {
        if ((to.authenticators.get(user)?.confirmedMs ?? null) !== null)
          return SECOND_FACTOR_REFUSALS.authenticatorSet()
        to.authenticators.put(user, { sealedSecret, confirmedMs: null, usedStep: 0 })
        return ok(null)
      }),
    confirmAuthenticator: async (user, { step, codeHashes }, actor) =>
      to.transaction(() => {
        const factorsBefore = factorsOf(to, user)
        if (to.authenticators.get(user)?.confirmedMs !== null)
          return SECOND_FACTOR_REFUSALS.authenticatorGone()
        to.authenticators.change(user, { confirmedMs: actor.atMs, usedStep: step })
        writeAccountAudit(to, user, actor, { action: 'authenticator.added', target: emailOf(to, user) })
        return ok(enrolled(to, { user, factorsBefore, codeHashes }))
      }),
    useAuthenticatorStep: async (user, step) =>
      to.transaction(() => {
        const app = to.authenticators.get(user)
        if (app === undefined || app.confirmedMs === null || app.usedStep >= step) return false
        to.authenticators.change(user, { usedStep: step })
        return true
      }),
    removeAuthenticator: async (user, actor) =>
      to.transaction(() => {
        if (!to.authenticators.has(user)) return SECOND_FACTOR_REFUSALS.authenticatorGone()
        to.authenticators.delete(user)
        removeLonelyCodes(to, user)
        writeAccountAudit(to, user, actor, { action: 'authenticator.removed', target: emailOf(to, user) })
        return ok(null)
      }),
  }
}

function codesAndDevices(to: Tables): Omit<SecondFactorsWrite, keyof Passkeys | keyof Apps> {
  return {
    setRecoveryCodes: async (user, codeHashes, actor) =>
      to.transaction(() => {
        writeCodes(to, user, codeHashes)
        writeAccountAudit(to, user, actor, { action: 'recovery.codes_created', target: emailOf(to, user) })
      }),
    useRecoveryCode: async (user, codeHash, actor) =>
      to.transaction(() => {
        if (to.recoveryCodes.get(codeHash)?.userId !== user) return false
        to.recoveryCodes.delete(codeHash)
        writeAccountAudit(to, user, actor, { action: 'recovery.code_used', target: emailOf(to, user) })
        return true
      }),
    removeSecondFactors: async (user, actor) =>
      to.transaction(() => {
        to.passkeys.deleteWhere(({ userId }) => userId === user)
        to.authenticators.delete(user)
        to.recoveryCodes.deleteWhere(({ userId }) => userId === user)
        to.sessions.deleteWhere(({ userId }) => userId === user)
        writeAccountAudit(to, user, actor, { action: 'recovery.factors_removed', target: emailOf(to, user) })
      }),
    confirmSession: async (session, user, actor) =>
      to.transaction(() => {
        if (to.sessions.get(session)?.userId === user)
          to.sessions.change(session, { confirmedMs: actor.atMs })
        writeAccountAudit(to, user, actor, { action: 'session.confirmed', target: emailOf(to, user) })
      }),
    requireSecondFactor: async (org, isRequired, actor) =>
      to.transaction(() => {
        const target = to.organisations.get(org)?.name
        if (target === undefined) return ACCOUNT_REFUSALS.organisationGone()
        to.secondFactorRequired.put(org, { isRequired })
        writeAudit(to, org, actor, { action: 'organisation.second_factor', target, detail: { isRequired } })
        return ok(null)
      }),
    noteDevice: async (user, name, nowMs) => to.transaction(() => noteDevice(to, user, { name, nowMs })),
  }
}

function noteDevice(
  to: Tables,
  user: UserId,
  { name, nowMs }: { readonly name: string; readonly nowMs: number },
): boolean {
  const known = to.devices.where(({ userId }) => userId === user)
  to.devices.put(`${user}:${name}`, { userId: user, name, seenMs: nowMs })
  const newest = to.devices
    .where(({ userId }) => userId === user)
    .sort(
      inOrder(
        descending(({ seenMs }) => seenMs),
        ascending((device) => device.name),
      ),
    )
  for (const old of newest.slice(max('devicesPerPersonMax'))) to.devices.delete(`${user}:${old.name}`)
  return known.length > 0 && known.every((device) => device.name !== name)
}

function factorsOf(of: Tables, user: UserId): number {
  const isConfirmed = (of.authenticators.get(user)?.confirmedMs ?? null) !== null
  return of.passkeys.where(({ userId }) => userId === user).length + (isConfirmed ? 1 : 0)
}

function enrolled(
  to: Tables,
  given: {
    readonly user: UserId
    readonly factorsBefore: number
    readonly codeHashes: readonly string[]
  },
): Enrolled {
  const codesKept = keepsCodes(given.factorsBefore)
  if (codesKept) writeCodes(to, given.user, given.codeHashes)
  return { codesKept }
}

function writeCodes(to: Tables, user: UserId, codeHashes: readonly string[]): void {
  to.recoveryCodes.deleteWhere(({ userId }) => userId === user)
  for (const codeHash of codeHashes) to.recoveryCodes.put(codeHash, { userId: user })
}

function removeLonelyCodes(to: Tables, user: UserId): void {
  if (factorsOf(to, user) === 0) to.recoveryCodes.deleteWhere(({ userId }) => userId === user)
}
