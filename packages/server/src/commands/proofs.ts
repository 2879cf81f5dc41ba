/** Proving who one is: a passkey instead of the password, a code after it, either again before a dangerous action. */
import { stepOfCode } from '#access/authenticator-app.ts'
import { checkPasskey, type PasskeyRequest, passkeyPlace, passkeyRequest } from '#access/passkeys.ts'
import { recoveryCodeHash } from '#access/recovery-codes.ts'
import type { UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import type { User } from '#ports/accounts.ts'
import type { Passkey } from '#ports/second-factors.ts'
import { actorOf, type PersonAsking, type RequestFacts, unnamedActor } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { PASSKEY_SCHEMAS } from './passkey-schemas.ts'
import { readInput } from './schemas.ts'
import { type AtOrigin, NO_PASSKEYS_HERE } from './second-factors.ts'
import { beginSession, knownUser, type SignedIn, whileHashing } from './sessions.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

interface ProofCommands {
  /** Returns what the browser asks its passkeys for. Without a person whoever has one may answer. */
  passkeyRequest(at: AtOrigin & { readonly of?: PersonAsking | null }): Promise<Result<PasskeyRequest>>
  signInByPasskey(facts: RequestFacts, given: GivenAnswer): Promise<Result<SignedIn>>
  /** Returns a waiting sign-in, and what finishes it; `null` once it is used or too old. */
  waitingSignIn(ticket: string): Promise<WaitingSignIn | null>
  /** After the password: by a code of the app, or a recovery code. */
  finishSignIn(facts: RequestFacts, given: GivenCode & { readonly ticket: string }): Promise<Result<SignedIn>>
  /** Returns what the person may confirm with. */
  waysToConfirm(asking: PersonAsking): Promise<WaysToConfirm>
  confirmByPassword(asking: PersonAsking, password: string): Promise<Result<null>>
  confirmByCode(asking: PersonAsking, given: GivenCode): Promise<Result<null>>
  confirmByPasskey(asking: PersonAsking, given: GivenAnswer): Promise<Result<null>>
}

export interface WaitingSignIn {
  readonly email: string
  readonly hasPasskey: boolean
  readonly hasApp: boolean
  readonly recoveryCodesLeft: number
}

export interface WaysToConfirm extends WaitingSignIn {
  readonly hasPassword: boolean
  /** Name of the provider that began the session, where it can be asked again. */
  readonly provider: string | null
}

interface GivenAnswer extends AtOrigin {
  readonly answer: unknown
}

interface GivenCode {
  /** Six digits of the app, or a recovery code. */
  readonly code: string
}

type Parts = Pick<
  CommandParts,
  | 'accounts'
  | 'clock'
  | 'random'
  | 'publicAddress'
  | 'passwords'
  | 'secondFactors'
  | 'seal'
  | 'challenges'
  | 'waitingSignIns'
  | 'signInLimits'
  | 'mailRoom'
  | 'singleSignOn'
> & { readonly changes: Changes }

const SIGN_IN = 'sign in'
const CODE_CHARS_MAX = 100

export function proofCommands(parts: Parts): ProofCommands {
  return {
    passkeyRequest: (at) => makePasskeyRequest(parts, at),
    signInByPasskey: (facts, given) => signInByPasskey(parts, facts, given),
    waitingSignIn: async (ticket) => {
      const user = await waitingUser(parts, ticket)
      return user === null ? null : waysToProve(parts, user)
    },
    finishSignIn: (facts, given) => finishSignIn(parts, facts, given),
    waysToConfirm: (asking) => waysToConfirm(parts, asking),
    confirmByPassword: (asking, password) => confirmByPassword(parts, asking, password),
    confirmByCode: (asking, given) => confirmByCode(parts, asking, given),
    confirmByPasskey: (asking, given) => confirmByPasskey(parts, asking, given),
  }
}

async function waysToProve(parts: Parts, { id, email }: Pick<User, 'id' | 'email'>): Promise<WaitingSignIn> {
  const { passkeys, authenticator: app, recoveryCodesLeft } = await parts.secondFactors.secondFactors(id)
  const hasApp = app !== null && app.confirmedMs !== null
  return { email, hasPasskey: passkeys.length > 0, hasApp, recoveryCodesLeft }
}

async function waysToConfirm(
  parts: Parts,
  { viewer: { user, session } }: PersonAsking,
): Promise<WaysToConfirm> {
  const { orgId } = session
  const [own, passwordHash, providers] = await Promise.all([
    waysToProve(parts, user),
    parts.accounts.passwordHash(user.id),
    orgId === undefined ? [] : (parts.singleSignOn?.read.signInProviders(orgId) ?? []),
  ])
  const provider = providers.find(({ kind }) => kind === 'oidc')?.name ?? null
  // What a provider began and can confirm tells nothing of how the account signs in elsewhere.
  const hidden = { hasPasskey: false, hasApp: false, recoveryCodesLeft: 0 }
  const ways =
    orgId === undefined ? own : { ...own, recoveryCodesLeft: 0, ...(provider === null ? {} : hidden) }
  // Whom a provider made has none.
  const hasPassword = passwordHash !== null && passwordHash !== '' && provider === null
  return { ...ways, hasPassword, provider }
}

async function waitingUser(parts: Parts, ticket: string): Promise<User | null> {
  const user = parts.waitingSignIns.find(ticket)
  return user === null ? null : parts.accounts.user(user)
}

async function makePasskeyRequest(
  parts: Parts,
  { origin, of = null }: Parameters<ProofCommands['passkeyRequest']>[0],
): Promise<Result<PasskeyRequest>> {
  const place = passkeyPlace(parts.publicAddress, origin)
  if (place === null) return NO_PASSKEYS_HERE()
  const user = of?.viewer.user.id
  const isOfProvider = of?.viewer.session.orgId !== undefined
  const known =
    user === undefined || isOfProvider ? [] : (await parts.secondFactors.secondFactors(user)).passkeys
  const challenge = parts.challenges.issue(user === undefined ? SIGN_IN : confirming(user))
  return ok(await passkeyRequest(place, challenge, known))
}

function confirming(user: UserId): string {
  return `confirm ${user}`
}

/** The passkey that answered, when it holds; counts as an attempt when it does not. */
async function provenPasskey(
  parts: Parts,
  facts: RequestFacts,
  given: GivenAnswer & { readonly purpose: string },
): Promise<Result<Passkey>> {
  const wrong = () => refuse('sign_in_failed', 'This passkey isn’t known here. Sign in another way.')
  const checked = readInput(PASSKEY_SCHEMAS.passkeyAnswer, given.answer)
  if (!checked.ok) return wrong()
  const answer = checked.value
  const attempt = parts.signInLimits.attempt(facts.address, `passkey ${answer.id.slice(0, CODE_CHARS_MAX)}`)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  const place = passkeyPlace(parts.publicAddress, given.origin)
  if (place === null) return NO_PASSKEYS_HERE()
  const passkey = await parts.secondFactors.passkey(answer.id)
  if (passkey === null) return wrong()
  const { challenges } = parts
  const counter = await checkPasskey(answer, passkey, { place, challenges, purpose: given.purpose })
  if (counter === null) return wrong()
  attempt.succeeded()
  await parts.changes.own('notePasskeyUse', { id: passkey.id, counter, nowMs: parts.clock.now() })
  return ok(passkey)
}

async function signInByPasskey(
  parts: Parts,
  facts: RequestFacts,
  given: GivenAnswer,
): Promise<Result<SignedIn>> {
  const proven = await provenPasskey(parts, facts, { ...given, purpose: SIGN_IN })
  if (!proven.ok) {
    if (proven.code === 'sign_in_failed') await noteFailedSignIn(parts, facts, 'a passkey')
    return proven
  }
  const user = await parts.accounts.user(proven.value.userId)
  if (user === null) return refuse('sign_in_failed', 'The account no longer exists.')
  return ok(await beginSession(parts, user, { facts, actor: namedActor(parts, facts, user) }))
}

function noteFailedSignIn(parts: Parts, facts: RequestFacts, email: string): Promise<void> {
  return parts.changes.own('recordSignInFailure', { email, actor: unnamedActor(parts, facts) })
}

function namedActor(parts: Parts, facts: RequestFacts, user: User) {
  return { ...unnamedActor(parts, facts), userId: user.id, label: user.name || user.email }
}

async function finishSignIn(
  parts: Parts,
  facts: RequestFacts,
  { ticket, code }: GivenCode & { readonly ticket: string },
): Promise<Result<SignedIn>> {
  const user = await waitingUser(parts, ticket)
  if (user === null) return refuse('link_expired', 'This sign-in took too long. Start again.')
  const refusal = await refuseGivenCode(parts, facts, { user, code })
  if (refusal !== null) {
    if (refusal.code === 'invalid_input') await noteFailedSignIn(parts, facts, user.email)
    return refusal
  }
  parts.waitingSignIns.end(ticket)
  return ok(await beginSession(parts, user, { facts, actor: namedActor(parts, facts, user) }))
}

/** Takes a code of the app or a recovery code, each once. */
async function refuseGivenCode(
  parts: Parts,
  facts: RequestFacts,
  { user, code }: GivenCode & { readonly user: User },
): Promise<Refusal | null> {
  // Apart from the password's: knowing that must not give new tries at this.
  const attempt = parts.signInLimits.attempt(facts.address, `code of ${user.id}`)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  const typed = code.slice(0, CODE_CHARS_MAX).replace(/\s/g, '')
  const isRight = /^\d{6}$/.test(typed)
    ? await useAppCode(parts, user.id, typed)
    : await parts.changes.own('useRecoveryCode', {
        user: user.id,
        codeHash: recoveryCodeHash(typed),
        actor: namedActor(parts, facts, user),
      })
  if (isRight) {
    attempt.succeeded()
    return null
  }
  const message = 'The code is incorrect or was already used.'
  return refuse('invalid_input', message, { code: [message] })
}

async function useAppCode(parts: Parts, user: UserId, code: string): Promise<boolean> {
  const stored = (await parts.secondFactors.secondFactors(user)).authenticator
  if (stored === null || stored.confirmedMs === null) return false
  const secret = parts.seal.open(stored.sealedSecret)
  const step = secret === null ? null : stepOfCode(secret, code, parts.clock.now())
  return step !== null && parts.changes.own('useAuthenticatorStep', { user, step })
}

async function refuseUnconfirmed(parts: Parts, asking: PersonAsking): Promise<Result<null>> {
  const { session, user } = asking.viewer
  await parts.changes.own('confirmSession', {
    user: user.id,
    id: session.id,
    actor: actorOf(parts, asking),
  })
  return ok(null)
}

async function confirmByPassword(
  parts: Parts,
  asking: PersonAsking,
  password: string,
): Promise<Result<null>> {
  const { user } = asking.viewer
  const attempt = parts.signInLimits.attempt(asking.address, `password of ${user.id}`)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  return whileHashing(asking, async () => {
    const stored = await parts.accounts.passwordHash(user.id)
    const typed = password.slice(0, PASSWORD_CHARS_MAX)
    if (!(await parts.passwords.verify(typed, stored, knownUser(user.id)))) {
      const message = 'Password is incorrect.'
      return refuse('invalid_input', message, { password: [message] })
    }
    attempt.succeeded()
    return refuseUnconfirmed(parts, asking)
  })
}

/** Longer ones are none: what is hashed is bounded. */
const PASSWORD_CHARS_MAX = 1_000

async function confirmByCode(parts: Parts, asking: PersonAsking, given: GivenCode): Promise<Result<null>> {
  return (
    (await refuseGivenCode(parts, asking, { user: asking.viewer.user, code: given.code })) ??
    refuseUnconfirmed(parts, asking)
  )
}

async function confirmByPasskey(
  parts: Parts,
  asking: PersonAsking,
  given: GivenAnswer,
): Promise<Result<null>> {
  const { user } = asking.viewer
  const proven = await provenPasskey(parts, asking, { ...given, purpose: confirming(user.id) })
  if (!proven.ok) return proven
  if (proven.value.userId !== user.id)
    return refuse('sign_in_failed', 'This passkey belongs to another account.')
  return refuseUnconfirmed(parts, asking)
}
