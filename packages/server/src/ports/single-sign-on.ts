/** Sign-in with an organisation's own identity provider, and the people and groups that it provisions. */
import type { OrgId, TeamId, UserId } from '#base/ids.ts'
import type { GivenRole } from './accounts.ts'
import type { ReadScope } from './scope.ts'

export type ProviderKind = 'oidc' | 'github'
export const PROVIDER_KINDS: readonly ProviderKind[] = ['oidc', 'github']

export interface SignInProvider {
  readonly kind: ProviderKind
  /** Label of its button. */
  readonly name: string
  /** Without trailing slash, unless the provider's own has one. */
  readonly issuer: string
  readonly clientId: string
  /** Email domains, in lower case: whose are one that is proved may join, and must sign in here when `isRequired`. */
  readonly domains: readonly string[]
  readonly isRequired: boolean
  /** GitHub organisations, one of which a person must be in to join. */
  readonly organisations: readonly string[]
  /** Role of people who join without a matching claim; `null` for the organisation's default. */
  readonly roleDefault: GivenRole | null
  /** The claim that holds roles or groups; empty: roles are given in Errata. */
  readonly roleClaim: string
  readonly roles: readonly { readonly value: string; readonly role: GivenRole }[]
}

/** An email domain of a provider, and what its DNS record must hold. */
export interface NamedDomain {
  readonly domain: string
  readonly token: string
  /** `null`: not so far. */
  readonly provedMs: number | null
  /** When its owners were told that the record is missing; `null`, or left out: it is there. */
  readonly missingToldMs?: number | null
}

/** A stored provider. What DNS says of its domains is not a setting. */
export interface KnownProvider extends SignInProvider {
  /** Domains of the provider that are proved. */
  readonly proved: readonly string[]
}

/** Somebody whom a provider has named. */
export interface NamedArrival {
  readonly orgId: OrgId
  readonly issuer: string
  readonly subject: string
  /** Verified by the provider. */
  readonly email: string
  readonly name: string
  /** Whoever isn't a member yet becomes one. */
  readonly mayJoin: boolean
  readonly role: GivenRole
  /** It is also the role of a member from now on. */
  readonly setsRole: boolean
  readonly session: { readonly tokenHash: string; readonly userAgent: string | null }
  /** Account whose owner, signed in to it, confirmed that it is theirs. */
  readonly confirmedBy?: UserId
}

/**
 * Values that a provider set for a person and an account has no room for. They are answered as long as the account has the name and email that followed from them; `null`: taken away.
 */
export interface ToldPerson {
  readonly name: string
  readonly email?: string
  readonly userName?: string
  readonly displayName?: string | null
  readonly formatted?: string | null
  readonly givenName?: string | null
  readonly familyName?: string | null
}

/** A person as SCIM sees them. */
export interface DirectoryUser {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  /** `null`: no provider said anything. */
  readonly told: ToldPerson | null
  readonly externalId: string | null
  /** Whoever isn't has no membership; who waits to be asked is, without one. */
  readonly isActive: boolean
  readonly createdMs: number
}

export interface ProvisionedChange {
  readonly orgId: OrgId
  /** `null`: somebody new, found by email where the address has an account. */
  readonly userId: UserId | null
  readonly email: string
  readonly name: string
  readonly told: ToldPerson
  readonly externalId: string | null
  readonly isActive: boolean
  /** Role of people who join through the directory. */
  readonly role: GivenRole
}

export interface SingleSignOnRead {
  /**
   * Returns an organisation's providers without their secrets: they are asked for before anybody has signed
   * in.
   */
  signInProviders(org: OrgId): Promise<readonly KnownProvider[]>
  /** Every domain that was named so far, by name. */
  signInDomains(org: OrgId): Promise<readonly NamedDomain[]>
  /** Returns the secret, for calls to the provider only. */
  clientSecret(org: OrgId, kind: ProviderKind): Promise<string | null>
  /** Finds the account of a provider's subject; `null` if it never signed in. */
  identity(of: {
    readonly orgId: OrgId
    readonly issuer: string
    readonly subject: string
  }): Promise<UserId | null>
  /** Members, and those who were deactivated; by id. */
  directoryUsers(scope: ReadScope): Promise<readonly DirectoryUser[]>
  /** Returns a directory's groups for teams of the organisation. */
  directoryGroups(
    scope: ReadScope,
  ): Promise<readonly { readonly teamId: TeamId; readonly externalId: string }[]>
}
