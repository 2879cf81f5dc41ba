/**
 * What a relay decides and answers, on bytes and plain values: for `createRelay`, and for a server that has read a
 * body already and needs no `Request` made of it.
 */
import { type Dsn, parseDsn, readEnvelopeHeader } from '@errata/protocol'

/** Why an envelope goes no further, by what it says of itself. */
export type EnvelopeRefusal =
  | 'encoding'
  | 'too_large'
  | 'empty'
  | 'invalid_header'
  | 'missing_dsn'
  | 'not_allowed'

export type RelayRefusal = EnvelopeRefusal | 'method' | 'broken_off' | 'unreachable'

/** What goes out over HTTP; names of headers in lower case. */
export interface RelayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const NEWLINE = 0x0a

const REFUSALS: Readonly<Record<RelayRefusal, { readonly status: number; readonly detail: string }>> = {
  method: { status: 405, detail: 'only POST is relayed' },
  encoding: { status: 415, detail: 'a relayed envelope must not be compressed' },
  too_large: { status: 413, detail: 'the envelope exceeds a limit' },
  broken_off: { status: 400, detail: 'the body broke off' },
  empty: { status: 400, detail: 'empty request body' },
  invalid_header: { status: 400, detail: 'invalid event envelope' },
  missing_dsn: { status: 400, detail: 'invalid event envelope: missing DSN' },
  not_allowed: { status: 403, detail: 'the DSN is not allowed here' },
  unreachable: { status: 502, detail: 'the monitor could not be reached' },
}

/**
 * The DSN that a whole envelope names, or why it goes no further. Whether that DSN may be sent to is the caller's to
 * decide: no address in a body is ever contacted.
 */
export function readRelayed(
  body: Uint8Array,
  {
    contentEncoding,
    lineBytesMax,
  }: { readonly contentEncoding: string | null; readonly lineBytesMax: number },
): Dsn | EnvelopeRefusal {
  if (isCompressed(contentEncoding)) return 'encoding'
  const end = body.indexOf(NEWLINE)
  const line = end === -1 ? body : body.subarray(0, end)
  return line.length > lineBytesMax ? 'too_large' : namedDsn(line)
}

export function isCompressed(contentEncoding: string | null): boolean {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}

/** The DSN that an envelope names in its first line. */
export function namedDsn(line: Uint8Array): Dsn | EnvelopeRefusal {
  if (line.length === 0) return 'empty'
  const answer = readEnvelopeHeader(line)
  if (!answer.ok) return 'invalid_header'
  const text = answer.header.dsn
  if (typeof text !== 'string') return 'missing_dsn'
  return (isPlain(text) ? parseDsn(text) : null) ?? 'not_allowed'
}

/** Refuses what readers of addresses disagree about: a second `@`, back slashes, escapes, white space. */
function isPlain(text: string): boolean {
  return text.split('@').length === 2 && !/[\\\s%]/.test(text)
}

export function refusalAnswer(refusal: RelayRefusal): RelayAnswer {
  const { status, detail } = REFUSALS[refusal]
  return {
    status,
    headers: {
      ...(refusal === 'method' ? { allow: 'POST' } : {}),
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'x-sentry-error': detail,
    },
    body: JSON.stringify({ detail }),
  }
}

const PASSED_BACK: readonly string[] = [
  'content-type',
  'retry-after',
  'x-sentry-error',
  'x-sentry-rate-limits',
]

/** Of the monitor's answer, what the browser's SDK goes by; cookies and everything else stay behind. */
export function passedBack(headerOf: (name: string) => string | null): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  for (const name of PASSED_BACK) {
    const value = headerOf(name)
    if (value !== null) headers[name] = value
  }
  return headers
}
