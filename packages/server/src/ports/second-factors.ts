/** Second factors of an account: passkeys, an authenticator app, recovery codes. */
import type { OrgId, SessionId, UserId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { Actor } from './scope.ts'

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

export interface SecondFactorsRead {
  /** Oldest first. */
  passkeys(user: UserId): Promise<readonly Passkey[]>
  passkey(credentialId: string): Promise<Passkey | null>
  authenticator(user: UserId): Promise<Authenticator | null>
  recoveryCodesLeft(user: UserId): Promise<number>
  /** A passkey, or an authenticator that was confirmed. */
  hasSecondFactor(user: UserId): Promise<boolean>
}

/** Whether the codes given along became the person's recovery codes: with their first factor alone. */
export interface Enrolled {
  readonly codesKept: boolean
}

/** Each method is one transaction and writes its audit entry in it. */
export interface SecondFactorsWrite {
  /** Refused when the person has too many, or the credential is known. */
  addPasskey(passkey: NewPasskey, codeHashes: readonly string[], actor: Actor): Promise<Result<Enrolled>>
  /** It was used: its counter as the authenticator says. No audit entry. */
  notePasskeyUse(id: number, counter: number, nowMs: number): Promise<void>
  renamePasskey(
    user: UserId,
    passkey: { readonly id: number; readonly name: string },
    actor: Actor,
  ): Promise<Result<null>>
  /** Recovery codes go with the last factor. */
  removePasskey(user: UserId, id: number, actor: Actor): Promise<Result<null>>
  /** Replaces one that was not confirmed; `conflict` where one is. No audit entry. */
  beginAuthenticator(user: UserId, sealedSecret: string): Promise<Result<null>>
  /** `step` is that of the code that was tried. */
  confirmAuthenticator(
    user: UserId,
    confirmed: { readonly step: number; readonly codeHashes: readonly string[] },
    actor: Actor,
  ): Promise<Result<Enrolled>>
  /** False, and nothing changed, when a code of this step or a later one was used already. */
  useAuthenticatorStep(user: UserId, step: number): Promise<boolean>
  /** Recovery codes go with the last factor. */
  removeAuthenticator(user: UserId, actor: Actor): Promise<Result<null>>
  /** Replaces the recovery codes; earlier ones stop working. */
  setRecoveryCodes(user: UserId, codeHashes: readonly string[], actor: Actor): Promise<void>
  /** False when there is no such code any more. */
  useRecoveryCode(user: UserId, codeHash: string, actor: Actor): Promise<boolean>
  /** Whoever has lost everything begins again: passkeys, authenticator and codes are gone, all sessions end. */
  removeSecondFactors(user: UserId, actor: Actor): Promise<void>
  /** Whoever holds the session proved who they are. */
  confirmSession(session: SessionId, user: UserId, actor: Actor): Promise<void>
  requireSecondFactor(org: OrgId, isRequired: boolean, actor: Actor): Promise<Result<null>>
  /** True when others of the person's devices are known and this one is not. It is from now on. No audit entry. */
  noteDevice(user: UserId, name: string, nowMs: number): Promise<boolean>
}
