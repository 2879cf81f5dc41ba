/** Agents that people sign in by browser. */
import { type TokenId, tokenId } from '#base/ids.ts'
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
  AgentRefresh,
  NewAgentConnection,
} from '#ports/agent-clients.ts'
import type { Actor } from '#ports/scope.ts'
import { descending, inOrder } from '../order.ts'
import { writeAudit } from '../rows/audit.ts'
import { roleOf } from '../rows/members.ts'
import type { Tables, TokenRow } from '../tables.ts'
import { foundToken } from './accounts-read.ts'

export function agentClientsRead(of: Tables): AgentClientsRead {
  return {
    agentClient: async (id) => {
      const client = of.agentClients.get(id)
      if (client === undefined) return null
      const { connectedMs: _, ...rest } = client
      return rest
    },
    agentToken: async (tokenHash, nowMs) => foundToken(of, { tokenHash, nowMs, ofClient: true }),
    agentConnections: async (user, nowMs) =>
      of.tokens
        .where(({ userId }) => userId === user)
        .sort(descending(({ id }) => id))
        .flatMap(({ id, orgId, client, scopes, createdMs, usedMs }) => {
          const organisation = of.organisations.get(orgId)
          const named = client === undefined ? undefined : of.agentClients.get(client.id)
          if (client === undefined || named === undefined || organisation === undefined) return []
          if (client.refreshExpiresMs <= nowMs || roleOf(of, orgId, user) === null) return []
          const times = { createdMs, usedMs, endsMs: client.refreshExpiresMs }
          const { id: clientId, name: clientName } = named
          return [{ id, clientId, clientName, organisation, scopes, ...times }]
        }),
  }
}

export function agentClientsWrite(to: Tables): AgentClientsWrite {
  return {
    registerAgentClient: async (client) => to.transaction(() => register(to, client)),
    connectAgent: async (connection, actor) => to.transaction(() => connect(to, connection, actor)),
    refreshAgent: async (refresh, actor) => to.transaction(() => refreshed(to, refresh, actor)),
    revokeAgentToken: async ({ clientId, tokenHash, familyHash }, actor) =>
      to.transaction(() => {
        const row = to.tokens.find(
          ({ client, tokenHash: own }) =>
            client?.id === clientId && (own === tokenHash || client.familyHash === familyHash),
        )
        if (row !== undefined) end(to, row, { actor, note: AGENT_NOTES.disconnected })
      }),
    disconnectAgent: async (user, id, actor) =>
      to.transaction(() => {
        const row = to.tokens.get(id)
        if (row?.client === undefined || row.userId !== user) return AGENT_REFUSALS.disconnected()
        end(to, row, { actor, note: AGENT_NOTES.disconnected })
        return ok(null)
      }),
  }
}

function register(to: Tables, client: AgentClient): Result<null> {
  const nowMs = client.createdMs
  const { registeredBefore, connectedBefore } = forgottenClients(nowMs)
  for (const { id, createdMs, connectedMs } of to.agentClients.all()) {
    const isOld = connectedMs === null ? createdMs < registeredBefore : connectedMs < connectedBefore
    const isUsed = to.tokens.find((row) => row.client?.id === id && row.client.refreshExpiresMs > nowMs)
    if (isOld && isUsed === undefined) forget(to, id)
  }
  const unused = to.agentClients.where(({ connectedMs }) => connectedMs === null)
  const room = max('agentClientsMax') - 1 - (to.agentClients.all().length - unused.length)
  const newest = unused.sort(
    inOrder(
      descending(({ createdMs }) => createdMs),
      descending(({ id }) => id),
    ),
  )
  for (const { id } of newest.slice(Math.max(0, room))) forget(to, id)
  const tooMany = refuseAgentClients(to.agentClients.all().length)
  if (tooMany !== null) return tooMany
  to.agentClients.put(client.id, { ...client, connectedMs: null })
  return ok(null)
}

function forget(to: Tables, id: string): void {
  to.agentClients.delete(id)
  to.tokens.deleteWhere(({ client }) => client?.id === id)
}

function connect(to: Tables, connection: NewAgentConnection, actor: Actor): Result<TokenId> {
  const { clientId, orgId, userId, scopes, familyHash, refreshHash, refreshExpiresMs } = connection
  const client = to.agentClients.get(clientId)
  if (client === undefined) return AGENT_REFUSALS.noClient()
  if (roleOf(to, orgId, userId) === null) return ACCOUNT_REFUSALS.noMember()
  const isOwn = (row: TokenRow) => row.orgId === orgId && row.userId === userId && row.client !== undefined
  to.tokens.deleteWhere(
    (row) => isOwn(row) && (row.client?.id === clientId || (row.client?.refreshExpiresMs ?? 0) <= actor.atMs),
  )
  const tooMany = refuseAgentConnections(to.tokens.where(isOwn).length)
  if (tooMany !== null) return tooMany
  const id = tokenId(to.tokens.nextId())
  const { tail, tokenHash, expiresMs } = connection
  to.tokens.put(id, {
    ...{ id, orgId, userId, name: client.name, scopes, tail, tokenHash, expiresMs },
    ...{ createdMs: actor.atMs, createdBy: null, address: null, usedMs: null },
    client: { id: clientId, familyHash, refreshHash, refreshExpiresMs },
  })
  to.agentClients.change(clientId, { connectedMs: actor.atMs })
  writeAudit(to, orgId, actor, AGENT_NOTES.connected(client.name, scopes))
  return ok(id)
}

function refreshed(
  to: Tables,
  refresh: AgentRefresh,
  actor: Actor,
): Awaited<ReturnType<AgentClientsWrite['refreshAgent']>> {
  const { clientId, familyHash, usedHash, tokenHash, tail, expiresMs, refreshHash, refreshExpiresMs } =
    refresh
  const row = to.tokens.find(({ client }) => client?.familyHash === familyHash && client.id === clientId)
  if (row?.client === undefined || row.client.refreshExpiresMs <= actor.atMs) return 'unknown'
  if (row.client.refreshHash !== usedHash) {
    end(to, row, { actor, note: AGENT_NOTES.reused })
    return 'reused'
  }
  const client = { id: clientId, familyHash, refreshHash, refreshExpiresMs }
  to.tokens.change(row.id, { tokenHash, tail, expiresMs, client })
  return row.scopes
}

/** Whoever ends it, it was the person's. */
function end(
  to: Tables,
  row: TokenRow,
  {
    actor,
    note,
  }: { readonly actor: Actor; readonly note: (name: string) => { action: string; target: string } },
): void {
  to.tokens.delete(row.id)
  writeAudit(to, row.orgId, { ...actor, userId: row.userId }, note(row.name))
}
