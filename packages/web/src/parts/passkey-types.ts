/** What the server has the browser ask of passkeys, in the library's own types. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON
export type NewPasskeyRequest = PublicKeyCredentialCreationOptionsJSON
