/** Types of traces and performance, for pages and the web API. */
import type { EventId, IssueId, ProjectId } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import type { Level, RequestKind } from '#model/event.ts'
import type { Attributes, RequestEnd, SpanLink, Vital } from '#model/span.ts'
import type { Issue } from '#ports/issues.ts'
import type { ReleasedCommit } from '#ports/releases.ts'
import type {
  ActionFigures,
  DurationBucket,
  RequestBucket,
  RequestFigures,
  RequestsQuery,
  RequestsRead,
  RouteFigures,
  SpanCost,
  VitalFigures,
  VitalGroup,
  VitalSpread,
  WholeFigures,
} from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { DeviceVital, HeatCell, HeatGrid, SegmentPoint, SegmentSort } from '#ports/traces.ts'
import type { ShownAction } from '../action-names.ts'
import type { Suggestion, TraceSuggestionsAsked, UnknownTag } from '../search-words.ts'
import type { TimeRange } from '../time-range.ts'

/** A span at its place in the trace. */
export interface TraceSpan {
  readonly projectId: ProjectId
  readonly spanId: string
  /** Parent as sent; the span is shown below its root if the parent never came. */
  readonly parentSpanId: string | null
  /** Span it is shown below; `null` for roots, and for spans whose parent never came. */
  readonly shownBelow: string | null
  /** Steps below the root of its tree. */
  readonly depth: number
  readonly isSegment: boolean
  readonly op: string
  readonly name: string
  readonly status: string
  readonly startMs: number
  readonly endMs: number
  /** Without what its children took, overlaps counted once. */
  readonly ownMs: number
  /** On the longest chain of what had to end before the trace did. */
  readonly isCritical: boolean
  readonly origin: string | null
  readonly attributes: Attributes
  readonly links: readonly SpanLink[]
  /** Segment that begins here; `null` for other spans. */
  readonly segment: TraceSegment | null
}

export interface TraceSegment {
  readonly requestKind: RequestKind
  readonly route: string | null
  readonly method: string | null
  readonly httpStatus: number | null
  readonly end: RequestEnd | null
  /** By its name, where one is known by now: `actionId` is what it was asked for by then. */
  readonly action: string | null
  readonly actionId: string | null
  readonly release: string | null
  readonly environment: string | null
  /** User, as of an error: `id:…`, `email:…`, `username:…` or `ip:…`. */
  readonly user: string | null
  readonly sdk: string | null
  readonly platform: string
  readonly vitals: Readonly<Partial<Record<Vital, number>>>
  readonly repeated: readonly string[]
  readonly isSampledOut: boolean
  readonly fragmentId: EventId
}

/** An error at its place in the trace. */
export interface TraceError {
  readonly projectId: ProjectId
  readonly eventId: EventId
  readonly issueId: IssueId
  readonly shortId: string
  readonly title: string
  readonly level: Level
  readonly atMs: number
  /** Span where it happened; `null` if that never came. */
  readonly spanId: string | null
  readonly isMirror: boolean
  /** Digest of its error page; `null` if it showed none. */
  readonly digest: string | null
}

export interface TraceView {
  readonly traceId: string
  /** Start of everything in it. */
  readonly startMs: number
  readonly endMs: number
  /** Spans in the waterfall's order: each right above its children, siblings by start. */
  readonly spans: readonly TraceSpan[]
  readonly errors: readonly TraceError[]
  readonly projects: readonly { readonly id: ProjectId; readonly slug: string; readonly name: string }[]
  /** More spans came than are shown. */
  readonly isCut: boolean
  /** Segments whose spans the sampling rule left out. */
  readonly sampledOut: number
  /** By how many milliseconds the browser’s clock was ahead of the server’s; `null` where nothing tells. */
  readonly clockShiftMs: number | null
  /** Names of segments of which spans came and their own did not: SDKs that stream send that last. */
  readonly unendedSegments: readonly string[]
}

/** Trace of an event, as far as it is kept. */
export interface EventTrace extends Pick<TraceView, 'spans' | 'isCut' | 'clockShiftMs'> {
  /** Request that the event belongs to, among the spans; `null` if it is not kept, and in a browser. */
  readonly request: TraceSpan | null
}

export interface TraceSearch {
  readonly range: TimeRange
  /** Slugs. `null`: of the whole scope. */
  readonly project: string | null
  /** Search as typed: words, `kind:`, `route:`, `status:failed`, `duration:>500ms`, `op:`, and any tag. */
  readonly query: string
  readonly sort: SegmentSort
  readonly limit: number
  readonly cursor: string | null
  /** True to include what is not a request, whatever the query says. */
  readonly withOthers?: boolean
}

/** The issue that an error of a request led to. */
export interface RowError extends Pick<Issue, 'shortId' | 'title' | 'type' | 'value' | 'category' | 'level'> {
  /** How many more issues its errors belong to. */
  readonly others: number
}

/** A segment's row, its action by the name that is known by now. */
export type ShownRow = FragmentRow & ShownAction & { readonly error: RowError | null }

export interface TraceList {
  /**
   * Requests, unless the query names others (by kind, trace, operation or name) or no request matches: then all that
   * does, or `others` alone.
   */
  readonly of: 'requests' | 'all' | 'others'
  /** With the services that had a part in the trace, whether they match or not. */
  readonly rows: readonly (ShownRow & { readonly services: readonly string[] })[]
  readonly total: number
  /** Matching segments that are no requests and not among the rows: background work. */
  readonly otherTotal: number
  readonly nextCursor: string | null
  readonly points: readonly SegmentPoint[]
  /**
   * Points of the same time and project that do not match; empty if everything is asked for, and beyond the
   * first page.
   */
  readonly others: readonly SegmentPoint[]
  /** Every one that matches, by time and duration. */
  readonly heat: HeatGrid & { readonly slots: number; readonly cells: readonly HeatCell[] }
  /** Bounds of the search on durations. */
  readonly bounds: { readonly minMs: number | null; readonly maxMs: number | null }
  readonly facets: readonly {
    readonly tag: string
    readonly values: readonly {
      readonly value: string
      readonly count: number
      /** Title of an issue. */
      readonly title?: string
    }[]
  }[]
  /** Sentences about parts of the query that were not understood. */
  readonly problems: readonly string[]
  /** Tags that are asked for and that no segment of the time has, if nothing matches. */
  readonly unknownTags: readonly UnknownTag[]
}

export interface PerformanceFilter {
  readonly range: TimeRange
  readonly project: string | null
  readonly environment: string | null
  readonly release: string | null
}

/** A route’s figures beside those of the period before, where that is known. */
export interface RouteRow extends RouteFigures {
  readonly before: RequestFigures | null
  /** By which part p75 changed; `null` where that may be chance. */
  readonly change: number | null
}

/** An action’s figures beside those of the period before. */
export interface ActionRow extends ActionFigures {
  readonly before: RequestFigures | null
  /** Same as `RouteRow.change`. */
  readonly change: number | null
}

export interface PerformanceView {
  readonly range: TimeRange
  /** Length of a bucket of what is shown over time. */
  readonly bucketMs: number
  /** Most time first. */
  readonly rows: readonly RouteRow[]
  /** Actions, if any has a name; most time first. */
  readonly actions: readonly ActionRow[]
  readonly vitals: readonly VitalFigures[]
  readonly vitalBounds: VitalBounds
  /** That anything was counted of in the range, the newest first. */
  readonly releases: readonly string[]
  /** Routes that got slower, or failed more, with the newest release than with the one before. */
  readonly worse: readonly WorseRoute[]
}

/** The public thresholds: good up to the first, poor beyond the second. */
export type VitalBounds = Readonly<Record<Vital, readonly [good: number, poor: number]>>

export interface WorseRoute {
  readonly projectId: ProjectId
  readonly route: string
  readonly kind: RequestKind
  readonly release: string
  readonly releaseBefore: string
  readonly now: RequestFigures
  readonly before: RequestFigures
  readonly what: 'slower' | 'fails more'
}

interface Stretch {
  /** Milliseconds from where the span began that all are part of. */
  readonly startMs: number
  readonly endMs: number
}

/** A query that a request ran again and again. */
export interface RepeatedCalls {
  /** Description, as in `SpanCost`. */
  readonly description: string
  readonly traceId: string
  /** Id of the first span. */
  readonly spanId: string
  readonly atMs: number
  readonly calls: readonly Stretch[]
  /** Span they are part of. */
  readonly parent: Stretch & { readonly text: string }
  /** The query before them, which may have given the rows; `null`: none. */
  readonly before: (Stretch & { readonly text: string }) | null
}

export interface RouteView {
  readonly range: TimeRange
  readonly project: { readonly id: ProjectId; readonly slug: string; readonly name: string }
  readonly route: string
  /** That the figures are of; `null` where nothing was counted and none was named. */
  readonly kind: RequestKind | null
  /** That the figures are of, beside the kind; `null`: of all. */
  readonly action: string | null
  readonly kinds: readonly RouteRow[]
  /** Actions of the route, as in `PerformanceView.actions`. */
  readonly actions: readonly ActionRow[]
  readonly figures: WholeFigures
  readonly before: RequestFigures | null
  /** Same as `RouteRow.change`. */
  readonly change: number | null
  /** When the first request of each release came, the oldest first. */
  readonly marks: readonly { readonly release: string; readonly firstMs: number }[]
  readonly buckets: readonly RequestBucket[]
  readonly durations: readonly DurationBucket[]
  readonly slow: readonly ShownRow[]
  readonly failed: readonly ShownRow[]
  readonly costs: readonly SpanCost[]
  /** Whole days in UTC, which costs are of: more than the range asked for. */
  readonly costRange: TimeRange
  /** Requests on those days; `null` where that is an estimate, which costs are not. */
  readonly costRequests: number | null
  /** Repeated calls among those costs. */
  readonly repeated: readonly RepeatedCalls[]
  /** Kind of these costs; `null` for all kinds together. */
  readonly costsKind: RequestKind | null
  readonly vitals: readonly VitalFigures[]
  readonly vitalBounds: VitalBounds
  /** Before and after a release; `null` where it ran with one alone. */
  readonly releaseChange: RouteChange | null
  /** Releases of the route, newest first. */
  readonly releases: readonly string[]
}

/** Side of a comparison: all requests of a release, and of how many of them spans were read. */
export interface ReleaseSide {
  readonly figures: WholeFigures
  readonly durations: readonly DurationBucket[]
  readonly sampled: number
}

/** Own time of a request in spans of one operation and description. */
export interface ChangedSpan {
  readonly op: string
  readonly description: string
  readonly nowMs: number
  readonly wasMs: number
  /** `null` where it saves time, or no commit is known to have touched it. */
  readonly likely: { readonly commit: Omit<ReleasedCommit, 'files'>; readonly path: string } | null
}

export interface RouteChange {
  readonly release: string
  readonly before: string
  /** When its first request came. */
  readonly atMs: number
  readonly now: ReleaseSide
  readonly was: ReleaseSide
  /** Same as `RouteRow.change`. */
  readonly change: number | null
  readonly spans: readonly ChangedSpan[]
  readonly likely: ChangedSpan['likely']
}

interface Example {
  readonly traceId: string
  readonly atMs: number
}

export interface VitalElement {
  readonly vital: Vital
  readonly element: string
  readonly count: number
  /** Page loads that name an element. */
  readonly of: number
  readonly p75: number
  readonly worst: number
  readonly example: Example
}

export interface BlockingCause {
  readonly what: 'script' | 'file'
  readonly name: string
  readonly loads: number
  readonly totalMs: number
  readonly longestMs: number
  readonly example: Example
}

export interface VitalsView {
  readonly range: TimeRange
  readonly bucketMs: number
  readonly bounds: VitalBounds
  readonly spreads: readonly VitalSpread[]
  /** By the time that a bucket begins. */
  readonly series: readonly VitalGroup[]
  readonly pages: readonly VitalFigures[]
  readonly releases: readonly VitalGroup[]
  /** Pages whose counts are extrapolated: browsers send a share of their page loads. */
  readonly estimated: readonly { readonly projectId: ProjectId; readonly route: string }[]
  /** Vitals by device, of page loads that are kept. */
  readonly devices: readonly DeviceVital[]
  /** Page loads that were read for what follows: the newest. */
  readonly looked: number
  readonly elements: readonly VitalElement[]
  readonly blocking: readonly BlockingCause[]
}

export interface TraceQueries {
  /** `null` for a project that is not in the scope. `route`: `null` for all pages. */
  vitals(
    scope: ReadScope,
    filter: PerformanceFilter & { readonly route: string | null },
  ): Promise<VitalsView | null>

  /** Figures as they are kept, for the web API. */
  readonly requests: RequestsRead

  /** `null` where nothing of the trace is kept, neither spans nor errors. `nearMs`: a time that it is known to hold. */
  trace(scope: ReadScope, traceId: string, nearMs?: number): Promise<TraceView | null>
  /** `null` where no span of its trace is kept near it. */
  eventTrace(scope: ReadScope, row: EventRow): Promise<EventTrace | null>
  traces(scope: ReadScope, search: TraceSearch): Promise<TraceList>
  /** Keys and values that complete a search of them; counts are of the last day. */
  traceSuggestions(scope: ReadScope, asked: TraceSuggestionsAsked): Promise<readonly Suggestion[]>
  performance(scope: ReadScope, filter: PerformanceFilter): Promise<PerformanceView>
  /**
   * Returns figures as `RequestsRead.actions` does, also by names from builds; asked by a name, or by an id.
   */
  actions(
    scope: ReadScope,
    query: Omit<RequestsQuery, 'kind' | 'builtActions'>,
  ): Promise<readonly ActionFigures[]>
  /** `null` for a project that is not in the scope. */
  route(
    scope: ReadScope,
    filter: PerformanceFilter & {
      readonly project: string
      readonly route: string
      /** `null`: the one that most time went to. Kinds are never mixed: a prefetch says nothing of a navigation. */
      readonly kind: RequestKind | null
      /** Name of an action; `null` for all. */
      readonly action?: string | null
    },
  ): Promise<RouteView | null>
}
