/** A project's allowed domains, against the page that sends. docs/wire.md, section "CORS". */

/**
 * True when the list is empty, the request names no page (servers do not), or its `Origin`, else its `Referer`, is
 * listed. An entry is `*`, a host (`example.com`), a host with port, `*.host` (which includes the host itself), or an
 * origin (`https://example.com:8443`).
 */
export function isAllowedOrigin(
  from: { readonly origin: string | null; readonly referer: string | null },
  allowed: readonly string[],
): boolean {
  if (allowed.length === 0) return true
  const source = from.origin ?? from.referer
  if (source === null || source === '') return true
  if (allowed.includes('*')) return true
  if (!URL.canParse(source)) return false
  const page = new URL(source)
  return allowed.some((entry) => matches(entry.trim().toLowerCase(), page))
}

function matches(entry: string, page: URL): boolean {
  if (entry.includes('://')) return URL.canParse(entry) && new URL(entry).origin === page.origin
  if (entry.startsWith('*.'))
    return page.hostname === entry.slice(2) || page.hostname.endsWith(entry.slice(1))
  return entry === page.hostname || entry === page.host
}
