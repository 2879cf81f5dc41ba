/** The web API below `/api/0/`: web-standard Request in, Response out. */

import { can, canSomewhere } from '#access/access.ts'
import { sessionCookie } from '#access/cookie.ts'
import { checkOrigin, originHeaders } from '#access/origin.ts'
import { PERMISSIONS, type Permission } from '#access/permissions.ts'
import type { Access, Viewer } from '#access/viewer.ts'
import { ERROR_CATALOGUE, ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { type Refusal, refuse } from '#base/result.ts'
import type { RequestFacts } from '#commands/asking.ts'
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import { answerScim, isScimPath } from '../scim/scim.ts'
import type { ApiHandler } from '../types.ts'
import { askedAt } from './asked-at.ts'
import { readJson } from './body.ts'
import type { ApiAnswer, ApiCall, ApiRoute, ApiServices, OrgCall } from './call.ts'
import { exportRows, FORMAT } from './export.ts'
import { notKept } from './not-kept.ts'
import { ApiRefusal, apiRefusal, existing } from './refusals.ts'
import { respond, respondOptions, respondRefusal } from './respond.ts'
import { matchPath } from './routes.ts'

interface ApiOptions extends ApiServices {
  readonly access: Access
  readonly log: Log
}

const PREFIX = '/api/0'

/** Answers every path below `/api/0/`, and SCIM beside it; `null` for any other. Never rejects. */
export function createApi(options: ApiOptions): ApiHandler {
  return async (request, context) => {
    const url = new URL(request.url)
    if (isScimPath(url.pathname)) return answerScim(options, request, context.clientAddress)
    const path = pathBelowPrefix(url.pathname)
    if (path === null) return null
    try {
      return await answerCall(options, { request, url, path, ...context })
    } catch (cause) {
      return respondApiFailure(options.log, cause)
    }
  }
}

interface Received {
  readonly request: Request
  readonly url: URL
  readonly path: string
  readonly clientAddress: string | null
  readonly aside?: RequestFacts['aside']
}

/** `null` when the address is not the web API's. A path of the public address has been taken off before. */
function pathBelowPrefix(pathname: string): string | null {
  if (pathname === PREFIX) return '/'
  return pathname.startsWith(`${PREFIX}/`) ? pathname.slice(PREFIX.length) : null
}

async function answerCall(options: ApiOptions, received: Received): Promise<Response> {
  const { request, url, path } = received
  const matched = matchPath(path)
  if (matched === null) return respondRefusal(notServed(path))
  const methods = [...matched.routes.map(({ method }) => method), 'HEAD', 'OPTIONS']
  if (request.method === 'OPTIONS') return respondOptions(methods)
  const wanted = request.method === 'HEAD' ? 'GET' : request.method
  const route = matched.routes.find(({ method }) => method === wanted)
  if (route === undefined) {
    const known = notKept(path)
    const message = `Method "${request.method}" not allowed.`
    const refusal = refuse('method_not_allowed', known === null ? message : `${known} ${message}`)
    return respondRefusal(refusal, { headers: { allow: methods.join(', ') } })
  }
  const done = await runRoute(options, route, { ...received, params: matched.params })
  // Cursors lead to where whoever asks reaches us, a path before ours included.
  const { pathname, search } = url
  const reached = new URL(`${askedAt(request.headers, options.publicAddress)}${pathname}${search}`)
  const response = respond(done, reached)
  return request.method === 'HEAD'
    ? new Response(null, { status: response.status, headers: response.headers })
    : response
}

function notServed(path: string): Refusal {
  const known = notKept(path)
  const message =
    'This call is not part of the web API that this version serves; /docs/api-calls lists what is.'
  return refuse('not_found', known === null ? message : `${known} ${message}`)
}

/** 401, then 404 for an organisation one may not see, then 403, then the origin of a write by cookie. */
async function runRoute(
  options: ApiOptions,
  route: ApiRoute,
  received: Received & { readonly params: Readonly<Record<string, string>> },
): Promise<ApiAnswer> {
  const { request, url, params } = received
  const viewer = await authenticateCall(options, request)
  const call: Omit<ApiCall, 'viewer'> = {
    queries: options.queries,
    commands: options.commands,
    clock: options.clock,
    publicAddress: options.publicAddress,
    url,
    askedAt: askedAt(request.headers, options.publicAddress),
    params,
    address: received.clientAddress,
    ...(received.aside === undefined ? {} : { aside: received.aside }),
    userAgent: request.headers.get('user-agent'),
    header: (name) => request.headers.get(name),
    json: () => readJson(request, route.bodyBytesMax ?? max('formBytesMax')),
    bytes: async () => ({
      contentType: request.headers.get('content-type') ?? '',
      body: new Uint8Array(await request.arrayBuffer()),
    }),
  }
  if (route.permission === 'anyone') return route.run({ ...call, viewer })
  if (viewer === null) throw refusedAs('signed_out', 'Authentication credentials were not provided.')
  refuseCrossOrigin(options, request, viewer)
  if (route.permission === 'signed-in') return route.run({ ...call, viewer })
  const scope = existing(await findScope(options, viewer, { params, permission: route.permission }))
  if (!(await isAllowed(options, { viewer, scope, permission: route.permission }, params))) {
    const refusal = forbidden(viewer, PERMISSIONS[route.permission].what)
    // Who uploads sees a green build all the same.
    if (route.upload !== undefined)
      await options.commands.noteRefusedUpload(
        { ...call, viewer, scope },
        { what: route.upload, reason: refusal.message },
      )
    throw refusal
  }
  const moved = route.method === 'GET' ? await addressMovedTo(options, scope, { url, params }) : null
  if (moved !== null) return moved
  const asked: OrgCall = { ...call, viewer, scope }
  const format = route.exported === undefined ? null : FORMAT.read(url)
  if (route.exported === undefined || format === null) return route.run(asked)
  return exportRows(route, asked, { exported: route.exported, format })
}

/** Redirects a request with an earlier slug: a change goes to the project, a read is told the new slug. */
async function addressMovedTo(
  { queries, publicAddress }: ApiOptions,
  scope: ReadScope,
  { url, params }: { readonly url: URL; readonly params: Readonly<Record<string, string>> },
): Promise<ApiAnswer | null> {
  const address = { path: url.pathname, search: url.search, project: params.project }
  const location = await queries.movedAddress(scope, address)
  return location === null ? null : { status: 302, location: `${publicAddress.basePath}${location}` }
}

/** A team admin may do more to what their team holds, which the address names. */
async function isAllowed(
  { queries }: ApiOptions,
  { viewer, scope, permission }: Asked,
  { project: named, team }: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (can(viewer, scope, permission)) return true
  if (!canSomewhere(viewer, scope, permission)) return false
  const project = named === undefined ? null : await queries.project(scope, named)
  if (project !== null) return can(viewer, scope, permission, { project: project.id })
  const found = (await queries.teams(scope)).find(({ id, slug }) => slug === team || String(id) === team)
  return found !== undefined && can(viewer, scope, permission, { team: found.id })
}

interface Asked {
  readonly viewer: Viewer
  readonly scope: ReadScope
  readonly permission: Permission
}

/** The organisation that the address names, or the one that the issue belongs to. */
async function findScope(
  { access, queries }: ApiOptions,
  viewer: Viewer,
  asked: { readonly params: Readonly<Record<string, string>>; readonly permission: Permission },
): Promise<ReadScope | null> {
  const { params, permission } = asked
  if (params.org !== undefined) return access.scope(viewer, params.org)
  const [found, ...others] = await queries.issueScopes(viewer, params.issue ?? '')
  if (others.length > 0)
    throw apiRefusal('bad_request', 'Several organisations have this short id: ask with the issue’s id.')
  if (found !== undefined) return found
  // Who may not do it in their only organisation is told so, as at the long address.
  const [only, ...more] = access.scopes(viewer)
  return only !== undefined && more.length === 0 && !can(viewer, only, permission) ? only : null
}

/** A bearer token when there is an Authorization header, otherwise the session cookie. */
async function authenticateCall(options: ApiOptions, request: Request): Promise<Viewer | null> {
  const header = request.headers.get('authorization')
  const nowMs = options.clock.now()
  if (header === null) {
    const cookie = sessionCookie(options.publicAddress, null).read(request.headers.get('cookie'))
    return options.access.authenticateSession(cookie, nowMs)
  }
  const bearer = /^Bearer +(\S{1,3000})$/i.exec(header.trim())?.[1]
  const viewer = bearer === undefined ? null : await options.access.authenticateToken(bearer, nowMs)
  if (viewer === null) throw refusedAs('signed_out', 'Invalid token')
  return viewer
}

function refuseCrossOrigin(options: ApiOptions, request: Request, viewer: Viewer): void {
  if (viewer.kind === 'token') return
  const isOwn = checkOrigin({
    method: request.method,
    ...originHeaders(request.headers),
    ownOrigin: options.publicAddress.isFixed ? options.publicAddress.origin : null,
  })
  if (!isOwn) throw refusedAs('cross_origin', 'A change with a session must come from Errata’s own pages.')
}

function refusedAs(code: 'signed_out' | 'cross_origin' | 'forbidden', message: string): ApiRefusal {
  return new ApiRefusal(refuse(code, message))
}

function forbidden(viewer: Viewer, what: string): ApiRefusal {
  const missing = viewer.kind === 'token' ? 'The token lacks the scope' : 'Your role does not allow'
  return refusedAs('forbidden', `You do not have permission to perform this action. ${missing} to ${what}.`)
}

/** Expected refusals have their code; anything else is a failure of ours, told to the log alone. */
function respondApiFailure(log: Log, cause: unknown): Response {
  if (cause instanceof ApiRefusal) return respondRefusal(cause.refusal, { body: cause.extra })
  if (cause instanceof ErrataError) {
    const { status, cause: reason } = ERROR_CATALOGUE[cause.code]
    if (status >= 500)
      log.warn('web API: a store did not answer', { code: cause.code, reason: cause.message })
    return respondRefusal(refuse(cause.code, status >= 500 ? reason : cause.message))
  }
  log.error('web API: a call failed', {
    reason: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
  })
  return respondRefusal(refuse('internal', ERROR_CATALOGUE.internal.cause))
}
