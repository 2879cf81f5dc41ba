/** Opens sessions, for signing in, setting up and joining. */
import type { HashAsker } from '#access/hash-turns.ts'
import { rememberDevice } from '#access/known-device.ts'
import { newSecret, secretHash } from '#access/secrets.ts'
import { ErrataError } from '#base/errors.ts'
import type { UserId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { User } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import { deviceOf } from '#queries/device.ts'
import type { RequestFacts } from './asking.ts'
import { unnamedActor } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'

export interface SignedIn {
  /** Value for the session cookie; only its hash is stored. */
  readonly cookie: string
  readonly userId: UserId
  readonly maxAgeSeconds: number
  /** Cookie beyond the session, by which the browser is known again. Absent if no password is tried. */
  readonly device?: { readonly cookie: string; readonly maxAgeSeconds: number }
}

const DAY_SECONDS = 86_400

/** A new secret for every sign-in: a cookie that was planted before is worth nothing. */
export async function beginSession(
  parts: Pick<CommandParts, 'accounts' | 'random' | 'seal' | 'mailRoom'> & { readonly changes: Changes },
  { id: user, email }: Pick<User, 'id' | 'email'>,
  { facts, actor }: { readonly facts: RequestFacts; readonly actor: Actor },
): Promise<SignedIn> {
  const cookie = newSecret(parts.random)
  const userAgent = facts.userAgent?.slice(0, 300) ?? null
  await parts.changes.own('createSession', { user, tokenHash: secretHash(cookie), userAgent, actor })
  await tellOfDevice(parts, { user, device: deviceOf(userAgent) }, actor)
  return {
    ...{ cookie, userId: user, maxAgeSeconds: max('sessionDays') * DAY_SECONDS },
    device: {
      cookie: rememberDevice(parts, facts.device, { email, nowMs: actor.atMs }),
      maxAgeSeconds: max('deviceKnownDays') * DAY_SECONDS,
    },
  }
}

/** Whoever holds the account learns of a sign-in from a device that was never seen. */
async function tellOfDevice(
  parts: Pick<CommandParts, 'accounts' | 'random' | 'mailRoom'> & { readonly changes: Changes },
  { user, device }: { readonly user: UserId; readonly device: string },
  actor: Actor,
): Promise<void> {
  const isNew = await parts.changes.own('noteDevice', { user, name: device, nowMs: actor.atMs })
  const account = isNew && parts.mailRoom !== undefined ? await parts.accounts.user(user) : null
  if (account === null) return
  const letter = {
    ...{ email: account.email, device, key: parts.random.hex(LETTER_KEY_BYTES) },
    expiresMs: actor.atMs + DAY_SECONDS * 1_000,
  }
  await parts.changes.own('createDeviceLetter', { letter, actor })
  parts.mailRoom?.wake()
}

const LETTER_KEY_BYTES = 16

/** After the right password: a session, or for who has a second factor what stands for the password until it came. */
export async function afterPassword(
  parts: Pick<
    CommandParts,
    'accounts' | 'random' | 'seal' | 'clock' | 'secondFactors' | 'waitingSignIns' | 'mailRoom'
  > & { readonly changes: Changes },
  user: Pick<User, 'id' | 'name' | 'email'>,
  facts: RequestFacts,
): Promise<Result<SignedIn>> {
  if (await parts.secondFactors.hasSecondFactor(user.id)) {
    const message = 'Enter the code from your app, or use a passkey.'
    return { ...refuse('second_factor_needed', message), ticket: parts.waitingSignIns.begin(user.id) }
  }
  const actor = { ...unnamedActor(parts, facts), userId: user.id, label: user.name || user.email }
  return ok(await beginSession(parts, user, { facts, actor }))
}

/** Runs what hashes a password, beside what is answered meanwhile; too many at once is a refusal, not a failure. */
export async function whileHashing<T>(
  { aside = atOnce }: RequestFacts,
  run: () => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await aside(run)
  } catch (cause) {
    if (cause instanceof ErrataError && cause.code === 'overloaded') {
      return { ...refuse(cause.code, cause.message), retryAfterSeconds: 5 }
    }
    throw cause
  }
}

export function knownUser(user: UserId): HashAsker {
  return { is: 'known', account: `user ${user}` }
}

function atOnce<T>(work: () => Promise<T>): Promise<T> {
  return work()
}
