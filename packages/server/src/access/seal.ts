/** Secrets that must be read again, unlike passwords: sealed with AES-256-GCM under a key that no database holds. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export interface SecretSeal {
  seal(text: string): string
  /** `null`: another key sealed it, or it was changed. */
  open(sealed: string): string | null
}

export const SEAL_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

export function createSeal(key: Uint8Array): SecretSeal {
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        // The tag does not fit: the one way in which the cipher says so.
        return null
      }
    },
  }
}
