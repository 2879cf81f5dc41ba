/** `/mcp` for coding agents: a bearer token, one request, one answer, no session. docs/agents.md says how it is used. */
import { AGENT_TOOL_LIST } from '#access/agent-tools.ts'
import type { Access, TokenViewer } from '#access/viewer.ts'
import { ERRORS } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { askedAt } from '../api/asked-at.ts'
import type { ApiServices } from '../api/call.ts'
import type { ApiHandler } from '../types.ts'

interface McpOptions extends ApiServices {
  readonly access: Access
  readonly version: string
  readonly log: Log
}

const PATH = '/mcp'
const METADATA = '/.well-known/oauth-protected-resource'

/** Paths without the one of the public address. */
export function isMcpPath(path: string): boolean {
  return [PATH, `${PATH}/`, METADATA, `${METADATA}${PATH}`].includes(path)
}

/** Never rejects for what an agent sends. */
export function createMcp(options: McpOptions): ApiHandler {
  return async (request, { clientAddress }) => {
    const { pathname } = new URL(request.url)
    if (!isMcpPath(pathname)) return null
    const url = askedAt(request.headers, options.publicAddress)
    if (pathname.startsWith(METADATA)) return Response.json(resourceMetadata(url), { headers: NO_STORE })
    // Without sessions there is nothing to listen to and nothing to end.
    if (request.method !== 'POST') return refusal(405, 'Method not allowed: POST only.', { allow: 'POST' })
    const viewer = await authenticate(options, request.headers.get('authorization'))
    if (viewer === null) return refusal(401, SIGNED_OUT, { 'www-authenticate': challenge(url) })
    const [scope] = options.access.scopes(viewer)
    const body = await readMessage(request)
    if (scope === undefined || body === null)
      return refusal(400, 'The body is not one message of JSON-RPC.', {})
    const { answerAgent } = await import('./agent-server.ts')
    const { queries, commands, clock, version, log } = options
    const userAgent = request.headers.get('user-agent')
    const call = { viewer, scope, address: clientAddress, userAgent, queries, commands, clock, url }
    return answerAgent(request, body, { call, version, log })
  }
}

const NO_STORE = { 'cache-control': 'no-store' }
const SIGNED_OUT = `${ERRORS.signed_out.cause} Send a token of Errata as Authorization: Bearer TOKEN.`

/** Bearer tokens alone: a page of another site can make a browser send a cookie. */
async function authenticate(
  { access, clock }: McpOptions,
  header: string | null,
): Promise<TokenViewer | null> {
  const bearer = /^Bearer +(\S{1,3000})$/i.exec(header?.trim() ?? '')?.[1]
  return bearer === undefined ? null : access.authenticateToken(bearer, clock.now())
}

/** RFC 9728. No authorization server: a token is made by a person, on the page that it names. */
function resourceMetadata(url: string) {
  return {
    resource: `${url}${PATH}`,
    resource_name: 'Errata',
    resource_documentation: `${url}/agents`,
    bearer_methods_supported: ['header'],
    scopes_supported: SCOPES_USED,
  }
}

/** The least scope of each permission that a tool needs. */
const SCOPES_USED = [...new Set(AGENT_TOOL_LIST.map(({ scopes }) => scopes[0]))]

function challenge(url: string): string {
  return `Bearer resource_metadata="${url}${METADATA}"`
}

/** Batches are no part of the protocol any more, and one call is what the audit log counts. */
async function readMessage(request: Request): Promise<object | null> {
  try {
    const body: unknown = await request.json()
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : null
  } catch {
    return null // no JSON: answered as such
  }
}

function refusal(status: number, message: string, headers: Readonly<Record<string, string>>): Response {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  return Response.json(body, { status, headers: { ...NO_STORE, ...headers } })
}
