/** Authentication of ingest requests. docs/wire.md, section "Authentication". */

export interface Auth {
  readonly key: string
  /** Protocol version as sent; absent is `null`. */
  readonly version: number | null
  /** `name/version` of the client. */
  readonly client: string | null
}

export type AuthAnswer =
  | { readonly ok: true; readonly auth: Auth }
  /** `missing`: no source at all, so that an envelope's own DSN may speak. */
  | { readonly ok: false; readonly reason: 'missing' | 'multiple' | 'malformed' | 'bad_key' | 'bad_version' }

export interface AuthSources {
  /** Value of X-Sentry-Auth. */
  readonly sentryAuth: string | null
  /** Value of Authorization. */
  readonly authorization: string | null
  /** The query's fields: a `URLSearchParams`, or anything that reads like one. */
  readonly query: { get(name: string): string | null }
}

const HEADER_CHARS_MAX = 4_096
const CLIENT_CHARS_MAX = 128
const KEY = /^[0-9a-f]{32}$/i
const VERSION_MIN = 2
const VERSION_MAX = 7

/**
 * Reads the one source that is there. Two sources that name the same key are one (a proxy may add a header); two
 * different keys are `multiple`.
 */
export function readAuth(sources: AuthSources): AuthAnswer {
  const found: (Auth | 'malformed' | 'bad_version')[] = []
  if (sources.sentryAuth !== null) found.push(readHeader(sources.sentryAuth))
  if (sources.authorization !== null) {
    const auth = readAuthorization(sources.authorization)
    if (auth !== null) found.push(auth)
  }
  const key = sources.query.get('sentry_key')
  if (key !== null) found.push(fromFields((name) => sources.query.get(name)))
  const [first] = found
  if (first === undefined) return { ok: false, reason: 'missing' }
  if (first === 'malformed' || found.includes('malformed')) return { ok: false, reason: 'malformed' }
  if (first === 'bad_version' || found.includes('bad_version')) return { ok: false, reason: 'bad_version' }
  if (found.some((other) => typeof other === 'object' && other.key !== first.key))
    return { ok: false, reason: 'multiple' }
  return isPublicKey(first.key) ? { ok: true, auth: first } : { ok: false, reason: 'bad_key' }
}

/** 32 hexadecimal characters, as this server issues them. */
export function isPublicKey(text: string): boolean {
  return KEY.test(text)
}

function readHeader(value: string): Auth | 'malformed' | 'bad_version' {
  if (value.length > HEADER_CHARS_MAX) return 'malformed'
  const body = /^\s*sentry\s+(.*)$/is.exec(value)?.[1]
  if (body === undefined) return 'malformed'
  const fields = new Map<string, string>()
  for (const part of body.split(',')) {
    const at = part.indexOf('=')
    if (at > 0) fields.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim())
  }
  return fields.has('sentry_key') ? fromFields((name) => fields.get(name) ?? null) : 'malformed'
}

/** `Sentry …` or `Basic base64(key:…)`; any other scheme belongs to somebody else and is ignored. */
function readAuthorization(value: string): Auth | 'malformed' | 'bad_version' | null {
  if (/^\s*sentry\s/i.test(value)) return readHeader(value)
  const basic = /^\s*basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(value)?.[1]
  if (basic === undefined || value.length > HEADER_CHARS_MAX) return null
  const decoded = decodeBase64(basic)
  const key = decoded?.split(':', 1)[0]
  return key === undefined || key === '' ? 'malformed' : { key: plainKey(key), version: null, client: null }
}

function decodeBase64(text: string): string | null {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return null // atob throws for what is no base64: that is an answer here
  }
}

function fromFields(field: (name: string) => string | null): Auth | 'bad_version' {
  const version = field('sentry_version')
  const number = version === null || version === '' ? null : Number(version)
  if (number !== null && !(number >= VERSION_MIN && number <= VERSION_MAX)) return 'bad_version'
  const client = field('sentry_client')
  return {
    key: plainKey(field('sentry_key') ?? ''),
    version: number,
    client: client === null || client === '' ? null : client.slice(0, CLIENT_CHARS_MAX),
  }
}

/** A key may carry a suffix of dot-separated flags. */
function plainKey(text: string): string {
  return (text.split('.', 1)[0] ?? text).toLowerCase()
}
