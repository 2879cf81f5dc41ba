/** Whether a state-changing request that a cookie authenticates comes from Errata's own pages, and from where. */
import { readOrigin } from '#base/public-address.ts'

/** Headers in which a browser states where a request comes from; no page can forge them. */
export interface OriginHeaders {
  readonly origin: string | null
  readonly secFetchSite: string | null
  readonly host: string | null
}

interface OriginFacts extends OriginHeaders {
  readonly method: string
  /** Origin set by `--url`; `null` without it: then the address that was used is right. */
  readonly ownOrigin: string | null
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

export function originHeaders(headers: Headers): OriginHeaders {
  return {
    origin: headers.get('origin'),
    secFetchSite: headers.get('sec-fetch-site'),
    host: headers.get('host'),
  }
}

/**
 * True when the request may be believed. A browser always sends one of the two headers with a form or `fetch` that
 * changes something; what sends neither is no page of ours. A session is never enough without this.
 */
export function checkOrigin({ method, ownOrigin, ...headers }: OriginFacts): boolean {
  if (SAFE_METHODS.includes(method.toUpperCase())) return true
  if (ownOrigin === null) return usedOrigin(headers) !== null
  const { origin, secFetchSite } = headers
  if (comesFromElsewhere(secFetchSite)) return false
  if (origin !== null) return origin === ownOrigin
  return secFetchSite === 'same-origin'
}

/**
 * The address in the browser of whoever posts from our own page; `null` when the request does not show that it does.
 * Browsers send `Sec-Fetch-Site` over https and to their own machine alone; elsewhere Origin and Host must agree. A
 * proxy may write another Host, which is why "same-origin" is enough. The text is the client's: good for a comparison
 * and for what this client is answered, kept by setup alone, whose code it had to know.
 */
export function usedOrigin({ origin, secFetchSite, host }: OriginHeaders): string | null {
  if (comesFromElsewhere(secFetchSite)) return null
  const isSame = secFetchSite === 'same-origin'
  if (origin === null) return isSame ? readOrigin(`http://${host ?? ''}`) : null
  const used = readOrigin(origin)
  if (used === null || isSame) return used
  return readOrigin(`${new URL(used).protocol}//${host ?? ''}`) === used ? used : null
}

function comesFromElsewhere(secFetchSite: string | null): boolean {
  return secFetchSite !== null && secFetchSite !== 'same-origin' && secFetchSite !== 'none'
}
