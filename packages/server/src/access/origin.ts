/** Whether a state-changing request that a cookie authenticates comes from Errata's own pages. */

interface OriginFacts {
  readonly method: string
  readonly origin: string | null
  readonly secFetchSite: string | null
  /** Of the public address. */
  readonly ownOrigin: string
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * True when the request may be believed. A browser always sends one of the two headers with a form or `fetch` that
 * changes something; what sends neither is no page of ours. A session is never enough without this.
 */
export function checkOrigin({ method, origin, secFetchSite, ownOrigin }: OriginFacts): boolean {
  if (SAFE_METHODS.includes(method.toUpperCase())) return true
  if (secFetchSite !== null && secFetchSite !== 'same-origin' && secFetchSite !== 'none') return false
  if (origin !== null) return origin === ownOrigin
  return secFetchSite === 'same-origin'
}
