/** Signing in by browser, as agents see it: what is offered, who registers, and tokens. The person's page is the web app's. */

import { AGENT_PATH } from '#access/agent-resource.ts'
import { AGENT_SCOPES } from '#access/agent-tools.ts'
import { byWord } from '#base/by-word.ts'
import type { Clock } from '#base/clock.ts'
import { parseJsonOrNull } from '#base/json.ts'
import type { RequestFacts } from '#commands/asking.ts'
import type { Commands } from '#commands/commands.ts'

type TokenCommands = Pick<
  Commands,
  'registerAgentClient' | 'exchangeAgentCode' | 'refreshAgentToken' | 'revokeAgentToken'
>

interface OAuthCall {
  readonly commands: TokenCommands
  readonly clock: Clock
  readonly facts: RequestFacts
  /** Address of Errata as the agent reaches it, without trailing slash. */
  readonly url: string
  /** Below which Errata is served; empty where there is none. */
  readonly basePath: string
}

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
const SERVER_METADATA = '/.well-known/oauth-authorization-server'
const ENDPOINTS = ['/oauth/register', '/oauth/token', '/oauth/revoke']
const SCOPES = [...AGENT_SCOPES.read, ...AGENT_SCOPES.change]

/** Paths without the one of the public address. */
export function isOAuthPath(path: string): boolean {
  const isMetadata = [RESOURCE_METADATA, SERVER_METADATA].some(
    (each) => path === each || path.startsWith(`${each}/`),
  )
  return isMetadata || ENDPOINTS.includes(path)
}

/** `null` for metadata of what is not served here. */
export async function answerOAuth(request: Request, call: OAuthCall): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: ANY_ORIGIN })
  if (ENDPOINTS.includes(pathname)) {
    if (request.method !== 'POST') return oauthError(405, 'invalid_request', 'Only POST.', { allow: 'POST' })
    return answerPost(pathname, request, call)
  }
  if (request.method !== 'GET') return oauthError(405, 'invalid_request', 'Only GET.', { allow: 'GET' })
  return metadata(pathname, call)
}

/** Builds the header that tells an agent without a token how to get one (RFC 9728, section 5.1). */
export function challenge(url: string, hadToken: boolean): string {
  const error = hadToken ? 'error="invalid_token", ' : ''
  return `Bearer ${error}resource_metadata="${url}${RESOURCE_METADATA}"`
}

function metadata(path: string, { url, basePath }: OAuthCall): Response | null {
  if ([AGENT_PATH, `${basePath}${AGENT_PATH}`, ''].some((end) => path === `${RESOURCE_METADATA}${end}`))
    return jsonAnswer(200, resourceMetadata(url))
  // An issuer with a path has its metadata at the root of its host (RFC 8414, section 3).
  if (path === SERVER_METADATA || path === `${SERVER_METADATA}${basePath}`)
    return jsonAnswer(200, serverMetadata(url))
  return null
}

function resourceMetadata(url: string) {
  return {
    resource: `${url}${AGENT_PATH}`,
    resource_name: 'Errata',
    resource_documentation: `${url}/agents`,
    authorization_servers: [url],
    bearer_methods_supported: ['header'],
    scopes_supported: SCOPES,
  }
}

function serverMetadata(url: string) {
  return {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    registration_endpoint: `${url}/oauth/register`,
    revocation_endpoint: `${url}/oauth/revoke`,
    service_documentation: `${url}/agents`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

async function answerPost(path: string, request: Request, call: OAuthCall): Promise<Response> {
  const body = await request.text()
  if (path === '/oauth/register') return registerAgentClient(body, call)
  const form = new URLSearchParams(body)
  const names = [...form.keys()]
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(type) || new Set(names).size !== names.length)
    return oauthError(400, 'invalid_request', 'Send a form, each field once.')
  const clientId = form.get('client_id') ?? ''
  if (clientId === '') return oauthError(400, 'invalid_request', 'client_id is missing.')
  if (path === '/oauth/token') return tokens(form, clientId, call)
  const token = form.get('token') ?? ''
  if (token === '') return oauthError(400, 'invalid_request', 'token is missing.')
  await call.commands.revokeAgentToken(call.facts, { clientId, token })
  return jsonAnswer(200, {})
}

/** RFC 7591. Every client is a public one: what a program on somebody's machine carries is no secret. */
async function registerAgentClient(body: string, { commands, facts }: OAuthCall): Promise<Response> {
  const made = await commands.registerAgentClient(facts, parseJsonOrNull(body))
  if (made.ok) {
    const { id, name, redirectUris, createdMs } = made.value
    return jsonAnswer(201, {
      client_id: id,
      client_id_issued_at: Math.floor(createdMs / 1_000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: SCOPES.join(' '),
    })
  }
  if (made.code === 'too_many_attempts') {
    const headers = made.retryAfterSeconds === undefined ? {} : { 'retry-after': `${made.retryAfterSeconds}` }
    return oauthError(429, 'too_many_requests', made.message, headers)
  }
  const isUri = made.fields?.redirect_uris !== undefined
  return oauthError(400, isUri ? 'invalid_redirect_uri' : 'invalid_client_metadata', made.message)
}

async function tokens(form: URLSearchParams, clientId: string, call: OAuthCall): Promise<Response> {
  const { commands, facts, clock } = call
  const field = (name: string) => form.get(name) ?? ''
  const given = { clientId, resource: form.get('resource') }
  const type = field('grant_type')
  const missing = (FIELDS[type] ?? []).find((name) => field(name) === '')
  if (missing !== undefined) return oauthError(400, 'invalid_request', `${missing} is missing.`)
  let made: Awaited<ReturnType<TokenCommands['refreshAgentToken']>>
  if (type === 'authorization_code') {
    const proof = { redirectUri: field('redirect_uri'), verifier: field('code_verifier') }
    made = await commands.exchangeAgentCode(facts, { ...given, ...proof, code: field('code') })
  } else if (type === 'refresh_token') {
    made = await commands.refreshAgentToken(facts, { ...given, refreshToken: field('refresh_token') })
  } else return oauthError(400, 'unsupported_grant_type', 'Send a code or a refresh token.')
  if (!made.ok) return oauthError(made.error === 'invalid_client' ? 401 : 400, made.error, made.message)
  return jsonAnswer(200, {
    access_token: made.accessToken,
    token_type: 'Bearer',
    expires_in: Math.floor((made.expiresMs - clock.now()) / 1_000),
    refresh_token: made.refreshToken,
    scope: made.scopes.join(' '),
  })
}

const FIELDS: Readonly<Record<string, readonly string[]>> = byWord({
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  refresh_token: ['refresh_token'],
})

/** Agents that run in a page of another site ask too; nothing here goes by a cookie. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
  'access-control-max-age': '86400',
}

function jsonAnswer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  const own = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' }
  return Response.json(body, { status, headers: { ...own, ...headers } })
}

function oauthError(
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonAnswer(status, { error, error_description: description }, headers)
}
