/** Rules of sign-in with an organisation's own provider, whatever store keeps it. */
import { refuse } from '#base/result.ts'

/** What the rules need to know of a provider. */
interface Captures {
  /** Lower case. */
  readonly domains: readonly string[]
  readonly isRequired: boolean
}

/** What stands behind the last `@`, in lower case. */
export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** Owners keep their password: somebody must get in when the provider is down or set up wrongly. */
export function needsProvider(
  providers: readonly Captures[],
  member: { readonly email: string; readonly role: string },
): boolean {
  if (member.role === 'owner') return false
  return providers.some(
    ({ domains, isRequired }) => isRequired && domains.includes(emailDomain(member.email)),
  )
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

/** Whether an organisation may change what an account is called: it reaches nothing beyond the organisation. */
export function ownsAccount(account: {
  readonly isOperator: boolean
  readonly role: string | null
  readonly organisations: number
}): boolean {
  return !account.isOperator && account.role !== 'owner' && account.organisations <= 1
}

/** What stands where a method is not set up, for whoever saw that there is none. */
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
