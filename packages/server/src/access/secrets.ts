/** Secrets people and programs carry. Only their SHA-256 is stored: each has 256 random bits, so no salt is needed. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Random } from '#base/random.ts'

const SECRET_BYTES = 32
const ORG_TOKEN = /^sntrys_[A-Za-z0-9+/=]{1,2000}_[A-Za-z0-9+/]{43}$/
const PERSONAL_TOKEN = /^sntryu_[0-9a-f]{64}$/

/** SHA-256 in hex: what the store keeps of a cookie, token, invitation or reset code. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex')
}

/** A cookie value, invitation code or reset code: 43 URL-safe characters. */
export function newSecret(random: Random): string {
  return random.token(SECRET_BYTES)
}

/**
 * A token that acts for an organisation. It carries the address and the organisation, so that command-line tools
 * need no other setting (docs/wire.md, section "Web API tokens"). They go to the address that a token carries whatever
 * else they are told; `null` where it is not known yet: then they go by `SENTRY_URL`.
 */
export function newOrgToken(
  random: Random,
  token: { readonly url: string | null; readonly org: string; readonly nowMs: number },
): string {
  // sentry-cli 2.58 reads nothing of a token whose region is no text.
  const payload = { iat: token.nowMs / 1000, url: token.url, region_url: token.url ?? '', org: token.org }
  const secret = Buffer.from(random.hex(SECRET_BYTES), 'hex').toString('base64').replace(/=+$/, '')
  return `sntrys_${Buffer.from(JSON.stringify(payload)).toString('base64')}_${secret}`
}

/** A token that acts for one person. */
export function newPersonalToken(random: Random): string {
  return `sntryu_${random.hex(SECRET_BYTES)}`
}

/** An access token of a connected app: worth something to agents alone, in the form that secret scanners know. */
export function newAgentToken(random: Random): string {
  return newPersonalToken(random)
}

const FAMILY_BYTES = 16
const FAMILY_CHARS = 2 * FAMILY_BYTES

/** Makes the text that every refresh token of one connection begins with. */
export function newTokenFamily(random: Random): string {
  return random.hex(FAMILY_BYTES)
}

/** The family, and as many random bits again: whoever has neither can neither use it nor end its connection. */
export function newRefreshToken(random: Random, family: string): string {
  return `sntryu_${family}${random.hex(SECRET_BYTES - FAMILY_BYTES)}`
}

/** Empty for what is no such token. */
export function tokenFamily(refreshToken: string): string {
  return PERSONAL_TOKEN.test(refreshToken) ? refreshToken.slice(7, 7 + FAMILY_CHARS) : ''
}

/** True if a text has the form of a token at all; others are refused without asking the store. */
export function isTokenShaped(bearer: string): boolean {
  return ORG_TOKEN.test(bearer) || PERSONAL_TOKEN.test(bearer)
}

/** Compares in time that depends on neither text. */
export function sameSecret(left: string, right: string): boolean {
  const a = createHash('sha256').update(left, 'utf8').digest()
  const b = createHash('sha256').update(right, 'utf8').digest()
  return timingSafeEqual(a, b)
}
