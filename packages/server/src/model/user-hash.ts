/** People are counted by a hash and not by name, so that counting keeps nothing about them. */
import { hash } from 'node:crypto'

/** First 64 bits of SHA-256 of what makes a person one person. Stored in sets: never change it. */
export function hashUser(user: string): bigint {
  return hash('sha256', user, 'buffer').readBigUInt64BE(0)
}
