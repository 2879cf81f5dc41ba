import type { Settings } from '#limits/settings.ts'
import { createTextLookup } from '#sign-in/domain-proof.ts'
import { createFlowSeal } from '#sign-in/flow.ts'
import { createGuardedFetch } from '#sign-in/guarded-fetch.ts'
import type { Stores } from './threads/stores.ts'

/** Builds sign-in with identity providers. */
export function signOnParts(
  { singleSignOn }: Pick<Stores, 'singleSignOn'>,
  { signInPrivateIssuers: privateIssuers, dnsServers }: Settings,
) {
  const calls = { fetch: createGuardedFetch({ privateIssuers }), privateIssuers }
  const lookUpTexts = createTextLookup(dnsServers)
  return { read: singleSignOn, calls, seal: createFlowSeal(), lookUpTexts }
}
