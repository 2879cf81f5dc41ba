/** `/mcp` for coding agents: a bearer token, one request, one answer, no session. docs/agents.md says how it is used. */
import { AGENT_PATH } from '#access/agent-resource.ts'
import type { Access, TokenViewer } from '#access/viewer.ts'
import { ERROR_CATALOGUE } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { askedAt } from '../api/asked-at.ts'
import type { ApiServices } from '../api/call.ts'
import type { ApiHandler } from '../types.ts'
import { answerOAuth, challenge, isOAuthPath } from './oauth.ts'

interface McpOptions extends ApiServices {
  readonly access: Access
  readonly version: string
  readonly log: Log
}

/** Paths without the one of the public address. */
export function isMcpPath(path: string): boolean {
  return path === AGENT_PATH || path === `${AGENT_PATH}/` || isOAuthPath(path)
}

/** Never rejects for what an agent sends. */
export function createMcp(options: McpOptions): ApiHandler {
  return async (request, { clientAddress }) => {
    const { pathname } = new URL(request.url)
    if (!isMcpPath(pathname)) return null
    const url = askedAt(request.headers, options.publicAddress)
    const facts = { address: clientAddress, userAgent: request.headers.get('user-agent') }
    if (isOAuthPath(pathname)) {
      const { basePath } = options.publicAddress
      return answerOAuth(request, { ...options, facts, url, basePath })
    }
    // Without sessions there is nothing to listen to and nothing to end.
    if (request.method !== 'POST') return refuseRpc(405, 'Method not allowed: POST only.', { allow: 'POST' })
    if (isForeignPage(request.headers.get('origin'), options.publicAddress))
      return refuseRpc(403, 'Pages of other sites cannot ask here.', {})
    const authorization = request.headers.get('authorization')
    const viewer = await authenticateAgent(options, authorization)
    if (viewer === null)
      return refuseRpc(401, SIGNED_OUT, { 'www-authenticate': challenge(url, authorization !== null) })
    const [scope] = options.access.scopes(viewer)
    const body = await readRpcMessage(request)
    if (scope === undefined || body === null)
      return refuseRpc(400, 'The body is not one message of JSON-RPC.', {})
    const { answerAgent } = await import('./agent-server.ts')
    const { queries, commands, clock, version, log } = options
    const call = { viewer, scope, ...facts, queries, commands, clock, url }
    return answerAgent(request, body, { call, version, log })
  }
}

const NO_STORE = { 'cache-control': 'no-store' }
const SIGNED_OUT = `${ERROR_CATALOGUE.signed_out.cause} Sign in by browser, or send a token of Errata as Authorization: Bearer TOKEN.`

/** Bearer tokens alone: a page of another site can make a browser send a cookie. */
async function authenticateAgent(
  { access, clock }: McpOptions,
  header: string | null,
): Promise<TokenViewer | null> {
  const bearer = /^Bearer +(\S{1,3000})$/i.exec(header?.trim() ?? '')?.[1]
  if (bearer === undefined) return null
  const nowMs = clock.now()
  return (await access.authenticateToken(bearer, nowMs)) ?? access.authenticateAgent(bearer, nowMs)
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * The transport asks servers to look: a page whose name suddenly leads to this machine is refused, whatever it knows.
 * Programs send no origin, or one with a scheme of their own; those of this device may be pages.
 */
function isForeignPage(origin: string | null, publicAddress: PublicAddress): boolean {
  if (origin === null || origin === publicAddress.origin) return false
  const url = URL.canParse(origin) ? new URL(origin) : null
  return url === null || (/^https?:$/.test(url.protocol) && !LOOPBACK.has(url.hostname))
}

/** Batches are no part of the protocol any more, and one call is what the audit log counts. */
async function readRpcMessage(request: Request): Promise<object | null> {
  try {
    const body: unknown = await request.json()
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : null
  } catch {
    return null // no JSON: answered as such
  }
}

function refuseRpc(status: number, message: string, headers: Readonly<Record<string, string>>): Response {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  return Response.json(body, { status, headers: { ...NO_STORE, ...headers } })
}
