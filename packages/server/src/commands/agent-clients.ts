/** Apps that people connect by browser: OAuth 2.1 with registration (RFC 7591), rotation and revocation (RFC 7009). */
import { isVerifier } from '#access/agent-authorization.ts'
import type { AgentCode } from '#access/agent-codes.ts'
import { agentIssuer, isAgentResource } from '#access/agent-resource.ts'
import { AGENT_SCOPES } from '#access/agent-tools.ts'
import { newAgentToken, newRefreshToken, newTokenFamily, secretHash, tokenFamily } from '#access/secrets.ts'
import { DAY_MS } from '#base/durations.ts'
import type { TokenId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import {
  answerAddress,
  isRedirectUri,
  redirectPlace,
  refuseAgentConnections,
} from '#model/agent-client-rules.ts'
import type { AgentClient, AgentSecrets } from '#ports/agent-clients.ts'
import { actorOf, type PersonAsking, type RequestFacts, refuseUnconfirmed, unnamedActor } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { tooManyAttempts } from './too-many-attempts.ts'

interface AgentClientCommands {
  /** Anybody may. `metadata` is what RFC 7591 has; fields that broke a rule are named as there. */
  registerAgentClient(facts: RequestFacts, metadata: unknown): Promise<Result<AgentClient>>
  /** A person allows what an agent asks for: the address that tells it. */
  allowAgent(asking: PersonAsking, allowed: Allowed): Promise<Result<{ readonly address: string }>>
  exchangeAgentCode(facts: RequestFacts, given: GivenCode): Promise<AgentTokens>
  refreshAgentToken(facts: RequestFacts, given: GivenRefresh): Promise<AgentTokens>
  /** With its access token or its refresh token. */
  revokeAgentToken(
    facts: RequestFacts,
    given: { readonly clientId: string; readonly token: string },
  ): Promise<void>
  disconnectAgent(asking: PersonAsking, connection: TokenId): Promise<Result<null>>
}

interface Allowed {
  /** Query of /oauth/authorize. */
  readonly params: URLSearchParams
  /** Slug. */
  readonly organisation: string
  readonly mayChange: boolean
}

interface GivenCode {
  readonly clientId: string
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
  readonly resource: string | null
}

interface GivenRefresh {
  readonly clientId: string
  readonly refreshToken: string
  readonly resource: string | null
}

type TokenError = 'invalid_grant' | 'invalid_target' | 'invalid_client'

/** Answer of the token endpoint: tokens, or an error of RFC 6749. */
export type AgentTokens =
  | {
      readonly ok: true
      readonly accessToken: string
      readonly refreshToken: string
      readonly expiresMs: number
      readonly scopes: readonly string[]
    }
  | { readonly ok: false; readonly error: TokenError; readonly message: string }

type Parts = Pick<
  CommandParts,
  'agents' | 'agentCodes' | 'agentLimits' | 'queries' | 'clock' | 'random' | 'publicAddress'
> & { readonly changes: Changes }

const CLIENT_ID_BYTES = 16
const TAIL_CHARS = 4

export function agentClientCommands(parts: Parts): AgentClientCommands {
  return {
    registerAgentClient: (facts, metadata) => registerClient(parts, facts, metadata),
    allowAgent: (asking, allowed) => permitAgent(parts, asking, allowed),
    exchangeAgentCode: (facts, given) => exchange(parts, facts, given),
    refreshAgentToken: (facts, given) => refreshTokens(parts, facts, given),
    revokeAgentToken: (facts, { clientId, token }) => {
      const hashes = { tokenHash: secretHash(token), familyHash: secretHash(tokenFamily(token)) }
      const actor = unnamedActor(parts, facts)
      return parts.changes.own('revokeAgentToken', { clientId, ...hashes, actor })
    },
    disconnectAgent: (asking, connection) =>
      parts.changes.own('disconnectAgent', {
        ...{ user: asking.viewer.user.id, id: connection },
        actor: actorOf(parts, asking),
      }),
  }
}

function agentsOf({ agents }: Parts): NonNullable<CommandParts['agents']> {
  if (agents === undefined) throw new Error('the command line connects nobody')
  return agents
}

async function registerClient(
  parts: Parts,
  facts: RequestFacts,
  metadata: unknown,
): Promise<Result<AgentClient>> {
  const redirectUris = isObject(metadata) ? redirectsOf(metadata.redirect_uris) : null
  if (!isObject(metadata) || redirectUris === null)
    return invalid('redirect_uris', 'redirect_uris must be a few addresses of HTTPS, this device or an app.')
  for (const [name, value] of [
    ['grant_types', 'authorization_code'],
    ['response_types', 'code'],
  ] as const) {
    const list = metadata[name]
    if (list !== undefined && !(Array.isArray(list) && list.includes(value)))
      return invalid(name, `${name} must hold ${value}.`)
  }
  const attempt = parts.agentLimits.attempt(facts.address, `clients of ${facts.address}`)
  if (!attempt.ok) return tooManyAttempts(attempt.retryAfterSeconds)
  const [first = ''] = redirectUris
  const name = clientName(metadata.client_name) ?? redirectPlace(first).name
  const id = parts.random.hex(CLIENT_ID_BYTES)
  const client = { id, name, redirectUris, createdMs: parts.clock.now() }
  const made = await parts.changes.own('registerAgentClient', client)
  return made.ok ? ok(client) : made
}

function invalid(field: string, message: string) {
  return refuse('invalid_input', message, { [field]: [message] })
}

function redirectsOf(list: unknown): readonly string[] | null {
  if (!Array.isArray(list) || list.length === 0 || list.length > max('agentRedirectUrisMax')) return null
  const uris = list.filter((each): each is string => typeof each === 'string' && isRedirectUri(each))
  return uris.length === list.length ? uris : null
}

/** Nothing that is not seen, or that turns the reading round: people decide by it. */
function clientName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return plain === '' ? null : [...plain].slice(0, max('nameCharsMax')).join('').trim()
}

async function permitAgent(
  parts: Parts,
  asking: PersonAsking,
  { params, organisation: slug, mayChange }: Allowed,
): ReturnType<AgentClientCommands['allowAgent']> {
  const { viewer } = asking
  const asked = await parts.queries?.agentAsk(params)
  if (asked?.kind !== 'asks') return refuse('invalid_input', asked?.message ?? 'The app asks for nothing.')
  const membership = viewer.memberships.find(({ organisation }) => organisation.slug === slug)
  if (membership === undefined) return refuse('not_found', 'There is no such organisation.')
  const unconfirmed = refuseUnconfirmed(parts, asking)
  if (unconfirmed !== null) return unconfirmed
  const { ask } = asked
  const { id: orgId } = membership.organisation
  const connected = await agentsOf(parts).agentConnections(viewer.user.id, parts.clock.now())
  const others = connected.filter(
    ({ organisation, clientId }) => organisation.id === orgId && clientId !== ask.clientId,
  )
  const tooMany = refuseAgentConnections(others.length)
  if (tooMany !== null) return tooMany
  const { clientId, redirectUri, challenge, state, asksChanges } = ask
  const code = parts.agentCodes.issue({
    ...{ clientId, redirectUri, challenge, orgId },
    user: { id: viewer.user.id, label: actorOf(parts, asking).label },
    scopes: mayChange && asksChanges ? [...AGENT_SCOPES.read, ...AGENT_SCOPES.change] : AGENT_SCOPES.read,
  })
  const iss = agentIssuer(parts.publicAddress, params.get('resource'))
  return ok({ address: answerAddress(redirectUri, { code, state, iss }) })
}

const REFUSED_CODE = 'The code is unknown, has expired or was used before. Ask for another one.'

/** A code is used up by whichever client sends it, whatever else is wrong: it was seen where it should not be. */
async function exchange(parts: Parts, facts: RequestFacts, given: GivenCode): Promise<AgentTokens> {
  if (await isForgotten(parts, given)) return refuseTokens('invalid_client', FORGOTTEN)
  const taken = parts.agentCodes.take(given.code)
  if (taken === null) return refuseTokens('invalid_grant', REFUSED_CODE)
  const { allowed, isReused, connection } = taken
  const end = (made: TokenId) =>
    parts.changes.own('disconnectAgent', {
      ...{ user: allowed.user.id, id: made },
      actor: unnamedActor(parts, facts),
    })
  if (isReused) {
    if (connection !== null) await end(connection)
    return refuseTokens('invalid_grant', REFUSED_CODE)
  }
  const wrong = wrongIn(parts, given, allowed)
  if (wrong !== null) return wrong
  const family = newTokenFamily(parts.random)
  const { accessToken, refreshToken, kept } = newSecrets(parts, family)
  const { clientId, orgId, scopes, user } = allowed
  const made = await parts.changes.own('connectAgent', {
    connection: { ...kept, clientId, orgId, userId: user.id, scopes, familyHash: secretHash(family) },
    actor: { ...unnamedActor(parts, facts), userId: user.id, label: user.label },
  })
  if (!made.ok) return refuseTokens('invalid_grant', made.message)
  if (!taken.connected(made.value)) {
    await end(made.value)
    return refuseTokens('invalid_grant', REFUSED_CODE)
  }
  return { ok: true, accessToken, refreshToken, expiresMs: kept.expiresMs, scopes }
}

const FORGOTTEN = 'The client isn’t registered. Register again.'

async function isForgotten(parts: Parts, { clientId }: { readonly clientId: string }): Promise<boolean> {
  return (await agentsOf(parts).agentClient(clientId)) === null
}

function wrongIn(parts: Parts, given: GivenCode, allowed: AgentCode): AgentTokens | null {
  if (given.clientId !== allowed.clientId)
    return refuseTokens('invalid_grant', 'The code is of another client.')
  if (given.redirectUri !== allowed.redirectUri)
    return refuseTokens('invalid_grant', 'redirect_uri is not the one that the code was asked for with.')
  if (!isVerifier(given.verifier, allowed.challenge))
    return refuseTokens('invalid_grant', 'code_verifier does not match the challenge.')
  return wrongResource(parts, given.resource)
}

function wrongResource({ publicAddress }: Parts, resource: string | null): AgentTokens | null {
  if (resource === null || isAgentResource(publicAddress, resource)) return null
  return refuseTokens('invalid_target', 'The resource is another server.')
}

async function refreshTokens(parts: Parts, facts: RequestFacts, given: GivenRefresh): Promise<AgentTokens> {
  const { clientId, refreshToken: used, resource } = given
  const family = tokenFamily(used)
  if (await isForgotten(parts, given)) return refuseTokens('invalid_client', FORGOTTEN)
  const wrong = wrongResource(parts, resource)
  if (wrong !== null) return wrong
  const { accessToken, refreshToken, kept } = newSecrets(parts, family)
  const hashes = { familyHash: secretHash(family), usedHash: secretHash(used) }
  const actor = unnamedActor(parts, facts)
  const refresh = { ...kept, ...hashes, clientId }
  const scopes = await parts.changes.own('refreshAgent', { refresh, actor })
  if (typeof scopes === 'string')
    return refuseTokens(
      'invalid_grant',
      'The refresh token is unknown, has expired or was used before. Sign in again.',
    )
  return { ok: true, accessToken, refreshToken, expiresMs: kept.expiresMs, scopes }
}

function newSecrets({ clock, random }: Parts, family: string) {
  const accessToken = newAgentToken(random)
  const refreshToken = newRefreshToken(random, family)
  const nowMs = clock.now()
  const kept: AgentSecrets = {
    tokenHash: secretHash(accessToken),
    tail: accessToken.slice(-TAIL_CHARS),
    expiresMs: nowMs + max('agentAccessMs'),
    refreshHash: secretHash(refreshToken),
    refreshExpiresMs: nowMs + max('agentRefreshDays') * DAY_MS,
  }
  return { accessToken, refreshToken, kept }
}

function refuseTokens(error: TokenError, message: string): AgentTokens {
  return { ok: false, error, message }
}
