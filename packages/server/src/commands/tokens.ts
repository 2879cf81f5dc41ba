/** Bearer tokens of the web API, and copies of the audit log. */

import { roleIn } from '#access/access.ts'
import { scopesWithin } from '#access/permissions.ts'
import { newOrgToken, newPersonalToken, secretHash } from '#access/secrets.ts'
import { DAY_MS } from '#base/durations.ts'
import type { TokenId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { agentCallNote, auditExportNote, type ExportNoted } from '#model/account-rules.ts'
import type { AgentCall } from '#model/agent-call.ts'
import type { AuditNote, Role } from '#ports/accounts.ts'
import { type Asking, actorOf, refusalOf, refuseUnconfirmed } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'

export interface TokenCommands {
  createToken(
    asking: Asking,
    token: NewToken,
  ): Promise<Result<{ readonly id: TokenId; readonly token: string }>>
  revokeToken(asking: Asking, token: TokenId): Promise<Result<null>>
  /** Before a copy of the audit log, or of what is kept of a person, is made. */
  noteAuditExport(asking: Asking, exported: ExportNoted): Promise<Result<null>>
  /** Notes an agent's call in the audit log, refusals included. */
  noteAgentCall(asking: Asking, call: AgentCall): Promise<void>
}

interface NewToken {
  readonly name: string
  readonly scopes: readonly string[]
  readonly personal: boolean
  /** It ends after so many; `null` and left out: only when it is revoked. */
  readonly expiresDays?: number | null
}

type TokenParts = Pick<CommandParts, 'accounts' | 'clock' | 'random' | 'publicAddress'> & {
  readonly changes: Changes
}

const TAIL_CHARS = 4

export function tokenCommands(parts: TokenParts): TokenCommands {
  return {
    createToken: (asking, token) => createOwnToken(parts, asking, token),
    revokeToken: (asking, token) => revokeOwnToken(parts, asking, token),
    noteAuditExport: async (asking, exported) => {
      const refusal = refusalOf(asking, exported.of === 'person' ? 'person.delete' : 'audit.read')
      if (refusal !== null) return refusal
      await noteTokenChange(parts, asking, auditExportNote(exported))
      return ok(null)
    },
    noteAgentCall: (asking, call) => noteTokenChange(parts, asking, agentCallNote(call)),
  }
}

function noteTokenChange(parts: TokenParts, asking: Asking, note: AuditNote): Promise<void> {
  return parts.changes.own('noteAudit', {
    orgId: asking.scope.orgId,
    note,
    actor: actorOf(parts, asking),
  })
}

/** Everybody may have personal tokens, which never do more than their person; organisation tokens are managed. */
async function createOwnToken(
  parts: TokenParts,
  asking: Asking,
  input: NewToken,
): ReturnType<TokenCommands['createToken']> {
  const { viewer, scope } = asking
  if (viewer.kind === 'token') return refuse('forbidden', 'A token cannot make tokens.')
  const role = roleIn(viewer, scope)
  if (role === null) return refuse('not_found', 'There is no such organisation.')
  const refusal = input.personal ? null : refusalOf(asking, 'token.write')
  if (refusal !== null) return refusal
  const checked = readInput(SCHEMAS.token, input)
  if (!checked.ok) return checked
  const { name, scopes, personal, expiresDays = null } = checked.value
  const excess = (personal ? null : refuseExcess(role, scopes)) ?? refuseUnconfirmed(parts, asking)
  if (excess !== null) return excess
  const nowMs = parts.clock.now()
  const address = personal ? null : parts.publicAddress.url
  const token = personal
    ? newPersonalToken(parts.random)
    : newOrgToken(parts.random, { url: address, org: scope.orgSlug, nowMs })
  const made = await parts.changes.own('createToken', {
    token: {
      orgId: scope.orgId,
      userId: personal ? viewer.user.id : null,
      name,
      scopes: [...new Set(scopes)],
      tail: token.slice(-TAIL_CHARS),
      tokenHash: secretHash(token),
      expiresMs: expiresDays === null ? null : nowMs + expiresDays * DAY_MS,
      address,
    },
    actor: actorOf(parts, asking),
  })
  return made.ok ? ok({ id: made.value, token }) : made
}

function refuseExcess(role: Role, scopes: readonly string[]): Refusal | null {
  const within: readonly string[] = scopesWithin(role)
  const excess = scopes.filter((scope) => !within.includes(scope))
  if (excess.length === 0) return null
  const message = `Your role cannot give ${excess.join(', ')}.`
  return refuse('forbidden', message, { scopes: [message] })
}

async function revokeOwnToken(parts: TokenParts, asking: Asking, id: TokenId): Promise<Result<null>> {
  const { viewer, scope } = asking
  const token = (await parts.accounts.tokens(scope)).find((each) => each.id === id)
  const isOwn = token !== undefined && token.userId !== null && token.userId === scope.userId
  const refusal = isOwn && viewer.kind === 'person' ? null : refusalOf(asking, 'token.write')
  if (refusal !== null) return refusal
  if (token === undefined) return refuse('not_found', 'There is no such token.')
  return parts.changes.own('revokeToken', { orgId: scope.orgId, id, actor: actorOf(parts, asking) })
}
