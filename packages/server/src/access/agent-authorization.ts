/** Reads an agent's request to a person: the query of /oauth/authorize (OAuth 2.1, PKCE, RFC 8707). Pure. */
import { createHash } from 'node:crypto'
import { isRegisteredUri } from '#model/agent-client-rules.ts'
import type { AgentClient } from '#ports/agent-clients.ts'
import { AGENT_SCOPES } from './agent-tools.ts'
import { sameSecret } from './secrets.ts'

export interface AgentAsk {
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  readonly state: string | null
  readonly challenge: string
  /** It asked for a scope that changes something. */
  readonly asksChanges: boolean
}

export type ReadAsk =
  | { readonly kind: 'asks'; readonly ask: AgentAsk }
  /** The agent is told, at the address that it registered. */
  | {
      readonly kind: 'wrong'
      readonly message: string
      readonly error: string
      readonly redirectUri: string
      readonly state: string | null
    }
  /** Nobody is sent anywhere: who asks is unknown, or the address is not theirs. */
  | { readonly kind: 'stopped'; readonly message: string }

const ONCE = [
  ...['client_id', 'redirect_uri', 'response_type', 'state', 'scope'],
  ...['code_challenge', 'code_challenge_method', 'resource'],
]
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export function readAsk(
  params: URLSearchParams,
  client: AgentClient | null,
  isOwnResource: (resource: string) => boolean,
): ReadAsk {
  const twice = ONCE.find((name) => params.getAll(name).length > 1)
  if (twice !== undefined) return { kind: 'stopped', message: `The app sent ${twice} twice.` }
  if (client === null)
    return {
      kind: 'stopped',
      message: 'This app is no longer registered here. Connect it again in the app.',
    }
  const redirectUri = params.get('redirect_uri') ?? ''
  if (!isRegisteredUri(client.redirectUris, redirectUri))
    return { kind: 'stopped', message: 'The app asked to return to an address that it didn’t register.' }
  const state = params.get('state')
  const problem = findRequestProblem(params, isOwnResource)
  if (problem !== null) return { kind: 'wrong', ...problem, redirectUri, state }
  const wanted = (params.get('scope') ?? '').split(' ')
  const ask = {
    ...{ clientId: client.id, clientName: client.name, redirectUri, state },
    challenge: params.get('code_challenge') ?? '',
    asksChanges: AGENT_SCOPES.change.some((scope) => wanted.includes(scope)),
  }
  return { kind: 'asks', ask }
}

function findRequestProblem(params: URLSearchParams, isOwnResource: (resource: string) => boolean) {
  if (params.get('response_type') !== 'code')
    return { error: 'unsupported_response_type', message: 'The app must ask for a code.' }
  const isSafe =
    params.get('code_challenge_method') === 'S256' && CHALLENGE.test(params.get('code_challenge') ?? '')
  if (!isSafe) return { error: 'invalid_request', message: 'The app must use PKCE with S256.' }
  const resource = params.get('resource')
  if (resource !== null && !isOwnResource(resource))
    return { error: 'invalid_target', message: 'The app asks for access to another server.' }
  return null
}

/** True if the agent that exchanges a code is the one that asked for it. */
export function isVerifier(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  return sameSecret(createHash('sha256').update(verifier, 'ascii').digest('base64url'), challenge)
}
