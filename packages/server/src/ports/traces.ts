/** Fragments of traces as people read them. Reads apply the scope and what is hidden. */
import type { EventId, ProjectId } from '#base/ids.ts'
import type { RequestKind } from '#model/event.ts'
import type { StoredRow } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { RequestEnd, Vital } from '#model/span.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import type { JoinedFailure, MovedSegment } from './requests.ts'
import type { ReadScope } from './scope.ts'
import type { ErrorPlace, EventConditions } from './telemetry.ts'

/** A row that is a fragment. */
export type FragmentLike = StoredRow & {
  readonly eventId: EventId
  readonly traceId: string
  readonly durationMs: number
}

/** Conditions of a trace search; all must hold for one segment. */
export interface SegmentFilter {
  /** Files to look into. */
  readonly files: readonly FileName[]
  readonly projects: readonly ProjectId[] | null
  /** Start time of the segment. */
  readonly startMs: number
  readonly endMs: number
  readonly traceId?: string
  readonly kinds?: readonly RequestKind[]
  readonly routes?: readonly string[]
  readonly ends?: readonly RequestEnd[]
  /** Ends to leave out; a segment that is not a request has none of them. */
  readonly endsNot?: readonly RequestEnd[]
  /** Segments that failed though their rows say that they answered: they are found, and told, as such. */
  readonly joinedFailures?: readonly JoinedFailure[]
  /** Segments that turned out to be otherwise than their rows say: they are found, and counted, as such. */
  readonly moved?: readonly MovedSegment[]
  /** Any of these is what they mostly waited for. */
  readonly waitsFor?: readonly WaitedFor[]
  /** Each must hold. */
  readonly services?: readonly ServiceCondition[]
  /** Lists of conditions; one of each list must hold. */
  readonly servicesAny?: readonly (readonly ServiceCondition[])[]
  /** At least one of them must have happened in it. */
  readonly ofErrors?: readonly ErrorPlace[]
  /** Each is the operation of any of its spans; `*` in it stands for any text. */
  readonly ops?: readonly string[]
  /** Each must occur in the name, case-insensitively; `*` in it stands for any text. */
  readonly texts?: readonly string[]
  /** From it on. */
  readonly minDurationMs?: number
  /** Longer than that. */
  readonly aboveDurationMs?: number
  /** Up to it. */
  readonly maxDurationMs?: number
  /** Shorter than that. */
  readonly belowDurationMs?: number
  /** Each must hold of what a page load measured, and those of one vital of one measurement. */
  readonly vitals?: readonly VitalBound[]
  /** Each must hold; what has no code is in none of them. */
  readonly httpStatuses?: readonly HttpStatusRange[]
  readonly tags?: readonly TagCondition[]
  readonly people?: EventConditions['people']
  /** Alternatives: of each list one must hold. */
  readonly either?: EventConditions['either']
  /** Only those that ran a statement again and again. */
  readonly repeats?: true
  /** Without background work, the relay, and what wraps an action within the request that asked for it. */
  readonly onlyRequests?: true
}

export interface VitalBound {
  readonly vital: Vital
  readonly sign: '=' | '>' | '>=' | '<' | '<='
  /** Milliseconds; of `cls` without unit. */
  readonly value: number
}

/** Groups by where most time went: queries, calls of other services, or the work of its own side. */
export const WAITED_FOR = ['database', 'calls', 'server', 'browser'] as const
export type WaitedFor = (typeof WAITED_FOR)[number]

/** A service by its name; `*` in it stands for any text. */
export interface ServiceCondition {
  readonly name: string
  /** Projects named like the service; they match segments that state no service. */
  readonly projects: readonly ProjectId[]
  readonly negated: boolean
}

/** Both ends are in it. */
export interface HttpStatusRange {
  readonly from: number
  readonly to: number
  readonly negated: boolean
}

/** Conditions of a search on segments, beside place and time. */
export type SegmentConditions = Omit<
  SegmentFilter,
  | ('files' | 'projects' | 'startMs' | 'endMs' | 'joinedFailures' | 'moved' | 'ofErrors')
  | ('services' | 'servicesAny')
> & {
  readonly services?: readonly Omit<ServiceCondition, 'projects'>[]
  readonly servicesAny?: readonly (readonly Omit<ServiceCondition, 'projects'>[])[]
  /** By id or short id: one of its errors must have happened in it. */
  readonly issue?: string
}

export type SegmentSort = 'newest' | 'slowest'

export interface SegmentPage<R extends FragmentLike> {
  readonly rows: readonly R[]
  readonly nextCursor: string | null
}

/** Segments of a stretch of time, for a picture of duration over time. */
export interface SegmentPoint {
  readonly traceId: string
  readonly atMs: number
  readonly durationMs: number
  readonly end: RequestEnd | null
  /** Its spans were left out by the sampling rule. */
  readonly isSampledOut: boolean
}

/** Into what a picture of all segments divides time and duration. */
export interface HeatGrid {
  readonly startMs: number
  readonly stepMs: number
  /** Steps that a factor of ten is divided into. */
  readonly perDecade: number
}

/** `row`: from `10 ** (row / perDecade)` milliseconds on. */
export interface HeatCell {
  readonly slot: number
  readonly row: number
  readonly count: number
}

/** Page loads to read vitals of: a stretch of time, and what they must match. */
export interface VitalFilter {
  readonly files: readonly FileName[]
  readonly startMs: number
  readonly endMs: number
  readonly projects: readonly ProjectId[] | null
  readonly tags: readonly TagCondition[]
}

/** Sums of a vital on devices with one operating system; `''`: none is known. */
export interface DeviceVital {
  readonly device: string
  readonly vital: Vital
  readonly count: number
  readonly good: number
  readonly poor: number
  /** Values within one percent, in ascending order, and how many page loads each stands for. */
  readonly values: readonly (readonly [value: number, count: number])[]
}

/** How many segments match, and the most frequent values of tags among them. */
export interface SegmentValues {
  readonly total: number
  /** Tags in the order asked. */
  readonly tags: readonly {
    readonly tag: string
    readonly values: readonly { readonly value: string; readonly count: number }[]
  }[]
}

/** Matching segments of a service, by what they mostly waited for. */
export interface SegmentWork {
  readonly projectId: ProjectId
  /** `null`: it has no other name than its project. */
  readonly service: string | null
  readonly waitsFor: WaitedFor
  readonly count: number
}

export interface SpanSums {
  readonly projectId: ProjectId
  readonly traceId: string
  readonly segmentId: string
  /** `null`: it has no other name than its project. */
  readonly service: string | null
  readonly count: number
  /** `null` where none of its fragments says it. */
  readonly queriesMs: number | null
  readonly callsMs: number | null
  /** Status of the answer as spans say it that came apart from the segment; `null`: they don't. */
  readonly httpStatus: number | null
}

export interface TraceReads<R extends FragmentLike> {
  /**
   * Every fragment of a trace, the oldest first, at most `traceFragmentsMax`: the first of each project before the second
   * of any, so that whoever sends much into a trace leaves nothing of another project out.
   */
  fragments(
    scope: ReadScope,
    query: { readonly traceId: string; readonly files: readonly FileName[] },
  ): Promise<readonly R[]>
  /** Segments alone: rows with a root. */
  segments(
    scope: ReadScope,
    filter: SegmentFilter,
    page: { readonly sort: SegmentSort; readonly limit: number; readonly cursor: string | null },
  ): Promise<SegmentPage<R>>
  /** How many spans came of each segment of the traces, and what they waited for, in all fragments. */
  spanSums(
    scope: ReadScope,
    query: { readonly traceIds: readonly string[]; readonly files: readonly FileName[] },
  ): Promise<readonly SpanSums[]>
  segmentCount(scope: ReadScope, filter: SegmentFilter): Promise<number>
  /** By operating system, those with most page loads first. `bounds`: up to where values are good, and from where poor. */
  deviceVitals(
    scope: ReadScope,
    filter: VitalFilter,
    bounds: Readonly<Record<Vital, readonly [good: number, poor: number]>>,
  ): Promise<readonly DeviceVital[]>
  /** Fragments that say a vital, the newest first, at most `limit`. */
  vitalFragments(scope: ReadScope, filter: VitalFilter, limit: number): Promise<readonly R[]>
  /** Every one that matches, counted by when it began and how long it took. */
  segmentHeat(scope: ReadScope, filter: SegmentFilter, grid: HeatGrid): Promise<readonly HeatCell[]>
  /** At most `limit`, evenly chosen among those that match. */
  segmentPoints(scope: ReadScope, filter: SegmentFilter, limit: number): Promise<readonly SegmentPoint[]>
  /** At most `limit` values of each tag. */
  segmentValues(
    scope: ReadScope,
    filter: SegmentFilter,
    of: { readonly tags: readonly string[]; readonly limit: number },
  ): Promise<SegmentValues>
  segmentWork(scope: ReadScope, filter: SegmentFilter): Promise<readonly SegmentWork[]>
  /** Counts matching segments with errors by issue, most first; an issue is any number that names it. */
  segmentIssues(
    scope: ReadScope,
    filter: SegmentFilter,
    errors: readonly (ErrorPlace & { readonly issue: number })[],
  ): Promise<readonly { readonly issue: number; readonly count: number }[]>
}
