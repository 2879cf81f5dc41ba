/** Second factors of an account: passkeys, an authenticator app, recovery codes. */
import type { UserId } from '#base/ids.ts'

export interface Passkey {
  readonly id: number
  readonly userId: UserId
  readonly name: string
  /** Credential id from the authenticator, base64url. */
  readonly credentialId: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** Authenticator's count of uses; 0 if it keeps none. */
  readonly counter: number
  /** How a browser reaches it, such as `internal` or `usb`. */
  readonly transports: readonly string[]
  /** Host it was made for. */
  readonly host: string
  readonly createdMs: number
  readonly usedMs: number | null
}

export type NewPasskey = Omit<Passkey, 'id' | 'createdMs' | 'usedMs'>

export interface Authenticator {
  readonly sealedSecret: string
  /** `null`: shown, not yet tried. It counts for nothing. */
  readonly confirmedMs: number | null
}

export interface SecondFactors {
  /** Oldest first. */
  readonly passkeys: readonly Passkey[]
  readonly authenticator: Authenticator | null
  readonly recoveryCodesLeft: number
}

export interface SecondFactorsRead {
  secondFactors(user: UserId): Promise<SecondFactors>
  passkey(credentialId: string): Promise<Passkey | null>
  /** A passkey, or an authenticator that was confirmed. */
  hasSecondFactor(user: UserId): Promise<boolean>
}

/** Whether the codes given along became the person's recovery codes: with their first factor alone. */
export interface Enrolled {
  readonly codesKept: boolean
}
