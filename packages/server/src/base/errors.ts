/**
 * The error catalogue: every coded error Errata can answer with, its HTTP status, cause and next step.
 * `docs/specification.md` point 8 is checked against this table.
 */
export interface CatalogueEntry {
  readonly status: number
  /** Why it happens. */
  readonly cause: string
  /** Next step for the person or client. */
  readonly next: string
}

const entry = (status: number, cause: string, next: string): CatalogueEntry => ({ status, cause, next })

export const ERROR_CATALOGUE = {
  // Ingest: the texts of `detail` follow docs/wire.md, section "Answers".
  envelope_invalid: entry(
    400,
    'The body is not a well-formed envelope.',
    'Send lines as a Sentry SDK does: a header, then header and body of each item; `causes` says where it broke.',
  ),
  envelope_empty: entry(400, 'The request body is empty.', 'Send an envelope.'),
  event_invalid: entry(400, 'The body is not a JSON object.', 'Send one event as JSON.'),
  otlp_invalid: entry(
    400,
    'The body is not an OTLP message.',
    'Check the exporter, or a proxy that changes bodies.',
  ),
  dsn_mismatch: entry(
    400,
    'The DSN in the envelope names a different project or key than the request.',
    'Use one DSN for both.',
  ),
  key_malformed: entry(
    400,
    'The key is not 32 hexadecimal characters.',
    'Copy the DSN from the project settings.',
  ),
  project_malformed: entry(
    400,
    'The project in the path is not a number.',
    'Copy the DSN from the project settings.',
  ),
  encoding_invalid: entry(
    400,
    'The body could not be decoded as its Content-Encoding says.',
    'Check the compression of the client and of any proxy in between.',
  ),
  auth_missing: entry(
    401,
    'No key was sent.',
    'Send the key in the query, in X-Sentry-Auth or in the envelope header.',
  ),
  auth_malformed: entry(
    401,
    'The authentication header cannot be read.',
    'Send `X-Sentry-Auth: Sentry sentry_key=…`.',
  ),
  auth_multiple: entry(401, 'Two different keys were sent.', 'Send one key.'),
  key_unknown: entry(
    403,
    'The key does not exist, is disabled, or belongs to another project.',
    'Copy the DSN from the project settings.',
  ),
  origin_refused: entry(
    403,
    'The origin is not among the project’s allowed domains.',
    'Add the domain in the project settings.',
  ),
  relay_mismatch: entry(
    403,
    '`o` and `p` do not name the project of the envelope’s DSN.',
    'Use the relay address from the project settings.',
  ),
  body_too_large: entry(413, 'The body or one of its items exceeds a limit.', 'See the limits table.'),
  range_unsatisfiable: entry(
    416,
    'The range begins behind the end of the file.',
    'Ask for a range within it.',
  ),
  media_type_unsupported: entry(
    415,
    'This address does not accept the Content-Type.',
    'Send OTLP as application/x-protobuf or application/json.',
  ),
  rate_limited: entry(
    429,
    'A limit of the key, project or address is reached.',
    'Wait as long as Retry-After says.',
  ),
  overloaded: entry(503, 'Errata cannot store more at this moment.', 'Try again after Retry-After.'),
  // Web app and web API.
  bad_request: entry(400, 'The request cannot be understood.', 'Read `detail`.'),
  invalid_input: entry(400, 'A field is invalid.', 'Read the field errors.'),
  query_invalid: entry(400, 'The search could not be understood.', 'Read `detail`; it names the part.'),
  signed_out: entry(
    401,
    'Not signed in, or the token is incorrect or has expired.',
    'Sign in, or send a valid token.',
  ),
  sign_in_failed: entry(401, 'Email or password is incorrect.', 'Check both, or use “Forgot password?”.'),
  second_factor_needed: entry(
    401,
    'The password is correct; a code or passkey is required as well.',
    'Enter the code from your app, or use a passkey.',
  ),
  account_unjoined: entry(
    403,
    'The address that the identity provider named has an account that was not joined to it yet.',
    'Sign in to that account and confirm it once.',
  ),
  confirm_needed: entry(
    403,
    'A dangerous action requires you to confirm who you are, every ten minutes.',
    'Confirm with password, passkey or code at /confirm, then try again.',
  ),
  provider_required: entry(
    403,
    'The organisation requires single sign-on.',
    'Choose single sign-on on the sign-in page.',
  ),
  provider_failed: entry(
    502,
    'The identity provider did not answer as it should.',
    'Try again; an owner can check the settings of single sign-on.',
  ),
  forbidden: entry(403, 'The role or the scopes of the token do not allow this.', 'Ask an owner.'),
  cross_origin: entry(
    403,
    'The request comes from another site or address.',
    'Send it from Errata itself, at its public address.',
  ),
  setup_code_wrong: entry(
    403,
    'The setup code is incorrect or was already used.',
    'Copy it from the output of the server.',
  ),
  not_found: entry(404, 'It does not exist, or you have no access to it.', 'Check the address.'),
  method_not_allowed: entry(
    405,
    'This address does not support this method.',
    'See the routes in the specification.',
  ),
  conflict: entry(409, 'It already exists, or has changed in the meantime.', 'Reload and try again.'),
  version_changed: entry(
    412,
    'Somebody else changed it since the version that `If-Match` names.',
    'Read it again, and send the change with its new `ETag`.',
  ),
  stale_build: entry(
    409,
    'The page was loaded from an older build.',
    'The page reloads itself once; reload it by hand if it does not.',
  ),
  action_unknown: entry(404, 'This build has no such action.', 'Reload the page.'),
  link_expired: entry(410, 'The invitation or reset link was used or has expired.', 'Ask for a new one.'),
  too_many_attempts: entry(
    429,
    'Too many sign-ins from this address or for this account.',
    'Wait as long as Retry-After says.',
  ),
  internal: entry(
    500,
    'A failure of Errata itself.',
    'The digest leads to what was recorded; contact the operator.',
  ),
  store_timeout: entry(503, 'A store did not answer in time.', 'Try again; nothing is lost.'),
  store_full: entry(
    503,
    'The disk is full or can’t be written to.',
    'Free up space: nothing stored is lost, and reading still works.',
  ),
  store_damaged: entry(
    503,
    'The control store is damaged.',
    'Stop the server and run "errata check"; "errata restore" brings a backup back.',
  ),
  stopping: entry(503, 'Errata is stopping.', 'Try again in a moment.'),
} as const satisfies Readonly<Record<string, CatalogueEntry>>

export type ErrorCode = keyof typeof ERROR_CATALOGUE

/** The world failed: a stable code, what happened, and the cause. */
export class ErrataError extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'ErrataError'
    this.code = code
  }
}

/** Our own bug: stops the unit of work loudly. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}
