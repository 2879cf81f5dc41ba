/**
 * Decisions of a relay on bytes and plain values: for the relay of an app, and for a server that has already
 * read a body and sends it nowhere.
 */
import { type Dsn, parseDsn, readEnvelopeHeader } from '@errata/protocol'
import type { EnvelopeRefusal } from './refusals.ts'

export { type EnvelopeRefusal, type RelayAnswer, refusalAnswer } from './refusals.ts'

const NEWLINE = 0x0a

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
  if (encodingOf(contentEncoding) !== null) return 'encoding'
  const end = body.indexOf(NEWLINE)
  const line = end === -1 ? body : body.subarray(0, end)
  return line.length > lineBytesMax ? 'too_large' : namedDsn(line)
}

/** The encoding of a body, in lower case; `null` for none. */
export function encodingOf(contentEncoding: string | null): string | null {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  return encoding === '' || encoding === 'identity' ? null : encoding
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

const PASSED_BACK: readonly string[] = [
  'content-type',
  'retry-after',
  'x-sentry-error',
  'x-sentry-rate-limits',
]

/**
 * Returns the headers of the monitor's answer that the browser's SDK uses; cookies and everything else stay
 * behind.
 */
export function passedBack(headerOf: (name: string) => string | null): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  for (const name of PASSED_BACK) {
    const value = headerOf(name)
    if (value !== null) headers[name] = value
  }
  return headers
}
