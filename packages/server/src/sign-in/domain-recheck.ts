/** Looks for the DNS records of verified email domains again. */
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import type { DomainProofs } from '#ports/domain-proofs.ts'
import { isProvedBy, recordName, type TextLookup } from './domain-proof.ts'

interface RecheckParts {
  readonly proofs: DomainProofs
  readonly lookUpTexts: TextLookup
  readonly clock: Clock
}

/** Checks domains one after the other. If DNS does not answer, nothing changes. */
export async function recheckDomains({ proofs, lookUpTexts, clock }: RecheckParts): Promise<void> {
  for (const proved of (await proofs.provedDomains()).slice(0, max('domainsRecheckedMax'))) {
    const texts = await lookUpTexts(recordName(proved.domain)).catch(() => null)
    if (texts === null) continue
    await proofs.noteDomainCheck(proved, { isFound: isProvedBy(texts, proved.token), nowMs: clock.now() })
  }
}
