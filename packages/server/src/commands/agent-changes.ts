/** Changes of agents that people sign in by browser. A connection is a row of tokens with a client. */
import { type TokenId, tokenId, type UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import {
  AGENT_NOTES,
  AGENT_REFUSALS,
  forgottenClients,
  refuseAgentClients,
  refuseAgentConnections,
  waitingClientsKept,
} from '#model/agent-client-rules.ts'
import { AGENT_CLIENTS, TOKENS } from '#model/tables/organisations.ts'
import type { TableRow } from '#model/tables/table.ts'
import type { AgentClient, AgentRefresh, NewAgentConnection } from '#ports/agent-clients.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { readRole } from './account-entry.ts'
import { writeAudit } from './audit-entry.ts'

/** Forgets clients that nobody connected, or whose last connection ended long ago; refused when there is no room. */
export async function registerAgentClient(tx: Tx, client: AgentClient): Promise<Result<null>> {
  const { createdMs: nowMs } = client
  await tx.accounts.forgetAgentClients({ nowMs, ...forgottenClients(nowMs) })
  const { connected, waiting } = await tx.accounts.countAgentClients()
  const kept = Math.min(waiting, waitingClientsKept(connected))
  await tx.accounts.keepNewestWaitingClients(kept)
  const tooMany = refuseAgentClients(connected + kept)
  if (tooMany !== null) return tooMany
  await tx.rows(AGENT_CLIENTS).insert([client])
  return ok(null)
}

/** Connects a client; replaces an earlier connection of the same person, client and organisation. */
export async function connectAgent(
  tx: Tx,
  { connection, actor }: { readonly connection: NewAgentConnection; readonly actor: Actor },
): Promise<Result<TokenId>> {
  const { clientId, orgId, userId, scopes } = connection
  const client = await tx.rows(AGENT_CLIENTS).one({ id: clientId })
  if (client === null) return AGENT_REFUSALS.noClient()
  if ((await readRole(tx, { orgId, userId })) === null) return ACCOUNT_REFUSALS.noMember()
  const rows = tx.rows(TOKENS)
  const connections = (await rows.find({ orgId, userId }, TOKENS_MOST)).filter((one) => one.clientId !== null)
  const ended = connections.filter(
    (one) => one.clientId === clientId || (one.refreshExpiresMs ?? Infinity) <= actor.atMs,
  )
  await rows.remove({ id: ended.map(({ id }) => id) })
  const tooMany = refuseAgentConnections(connections.length - ended.length)
  if (tooMany !== null) return tooMany
  const [id = 0] = await rows.insert([{ ...connection, name: client.name, createdMs: actor.atMs }])
  await tx.rows(AGENT_CLIENTS).update([{ id: clientId, connectedMs: actor.atMs }])
  await writeAudit(tx, orgId, actor, AGENT_NOTES.connected(client.name, scopes))
  return ok(tokenId(id))
}

/** More than a person has in an organisation. */
const TOKENS_MOST = 2 * (max('tokensPerPersonMax') + max('agentConnectionsPerPersonMax'))

/**
 * Answers the scopes, once the secrets are replaced. `reused`: the refresh token was used before, so somebody else may have
 * it, and the connection ends. `unknown`: there is no such connection of the client, or it has ended.
 */
export async function refreshAgent(
  tx: Tx,
  { refresh, actor }: { readonly refresh: AgentRefresh; readonly actor: Actor },
): Promise<readonly string[] | 'reused' | 'unknown'> {
  const { clientId, familyHash, usedHash, ...secrets } = refresh
  const row = await tx.rows(TOKENS).one({ familyHash, clientId })
  if (row === null || (row.refreshExpiresMs ?? 0) <= actor.atMs) return 'unknown'
  if (row.refreshHash !== usedHash) {
    await endAgentToken(tx, row, { actor, note: AGENT_NOTES.reused })
    return 'reused'
  }
  await tx.rows(TOKENS).update([{ id: row.id, ...secrets }])
  return row.scopes
}

interface RevokedToken {
  readonly clientId: string
  readonly tokenHash: string
  readonly familyHash: string
  readonly actor: Actor
}

/** By the client, with either of its tokens; what it does not have is no failure. */
export async function revokeAgentToken(tx: Tx, revoked: RevokedToken): Promise<void> {
  const { clientId, tokenHash, familyHash, actor } = revoked
  const rows = tx.rows(TOKENS)
  const row = (await rows.one({ clientId, tokenHash })) ?? (await rows.one({ clientId, familyHash }))
  if (row !== null) await endAgentToken(tx, row, { actor, note: AGENT_NOTES.disconnected })
}

/** By the person. */
export async function disconnectAgent(
  tx: Tx,
  { user: userId, id, actor }: { readonly user: UserId; readonly id: TokenId; readonly actor: Actor },
): Promise<Result<null>> {
  const row = await tx.rows(TOKENS).one({ id, userId })
  if (row === null || row.clientId === null) return AGENT_REFUSALS.disconnected()
  await endAgentToken(tx, row, { actor, note: AGENT_NOTES.disconnected })
  return ok(null)
}

/** Whoever ends it, it was the person's. */
async function endAgentToken(
  tx: Tx,
  { id, orgId, userId, name }: TableRow<typeof TOKENS>,
  {
    actor,
    note,
  }: { readonly actor: Actor; readonly note: (name: string) => { action: string; target: string } },
): Promise<void> {
  await tx.rows(TOKENS).remove({ id })
  await writeAudit(tx, orgId, { ...actor, userId }, note(name))
}
