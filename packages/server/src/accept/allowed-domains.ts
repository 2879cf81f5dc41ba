/** A project's allowed domains, against the page that sends. docs/wire.md, section "CORS". */

/** Parsed entry; a part it does not name matches anything. */
export interface AllowedDomain {
  /** With its colon, as `URL` has it. */
  readonly scheme: string | null
  readonly host: string
  /** The host's subdomains as well. */
  readonly isWildcard: boolean
  readonly port: number | null
}

/** `null` allows every page. */
export type AllowedDomains = readonly AllowedDomain[] | null

/**
 * Reads a list once, so that nothing is taken apart per request. An entry is `*`, or a host with or without a scheme
 * before it and a port behind it; `*.host` includes the host itself. A scheme without a port means its own port, a host
 * alone any scheme and port. An empty list allows everything.
 */
export function readAllowedDomains(entries: readonly string[]): AllowedDomains {
  const texts = entries.map((entry) => entry.trim().toLowerCase())
  return texts.length === 0 || texts.includes('*') ? null : texts.flatMap(readEntry)
}

const ENTRY = /^(?:(https?:)\/\/)?(\*\.)?([^/:*@?#\s]+)(?::(\d{1,5}))?$/

function readEntry(text: string): readonly AllowedDomain[] {
  const match = ENTRY.exec(text)
  if (match === null) return []
  const [, scheme = null, wildcard, host = '', port] = match
  const named = port === undefined ? null : Number(port)
  return [{ scheme, host, isWildcard: wildcard !== undefined, port: named ?? defaultPort(scheme) }]
}

/** True when the request names no page (servers do not), or its `Origin`, else its `Referer`, is allowed. */
export function isAllowedOrigin(
  from: { readonly origin: string | null; readonly referer: string | null },
  allowed: AllowedDomains,
): boolean {
  if (allowed === null) return true
  const source = from.origin ?? from.referer
  if (source === null || source === '') return true
  if (!URL.canParse(source)) return false
  const page = new URL(source)
  return allowed.some((entry) => matchesDomain(entry, page))
}

function matchesDomain({ scheme, host, isWildcard, port }: AllowedDomain, page: URL): boolean {
  if (scheme !== null && scheme !== page.protocol) return false
  if (port !== null && port !== (page.port === '' ? defaultPort(page.protocol) : Number(page.port)))
    return false
  return page.hostname === host || (isWildcard && page.hostname.endsWith(`.${host}`))
}

function defaultPort(scheme: string | null): number | null {
  if (scheme === null) return null
  return DEFAULT_PORTS.get(scheme) ?? null
}

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
])
