/** Agents that people sign in by browser. A connection is a row of `tokens` with a client. */
import type { OrgId, UserId } from '#base/ids.ts'
import type { AgentClient, AgentClientsRead, AgentConnection } from '#ports/agent-clients.ts'
import type { Connection } from '../connection.ts'
import { foundToken } from './accounts-read.ts'

interface ClientRow extends Omit<AgentClient, 'redirectUris'> {
  readonly redirectUris: string
}

const CLIENT_COLUMNS = 'id, name, redirect_uris AS redirectUris, created_ms AS createdMs'

function agentClient(db: Connection, id: string): AgentClient | null {
  const row = db.get<ClientRow>(`SELECT ${CLIENT_COLUMNS} FROM agent_clients WHERE id = ?`, [id])
  if (row === undefined) return null
  return { ...row, redirectUris: JSON.parse(row.redirectUris) }
}

export function agentClientsRead(db: Connection): AgentClientsRead {
  return {
    agentClient: async (id) => agentClient(db, id),
    agentToken: async (tokenHash, nowMs) =>
      db.snapshot(() => foundToken(db, { tokenHash, nowMs, ofClient: true })),
    agentConnections: async (user, nowMs) => connections(db, user, nowMs),
  }
}

interface ConnectionRow extends Omit<AgentConnection, 'organisation' | 'scopes'> {
  readonly scopes: string
  readonly orgId: OrgId
  readonly slug: string
  readonly orgName: string
  readonly orgCreatedMs: number
}

function connections(db: Connection, user: UserId, nowMs: number): readonly AgentConnection[] {
  // tokens_by_org, for each organisation of the person
  const sql = `SELECT t.id, c.id AS clientId, c.name AS clientName, t.scopes, t.created_ms AS createdMs, t.used_ms AS usedMs,
      t.refresh_expires_ms AS endsMs, o.id AS orgId, o.slug, o.name AS orgName, o.created_ms AS orgCreatedMs
    FROM memberships m JOIN tokens t ON t.org_id = m.org_id AND t.user_id = m.user_id
      JOIN agent_clients c ON c.id = t.client_id JOIN organisations o ON o.id = t.org_id
    WHERE m.user_id = ? AND t.refresh_expires_ms > ? ORDER BY t.id DESC`
  return db
    .all<ConnectionRow>(sql, [user, nowMs])
    .map(({ orgId, slug, orgName, orgCreatedMs, scopes, ...row }) => ({
      ...row,
      scopes: JSON.parse(scopes),
      organisation: { id: orgId, slug, name: orgName, createdMs: orgCreatedMs },
    }))
}
