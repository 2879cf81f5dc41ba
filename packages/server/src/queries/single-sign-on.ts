/** Sign-in methods of organisations. */
import type { AccountsRead, Organisation } from '#ports/accounts.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { KnownProvider, NamedDomain, ProviderKind, SingleSignOnRead } from '#ports/single-sign-on.ts'

/** Choices of the sign-in page. */
export interface SignInChoices {
  /** Some organisation has a method, but it must be named first. */
  readonly asksOrganisation: boolean
  readonly choices: readonly {
    readonly organisation: string
    readonly kind: ProviderKind
    readonly name: string
  }[]
}

interface SingleSignOnQueries extends Pick<SingleSignOnRead, 'directoryUsers' | 'directoryGroups'> {
  /** Returns providers to people who may set them up; never with a secret. */
  signInProviders(scope: ReadScope): Promise<readonly KnownProvider[]>
  signInDomains(scope: ReadScope): Promise<readonly NamedDomain[]>
  /** Returns the choices of the named organisation, or of the only one. Before anybody has signed in. */
  signInChoices(organisation: string | null): Promise<SignInChoices>
}

interface Parts {
  readonly accounts: Pick<AccountsRead, 'organisations'>
  readonly singleSignOn: Omit<SingleSignOnRead, 'clientSecret'>
}

export function singleSignOnQueries({ accounts, singleSignOn }: Parts): SingleSignOnQueries {
  return {
    signInProviders: ({ orgId }) => singleSignOn.signInProviders(orgId),
    signInDomains: ({ orgId }) => singleSignOn.signInDomains(orgId),
    directoryUsers: (scope) => singleSignOn.directoryUsers(scope),
    directoryGroups: (scope) => singleSignOn.directoryGroups(scope),
    async signInChoices(named) {
      const all = await accounts.organisations()
      const [only, ...more] = all
      const meant = named === null && more.length === 0 ? only : all.find(({ slug }) => slug === named)
      if (meant !== undefined)
        return { asksOrganisation: false, choices: await readChoices(meant, singleSignOn) }
      const counts = await Promise.all(all.map(({ id }) => singleSignOn.signInProviders(id)))
      return { asksOrganisation: counts.some(({ length }) => length > 0), choices: [] }
    },
  }
}

async function readChoices(
  { id, slug }: Organisation,
  reads: Parts['singleSignOn'],
): Promise<SignInChoices['choices']> {
  const providers = await reads.signInProviders(id)
  return providers.map(({ kind, name }) => ({ organisation: slug, kind, name }))
}
