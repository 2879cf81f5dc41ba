/**
 * Challenges that passkeys sign: a text that this process made for one purpose recently, and accepts once.
 */
import { createHmac } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { sameSecret } from './secrets.ts'

export interface Challenges {
  /** Costs no memory: anybody may ask for one. */
  issue(purpose: string): string
  /** True once, for the purpose it was made for. */
  use(purpose: string, challenge: string): boolean
}

const KEY_BYTES = 32
const NONCE_BYTES = 16

export function createChallenges({
  clock,
  random,
}: {
  readonly clock: Clock
  readonly random: Random
}): Challenges {
  const key = random.token(KEY_BYTES)
  const used = new Set<string>()
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    issue(purpose) {
      const open = `${random.token(NONCE_BYTES)}.${clock.now() + max('secondFactorMs')}`
      return `${open}.${sign(`${purpose} ${open}`)}`
    },
    use(purpose, challenge) {
      const [nonce = '', expiresMs = '', signature = ''] = challenge.split('.')
      const isOurs = sameSecret(signature, sign(`${purpose} ${nonce}.${expiresMs}`))
      if (!isOurs || Number(expiresMs) <= clock.now() || used.has(nonce)) return false
      used.add(nonce)
      if (used.size > max('signInsWaitingMax')) used.delete(used.values().next().value ?? nonce)
      return true
    },
  }
}
