/** Agents that people sign in by browser (OAuth): clients that registered themselves, and what people connected. */
import type { OrgId, ProjectId, TokenId, UserId } from '#base/ids.ts'
import type { Organisation, Token } from './accounts.ts'

/** A program that may ask people to connect it. Anybody can register one: its name is no proof of who it is. */
export interface AgentClient {
  readonly id: string
  readonly name: string
  /** Redirect addresses, as registered. */
  readonly redirectUris: readonly string[]
  readonly createdMs: number
}

/** A person's permission for one client in one organisation. */
export interface AgentConnection {
  /** Id of the connection; it stays when a refresh replaces the access token. */
  readonly id: TokenId
  readonly clientId: string
  readonly clientName: string
  readonly organisation: Organisation
  readonly scopes: readonly string[]
  readonly createdMs: number
  readonly usedMs: number | null
  /** Unless it is refreshed before. */
  readonly endsMs: number
}

/** Secrets of a connection until the next refresh; what is kept of them. */
export interface AgentSecrets {
  readonly tokenHash: string
  readonly tail: string
  readonly expiresMs: number
  readonly refreshHash: string
  readonly refreshExpiresMs: number
}

export interface NewAgentConnection extends AgentSecrets {
  readonly clientId: string
  readonly orgId: OrgId
  readonly userId: UserId
  readonly scopes: readonly string[]
  readonly familyHash: string
}

export interface AgentRefresh extends AgentSecrets {
  readonly clientId: string
  readonly familyHash: string
  /** Hash of the refresh token that was sent. */
  readonly usedHash: string
}

export interface AgentClientsRead {
  agentClient(id: string): Promise<AgentClient | null>
  /** The access token of a connection. One that has expired is not there, nor is what people made by hand. */
  agentToken(
    tokenHash: string,
    nowMs: number,
  ): Promise<{ token: Token; organisation: Organisation; projects: readonly ProjectId[] } | null>
  /** Returns a person's connections in all organisations, newest first. */
  agentConnections(user: UserId, nowMs: number): Promise<readonly AgentConnection[]>
}
