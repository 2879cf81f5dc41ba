/** Passkeys (WebAuthn): what a browser is asked for, and whether its answer holds. The library is loaded with the first. */
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import type { User } from '#ports/accounts.ts'
import type { NewPasskey, Passkey } from '#ports/second-factors.ts'
import type { Challenges } from './challenges.ts'

export type PasskeyAnswer = AuthenticationResponseJSON
export type NewPasskeyAnswer = RegistrationResponseJSON
export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON
export type NewPasskeyRequest = PublicKeyCredentialCreationOptionsJSON

/** Host and origin of a passkey: it is bound to the host, and signs the origin. */
export interface PasskeyPlace {
  readonly origin: string
  readonly host: string
}

/**
 * Returns where passkeys of this address are made and used. `used`: the origin in the browser, where no `--url` says
 * it. `null`: there can be no passkeys at this address.
 */
export function passkeyPlace(address: PublicAddress, used: string | null): PasskeyPlace | null {
  const { protocol, hostname, origin } = new URL(address.isFixed ? address.url : (used ?? address.url))
  const isSafe = protocol === 'https:' || hostname === 'localhost'
  const isNamed = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  return isSafe && isNamed ? { origin, host: hostname } : null
}

const loadWebAuthn = () => import('@simplewebauthn/server')

/** Always with PIN, fingerprint or face: a passkey is two factors at once. */
export async function newPasskeyRequest(
  place: PasskeyPlace,
  challenge: string,
  { user, known }: { readonly user: User; readonly known: readonly Passkey[] },
): Promise<NewPasskeyRequest> {
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpName: 'Errata',
    rpID: place.host,
    userID: new TextEncoder().encode(`user ${user.id}`),
    userName: user.email,
    userDisplayName: user.name || user.email,
    challenge,
    timeout: max('secondFactorMs'),
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Makes what the browser asks a passkey for. `known` empty: whoever has one for this host may answer. */
export async function passkeyRequest(
  place: PasskeyPlace,
  challenge: string,
  known: readonly Passkey[],
): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: place.host,
    challenge,
    timeout: max('secondFactorMs'),
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
  })
}

interface Expected {
  readonly place: PasskeyPlace
  readonly challenges: Challenges
  readonly purpose: string
}

/** Checks the answer of a browser that made a passkey, and returns the passkey. `null`: the answer does not hold. */
export async function readNewPasskey(
  response: NewPasskeyAnswer,
  { place, challenges, purpose }: Expected,
): Promise<Omit<NewPasskey, 'userId' | 'name'> | null> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const verified = await verifyOrNull(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: (signed) => challenges.use(purpose, decodeSigned(signed)),
      expectedOrigin: place.origin,
      expectedRPID: place.host,
    }),
  )
  if (verified?.registrationInfo === undefined) return null
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  const key = Buffer.from(publicKey).toString('base64url')
  return {
    credentialId: id,
    publicKey: key,
    counter,
    transports: transports.filter(isWord),
    host: place.host,
  }
}

/** The authenticator's counter; `null`: the answer does not hold. */
export async function checkPasskey(
  response: PasskeyAnswer,
  passkey: Passkey,
  { place, challenges, purpose }: Expected,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const verified = await verifyOrNull(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: (signed) => challenges.use(purpose, decodeSigned(signed)),
      expectedOrigin: place.origin,
      expectedRPID: passkey.host,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }),
  )
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null
}

/** The library throws for every answer that does not hold. */
async function verifyOrNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify()
  } catch {
    // What a browser sent cannot be read, or was signed elsewhere: the same answer for whoever tries.
    return null
  }
}

function decodeSigned(signed: string): string {
  return Buffer.from(signed, 'base64url').toString('utf8')
}

/** Words of the specification hold letters and hyphens alone. */
function isWord(transport: string): boolean {
  return /^[a-z-]{1,20}$/.test(transport)
}
