/** Rules of sign-in with an organisation's own provider, whatever store keeps it. */
import { type Refusal, refuse } from '#base/result.ts'

/** Facts of a provider that the rules need. */
interface Captures {
  /** Named domains that DNS proves, in lower case. */
  readonly proved: readonly string[]
  readonly isRequired: boolean
}

/** Returns the text behind the last `@`, in lower case. */
export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** Owners keep their password: somebody must get in when the provider is down or set up wrongly. */
export function needsProvider(
  providers: readonly Captures[],
  member: { readonly email: string; readonly role: string },
): boolean {
  if (member.role === 'owner') return false
  return providers.some(({ proved, isRequired }) => isRequired && proved.includes(emailDomain(member.email)))
}

/**
 * Whether the provider's word changes the role of somebody who is a member already. Owners and guests are made and
 * ended in Errata: no default of a provider opens the organisation to a guest.
 */
export function changesRole(
  present: string,
  { role, setsRole }: { role: string; setsRole: boolean },
): boolean {
  return setsRole && present !== 'owner' && present !== 'guest' && present !== role
}

/** Whether an organisation may change what an account is called: it made it, and nobody has it for themselves so far. */
export function ownsAccount(account: {
  readonly isManaged: boolean
  readonly role: string | null
  /** Organisations besides. */
  readonly others: number
}): boolean {
  return account.isManaged && account.role !== 'owner' && account.others === 0
}

/** An account that a provider's answer leads to, by its subject or only by its address. */
interface Found {
  readonly id: number
  /** The subject was joined to it before. */
  readonly isJoined: boolean
  /** The organisation made the account, and nobody has it for themselves so far. */
  readonly isManaged: boolean
  /** Another subject of the same issuer is joined to it. */
  readonly hasOther: boolean
}

/**
 * `null` when the subject opens the account. An address proves nothing: a provider can assert any, and gives one that
 * was somebody's to somebody else. Whoever has the account says once that it is theirs.
 */
export function refuseUnjoined(
  found: Found,
  { email, confirmedBy }: { readonly email: string; readonly confirmedBy?: number },
): Refusal | null {
  if (found.isJoined) return null
  if (found.hasOther) return PROVIDER_REFUSALS.otherSubject(email)
  if (found.isManaged || confirmedBy === found.id) return null
  return PROVIDER_REFUSALS.unjoined(email)
}

/** Placeholder for a sign-in method that is not set up, so that editors can tell that there was none. */
export const NO_PROVIDER = { issuer: null } as const

export const PROVIDER_REFUSALS = {
  noProvider: () => refuse('not_found', 'This sign-in method does not exist.'),
  notInvited: (email: string) =>
    refuse(
      'forbidden',
      `${email} isn’t a member of this organisation. Ask an owner or manager for an invitation.`,
    ),
  inactive: (email: string) =>
    refuse(
      'forbidden',
      `${email} was deactivated in this organisation. Ask the person who manages its accounts.`,
    ),
  noDomain: () =>
    refuse('not_found', 'This email domain isn’t named in the sign-in settings. Save it first.'),
  unjoined: (email: string) =>
    refuse('account_unjoined', `${email} already has an account here. Confirm that it’s yours.`),
  otherSubject: (email: string) =>
    refuse(
      'forbidden',
      `${email} belongs to someone else who signs in here with this provider. Ask an owner or manager of the organisation.`,
    ),
  secretMissing: () =>
    refuse('invalid_input', 'A client secret is needed.', { clientSecret: ['Copy it from the provider.'] }),
  userKnown: (email: string) => refuse('conflict', `${email} is already in this organisation.`),
  userUnknown: () => refuse('not_found', 'There is no such user in this organisation.'),
  emailFixed: () =>
    refuse(
      'forbidden',
      'This account isn’t managed by this organisation alone, so its email cannot be changed.',
    ),
} as const
