/** People in SCIM. Pure. */
import { isObject } from '#base/json.ts'
import type { DirectoryUser } from '#ports/single-sign-on.ts'
import {
  changesOf,
  field,
  type Operation,
  plainPath,
  refusePath,
  ScimError,
  textIn,
  truth,
  URN,
} from './values.ts'

export interface UserFields {
  readonly email: string
  readonly name: string
  /** Given name, where the stored name divides; `null` if nobody told. */
  readonly givenName: string | null
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
    name: { formatted: name, ...partsOf(user) },
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

/** Errata keeps one name, and where it divides. */
function partsOf({ name, givenName: told }: Pick<UserFields, 'name' | 'givenName'>): {
  readonly givenName: string
  readonly familyName: string
} {
  const given = told?.trim() ?? ''
  if (given !== '' && `${name} `.startsWith(`${given} `))
    return { givenName: given, familyName: name.slice(given.length).trim() }
  const [givenName = '', ...rest] = name.trim().split(/\s+/)
  return { givenName, familyName: rest.join(' ') }
}

/** Returns the values that filters compare. */
export function userValues(user: DirectoryUser, attribute: string): readonly string[] {
  const { userId, email, externalId, name, isActive } = user
  switch (attribute) {
    case 'username':
    case 'emails':
    case 'emails.value':
      return [email]
    case 'emails.type':
      return ['work']
    case 'externalid':
      return externalId === null ? [] : [externalId]
    case 'id':
      return [String(userId)]
    case 'displayname':
    case 'name.formatted':
      return [name]
    case 'name.givenname':
      return [partsOf(user).givenName]
    case 'name.familyname':
      return [partsOf(user).familyName]
    case 'active':
      return [String(isActive)]
    default:
      throw new ScimError(400, `Users cannot be filtered by ${attribute}.`, 'invalidFilter')
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
    givenName: givenNameIn(field(body, 'name')),
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

function givenNameIn(name: unknown): string | null {
  return isObject(name) ? textIn(name, 'givenName') : null
}

/** Attributes of users that there are, kept or not (RFC 7643, section 4.1). */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['username', 'externalid', 'name', 'displayname', 'nickname', 'profileurl', 'title', 'usertype'],
  ...['preferredlanguage', 'locale', 'timezone', 'active', 'password', 'emails', 'phonenumbers', 'ims'],
  ...['photos', 'addresses', 'groups', 'entitlements', 'roles', 'x509certificates'],
])
const NAME_PARTS = /^name\.(?:formatted|givenname|familyname|middlename|honorificprefix|honorificsuffix)$/

/** The user after a PATCH. Attributes that Errata does not keep are passed over, as those of a POST are. */
export function patchedUser(user: UserFields, operations: readonly Operation[]): UserFields {
  return changesOf(operations).reduce(patched, user)
}

function patched(user: UserFields, operation: Operation): UserFields {
  const { op, path, value, isNamed = false } = operation
  refusePath(operation, ATTRIBUTES)
  const at = plainPath(path ?? '')
  if (at.startsWith('name.') && !isNamed && !NAME_PARTS.test(at))
    throw new ScimError(400, `Names have no ${at.slice(5, 105)}.`, 'invalidPath')
  if (op === 'remove') return withoutAttribute(user, at)
  if (at === 'active') return { ...user, isActive: truth(value) }
  if (at === 'name' && isObject(value)) return renamed(user, value)
  if (typeof value !== 'string') return user
  const { givenName, familyName } = partsOf(user)
  switch (at) {
    case 'username':
      return { ...user, email: value }
    case 'externalid':
      return { ...user, externalId: value }
    case 'displayname':
    case 'name.formatted':
      return { ...user, name: value }
    case 'name.givenname':
      return { ...user, name: `${value} ${familyName}`.trim(), givenName: value }
    case 'name.familyname':
      return { ...user, name: `${givenName} ${value}`.trim(), givenName }
    default:
      return user
  }
}

function withoutAttribute(user: UserFields, at: string): UserFields {
  if (at === 'username') throw new ScimError(400, 'userName is needed; it must be the email.', 'mutability')
  return at === 'externalid' ? { ...user, externalId: null } : user
}

/** Parts that are not named stay. */
function renamed(user: UserFields, name: Readonly<Record<string, unknown>>): UserFields {
  const before = partsOf(user)
  const givenName = textIn(name, 'givenName') ?? before.givenName
  const familyName = textIn(name, 'familyName') ?? before.familyName
  const whole = textIn(name, 'formatted') ?? `${givenName} ${familyName}`.trim()
  return { ...user, name: whole === '' ? user.name : whole, givenName }
}
