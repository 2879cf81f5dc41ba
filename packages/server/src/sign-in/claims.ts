/** Claims of a provider about a person, and what follows from them. Pure. */
import { emailDomain } from '#model/provider-rules.ts'
import type { GivenRole } from '#ports/accounts.ts'
import type { KnownProvider, SignInProvider } from '#ports/single-sign-on.ts'
import { ProviderError } from './provider-error.ts'

export interface Named {
  readonly subject: string
  /** Verified. */
  readonly email: string
  readonly name: string
  /** Values of the claim for roles. */
  readonly groups: readonly string[]
}

type Claims = Readonly<Record<string, unknown>>

const GITHUB = 'https://github.com'
const STRENGTH: readonly GivenRole[] = ['manager', 'member', 'viewer']

/** Throws `ProviderError` for an email that the provider has not verified. */
export function identityOf(claims: Claims, { roleClaim }: Pick<SignInProvider, 'roleClaim'>): Named {
  const { sub, email, name, preferred_username: username } = claims
  if (typeof sub !== 'string' || sub === '') throw new ProviderError('It did not say who you are.')
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > EMAIL_CHARS_MAX)
    throw new ProviderError('It did not send your email. Allow the scope “email” there.')
  // Microsoft has a claim of its own for it, that it sends where the app asks for it.
  const isVerified =
    claims.email_verified === true || claims.email_verified === 'true' || isTrueClaim(claims.xms_edov)
  if (!isVerified) throw new ProviderError('It has not verified your email.')
  const called = [name, username].find((one) => typeof one === 'string' && one.trim() !== '')
  const shown = typeof called === 'string' ? called.trim().slice(0, NAME_CHARS_MAX) : ''
  return {
    subject: sub,
    email,
    name: shown,
    groups: roleClaim === '' ? [] : claimTexts(claimAt(claims, roleClaim)),
  }
}

const EMAIL_CHARS_MAX = 254
const NAME_CHARS_MAX = 100

function isTrueClaim(value: unknown): boolean {
  return value === true || value === 'true' || value === '1' || value === 1
}

/** The claim of this name, or what lies below it: `realm_access.roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let at: unknown = claims
  for (const part of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined
    at = Object.entries(at).find(([key]) => key === part)?.[1]
  }
  return at
}

/** A list, one text, or the keys of an object as Zitadel sends roles. */
function claimTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.filter((one): one is string => typeof one === 'string')
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** The strongest that a group gives; the provider's own default else, or what the organisation says. */
export function roleOfGroups(
  { roles, roleDefault }: Pick<SignInProvider, 'roles' | 'roleDefault'>,
  groups: readonly string[],
  otherwise: GivenRole,
): GivenRole {
  const given = roles.filter(({ value }) => groups.includes(value)).map(({ role }) => role)
  return STRENGTH.find((role) => given.includes(role)) ?? roleDefault ?? otherwise
}

/**
 * True if the person may join: their email is of a proved domain. GitHub itself knows whose an address is, so
 * members of its organisations join if no domain is named; another server says of an address whatever its
 * owner wants.
 */
export function mayJoin(
  { kind, issuer, domains, proved, organisations }: KnownProvider,
  email: string,
): boolean {
  if (kind === 'github' && issuer === GITHUB && organisations.length > 0 && domains.length === 0) return true
  return proved.includes(emailDomain(email))
}
