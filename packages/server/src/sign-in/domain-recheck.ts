/** Looks for the DNS records of verified email domains again. */
import type { Clock } from '#base/clock.ts'
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isProvedBy, recordName, type TextLookup } from './domain-proof.ts'

export interface ProvedDomain {
  readonly orgId: OrgId
  readonly domain: string
  /** Content that the DNS record must have. */
  readonly token: string
}

interface RecheckParts {
  /** By organisation and name. */
  readonly proved: () => Promise<readonly ProvedDomain[]>
  readonly note: (
    checked: Pick<ProvedDomain, 'orgId' | 'domain'> & { readonly isFound: boolean; readonly nowMs: number },
  ) => Promise<unknown>
  readonly lookUpTexts: TextLookup
  readonly clock: Clock
}

/** Checks domains one after the other. If DNS does not answer, nothing changes. */
export async function recheckDomains({ proved, note, lookUpTexts, clock }: RecheckParts): Promise<void> {
  for (const { orgId, domain, token } of (await proved()).slice(0, max('domainsRecheckedMax'))) {
    const texts = await lookUpTexts(recordName(domain)).catch(() => null)
    if (texts === null) continue
    await note({ orgId, domain, isFound: isProvedBy(texts, token), nowMs: clock.now() })
  }
}
