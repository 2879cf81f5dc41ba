/**
 * Remembers browsers that have signed in, by a cookie that opens nothing and tells password tries from here
 * from those of strangers. Nothing is stored: the cookie is sealed.
 */
import { createHash } from 'node:crypto'
import { DAY_MS } from '#base/durations.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { SecretSeal } from './seal.ts'

interface Device {
  readonly name: string
  /** Accounts that signed in here, the latest first; by hash, so that the cookie stays short. */
  readonly accounts: readonly string[]
}

const KIND = 'device'
const NAME_BYTES = 12
const ACCOUNT_CHARS = 12

/** The device by which tries at this account are counted; `null` where nobody signed in to it from here. */
export function knownDevice(
  seal: SecretSeal,
  kept: string | null | undefined,
  asked: { readonly email: string; readonly nowMs: number },
): string | null {
  const device = readDevice(seal, kept, asked.nowMs)
  return device?.accounts.includes(hashAccount(asked.email)) === true ? device.name : null
}

/** Returns the cookie for a browser in which this account has signed in. */
export function rememberDevice(
  { seal, random }: { readonly seal: SecretSeal; readonly random: Random },
  kept: string | null | undefined,
  signedIn: { readonly email: string; readonly nowMs: number },
): string {
  const { name, accounts } = readDevice(seal, kept, signedIn.nowMs) ?? {
    name: random.hex(NAME_BYTES),
    accounts: [],
  }
  const account = hashAccount(signedIn.email)
  const all = [account, ...accounts.filter((other) => other !== account)].slice(0, max('deviceAccountsMax'))
  return seal.seal([KIND, signedIn.nowMs, name, ...all].join(' '))
}

function readDevice(seal: SecretSeal, kept: string | null | undefined, nowMs: number): Device | null {
  const [kind, atMs, name, ...accounts] = (kept == null ? null : seal.open(kept))?.split(' ') ?? []
  if (kind !== KIND || name === undefined || nowMs - Number(atMs) > max('deviceKnownDays') * DAY_MS)
    return null
  return { name, accounts }
}

function hashAccount(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('base64url').slice(0, ACCOUNT_CHARS)
}
