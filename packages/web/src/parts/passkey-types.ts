/** Options that the server has the browser use for passkeys, in the library's own types. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON
export type NewPasskeyRequest = PublicKeyCredentialCreationOptionsJSON
