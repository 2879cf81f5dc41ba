/** Rules of second factors that hold whatever store keeps them, and what is said when one is broken. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

export const SECOND_FACTOR_REFUSALS = {
  passkeyKnown: () => refuse('conflict', 'This passkey is already registered.'),
  passkeyGone: () => refuse('not_found', 'The passkey was already removed.'),
  authenticatorSet: () =>
    refuse('conflict', 'An authenticator app is already set up. Remove it first to use another one.'),
  authenticatorGone: () => refuse('not_found', 'No authenticator app is set up.'),
} as const

export function refusePasskeys(count: number): Refusal | null {
  const most = max('passkeysPerPersonMax')
  return count < most ? null : refuse('conflict', `A person has at most ${most} passkeys. Remove one first.`)
}

/** The first factor brings recovery codes with it; the last one takes them along. */
export function keepsCodes(factorsBefore: number): boolean {
  return factorsBefore === 0
}
