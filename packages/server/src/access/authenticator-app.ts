/** Codes of an authenticator app (RFC 6238): six digits, 30 seconds, SHA-1, as every app has them. */
import { Secret, TOTP } from 'otpauth'
import type { Random } from '#base/random.ts'

const SECRET_BYTES = 20
const STEP_MS = 30_000
/** Clocks of phones may be half a minute off. */
const STEPS_OFF = 1

/** Makes a secret as apps take it when it is typed: base32. */
export function newAppSecret(random: Random): string {
  return Secret.fromHex(random.hex(SECRET_BYTES)).base32
}

/** Returns the text of the QR code. */
export function appAddress(secret: string, email: string): string {
  return totp(secret, email).toString()
}

/** Number of the step whose code it is; `null`: it is none of now. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const off = totp(secret, '').validate({ token: code, timestamp: nowMs, window: STEPS_OFF })
  return off === null ? null : Math.floor(nowMs / STEP_MS) + off
}

function totp(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Errata', label, secret: Secret.fromBase32(secret) })
}
