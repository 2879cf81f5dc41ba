/**
 * DSNs: `{scheme}://{public_key}[:{secret}]@{host}[:{port}][/{path}]/{project}`. docs/wire.md, section "DSN".
 */

export interface Dsn {
  readonly scheme: 'http' | 'https'
  readonly publicKey: string
  /** Host as written, lower case; IPv6 in brackets. */
  readonly host: string
  /** Empty when the scheme's own. */
  readonly port: string
  /** Prefix without slashes at its ends, such as `a/b`; empty for none. */
  readonly path: string
  /** Decimal digits. */
  readonly projectId: string
}

const DSN_CHARS_MAX = 2_048
const PUBLIC_KEY = /^\w{1,64}(?:\.[\w.-]{1,64})?$/
const PROJECT = /^\d{1,20}/

/** Reads a DSN; a secret is ignored, a suffix of dot-separated flags on the key removed. `null` when it is none. */
export function parseDsn(text: unknown): Dsn | null {
  if (typeof text !== 'string' || text.length > DSN_CHARS_MAX || !URL.canParse(text)) return null
  const url = new URL(text)
  const scheme = url.protocol === 'http:' ? 'http' : url.protocol === 'https:' ? 'https' : null
  if (scheme === null || url.hash !== '' || url.search !== '' || !PUBLIC_KEY.test(url.username)) return null
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const project = PROJECT.exec(segments.pop() ?? '')?.[0]
  if (project === undefined || segments.some((segment) => /%2f|%5c|^\.+$/i.test(segment))) return null
  return {
    scheme,
    publicKey: url.username.split('.', 1)[0] ?? url.username,
    host: url.hostname,
    port: url.port,
    path: segments.join('/'),
    projectId: project,
  }
}

/** The DSN as SDKs write it again: no secret, no default port, no trailing slash. */
export function formatDsn(dsn: Dsn): string {
  return `${dsn.scheme}://${dsn.publicKey}@${origin(dsn)}${prefix(dsn)}/${dsn.projectId}`
}

/** Address of the envelope endpoint that a DSN names. */
export function envelopeUrl(dsn: Dsn): string {
  return `${dsn.scheme}://${origin(dsn)}${prefix(dsn)}/api/${dsn.projectId}/envelope/`
}

/** True when both name the same server, project and key. */
export function sameDsn(a: Dsn, b: Dsn): boolean {
  return formatDsn(a) === formatDsn(b)
}

function origin(dsn: Dsn): string {
  return dsn.port === '' ? dsn.host : `${dsn.host}:${dsn.port}`
}

function prefix(dsn: Dsn): string {
  return dsn.path === '' ? '' : `/${dsn.path}`
}
