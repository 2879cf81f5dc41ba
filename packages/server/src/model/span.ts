/**
 * Spans in their states: one model for what SDKs send as span batches, transactions and stand-alone spans, and for OTLP.
 * What is stored together is a *fragment*: spans of one segment of one trace that came in one item. A segment may come
 * in several fragments, in any order; whoever shows it joins them by span id, and keeps the newest of each span.
 * docs/wire.md, section "Spans".
 */
import type { EventId } from '#base/ids.ts'
import type { Problem, ScrubbedPath } from './event.ts'

/**
 * Status from the wire in lower case: `ok`, `error`, or a name of gRPC such as `internal_error`, `not_found`.
 */
export type SpanStatus = string

export type AttributeValue = string | number | boolean | readonly (string | number | boolean)[]

/** By name, as OpenTelemetry and the SDKs spell them; what transactions say in their own fields is under the same names. */
export type Attributes = Readonly<Record<string, AttributeValue>>

export interface SpanLink {
  readonly trace_id: string
  readonly span_id: string
  readonly attributes?: Attributes
}

/** A span. Field names are those of its stored JSON. */
export interface Span {
  /** 16 hex characters, in lower case. */
  readonly span_id: string
  readonly parent_span_id?: string
  /** Operation, such as `http.server`, `db.query`; `default` if none was stated. */
  readonly op: string
  /** Name of a span in a span batch, or description of a transaction's span. */
  readonly name: string
  readonly status: SpanStatus
  /** Seconds since 1970 UTC, drift corrected. A start that cannot be is its segment’s: see `problems`. */
  readonly start_timestamp: number
  readonly end_timestamp: number
  /** Origin, such as `auto.http.browser`. */
  readonly origin?: string
  readonly attributes?: Attributes
  readonly links?: readonly SpanLink[]
}

/** After `normalize`: every bound holds. */
export interface Fragment {
  /** Event id of a transaction; for other spans derived from their content, so that a repeat has the same. */
  readonly id: EventId
  /** 32 hex characters, in lower case. */
  readonly traceId: string
  /** Span id of the segment that the spans belong to; `null` where nothing says so. */
  readonly segmentId: string | null
  /** Place of the segment’s own span in `spans`; `null` where it is not among them. */
  readonly root: number | null
  /** Name of the segment, also where its span is not among them. */
  readonly segmentName: string | null
  /** `route`, `url`, `task`, `custom` …: what the name is. */
  readonly nameSource: string | null
  /** At least one. In the order in which they came. */
  readonly spans: readonly Span[]
  /** Platform, such as `node`, `javascript`, `python`. */
  readonly platform: string
  readonly sdk: string | null
  readonly release: string | null
  readonly dist: string | null
  readonly environment: string | null
  readonly serverName: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly runtime: string | null
  readonly device: string | null
  readonly user: FragmentUser | null
  /** Tags of a transaction, sorted by key. */
  readonly tags: readonly (readonly [string, string])[]
  /** Share of such traces that the SDK sends: above 0, at most 1; 1 where nobody said. */
  readonly sampleRate: number
  /** Contexts of a transaction that are kept beside its spans, such as its request, by name. */
  readonly contexts: Readonly<Record<string, unknown>>
  /** True for an item that was one `transaction`. */
  readonly isTransaction: boolean
  readonly problems: readonly Problem[]
}

export interface FragmentUser {
  readonly id?: string
  readonly email?: string
  readonly username?: string
  readonly ip_address?: string
}

declare const scrubbed: unique symbol
/** After `scrub`. */
export interface ScrubbedFragment extends Fragment {
  readonly [scrubbed]: true
  readonly scrubbedPaths: readonly ScrubbedPath[]
}

/** The web vitals that pages show, as `browser.web_vital.<name>.value` and `measurements` call them. */
export const VITALS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const
export type Vital = (typeof VITALS)[number]

const VITAL_ATTRIBUTES = VITALS.map((name) => `browser.web_vital.${name}.value`)

/**
 * True for a span that carries a web vital: it states a time or an amount, and no work. A page load and a navigation may
 * carry theirs themselves.
 */
export function isVital({ op, attributes }: Pick<Span, 'op' | 'attributes'>): boolean {
  if (op.startsWith('ui.webvital.')) return true
  // The ops that SDKs measure under: "ui.interaction.click", "pageload.standalone.lcp".
  if (attributes === undefined || !(op.startsWith('ui.') || op.startsWith('pageload.'))) return false
  return VITAL_ATTRIBUTES.some((name) => attributes[name] !== undefined)
}

/** End of a request, beyond its HTTP status. */
export const REQUEST_ENDS = ['answered', 'failed', 'failed-behind-200', 'aborted'] as const
export type RequestEnd = (typeof REQUEST_ENDS)[number]
