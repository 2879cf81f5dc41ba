/** Why a relay refuses, and what it answers then. */

/** Why an envelope goes no further, by what it says of itself. */
export type EnvelopeRefusal =
  | 'encoding'
  | 'too_large'
  | 'empty'
  | 'invalid_header'
  | 'missing_dsn'
  | 'not_allowed'

export type RelayRefusal =
  | EnvelopeRefusal
  | 'method'
  | 'cross_origin'
  | 'content_type'
  | 'not_configured'
  | 'body_parsed'
  | 'broken_off'
  | 'unreachable'

/** Answer to send over HTTP; header names in lower case. */
export interface RelayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const REFUSALS: Readonly<Record<RelayRefusal, { readonly status: number; readonly detail: string }>> = {
  method: { status: 405, detail: 'only POST is relayed' },
  cross_origin: { status: 403, detail: 'only pages of this origin may use the relay' },
  content_type: { status: 415, detail: 'the content type is not one of an envelope' },
  not_configured: { status: 404, detail: 'the relay has no DSN' },
  body_parsed: { status: 500, detail: 'the body was parsed before the relay could read it' },
  encoding: { status: 415, detail: 'the relay does not read this content encoding' },
  too_large: { status: 413, detail: 'the envelope exceeds a limit' },
  broken_off: { status: 400, detail: 'the body broke off' },
  empty: { status: 400, detail: 'empty request body' },
  invalid_header: { status: 400, detail: 'invalid event envelope' },
  missing_dsn: { status: 400, detail: 'invalid event envelope: missing DSN' },
  not_allowed: { status: 403, detail: 'the DSN is not allowed here' },
  unreachable: { status: 503, detail: 'the monitor could not be reached' },
}

/** SDKs that hear this send nothing for so long. */
const PAUSE_SECONDS = 30

export function refusalAnswer(refusal: RelayRefusal): RelayAnswer {
  const { status, detail } = REFUSALS[refusal]
  return {
    status,
    headers: {
      ...(refusal === 'method' ? { allow: 'POST' } : {}),
      ...(refusal === 'unreachable' ? { 'retry-after': String(PAUSE_SECONDS) } : {}),
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'x-sentry-error': detail,
    },
    body: JSON.stringify({ detail }),
  }
}
