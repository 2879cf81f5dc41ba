/** Codes that stand for a person's “Allow” until the agent exchanges them. In memory, bounded, each good for once. */
import type { Clock } from '#base/clock.ts'
import type { OrgId, TokenId, UserId } from '#base/ids.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { newSecret, secretHash } from './secrets.ts'

/** Permission that a code stands for, and the client it was given to. */
export interface AgentCode {
  readonly clientId: string
  readonly redirectUri: string
  /** SHA-256 of the verifier, as PKCE has it. */
  readonly challenge: string
  readonly user: { readonly id: UserId; readonly label: string }
  readonly orgId: OrgId
  readonly scopes: readonly string[]
}

export interface AgentCodes {
  issue(allowed: AgentCode): string
  /** The first time what was allowed; later on what became of it, so that it can be ended. */
  take(code: string): TakenCode | null
}

interface TakenCode {
  readonly allowed: AgentCode
  /** The code came before: `connection` is what was made of it. */
  readonly isReused: boolean
  readonly connection: TokenId | null
  /** Notes what was made of it. `false`: the code came again meanwhile. */
  connected(connection: TokenId): boolean
}

interface Kept {
  readonly allowed: AgentCode
  readonly expiresMs: number
  takenTimes: number
  connection: TokenId | null
}

export function createAgentCodes({
  clock,
  random,
}: {
  readonly clock: Clock
  readonly random: Random
}): AgentCodes {
  const codes = new Map<string, Kept>()
  return {
    issue(allowed) {
      const code = newSecret(random)
      const expiresMs = clock.now() + max('agentCodeMs')
      codes.set(secretHash(code), { allowed, expiresMs, takenTimes: 0, connection: null })
      if (codes.size > max('agentCodesMax')) codes.delete(codes.keys().next().value ?? '')
      return code
    },
    take(code) {
      const kept = codes.get(secretHash(code))
      if (kept === undefined || (kept.takenTimes === 0 && kept.expiresMs <= clock.now())) return null
      kept.takenTimes++
      const { allowed, connection, takenTimes } = kept
      return {
        allowed,
        isReused: takenTimes > 1,
        connection,
        connected(made) {
          kept.connection = made
          return kept.takenTimes === takenTimes
        },
      }
    },
  }
}
