/** Email domains whose DNS record is looked for again and again: a domain that changed hands captures nobody for long. */
import type { OrgId } from '#base/ids.ts'

export interface ProvedDomain {
  readonly orgId: OrgId
  readonly domain: string
  /** Content that the DNS record must have. */
  readonly token: string
}

/** `told`: its owners are from now on; `lost`: it counts no more. */
export type DomainCheck = 'found' | 'missing' | 'told' | 'lost'

export interface DomainProofs {
  /** Returns proved domains, by organisation and name. */
  provedDomains(): Promise<readonly ProvedDomain[]>
  /**
   * Stores the result of a DNS check with everything that follows: an audit entry, and an email to owners and
   * managers. One transaction.
   */
  noteDomainCheck(
    domain: Pick<ProvedDomain, 'orgId' | 'domain'>,
    check: { readonly isFound: boolean; readonly nowMs: number },
  ): Promise<DomainCheck>
}
