/** Sign-ins whose password was right and that wait for a code or a passkey. In memory, bounded. */
import type { Clock } from '#base/clock.ts'
import type { UserId } from '#base/ids.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { newSecret, secretHash } from './secrets.ts'

export interface WaitingSignIns {
  /** A secret that stands for the password that was right. */
  begin(user: UserId): string
  /** Returns the account of a ticket; `null` once it is used or too old. */
  find(ticket: string): UserId | null
  end(ticket: string): void
}

interface Waiting {
  readonly user: UserId
  readonly expiresMs: number
}

export function createWaitingSignIns({
  clock,
  random,
}: {
  readonly clock: Clock
  readonly random: Random
}): WaitingSignIns {
  const waiting = new Map<string, Waiting>()
  return {
    begin(user) {
      const ticket = newSecret(random)
      waiting.set(secretHash(ticket), { user, expiresMs: clock.now() + max('secondFactorMs') })
      if (waiting.size > max('signInsWaitingMax')) waiting.delete(waiting.keys().next().value ?? '')
      return ticket
    },
    find(ticket) {
      const found = waiting.get(secretHash(ticket))
      return found === undefined || found.expiresMs <= clock.now() ? null : found.user
    },
    end: (ticket) => void waiting.delete(secretHash(ticket)),
  }
}
