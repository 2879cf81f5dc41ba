/** People in SCIM. Pure. */
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { DirectoryUser, ToldPerson } from '#ports/single-sign-on.ts'
import {
  attributeChanges,
  attributePath,
  type Operation,
  readTruth,
  refusePath,
  ScimError,
  scimField,
  textIn,
  URN,
} from './values.ts'

export interface UserFields {
  readonly email: string
  readonly name: string
  readonly told: ToldPerson
  readonly externalId: string | null
  readonly isActive: boolean
}

type Known = Pick<DirectoryUser, 'email' | 'name' | 'told'>

export function userResource(user: DirectoryUser, base: string) {
  const { userId, email, externalId, isActive, createdMs } = user
  const { userName, displayName, ...name } = userNames(user)
  return {
    schemas: [URN.user],
    id: String(userId),
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...(Object.values(name).some((part) => part !== undefined) ? { name } : {}),
    ...(displayName === undefined ? {} : { displayName }),
    active: isActive,
    emails: [{ value: email, type: 'work', primary: true }],
    meta: {
      resourceType: 'User',
      created: new Date(createdMs).toISOString(),
      location: `${base}/Users/${userId}`,
    },
  }
}

/** Returns names as a provider told them; of one that the account does not follow any more, what follows from its own. */
function userNames({ email, name, told }: Known) {
  const userName = told?.userName !== undefined && told.email === email ? told.userName : email
  const said = told?.name === name ? told : null
  const divided = dividedName(name, said?.givenName ?? null)
  // What was told apart is answered so, and what was taken away is not.
  const orElse = (value: string | null | undefined, otherwise: string) =>
    value === undefined ? otherwise : (value ?? undefined)
  return {
    userName,
    displayName: orElse(said?.displayName, name),
    formatted: orElse(said?.formatted, name),
    givenName: orElse(said?.givenName, divided.givenName),
    familyName: orElse(said?.familyName, divided.familyName),
  }
}

/** An account has one name. */
function dividedName(name: string, told: string | null) {
  const given = told?.trim() ?? ''
  if (given !== '' && `${name} `.startsWith(`${given} `))
    return { givenName: given, familyName: name.slice(given.length).trim() }
  const [givenName = '', ...rest] = name.trim().split(/\s+/)
  return { givenName, familyName: rest.join(' ') }
}

/** The account's name: what is told as a whole, of its parts, or to be shown. */
function wholeName({ formatted, givenName, familyName, displayName }: Partial<ToldPerson>): string {
  const parts = [givenName, familyName].filter((part) => (part ?? '') !== '').join(' ')
  return [formatted, parts, displayName].find((each) => (each ?? '') !== '') ?? ''
}

/** Returns the values that filters compare. */
export function userValues(user: DirectoryUser, attribute: string): readonly string[] {
  const { userId, email, externalId, isActive, createdMs } = user
  const names = userNames(user)
  const some = (value: string | undefined) => (value === undefined ? [] : [value])
  switch (attribute) {
    case 'username':
      return [names.userName]
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
      return some(names.displayName)
    case 'name':
    case 'name.formatted':
      return some(names.formatted)
    case 'name.givenname':
      return some(names.givenName)
    case 'name.familyname':
      return some(names.familyName)
    case 'active':
      return [String(isActive)]
    case 'emails.primary':
      return ['true']
    case 'meta.created':
      return [new Date(createdMs).toISOString()]
    case 'meta.resourcetype':
      return ['User']
    case 'schemas':
      return [URN.user]
    default:
      throw new ScimError(400, `Users cannot be filtered by ${attribute}.`, 'invalidFilter')
  }
}

/** All of a user: what a POST or PUT sends. */
export function readScimUser(body: unknown): UserFields {
  if (!isObject(body)) throw new ScimError(400, 'The body must be a user.', 'invalidSyntax')
  const userName = textIn(body, 'userName')
  if (userName === null || userName.trim() === '')
    throw new ScimError(400, 'userName is needed: the email, or emails hold one.', 'invalidValue')
  const active = scimField(body, 'active')
  const displayName = textIn(body, 'displayName')
  return followNames({
    email: looksLikeEmail(userName) ? userName : (emailIn(scimField(body, 'emails')) ?? userName),
    name: '',
    told: {
      ...{ name: '', userName: cutText(userName), ...readNames(scimField(body, 'name')) },
      ...(displayName === null ? {} : { displayName: cutText(displayName) }),
    },
    externalId: textIn(body, 'externalId'),
    isActive: active === undefined ? true : readTruth(active),
  })
}

/** The account's name and email follow from what is told. */
function followNames(user: UserFields): UserFields {
  const whole = wholeName(user.told)
  const name = whole === '' ? user.name : whole
  return { ...user, name, told: { ...user.told, name, email: user.email } }
}

function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text)
}

/** The primary one of a list, or the first. */
function emailIn(emails: unknown): string | null {
  const list = (Array.isArray(emails) ? emails : [emails]).filter(isObject)
  const chosen = list.find((one) => scimField(one, 'primary') === true) ?? list[0]
  return chosen === undefined ? null : textIn(chosen, 'value')
}

const cutText = (text: string): string => text.slice(0, max('providerTextCharsMax'))

function readNames(name: unknown): Partial<ToldPerson> {
  if (!isObject(name)) return {}
  const named = (['formatted', 'givenName', 'familyName'] as const).flatMap((part) => {
    const value = textIn(name, part)
    return value === null ? [] : [[part, cutText(value)]]
  })
  return Object.fromEntries(named)
}

/** Attributes of users that there are, kept or not (RFC 7643, section 4.1). */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['username', 'externalid', 'name', 'displayname', 'nickname', 'profileurl', 'title', 'usertype'],
  ...['preferredlanguage', 'locale', 'timezone', 'active', 'password', 'emails', 'phonenumbers', 'ims'],
  ...['photos', 'addresses', 'groups', 'entitlements', 'roles', 'x509certificates'],
])
const NAME_PARTS = /^name\.(?:formatted|givenname|familyname|middlename|honorificprefix|honorificsuffix)$/

/** The user after a PATCH. Attributes that Errata does not keep are passed over, as those of a POST are. */
export function patchedUser(user: DirectoryUser, operations: readonly Operation[]): UserFields {
  const names = userNames(user)
  const said = user.told?.name === user.name ? user.told : null
  const told: ToldPerson = { ...said, name: user.name, userName: names.userName }
  const changes = attributeChanges(operations)
  const isWhole = changes.some(({ path, value }) => {
    const at = attributePath(path ?? '')
    return (
      at === 'name.formatted' || (at === 'name' && isObject(value) && textIn(value, 'formatted') !== null)
    )
  })
  const { givenName = null, familyName = null } = names
  const given = { isWhole, parts: { givenName, familyName } }
  const after = changes.reduce<UserFields>((one, change) => patchUser(one, change, given), { ...user, told })
  return after.told === told && after.email === user.email ? after : followNames(after)
}

interface Before {
  /** The name is changed as a whole as well. */
  readonly isWhole: boolean
  readonly parts: Pick<ToldPerson, 'givenName' | 'familyName'>
}

const NAMES = {
  displayname: 'displayName',
  'name.formatted': 'formatted',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
} as const

function isNamePath(at: string): at is keyof typeof NAMES {
  return Object.hasOwn(NAMES, at)
}

function patchUser(user: UserFields, operation: Operation, before: Before): UserFields {
  const { op, path, value, isNamed = false } = operation
  refusePath(operation, ATTRIBUTES)
  const at = attributePath(path ?? '')
  if (at.startsWith('name.') && !isNamed && !NAME_PARTS.test(at))
    throw new ScimError(400, `Names have no ${at.slice(5, 105)}.`, 'invalidPath')
  if (op === 'remove') return withoutAttribute(user, at)
  if (at === 'active') return { ...user, isActive: readTruth(value) }
  if (at === 'name' && isObject(value)) return renameUser(user, readNames(value), before)
  if (at === 'emails' || /^emails(?:\[.*\])?(?:\.value)?$/.test(at)) {
    const email = typeof value === 'string' ? value : emailIn(value)
    // An address that is the user name is changed as that.
    return email === null || looksLikeEmail(user.told.userName ?? user.email) ? user : { ...user, email }
  }
  if (typeof value !== 'string') return user
  if (isNamePath(at)) return renameUser(user, { [NAMES[at]]: cutText(value) }, before)
  if (at === 'externalid') return { ...user, externalId: value }
  if (at !== 'username') return user
  const told = { ...user.told, userName: cutText(value) }
  return { ...user, told, email: looksLikeEmail(value) ? value : user.email }
}

function withoutAttribute(user: UserFields, at: string): UserFields {
  if (at === 'username') throw new ScimError(400, 'userName is needed.', 'mutability')
  if (at === 'externalid') return { ...user, externalId: null }
  if (isNamePath(at)) return { ...user, told: { ...user.told, [NAMES[at]]: null } }
  if (at !== 'name') return user
  return { ...user, told: { ...user.told, formatted: null, givenName: null, familyName: null } }
}

/** Parts that are not named stay; a whole that is not told with them follows from them. */
function renameUser(user: UserFields, names: Partial<ToldPerson>, { isWhole, parts }: Before): UserFields {
  const isOfParts = 'givenName' in names || 'familyName' in names
  if (!isOfParts) return { ...user, told: { ...user.told, ...names } }
  const told = { ...parts, ...user.told, ...names }
  if (isWhole) return { ...user, told }
  const { formatted: _, ...rest } = told
  return { ...user, told: rest }
}
