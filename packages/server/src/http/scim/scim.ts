/** SCIM 2.0 at `/scim/v2/{org}/…`: an identity provider makes, changes and deactivates people and groups (RFC 7644). */
import { can } from '#access/access.ts'
import type { Access, Viewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import { ERROR_CATALOGUE, ErrataError } from '#base/errors.ts'
import { teamId, userId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { Result } from '#base/result.ts'
import type { Asking } from '#commands/asking.ts'
import type { Commands } from '#commands/commands.ts'
import { max } from '#limits/limits.ts'
import type { DirectoryUser } from '#ports/single-sign-on.ts'
import type { Queries } from '#queries/queries.ts'
import { resourceTypes, schemas, serviceProviderConfig } from './about.ts'
import { isFound, readFilter } from './filter.ts'
import {
  type Group,
  type GroupFields,
  groupResource,
  groupValues,
  patchedGroup,
  readGroup,
} from './groups.ts'
import { SEARCH, searchAddress } from './search.ts'
import { patchedUser, readScimUser, type UserFields, userResource, userValues } from './users.ts'
import { chosenPart, readOperations, refusedBy, ScimError, URN } from './values.ts'

export interface ScimServices {
  readonly access: Access
  readonly queries: Queries
  readonly commands: Commands
  readonly clock: Clock
  readonly publicAddress: PublicAddress
  readonly log: Log
}

const PREFIX = '/scim/v2/'

export function isScimPath(path: string): boolean {
  return path.startsWith(PREFIX)
}

interface Call extends ScimServices {
  readonly request: Request
  /** `GET` for a search by `POST`. */
  readonly method: string
  readonly url: URL
  readonly asking: Asking
  /** Address of this organisation's SCIM. */
  readonly base: string
  readonly id: string | null
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly location?: string
}

/** Never rejects. */
export async function answerScim(
  services: ScimServices,
  request: Request,
  clientAddress: string | null,
): Promise<Response> {
  try {
    const sent = new URL(request.url)
    const [org = '', kind = '', id, ...more] = sent.pathname.slice(PREFIX.length).split('/').filter(Boolean)
    const asking = await scimAsking(services, { request, org, clientAddress })
    const base = services.publicAddress.link(`${PREFIX}${asking.scope.orgSlug}`)
    if (more.length > 0) throw missing()
    const isSearch = request.method === 'POST' && (id ?? kind) === SEARCH
    const url = isSearch ? searchAddress(sent, await readJsonBody(request)) : sent
    const one = id === undefined || isSearch ? null : decodeSegment(id)
    const method = isSearch ? 'GET' : request.method
    const call: Call = { ...services, request, method, url, asking, base, id: one }
    return respondScim(await answerScimCall(call, kind.toLowerCase()), url)
  } catch (cause) {
    return respondScimFailure(services.log, cause)
  }
}

function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw missing() // a broken percent code names nothing
  }
}

/** Tokens alone: no browser has anything to do here. */
async function scimAsking(
  { access, clock }: ScimServices,
  given: { readonly request: Request; readonly org: string; readonly clientAddress: string | null },
): Promise<Asking> {
  const header = given.request.headers.get('authorization')?.trim() ?? ''
  const bearer = /^Bearer +(\S{1,3000})$/i.exec(header)?.[1]
  const viewer: Viewer | null =
    bearer === undefined ? null : await access.authenticateToken(bearer, clock.now())
  if (viewer === null) throw new ScimError(401, 'Send an organisation token as a bearer token.')
  const scope = access.scope(viewer, given.org)
  if (scope === null) throw missing()
  if (!can(viewer, scope, 'scim.write')) throw new ScimError(403, 'The token lacks the scope scim:write.')
  const userAgent = given.request.headers.get('user-agent')
  return { viewer, scope, address: given.clientAddress, userAgent }
}

function missing(): ScimError {
  return new ScimError(404, 'There is no such resource.')
}

function answerScimCall(call: Call, kind: string): Promise<Answer> {
  switch (kind) {
    case 'users':
      return call.id === null ? usersAnswer(call) : userAnswer(call, call.id)
    case 'groups':
      return call.id === null ? groupsAnswer(call) : groupAnswer(call, call.id)
    case SEARCH:
      return everythingAnswer(call)
    default:
      return aboutAnswer(call, kind)
  }
}

async function aboutAnswer({ request, url, base, id }: Call, kind: string): Promise<Answer> {
  if (kind === 'bulk' || kind === 'me')
    throw new ScimError(501, `${kind === 'me' ? 'Me' : 'Bulk'} is not supported.`)
  if (request.method !== 'GET') throw notTaken(request)
  if (kind === 'serviceproviderconfig' && id === null && !url.searchParams.has('filter'))
    return { status: 200, body: serviceProviderConfig(base) }
  const all = kind === 'schemas' ? schemas(base) : kind === 'resourcetypes' ? resourceTypes(base) : null
  if (all === null) throw missing()
  if (url.searchParams.has('filter')) throw new ScimError(403, 'What describes the server is not filtered.')
  if (id === null) return { status: 200, body: listResponse(all, { from: 0, total: all.length }) }
  const one = all.find((each) => each.id === id)
  if (one === undefined) throw missing()
  return { status: 200, body: one }
}

function notTaken({ method }: Request): ScimError {
  return new ScimError(405, `${method} is not taken here.`)
}

/** Users, then groups. */
async function everythingAnswer(call: Call): Promise<Answer> {
  const { base, queries, asking } = call
  if (call.method !== 'GET' || call.request.method !== 'POST') throw notTaken(call.request)
  const users = (await queries.directoryUsers(asking.scope)).map((user) => ({
    values: (attribute: string) => valuesIfAny(() => userValues(user, attribute)),
    shape: () => userResource(user, base),
  }))
  const groups = (await readGroups(call)).map((group) => ({
    values: (attribute: string) => valuesIfAny(() => groupValues(group, attribute)),
    shape: () => groupResource(group, base),
  }))
  return pageOfRows(call, [...users, ...groups], {
    values: (one, attribute) => one.values(attribute),
    shape: (one) => one.shape(),
  })
}

/** Returns values, or none: a filter over everything may name attributes of one type only. */
function valuesIfAny(read: () => readonly string[]): readonly string[] {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof ScimError) return []
    throw cause
  }
}

async function usersAnswer(call: Call): Promise<Answer> {
  const { request, method, base, queries, commands, asking } = call
  if (method === 'POST') {
    const fields = readScimUser(await readJsonBody(request))
    await refuseKnownName(call, fields, null)
    const made = requireGranted(await commands.run('putDirectoryUser', asking, { ...fields, userId: null }))
    return createdAnswer(userResource(await requireDirectoryUser(call, String(made)), base))
  }
  if (method !== 'GET') throw notTaken(request)
  const users = await queries.directoryUsers(asking.scope)
  return pageOfRows(call, users, { values: userValues, shape: (user) => userResource(user, base) })
}

/** A user name that is no email is unique here all the same. */
async function refuseKnownName({ queries, asking }: Call, { told, email }: UserFields, own: number | null) {
  const wanted = (told.userName ?? email).toLowerCase()
  if (wanted === email.toLowerCase()) return
  const users = await queries.directoryUsers(asking.scope)
  const isKnown = users.some(
    (user) =>
      user.userId !== own && userValues(user, 'username').some((name) => name.toLowerCase() === wanted),
  )
  if (isKnown) throw new ScimError(409, `${told.userName} is already in this organisation.`, 'uniqueness')
}

async function requireDirectoryUser({ queries, asking }: Call, id: string): Promise<DirectoryUser> {
  const found = (await queries.directoryUsers(asking.scope)).find((one) => String(one.userId) === id)
  if (found === undefined) throw missing()
  return found
}

async function userAnswer(call: Call, id: string): Promise<Answer> {
  const { request, base, commands, asking } = call
  const user = await requireDirectoryUser(call, id)
  const put = async (fields: UserFields): Promise<Answer> => {
    await refuseKnownName(call, fields, user.userId)
    requireGranted(await commands.run('putDirectoryUser', asking, { ...fields, userId: userId(user.userId) }))
    return { status: 200, body: userResource(await requireDirectoryUser(call, id), base) }
  }
  switch (request.method) {
    case 'GET':
      return { status: 200, body: userResource(user, base) }
    case 'PUT':
      return put(readScimUser(await readJsonBody(request)))
    case 'PATCH':
      return put(patchedUser(user, readOperations(await readJsonBody(request))))
    case 'DELETE':
      requireGranted(await commands.run('removeDirectoryUser', asking, user.userId))
      return { status: 204 }
    default:
      throw notTaken(request)
  }
}

async function groupsAnswer(call: Call): Promise<Answer> {
  const { request, method, base } = call
  if (method === 'POST') {
    const id = await putGroup(call, null, readGroup(await readJsonBody(request)))
    return createdAnswer(groupResource(await requireGroup(call, String(id)), base))
  }
  if (method !== 'GET') throw notTaken(request)
  return pageOfRows(call, await readGroups(call), {
    values: groupValues,
    shape: (group) => groupResource(group, base),
  })
}

async function readGroups({ queries, asking: { scope } }: Call): Promise<readonly Group[]> {
  const [teams, known] = await Promise.all([queries.teams(scope), queries.directoryGroups(scope)])
  return teams
    .map(({ id, name, createdMs, members }) => ({
      ...{ id, name, createdMs, members: members.map(String) },
      externalId: known.find(({ teamId: team }) => team === id)?.externalId ?? null,
    }))
    .toSorted((a, b) => a.id - b.id)
}

async function requireGroup(call: Call, id: string): Promise<Group> {
  const found = (await readGroups(call)).find((one) => String(one.id) === id)
  if (found === undefined) throw missing()
  return found
}

async function putGroup({ commands, asking }: Call, team: Group['id'] | null, fields: GroupFields) {
  const members = fields.members.map((id) => {
    if (!/^[1-9]\d{0,14}$/.test(id))
      throw new ScimError(400, `There is no user ${id.slice(0, 50)}.`, 'invalidValue')
    return userId(Number(id))
  })
  const { name, externalId } = fields
  return requireGranted(await commands.run('putDirectoryGroup', asking, { team, name, externalId, members }))
}

async function groupAnswer(call: Call, id: string): Promise<Answer> {
  const { request, base, commands, asking } = call
  const group = await requireGroup(call, id)
  const put = async (fields: GroupFields): Promise<Answer> => {
    await putGroup(call, teamId(group.id), fields)
    return { status: 200, body: groupResource(await requireGroup(call, id), base) }
  }
  switch (request.method) {
    case 'GET':
      return { status: 200, body: groupResource(group, base) }
    case 'PUT':
      return put(readGroup(await readJsonBody(request)))
    case 'PATCH':
      return put(patchedGroup(group, readOperations(await readJsonBody(request))))
    case 'DELETE':
      requireGranted(await commands.run('removeDirectoryGroup', asking, group.id))
      return { status: 204 }
    default:
      throw notTaken(request)
  }
}

/** `startIndex` begins with 1. */
function pageOfRows<T>(
  { url }: Call,
  all: readonly T[],
  by: {
    readonly values: (one: T, attribute: string) => readonly string[]
    readonly shape: (one: T) => unknown
  },
): Answer {
  const filter = readFilter(url.searchParams.get('filter'))
  const found =
    filter === null ? all : all.filter((one) => isFound(filter, (attribute) => by.values(one, attribute)))
  const from = Math.max(1, readNumberParam(url, 'startIndex', 1)) - 1
  const count = Math.min(Math.max(0, readNumberParam(url, 'count', max('scimPageMax'))), max('scimPageMax'))
  const rows = found.slice(from, from + count).map((one) => chosenPart(by.shape(one), url))
  return { status: 200, body: listResponse(rows, { from, total: found.length }) }
}

function listResponse(
  rows: readonly unknown[],
  { from, total }: { readonly from: number; readonly total: number },
) {
  const page = { totalResults: total, startIndex: from + 1, itemsPerPage: rows.length }
  return { schemas: [URN.list], ...page, Resources: rows }
}

function readNumberParam({ searchParams }: URL, name: string, fallback: number): number {
  const text = searchParams.get(name)
  if (text === null || text === '') return fallback
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimError(400, `${name} must be a number.`, 'invalidValue')
  return Number(text)
}

function createdAnswer(resource: { readonly meta: { readonly location: string } }): Answer {
  return { status: 201, body: resource, location: resource.meta.location }
}

function requireGranted<T>(result: Result<T>): T {
  if (!result.ok) throw refusedBy(result)
  return result.value
}

async function readJsonBody(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    throw new ScimError(400, 'The body is not JSON.', 'invalidSyntax')
  }
}

/** `url`: asked for a part of what is answered. */
function respondScim({ status, body, location }: Answer, url: URL | null = null): Response {
  const headers = new Headers({
    ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  })
  if (location !== undefined) headers.set('location', location)
  if (status === 401) headers.set('www-authenticate', 'Bearer')
  if (body === undefined) return new Response(null, { status, headers })
  headers.set('content-type', 'application/scim+json')
  const isList = isObject(body) && 'Resources' in body
  const part = url === null || isList ? body : chosenPart(body, url)
  return new Response(JSON.stringify(part), { status, headers })
}

function respondScimFailure(log: Log, cause: unknown): Response {
  const error = cause instanceof ScimError ? cause : scimFailure(log, cause)
  const { status, scimType, message: detail } = error
  const type = scimType === null ? {} : { scimType }
  return respondScim({ status, body: { schemas: [URN.error], status: String(status), ...type, detail } })
}

function scimFailure(log: Log, cause: unknown): ScimError {
  if (cause instanceof ErrataError && ERROR_CATALOGUE[cause.code].status < 500)
    return new ScimError(ERROR_CATALOGUE[cause.code].status, cause.message)
  log.error('SCIM: a call failed', { reason: cause instanceof Error ? cause.name : typeof cause })
  return new ScimError(500, ERROR_CATALOGUE.internal.cause)
}
