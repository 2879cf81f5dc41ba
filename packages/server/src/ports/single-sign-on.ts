/** Sign-in with an organisation's own identity provider, and the people and groups that it provisions. */
import type { OrgId, TeamId, UserId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { GivenRole } from './accounts.ts'
import type { SeenSettings } from './projects.ts'
import type { Actor, ReadScope } from './scope.ts'

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
export interface Arrival {
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
 * What a provider said of a person, beside what an account has: it is answered as long as the account has the name and
 * email that followed from it. `null`: taken away.
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

export interface DirectoryChange {
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

/** Each method is one transaction and writes its audit entry in it. */
export interface SingleSignOnWrite {
  /**
   * `clientSecret` null: the one that is kept; refused where there is none, or the issuer is another. `seen`: of the
   * method, whose `issuer` is `null` where there is none.
   */
  setSignInProvider(
    org: OrgId,
    provider: SignInProvider & {
      readonly clientSecret: string | null
      readonly seen?: SeenSettings | undefined
      /** Token that DNS records of new domains must hold. */
      readonly domainToken: string
    },
    actor: Actor,
  ): Promise<Result<null>>
  /** Sessions that providers of the organisation began end with it. */
  removeSignInProvider(org: OrgId, kind: ProviderKind, actor: Actor): Promise<Result<null>>
  /** From now on the domain counts. Refused where nobody named it. */
  proveDomain(org: OrgId, domain: string, actor: Actor): Promise<Result<null>>
  /**
   * Signs in whom the provider named: who is known by subject, else a new account without a password. An account that
   * has the address is opened where the organisation made it, or whoever has it confirmed that; refused with
   * `account_unjoined` else, and for good where another subject of the issuer is joined to it.
   * Refused for whoever is deactivated, or neither a member nor may join.
   */
  arrive(arrival: Arrival, actor: Actor): Promise<Result<UserId>>
  /**
   * Makes, changes, deactivates or activates. The last owner stays; an email is changed where the organisation made the
   * account. Whoever has an account of their own is asked at their first sign-in, and no member until then.
   */
  putDirectoryUser(change: DirectoryChange, actor: Actor): Promise<Result<UserId>>
  /** No member any more, and not known to the directory. */
  removeDirectoryUser(org: OrgId, user: UserId, actor: Actor): Promise<Result<null>>
}
