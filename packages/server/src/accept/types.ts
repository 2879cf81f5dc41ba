/** The first beat: authenticate, limit, read the outline, append; answer only after the journal reached the disk. */
import type { ErrorCode } from '#base/errors.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import type { Authenticated, DirectoryIndex } from './directory-index.ts'
import type { SignalName } from './signals.ts'

/** The fields of a request's query. `text` is what they were read from, where somebody may send the same again. */
export interface QueryFields {
  get(name: string): string | null
  readonly text?: string
}

/**
 * Request from the HTTP layer (or the self-report): headers read, body complete and within `bodyBytesMax`.
 */
export interface AcceptRequest {
  /** Project named by the path; `null` on /monitoring and /api/store/, where the envelope or key says it. */
  readonly projectRef: string | null
  /** `otlp`: traces of OpenTelemetry, in the form that `contentType` names. `signal`: what `signal` names. */
  readonly format: 'envelope' | 'store' | 'otlp' | 'signal'
  /** Signal without a store. */
  readonly signal?: SignalName
  readonly query: QueryFields
  readonly sentryAuth: string | null
  readonly authorization: string | null
  readonly contentEncoding: string | null
  readonly contentType: string | null
  readonly origin: string | null
  readonly referer: string | null
  readonly userAgent: string | null
  /** Behind trusted proxies; `null` when unknown. */
  readonly clientAddress: string | null
  readonly body: Uint8Array
  /** Set for /monitoring: `o` and `p` of the query, which must match the envelope's DSN and its active key. */
  readonly relay: { readonly organisation: string; readonly project: string } | null
}

export interface AcceptAnswer {
  readonly status: number
  /** 32 hex characters on success, when there is one. */
  readonly eventId: string | null
  readonly error: {
    readonly code: ErrorCode
    readonly detail: string
    readonly causes: readonly string[]
  } | null
  /** Value of X-Sentry-Rate-Limits, when any limit is active for what was sent. */
  readonly rateLimits: string | null
  /** Seconds; only ever set together with a 429 or 503. */
  readonly retryAfter: number | null
  /** Number of items of a signal without a store, which are not stored. */
  readonly unsupported?: number
}

/** A body on its way. */
export interface LargeSource {
  readonly pieces: AsyncIterable<Uint8Array>
  /** Notes how many bytes of it are held in memory now; false if that is more than there is room for. */
  hold(bytes: number): boolean
  /** Cuts off a slow body, so that this one has its place; false if none is slow. */
  makeRoom?(): boolean
}

export interface RefusedBody {
  readonly projectRef: string | null
  readonly key: string | null
  readonly reason: string
  readonly example: string
  /** Format stated by the address; if left out, whatever `begun` shows. */
  readonly sent?: Pick<AcceptRequest, 'format' | 'signal' | 'contentEncoding'>
  /** The beginning of the body, as far as it came. */
  readonly begun?: Uint8Array | null
}

/** Sender found before the body arrived; read only by the `accept` that found it. */
export interface SeenSender {
  readonly who: Authenticated | null
  /** By which it was found: of another one nothing is known. */
  readonly directory: DirectoryIndex
}

/** Answer before a body is read. */
export interface UnreadAnswer {
  /** `null` where the body decides. */
  readonly refused: AcceptAnswer | null
  /** Sender, so that `accept` need not look it up again. */
  readonly seen: SeenSender | null
}

export interface Accept {
  /** `seen` is what `refuseUnread` found of the same request. */
  accept(request: AcceptRequest, seen?: SeenSender | null): Promise<AcceptAnswer>
  /**
   * Accepts an envelope whose body is read as it comes: what of it is attachments goes to the disk unheld. Rejects with
   * `BrokenOff` where the body did not come whole.
   */
  acceptLarge(
    request: Omit<AcceptRequest, 'body'>,
    source: LargeSource,
    seen?: SeenSender | null,
  ): Promise<AcceptAnswer>
  /**
   * Returns and counts the refusal that `accept` would give whatever the body holds; no refusal if the body
   * decides, or shows what is refused. `bodyBytes` as announced; `null` if it was not.
   */
  refuseUnread(request: Omit<AcceptRequest, 'body'>, bodyBytes: number | null): UnreadAnswer
  /** Counts a refusal that the HTTP layer made before a body existed (too large, broken off, bad encoding). */
  countRefusal(refusal: RefusedBody): void
  /** Replaces what is known of projects and keys. */
  setDirectory(directory: IngestDirectory): void
  /** Follows the directory that was set last, or the change before. */
  changeDirectory(change: DirectoryChange): void
  /** Puts the refusals counted so far into the journal. */
  flush(): Promise<void>
}
