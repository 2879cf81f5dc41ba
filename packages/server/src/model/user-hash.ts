/** People are counted by a hash and not by name, so that counting keeps nothing about them. */
import { hash } from 'node:crypto'

/** First 64 bits of SHA-256 of what makes a person one person. Stored in sets: never change it. */
export function hashUser(user: string): bigint {
  return firstBits(user)
}

/** The same of the id by which a session names its person, in any case. Stored in sets: never change it. */
export function hashSessionPerson(id: string): bigint {
  return firstBits(id.trim().toLowerCase())
}

/** Hashes a session's id, with or without dashes. Stored: never change it. */
export function hashSession(id: string): bigint {
  return firstBits(id.trim().toLowerCase().replaceAll('-', ''))
}

function firstBits(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigUInt64BE(0)
}
