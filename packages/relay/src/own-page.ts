/** Allows pages of the app's own origin only. There are no CORS headers, and no preflight is granted. */

/**
 * `Sec-Fetch-Site` decides where a browser sends it, since no page can change it; else `Origin` must be the host that
 * was asked, or one of the app's own origins. Whatever sends neither is no page of another site.
 */
export function isOwnPage(header: (name: string) => string | null, origins: ReadonlySet<string>): boolean {
  const site = header('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = header('origin')
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin)
  const asked = [header('x-forwarded-host')?.split(',', 1)[0]?.trim(), header('host')]
  return origins.has(from.origin) || asked.some((host) => host?.toLowerCase() === from.host)
}

const CONTENT_TYPES: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/x-sentry-envelope',
  'application/octet-stream',
  'application/json',
])

/** SDKs send envelopes as one of these, or say nothing. */
export function isEnvelopeType(contentType: string | null): boolean {
  return CONTENT_TYPES.has(contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}
