/** Passkeys, authenticator apps and recovery codes: set up, asked for, taken away. */
import { appAddress, newAppSecret, stepOfCode } from '#access/authenticator-app.ts'
import {
  type NewPasskeyRequest,
  newPasskeyRequest,
  type PasskeyPlace,
  passkeyPlace,
  readNewPasskey,
} from '#access/passkeys.ts'
import { type QrCode, qrCode } from '#access/qr-code.ts'
import { newRecoveryCodes, recoveryCodeHash } from '#access/recovery-codes.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { Passkey } from '#ports/second-factors.ts'
import { actorOf, type PersonAsking, type RequestFacts, refuseAccountChange, unnamedActor } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { PASSKEY_SCHEMAS } from './passkey-schemas.ts'
import { readInput } from './schemas.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

interface SecondFactorCommands {
  /** Returns the person's second factors; changes nothing. */
  security(asking: PersonAsking): Promise<Security>
  passkeyOffer(asking: PersonAsking, at: AtOrigin): Promise<Result<NewPasskeyRequest>>
  addPasskey(asking: PersonAsking, given: GivenPasskey): Promise<Result<NewCodes>>
  renamePasskey(
    asking: PersonAsking,
    passkey: { readonly id: number; readonly name: string },
  ): Promise<Result<null>>
  removePasskey(asking: PersonAsking, id: number): Promise<Result<null>>
  /** Makes a secret; it counts once a code of it was tried. */
  beginAuthenticator(asking: PersonAsking): Promise<Result<null>>
  confirmAuthenticator(asking: PersonAsking, code: string): Promise<Result<NewCodes>>
  removeAuthenticator(asking: PersonAsking): Promise<Result<null>>
  /** Replaces the recovery codes; earlier ones stop working. */
  createRecoveryCodes(asking: PersonAsking): Promise<Result<NewCodes>>
  /** Removes second factors of somebody who has lost them all; for the command line. */
  removeSecondFactors(facts: RequestFacts, email: string): Promise<Result<null>>
}

/** `origin`: in the browser, where it is known. */
export interface AtOrigin {
  readonly origin: string | null
}

interface GivenPasskey extends AtOrigin {
  readonly name: string
  readonly answer: unknown
}

/** `null`: the person has some already. Shown once. */
export interface NewCodes {
  readonly codes: readonly string[] | null
}

export interface Security {
  readonly passkeys: readonly Passkey[]
  readonly app:
    | { readonly state: 'none' | 'on' | 'unreadable' }
    | { readonly state: 'begun'; readonly secret: string; readonly qr: QrCode }
  readonly recoveryCodesLeft: number
}

type Parts = Pick<
  CommandParts,
  'accounts' | 'clock' | 'random' | 'publicAddress' | 'secondFactors' | 'seal' | 'challenges' | 'signInLimits'
> & { readonly changes: Changes }

export function secondFactorCommands(parts: Parts): SecondFactorCommands {
  const { changes } = parts
  const own = (asking: PersonAsking) => ({ user: asking.viewer.user.id, actor: actorOf(parts, asking) })
  return {
    security: (asking) => security(parts, asking),
    passkeyOffer: (asking, at) => passkeyOffer(parts, asking, at),
    addPasskey: (asking, given) => addOwnPasskey(parts, asking, given),
    renamePasskey: async (asking, { id, name }) => {
      const refusal = refuseAccountChange(parts, asking)
      if (refusal !== null) return refusal
      const checked = readInput(PASSKEY_SCHEMAS.passkeyName, { name })
      if (!checked.ok) return checked
      return changes.own('renamePasskey', { ...own(asking), id, name: checked.value.name })
    },
    removePasskey: async (asking, id) =>
      refuseAccountChange(parts, asking) ?? changes.own('removePasskey', { ...own(asking), id }),
    beginAuthenticator: async (asking) =>
      refuseAccountChange(parts, asking) ??
      changes.own('beginAuthenticator', {
        user: asking.viewer.user.id,
        sealedSecret: parts.seal.seal(newAppSecret(parts.random)),
      }),
    confirmAuthenticator: (asking, code) => confirmOwnAuthenticator(parts, asking, code),
    removeAuthenticator: async (asking) =>
      refuseAccountChange(parts, asking) ?? changes.own('removeAuthenticator', own(asking)),
    createRecoveryCodes: (asking) => createRecoveryCodes(parts, asking),
    removeSecondFactors: async (facts, email) => {
      const user = await parts.accounts.userByEmail(email.slice(0, 254))
      if (user === null) return refuse('not_found', 'There is no account with this email.')
      await changes.own('removeSecondFactors', { user: user.id, actor: unnamedActor(parts, facts) })
      return ok(null)
    },
  }
}

export const NO_PASSKEYS_HERE = () =>
  refuse('conflict', 'Passkeys need https and a host name: they don’t work at an IP address.')

async function security(parts: Parts, { viewer }: PersonAsking): Promise<Security> {
  const { user } = viewer
  // What an organisation's provider began says nothing of how the account signs in elsewhere.
  if (viewer.session.orgId !== undefined)
    return { passkeys: [], recoveryCodesLeft: 0, app: { state: 'none' } }
  const factors = await parts.secondFactors.secondFactors(user.id)
  const { passkeys, authenticator: stored, recoveryCodesLeft } = factors
  const shared = { passkeys, recoveryCodesLeft }
  if (stored === null) return { ...shared, app: { state: 'none' } }
  const secret = parts.seal.open(stored.sealedSecret)
  if (secret === null) return { ...shared, app: { state: 'unreadable' } }
  if (stored.confirmedMs !== null) return { ...shared, app: { state: 'on' } }
  return { ...shared, app: { state: 'begun', secret, qr: qrCode(appAddress(secret, user.email)) } }
}

async function passkeyOffer(
  parts: Parts,
  asking: PersonAsking,
  { origin }: AtOrigin,
): Promise<Result<NewPasskeyRequest>> {
  const refusal = refuseAccountChange(parts, asking)
  if (refusal !== null) return refusal
  const place = passkeyPlace(parts.publicAddress, origin)
  if (place === null) return NO_PASSKEYS_HERE()
  const { user } = asking.viewer
  const known = (await parts.secondFactors.secondFactors(user.id)).passkeys
  return ok(await newPasskeyRequest(place, parts.challenges.issue(purposeOf(asking)), { user, known }))
}

function purposeOf({ viewer }: PersonAsking): string {
  return `new passkey of ${viewer.user.id}`
}

async function addOwnPasskey(
  parts: Parts,
  asking: PersonAsking,
  { name, answer, origin }: GivenPasskey,
): Promise<Result<NewCodes>> {
  const refusal = refuseAccountChange(parts, asking)
  if (refusal !== null) return refusal
  const checked = readInput(PASSKEY_SCHEMAS.newPasskey, { name, answer })
  if (!checked.ok) return checked
  const place: PasskeyPlace | null = passkeyPlace(parts.publicAddress, origin)
  if (place === null) return NO_PASSKEYS_HERE()
  const expected = { place, challenges: parts.challenges, purpose: purposeOf(asking) }
  const made = await readNewPasskey(checked.value.answer, expected)
  if (made === null) return refuse('conflict', 'The passkey could not be checked. Try again.')
  const codes = newRecoveryCodes(parts.random)
  const added = await parts.changes.own('addPasskey', {
    passkey: { ...made, name: checked.value.name, userId: asking.viewer.user.id },
    codeHashes: codes.map(recoveryCodeHash),
    actor: actorOf(parts, asking),
  })
  return added.ok ? ok({ codes: added.value.codesKept ? codes : null }) : added
}

async function confirmOwnAuthenticator(
  parts: Parts,
  asking: PersonAsking,
  code: string,
): Promise<Result<NewCodes>> {
  const refusal = refuseAccountChange(parts, asking)
  if (refusal !== null) return refusal
  const { user } = asking.viewer
  const attempt = parts.signInLimits.attempt(asking.address, `code of ${user.id}`)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  const stored = (await parts.secondFactors.secondFactors(user.id)).authenticator
  const secret = stored === null ? null : parts.seal.open(stored.sealedSecret)
  const step = secret === null ? null : stepOfCode(secret, code.replace(/\s/g, ''), parts.clock.now())
  if (step === null) {
    const message = 'The code is incorrect. Check your phone’s clock.'
    return refuse('invalid_input', message, { code: [message] })
  }
  attempt.succeeded()
  const codes = newRecoveryCodes(parts.random)
  const confirmed = await parts.changes.own('confirmAuthenticator', {
    ...{ user: user.id, step, codeHashes: codes.map(recoveryCodeHash) },
    actor: actorOf(parts, asking),
  })
  return confirmed.ok ? ok({ codes: confirmed.value.codesKept ? codes : null }) : confirmed
}

async function createRecoveryCodes(parts: Parts, asking: PersonAsking): Promise<Result<NewCodes>> {
  const refusal = refuseAccountChange(parts, asking)
  if (refusal !== null) return refusal
  const { user } = asking.viewer
  if (!(await parts.secondFactors.hasSecondFactor(user.id)))
    return refuse('conflict', 'Add a passkey or an authenticator app first.')
  const codes = newRecoveryCodes(parts.random)
  await parts.changes.own('setRecoveryCodes', {
    ...{ user: user.id, codeHashes: codes.map(recoveryCodeHash) },
    actor: actorOf(parts, asking),
  })
  return ok({ codes })
}
