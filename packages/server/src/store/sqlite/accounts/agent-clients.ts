/** Agents that people sign in by browser. A connection is a row of `tokens` with a client. */
import { type OrgId, type TokenId, tokenId, type UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import {
  AGENT_NOTES,
  AGENT_REFUSALS,
  forgottenClients,
  refuseAgentClients,
  refuseAgentConnections,
} from '#model/agent-client-rules.ts'
import type {
  AgentClient,
  AgentClientsRead,
  AgentClientsWrite,
  AgentConnection,
  AgentRefresh,
  NewAgentConnection,
} from '#ports/agent-clients.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { countOf, roleOf } from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'
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

export function agentClientsWrite(db: Connection): AgentClientsWrite {
  return {
    registerAgentClient: async (client) => db.transaction(() => register(db, client)),
    connectAgent: async (connection, actor) => db.transaction(() => connect(db, connection, actor)),
    refreshAgent: async (refresh, actor) => db.transaction(() => refreshed(db, refresh, actor)),
    revokeAgentToken: async ({ clientId, tokenHash, familyHash }, actor) =>
      db.transaction(() => {
        // The unique indices on token_hash and family_hash.
        const sql = 'SELECT id FROM tokens WHERE client_id = ? AND (token_hash = ? OR family_hash = ?)'
        const row = db.get<{ id: TokenId }>(sql, [clientId, tokenHash, familyHash])
        if (row !== undefined) end(db, row.id, { actor, note: AGENT_NOTES.disconnected })
      }),
    disconnectAgent: async (user, id, actor) =>
      db.transaction(() => {
        const sql = 'SELECT 1 FROM tokens WHERE id = ? AND user_id = ? AND client_id IS NOT NULL'
        if (db.get(sql, [id, user]) === undefined) return AGENT_REFUSALS.disconnected()
        end(db, id, { actor, note: AGENT_NOTES.disconnected })
        return ok(null)
      }),
  }
}

function register(db: Connection, client: AgentClient): Result<null> {
  const { id, name, redirectUris, createdMs } = client
  const connected =
    'SELECT 1 FROM tokens t WHERE t.client_id = agent_clients.id AND t.refresh_expires_ms > :now'
  // tokens_by_client
  const forget = `DELETE FROM agent_clients WHERE NOT EXISTS (${connected})
    AND coalesce(connected_ms < :connectedBefore, created_ms < :registeredBefore)`
  db.run(forget, { now: createdMs, ...forgottenClients(createdMs) })
  const oldest = `DELETE FROM agent_clients WHERE id IN (SELECT id FROM agent_clients WHERE connected_ms IS NULL
    ORDER BY created_ms DESC, id DESC LIMIT -1 OFFSET
      max(0, :most - 1 - (SELECT count(*) FROM agent_clients WHERE connected_ms IS NOT NULL)))`
  db.run(oldest, { most: max('agentClientsMax') })
  const tooMany = refuseAgentClients(countOf(db, 'SELECT count(*) AS count FROM agent_clients', []))
  if (tooMany !== null) return tooMany
  const sql = 'INSERT INTO agent_clients (id, name, redirect_uris, created_ms) VALUES (?, ?, ?, ?)'
  db.run(sql, [id, name, JSON.stringify(redirectUris), createdMs])
  return ok(null)
}

function connect(db: Connection, connection: NewAgentConnection, actor: Actor): Result<TokenId> {
  const { clientId, orgId, userId, scopes } = connection
  const client = agentClient(db, clientId)
  if (client === null) return AGENT_REFUSALS.noClient()
  if (roleOf(db, orgId, userId) === null) return ACCOUNT_REFUSALS.noMember()
  const own = { org: orgId, user: userId }
  const ended = `DELETE FROM tokens WHERE org_id = :org AND user_id = :user AND client_id IS NOT NULL
    AND (client_id = :client OR refresh_expires_ms <= :now)`
  db.run(ended, { ...own, client: clientId, now: actor.atMs })
  // tokens_by_org
  const same =
    'SELECT count(*) AS count FROM tokens WHERE org_id = ? AND user_id = ? AND client_id IS NOT NULL'
  const tooMany = refuseAgentConnections(countOf(db, same, [orgId, userId]))
  if (tooMany !== null) return tooMany
  const sql = `INSERT INTO tokens (org_id, user_id, name, scopes, tail, token_hash, created_ms, expires_ms,
      client_id, family_hash, refresh_hash, refresh_expires_ms)
    VALUES (:org, :user, :name, :scopes, :tail, :tokenHash, :now, :expiresMs,
      :client, :familyHash, :refreshHash, :refreshExpiresMs)`
  const { tail, tokenHash, expiresMs, familyHash, refreshHash, refreshExpiresMs } = connection
  const { lastId } = db.run(sql, {
    ...{ ...own, name: client.name, scopes: JSON.stringify(scopes), now: actor.atMs, client: clientId },
    ...{ tail, tokenHash, expiresMs, familyHash, refreshHash, refreshExpiresMs },
  })
  db.run('UPDATE agent_clients SET connected_ms = ? WHERE id = ?', [actor.atMs, clientId])
  writeAudit(db, orgId, actor, AGENT_NOTES.connected(client.name, scopes))
  return ok(tokenId(lastId))
}

function refreshed(
  db: Connection,
  refresh: AgentRefresh,
  actor: Actor,
): Awaited<ReturnType<AgentClientsWrite['refreshAgent']>> {
  const { clientId, familyHash, usedHash, tokenHash, tail, expiresMs, refreshHash, refreshExpiresMs } =
    refresh
  // tokens_by_family
  const found = `SELECT id, scopes, refresh_hash AS refreshHash FROM tokens
    WHERE family_hash = ? AND client_id = ? AND refresh_expires_ms > ?`
  const row = db.get<{ id: TokenId; scopes: string; refreshHash: string }>(found, [
    familyHash,
    clientId,
    actor.atMs,
  ])
  if (row === undefined) return 'unknown'
  if (row.refreshHash !== usedHash) {
    end(db, row.id, { actor, note: AGENT_NOTES.reused })
    return 'reused'
  }
  const sql = `UPDATE tokens SET token_hash = ?, tail = ?, expires_ms = ?, refresh_hash = ?, refresh_expires_ms = ?
    WHERE id = ?`
  db.run(sql, [tokenHash, tail, expiresMs, refreshHash, refreshExpiresMs, row.id])
  return JSON.parse(row.scopes)
}

/** Whoever ends it, it was the person's. */
function end(
  db: Connection,
  id: TokenId,
  {
    actor,
    note,
  }: { readonly actor: Actor; readonly note: (name: string) => { action: string; target: string } },
): void {
  const sql = 'DELETE FROM tokens WHERE id = ? RETURNING org_id AS orgId, user_id AS userId, name'
  const row = db.get<{ orgId: OrgId; userId: UserId; name: string }>(sql, [id])
  if (row !== undefined) writeAudit(db, row.orgId, { ...actor, userId: row.userId }, note(row.name))
}
