/**
 * Requests as they are summed up: counts and sketches of duration per route, kind and hour, so that no page about
 * performance reads spans. Written by the commit, in the transaction of their batch.
 */
import type { EventId, ProjectId } from '#base/ids.ts'
import type { RequestKind } from '#model/event.ts'
import type { KindName } from '#model/file-name.ts'
import type { StatedRoute } from '#model/known-routes.ts'
import type { RequestEnd, Vital } from '#model/span.ts'
import type { ReleaseUses } from './health.ts'
import type { ReadScope } from './scope.ts'
import type { StaleClickSeen } from './skew.ts'

/** Key by which figures are kept apart. */
export interface RequestSeries {
  readonly projectId: ProjectId
  readonly environment: string | null
  readonly release: string | null
  /** The framework’s own pattern, or a name that stands for many; never a raw address. */
  readonly route: string
  readonly kind: RequestKind
}

/** A segment, or a page’s vitals, that a batch brings. */
export interface SegmentSeen extends RequestSeries {
  readonly traceId: string
  /** Segment id; a segment is counted once per project and trace, however often it comes. */
  readonly segmentId: string
  readonly fragmentId: EventId
  /** Start time. */
  readonly atMs: number
  readonly receivedMs: number
  readonly durationMs: number
  readonly end: RequestEnd
  /** Number of segments that this sampled one represents. */
  readonly weight: number
  /** Runtime of a page in Next.js's edge sandbox; its request may have a segment inside and outside. */
  readonly sandbox?: Sandbox
  /** Its sender's clock is wrong, so that its times are by when its envelope came. */
  readonly isClockCorrected?: true
  /** Name of the action, else its id. */
  readonly action?: string
  /** True if later fragments may still change the segment's kind or outcome. */
  readonly isOpen?: true
  /** It answered from a cache; errors of its trace are of making the next answer. */
  readonly isRevalidation?: true
  /** Its SDK states the route, by which others may be named that it calls by their address. */
  readonly stated?: StatedRoute['of']
  /** Value remembered in place of the route. */
  readonly statedAs?: string
}

/** Facts about a segment from spans that arrived apart from it, before or after. */
export interface SegmentHint extends SegmentTold {
  readonly projectId: ProjectId
  readonly traceId: string
  readonly segmentId: string
  readonly receivedMs: number
}

/** How spans tell of a segment that is not among them. */
export interface SegmentTold {
  /** `null`: they don't say. */
  readonly kind: 'route-handler' | 'document' | 'action' | null
  /** End of the work that should have answered; `null` if it did not fail. `failed`: whatever was answered. */
  readonly work: 'thrown' | 'aborted' | 'failed' | null
  /** Status of the answer, where its segment has none; `null`: they don't say. */
  readonly httpStatus: number | null
  /** Name of the action that ran, where its segment has none; `null`: they don't say. */
  readonly action: string | null
}

/** Name that an app's wrapper gives to an action known by id only. */
export interface ActionNamed {
  readonly projectId: ProjectId
  readonly id: string
  readonly name: string
  readonly receivedMs: number
}

/** An id of an action that figures or wrappers know. */
export interface SeenAction extends Pick<ActionNamed, 'projectId' | 'id'> {
  /** By its wrapper; `null`: none told. */
  readonly name: string | null
}

export type Sandbox = 'outside' | 'inside'

/** A failed request that an error event tells of; the request's own span may say that it went well. */
export interface FailureSeen {
  readonly projectId: ProjectId
  readonly eventId: EventId
  readonly traceId: string
  readonly route: string
  readonly kind: RequestKind
  readonly atMs: number
  readonly receivedMs: number
}

export interface VitalSeen extends RequestSeries {
  readonly traceId: string
  /** Span that states the value; counted once. */
  readonly spanId: string
  /** Segment of its page, where it came apart from that and names no page: its route is that of the segment, if that came. */
  readonly ofSegment?: string
  readonly atMs: number
  readonly receivedMs: number
  readonly vital: Vital
  /** Milliseconds; `cls` without unit. */
  readonly value: number
  readonly weight: number
}

/** Spans of one sort below a route, summed over a batch. */
export interface SpanCost {
  readonly projectId: ProjectId
  readonly route: string
  /**
   * Kind that the request itself states; `''` if its spans came without it, or were counted before kinds were
   * kept apart.
   */
  readonly kind: RequestKind | ''
  /** Days since 1970 UTC, of the segments. */
  readonly day: number
  readonly op: string
  /** With every value left out: see `statementOf`. */
  readonly description: string
  readonly count: number
  readonly totalMs: number
  readonly failed: number
  /** Segments in which it ran again and again. */
  readonly repeatedIn: number
  /** The slowest of them. */
  readonly slowest: { readonly ms: number; readonly traceId: string; readonly spanId: string }
}

/** Part of a batch for stored fragments. */
export interface RequestsPart {
  readonly type: 'requests'
  /** Under which the items are counted that did not come as transactions. */
  readonly category: string
  readonly kind: KindName
  readonly segments: readonly SegmentSeen[]
  readonly vitals: readonly VitalSeen[]
  readonly costs: readonly SpanCost[]
  readonly actionNames: readonly ActionNamed[]
  readonly hints: readonly SegmentHint[]
  /** Halves of clicks in tabs of an old build. */
  readonly stale: readonly StaleClickSeen[]
}

export interface RequestsQuery {
  /** `null`: all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly startMs: number
  readonly endMs: number
  readonly environment?: string
  readonly release?: string
  readonly route?: string
  readonly kind?: RequestKind
  /** Not of routes: as `ActionFigures` has it, or an id that nobody named. */
  readonly action?: string
  /** Names that builds give to ids, which go before those that wrappers told: the store of figures knows no uploads. */
  readonly builtActions?: readonly Pick<ActionNamed, 'projectId' | 'id' | 'name'>[]
}

/** `''`: of what is known to be of no kind alone. */
export type CostsQuery = Omit<RequestsQuery, 'kind'> & Partial<Pick<SpanCost, 'kind'>>

/** Counts are extrapolated where the SDK samples: then `isEstimated`. Percentiles are within 1 %. */
export interface RequestFigures {
  readonly count: number
  readonly isEstimated: boolean
  /** Number of failures, those with a good status included. */
  readonly failed: number
  readonly failedBehind200: number
  readonly aborted: number
  readonly totalMs: number
  /** `null` where nothing was counted. */
  readonly p50Ms: number | null
  readonly p75Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  /** Between which the 75th percentile lies, of such requests at large, at 95 % confidence. */
  readonly p75Bounds: readonly [low: number, high: number] | null
}

/** Figures of failed requests are of those whose durations are kept apart. */
export interface WholeFigures extends RequestFigures {
  /** `null` where none failed. */
  readonly failedP75Ms: number | null
  readonly failedP95Ms: number | null
}

/** How many took so long, aborted ones apart. */
export interface DurationBucket {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
  /** Number of failures among them. */
  readonly failed: number
}

export interface RouteFigures extends RequestFigures {
  readonly projectId: ProjectId
  readonly route: string
  readonly kind: RequestKind
}

export interface ActionFigures extends RequestFigures {
  readonly projectId: ProjectId
  readonly route: string
  /** By the name that is known now, whenever it was learned; `''` for all those that have an id alone. */
  readonly action: string
}

export interface RequestBucket extends RequestFigures {
  readonly startMs: number
}

export interface BucketSum {
  readonly startMs: number
  readonly count: number
  readonly failed: number
  /** Durations as a sketch, written by `requests/sketch.ts`. */
  readonly sketch: Uint8Array
}

/** Trend of a route and kind, bucket by bucket. */
export interface RouteTrend {
  readonly projectId: ProjectId
  readonly route: string
  readonly kind: RequestKind
  readonly counts: readonly number[]
  /** `null` where nothing was counted. */
  readonly p75Ms: readonly (number | null)[]
}

export interface VitalFigures {
  readonly projectId: ProjectId
  readonly route: string
  readonly vital: Vital
  readonly count: number
  readonly p75: number
  /** Share of good, needs improvement and poor by the public thresholds; they sum up to 1. */
  readonly shares: readonly [number, number, number]
}

/** Figures of a vital over all pages, by release (`''`: none is named) or by the start of a bucket. */
export interface VitalGroup extends Omit<VitalFigures, 'projectId' | 'route'> {
  readonly key: string
}

/** How the values of a vital are spread over steps of equal width; the last holds all that is beyond. */
export interface VitalSpread extends Omit<VitalFigures, 'projectId' | 'route'> {
  readonly step: number
  readonly counts: readonly number[]
  /** Bounds of what the steps count: above its own, up to that of the next. Figures are kept within one percent. */
  readonly above: readonly number[]
}

/** A request that answered, and failed by an error that tells of it. */
export interface JoinedFailure {
  readonly projectId: ProjectId
  /** The first 16 hex characters of its trace’s id. */
  readonly traceHead: string
  /** Start time in whole milliseconds. */
  readonly atMs: number
}

/** A request that is counted otherwise than its own row says: what came apart from it knew better. */
export interface MovedSegment extends JoinedFailure, Pick<SegmentSeen, 'kind' | 'route' | 'end'> {
  /** Kind stated by its own row. */
  readonly saidKind: RequestKind
}

/** Identifies a segment. */
export type SegmentIds = Pick<SegmentSeen, 'projectId' | 'traceId' | 'segmentId'>

/** A segment as figures count it, by all that is known of it. */
export interface CountedAs extends SegmentIds, Pick<SegmentSeen, 'kind' | 'route' | 'end'> {
  /** `null` for what is no action, and for one without a name. */
  readonly action: string | null
}

/** Counts of requests, without their durations. */
export interface RequestCounts {
  readonly count: number
  readonly failed: number
  readonly failedBehind200: number
}

export interface RouteCounts extends RequestCounts {
  readonly projectId: ProjectId
  readonly route: string
  readonly kind: RequestKind
}

/** Names some routes, where not all are asked for. */
export interface RouteCountsQuery extends RequestsQuery {
  readonly routes?: readonly string[]
  /** Fewest failures of those that are answered. */
  readonly failedMin?: number
  /** Puts most time first, as `routes` does, in place of most failures. */
  readonly hasMostTimeFirst?: true
}

export interface RequestsRead {
  /**
   * Returns segments whose own rows may say less than spans that arrived apart; known for `countedSpanDays`.
   */
  countedAs(scope: ReadScope, segments: readonly SegmentIds[]): Promise<readonly CountedAs[]>
  /** Newest first, at most `movedSegmentsReadMax`; known for `countedSpanDays`. */
  movedSegments(
    scope: ReadScope,
    query: Pick<RequestsQuery, 'projects' | 'startMs' | 'endMs'>,
  ): Promise<readonly MovedSegment[]>
  /**
   * Returns segments that answered by their own row although they failed, newest first, at most
   * `joinedFailuresReadMax`; known for `countedSpanDays`.
   */
  joinedFailures(
    scope: ReadScope,
    query: Pick<RequestsQuery, 'projects' | 'startMs' | 'endMs'>,
  ): Promise<readonly JoinedFailure[]>
  /** Returns figures per project, route and kind, most time first, at most `routesReadMax`; with `routes` of these alone. */
  routes(
    scope: ReadScope,
    query: RequestsQuery & Pick<RouteCountsQuery, 'routes'>,
  ): Promise<readonly RouteFigures[]>
  /** Returns counts per project, route and kind, most failures first, at most `routesReadMax`: no sketch is read for them. */
  routeCounts(scope: ReadScope, query: RouteCountsQuery): Promise<readonly RouteCounts[]>
  /** Returns counts per bucket of `bucketMs` (whole hours); empty ones are there too. */
  requestCounts(scope: ReadScope, query: RequestsQuery, bucketMs: number): Promise<readonly RequestCounts[]>
  /** Returns figures per project, route and action, most time first, at most `routesReadMax`. */
  actions(scope: ReadScope, query: RequestsQuery): Promise<readonly ActionFigures[]>
  /** Ids that are asked for, and those that wrappers told: newest first, at most `actionNamesReadMax`. */
  seenActions(scope: ReadScope, query: Pick<RequestsQuery, 'projects'>): Promise<readonly SeenAction[]>
  /** All that the query names as one. */
  requestFigures(scope: ReadScope, query: RequestsQuery): Promise<WholeFigures>
  /** Returns figures of each of `kinds`, in their order. */
  figuresOfKinds(
    scope: ReadScope,
    query: Omit<RequestsQuery, 'kind' | 'action'>,
    kinds: readonly RequestKind[],
  ): Promise<readonly RequestFigures[]>
  /** The same per bucket of `bucketMs` (whole hours); empty ones are there too. */
  requestSeries(scope: ReadScope, query: RequestsQuery, bucketMs: number): Promise<readonly RequestBucket[]>
  /** Returns the sums behind `requestSeries`, for callers that join buckets. */
  requestSums(scope: ReadScope, query: RequestsQuery, bucketMs: number): Promise<readonly BucketSum[]>
  /** How many requests of each release per bucket, as `requestSeries` has them; those that name none are left out. */
  requestsByRelease(scope: ReadScope, query: RequestsQuery, bucketMs: number): Promise<readonly ReleaseUses[]>
  /** Returns the series of the named routes, each kind per bucket as in `requestSeries`; routes without requests are left out. */
  routeTrends(
    scope: ReadScope,
    query: RequestsQuery & { readonly routes: readonly string[] },
    bucketMs: number,
  ): Promise<readonly RouteTrend[]>
  /** Releases that anything was counted of, by when the first of it was. */
  requestReleases(
    scope: ReadScope,
    query: RequestsQuery,
  ): Promise<readonly { readonly projectId: ProjectId; readonly release: string; readonly firstMs: number }[]>
  /** How many took how long: bucket bounds on a log scale, in milliseconds. */
  requestDurations(scope: ReadScope, query: RequestsQuery): Promise<readonly DurationBucket[]>
  vitals(scope: ReadScope, query: RequestsQuery): Promise<readonly VitalFigures[]>
  /** Returns the groups with the most measurements first, or the earliest buckets first. */
  vitalGroups(scope: ReadScope, query: RequestsQuery, by: 'release' | number): Promise<readonly VitalGroup[]>
  vitalSpreads(scope: ReadScope, query: RequestsQuery): Promise<readonly VitalSpread[]>
  /** Returns the spans that cost most time, at most `limit`; all kinds together, as `''`, if the query names none. */
  spanCosts(scope: ReadScope, query: CostsQuery, limit: number): Promise<readonly SpanCost[]>
}
