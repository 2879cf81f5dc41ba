import { randomBytes } from 'node:crypto'

/** Source of randomness that is passed in, so that a test can repeat it. */
export interface Random {
  /** `bytes` random bytes as lower-case hex (two characters a byte). */
  hex(bytes: number): string
  /** `bytes` random bytes as URL-safe base64 without padding. */
  token(bytes: number): string
}

export const systemRandom: Random = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
}
