/**
 * An event in its states. Field names are those of the wire (docs/wire.md, section "Event"), so that what is
 * stored is the event in the SDK's own spelling. Types name states: a step out of order does not compile.
 */
import type { Digest, EventId, GroupHash } from '#base/ids.ts'
import type { JsonObject } from '#base/json.ts'

export type Level = 'fatal' | 'error' | 'warning' | 'info' | 'debug'
export const LEVELS: readonly Level[] = ['fatal', 'error', 'warning', 'info', 'debug']

/** How a request reached a server-rendered app; `browser` is what happened in the browser itself. */
export type RequestKind =
  | 'document'
  | 'page-data'
  | 'prefetch'
  | 'action'
  | 'route-handler'
  | 'static'
  | 'browser'
  | 'other'
export const REQUEST_KINDS: readonly RequestKind[] = [
  'document',
  'page-data',
  'prefetch',
  'action',
  'route-handler',
  'static',
  'browser',
  'other',
]

/** Something of the event that had to be repaired or left out. Shown on the event page as "problems". */
export interface Problem {
  /** Path within the event, such as `exception.values.0.stacktrace.frames.3.lineno`. */
  readonly path: string
  readonly rule: ProblemRule
  /** Shortened value that was found; never a secret. */
  readonly found?: string
}

export type ProblemRule =
  | 'invalid_type'
  | 'invalid_value'
  | 'too_long'
  | 'too_deep'
  | 'too_many'
  | 'missing'
  | 'clock_drift'
  | 'past_timestamp'
  | 'future_timestamp'
  | 'unknown_level'
  | 'sdk_reported'
  /** It would have cost too much to look for secrets in the rest of its texts: they were taken out unread. */
  | 'scrub_budget'
  /** Fingerprint rules, from the line that is told on, were not applied: they would have looked at too much. */
  | 'rules_budget'
  /** The project's patterns were not asked to their end: they would have looked at too much. */
  | 'filters_budget'

export interface Frame {
  readonly filename?: string
  readonly abs_path?: string
  readonly module?: string
  readonly function?: string
  readonly raw_function?: string
  readonly lineno?: number
  readonly colno?: number
  readonly in_app?: boolean
  readonly context_line?: string
  readonly pre_context?: readonly string[]
  readonly post_context?: readonly string[]
  readonly vars?: JsonObject
  readonly package?: string
  readonly platform?: string
  readonly instruction_addr?: string
  readonly data?: JsonObject
}

export interface Stacktrace {
  /** Oldest call first, the failing frame last. */
  readonly frames: readonly Frame[]
  /** How many frames were left out: by the SDK the oldest, by Errata those behind the oldest that it kept. */
  readonly frames_omitted?: number
  /** Repeated calls, of which only the first and the last round are kept. */
  readonly frames_repeated?: readonly FrameRepeat[]
}

/** `frames[at]` to `frames[at + 2 * size - 1]` are two of `times` rounds of the same calls. */
export interface FrameRepeat {
  readonly at: number
  readonly size: number
  readonly times: number
}

export interface Mechanism {
  readonly type: string
  readonly handled?: boolean
  readonly synthetic?: boolean
  readonly description?: string
  readonly help_link?: string
  readonly source?: string
  readonly exception_id?: number
  readonly parent_id?: number
  readonly is_exception_group?: boolean
  readonly data?: JsonObject
  readonly meta?: JsonObject
}

export interface ExceptionValue {
  readonly type?: string
  readonly value?: string
  readonly module?: string
  readonly thread_id?: string | number
  readonly mechanism?: Mechanism
  readonly stacktrace?: Stacktrace
  /** Stack trace of the code that ran; `stacktrace` then shows the sources. */
  readonly raw_stacktrace?: Stacktrace
}

export interface ThreadValue {
  readonly id?: string | number
  readonly name?: string
  readonly crashed?: boolean
  readonly current?: boolean
  readonly main?: boolean
  readonly state?: string
  readonly stacktrace?: Stacktrace
  readonly raw_stacktrace?: Stacktrace
}

export interface Breadcrumb {
  /** Seconds since 1970 UTC. */
  readonly timestamp?: number
  readonly type: string
  readonly category?: string
  readonly level: Level
  readonly message?: string
  readonly data?: JsonObject
}

export interface EventRequest {
  readonly url?: string
  readonly method?: string
  readonly query_string?: readonly (readonly [string, string])[] | string
  readonly fragment?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly cookies?: readonly (readonly [string, string])[]
  readonly data?: unknown
  readonly env?: JsonObject
}

export interface EventUser {
  readonly id?: string
  readonly username?: string
  readonly email?: string
  readonly name?: string
  readonly ip_address?: string
  readonly geo?: JsonObject
  readonly data?: JsonObject
}

/** After `normalize`: every field has the type it says, every bound holds, what was wrong is in `problems`. */
export interface NormalizedEvent {
  readonly event_id: EventId
  /** Seconds since 1970 UTC, drift corrected. */
  readonly timestamp: number
  /** Seconds since 1970 UTC. */
  readonly received: number
  readonly level: Level
  readonly platform: string
  readonly logger?: string
  readonly transaction?: string
  readonly server_name?: string
  readonly release?: string
  readonly dist?: string
  readonly environment?: string
  readonly message?: string
  readonly logentry?: { readonly message?: string; readonly formatted: string; readonly params?: unknown }
  readonly exception?: { readonly values: readonly ExceptionValue[] }
  readonly threads?: { readonly values: readonly ThreadValue[] }
  readonly stacktrace?: Stacktrace
  readonly raw_stacktrace?: Stacktrace
  readonly breadcrumbs?: { readonly values: readonly Breadcrumb[] }
  readonly request?: EventRequest
  readonly user?: EventUser
  readonly tags: readonly (readonly [string, string])[]
  readonly extra?: JsonObject
  readonly contexts?: Readonly<Record<string, JsonObject>>
  readonly modules?: Readonly<Record<string, string>>
  readonly sdk?: { readonly name: string; readonly version: string } & JsonObject
  readonly fingerprint?: readonly string[]
  /** Set where no other build than the event's own was known to run when it came: what did not load is no deploy's doing. */
  readonly noDeploy?: true
  /** Set where a server answered that it does not have what a tab of its own build asked for. */
  readonly sameBuild?: true
  /** The rule of the project that set the fingerprint when the event came. */
  readonly groupingRule?: {
    readonly rule: string
    /** Title stated by the event. */
    readonly title?: string
    /** Names of fields that the SDK had set. */
    readonly sent?: readonly string[]
  }
  readonly debug_meta?: JsonObject
  /** The rest that SDKs send and Errata keeps without looking at it. */
  readonly other?: JsonObject
  readonly problems: readonly Problem[]
}

declare const scrubbed: unique symbol
/**
 * Event after `scrub`: it holds no secret that a rule knows. `scrubbedPaths` says what was taken out, and by which
 * rule.
 */
export interface ScrubbedEvent extends NormalizedEvent {
  readonly [scrubbed]: true
  readonly scrubbedPaths: readonly ScrubbedPath[]
}

export interface ScrubbedPath {
  readonly path: string
  /** Name of the rule: `password`, `credit_card`, `private_key`, `cookie`, `project_key` … */
  readonly rule: string
}

/** Which part of an event decided its group, in words a person reads on the event page. */
export interface GroupingComponent {
  readonly name:
    | 'fingerprint'
    | 'mirror'
    | 'hydration'
    | 'skew'
    | 'unloaded'
    | 'exception'
    | 'frame'
    | 'message'
    | 'thread'
    | 'fallback'
  /** Value of the component, such as `TypeError`, `OrderTotals in app/orders/[id]/totals.tsx`. */
  readonly value: string
  /** Why it counts or not, such as "in-app frame", "library frame, ignored because in-app frames exist". */
  readonly note?: string
  readonly contributes: boolean
}

/** Grouping of a recognised cause, in place of text and stack trace. */
export interface GroupedBy {
  readonly name: 'hydration' | 'skew' | 'unloaded' | 'exception'
  /** Parts in hashing order; `null` for one that the event does not state. */
  readonly parts: readonly {
    readonly value: string | null
    /** Meaning of the part, in words. */
    readonly note: string
  }[]
}

/** After `group`. */
export interface Grouping {
  /** Grouping version: 1. A new version is a new folder; a shipped one is frozen. */
  readonly version: number
  readonly hash: GroupHash
  readonly explanation: readonly GroupingComponent[]
  /** Set for a recognised mirror of a server failure. */
  readonly mirror?: { readonly digest?: Digest; readonly traceId?: string }
}
