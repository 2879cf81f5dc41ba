/** People in SCIM. Pure. */
import { isObject } from '#base/json.ts'
import type { DirectoryUser } from '#ports/single-sign-on.ts'
import {
  changesOf,
  type Filter,
  field,
  type Operation,
  plainPath,
  ScimError,
  textIn,
  truth,
  URN,
} from './values.ts'

export interface UserFields {
  readonly email: string
  readonly name: string
  readonly externalId: string | null
  readonly isActive: boolean
}

export function userResource(user: DirectoryUser, base: string) {
  const { userId, email, name, externalId, isActive, createdMs } = user
  return {
    schemas: [URN.user],
    id: String(userId),
    ...(externalId === null ? {} : { externalId }),
    userName: email,
    name: { formatted: name, ...partsOf(name) },
    displayName: name,
    active: isActive,
    emails: [{ value: email, type: 'work', primary: true }],
    meta: {
      resourceType: 'User',
      created: new Date(createdMs).toISOString(),
      location: `${base}/Users/${userId}`,
    },
  }
}

/** Errata keeps one name. */
function partsOf(name: string): { readonly givenName: string; readonly familyName: string } {
  const [givenName = '', ...rest] = name.trim().split(/\s+/)
  return { givenName, familyName: rest.join(' ') }
}

export function userMatches(
  { userId, email, externalId, name, isActive }: DirectoryUser,
  filter: Filter,
): boolean {
  const folded = filter.value.toLowerCase()
  switch (filter.attribute) {
    case 'username':
    case 'emails':
    case 'emails.value':
      return email.toLowerCase() === folded
    case 'externalid':
      return externalId === filter.value
    case 'id':
      return String(userId) === filter.value
    case 'displayname':
      return name.toLowerCase() === folded
    case 'active':
      return String(isActive) === folded
    default:
      throw new ScimError(400, `Users cannot be filtered by ${filter.attribute}.`, 'invalidFilter')
  }
}

/** All of a user: what a POST or PUT sends. */
export function readUser(body: unknown): UserFields {
  if (!isObject(body)) throw new ScimError(400, 'The body must be a user.', 'invalidSyntax')
  const email = textIn(body, 'userName')
  if (email === null) throw new ScimError(400, 'userName is needed; it must be the email.', 'invalidValue')
  const active = field(body, 'active')
  return {
    email,
    name: nameIn(body) ?? '',
    externalId: textIn(body, 'externalId'),
    isActive: active === undefined ? true : truth(active),
  }
}

function nameIn(body: Readonly<Record<string, unknown>>): string | null {
  const name = field(body, 'name')
  return (isObject(name) ? fullName(name) : null) ?? textIn(body, 'displayName')
}

function fullName(name: Readonly<Record<string, unknown>>): string | null {
  const parts = [textIn(name, 'givenName'), textIn(name, 'familyName')].filter(
    (one) => one !== null && one !== '',
  )
  return textIn(name, 'formatted') ?? (parts.length === 0 ? null : parts.join(' '))
}

/** The user after a PATCH. Attributes that Errata does not keep are passed over, as those of a POST are. */
export function patchedUser(user: UserFields, operations: readonly Operation[]): UserFields {
  return changesOf(operations).reduce(patched, user)
}

function patched(user: UserFields, { op, path, value }: Operation): UserFields {
  const at = plainPath(path ?? '')
  if (op === 'remove') return at === 'externalid' ? { ...user, externalId: null } : user
  if (at === 'active') return { ...user, isActive: truth(value) }
  if (at === 'name' && isObject(value)) return { ...user, name: fullName(value) ?? user.name }
  if (typeof value !== 'string') return user
  const { givenName, familyName } = partsOf(user.name)
  switch (at) {
    case 'username':
      return { ...user, email: value }
    case 'externalid':
      return { ...user, externalId: value }
    case 'displayname':
    case 'name.formatted':
      return { ...user, name: value }
    case 'name.givenname':
      return { ...user, name: `${value} ${familyName}`.trim() }
    case 'name.familyname':
      return { ...user, name: `${givenName} ${value}`.trim() }
    default:
      return user
  }
}
