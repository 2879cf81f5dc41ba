/** Sums of requests in any store: one per series and hour. */
import { hash } from 'node:crypto'
import type { EventId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type {
  RequestFigures,
  RequestSeries,
  SegmentSeen,
  VitalFigures,
  VitalSeen,
  WholeFigures,
} from '#ports/requests.ts'
import type { CountedEnd } from './segment-hints.ts'
import { DurationSketch } from './sketch.ts'
import { VITAL_THRESHOLDS } from './vitals.ts'

export interface RequestSum {
  count: number
  seen: number
  failed: number
  failedBehind200: number
  aborted: number
  totalMs: number
  readonly sketch: DurationSketch
  /** Durations of failures, part of `sketch`; `null` while there are none. */
  failedSketch: DurationSketch | null
}

export interface VitalSum {
  count: number
  good: number
  poor: number
  readonly sketch: DurationSketch
}

export function emptyRequestSum(): RequestSum {
  const counts = { count: 0, seen: 0, failed: 0, failedBehind200: 0, aborted: 0, totalMs: 0 }
  return { ...counts, sketch: new DurationSketch(), failedSketch: null }
}

export function emptyVitalSum(): VitalSum {
  return { count: 0, good: 0, poor: 0, sketch: new DurationSketch() }
}

/** Aborted requests count, and say nothing of how long an answer takes. */
export function addRequestSums(
  sum: RequestSum,
  { end, weight, durationMs }: Pick<SegmentSeen, 'end' | 'weight' | 'durationMs'>,
): void {
  sum.count += weight
  sum.seen++
  if (end === 'failed' || end === 'failed-behind-200') addFailed(sum, { weight, durationMs })
  if (end === 'failed-behind-200') sum.failedBehind200 += weight
  if (end === 'aborted') {
    sum.aborted += weight
    return
  }
  sum.totalMs += durationMs * weight
  sum.sketch.add(durationMs, weight)
}

function addFailed(
  sum: RequestSum,
  { weight, durationMs }: Pick<SegmentSeen, 'weight' | 'durationMs'>,
): void {
  sum.failed += weight
  sum.failedSketch ??= new DurationSketch()
  sum.failedSketch.add(durationMs, weight)
}

/** Fields by which a segment is counted. */
export interface CountedSegment extends Pick<SegmentSeen, 'weight' | 'durationMs'> {
  readonly end: CountedEnd
  /** An error tells that it failed, though it answered. */
  readonly isBehind: boolean
}

export function addCounted(sum: RequestSum, { end, isBehind, ...segment }: CountedSegment): void {
  addRequestSums(sum, { ...segment, end: end === 'revalidated' ? 'answered' : end })
  if (!isBehind) return
  addFailed(sum, segment)
  sum.failedBehind200 += segment.weight
}

/** Takes back what `addCounted` added. */
export function removeCounted(from: RequestSum, segment: CountedSegment): void {
  const { weight, durationMs } = segment
  const gone = emptyRequestSum()
  addCounted(gone, segment)
  from.count -= gone.count
  from.seen -= gone.seen
  from.failed -= gone.failed
  from.failedBehind200 -= gone.failedBehind200
  from.aborted -= gone.aborted
  from.totalMs -= gone.totalMs
  if (gone.aborted === 0) from.sketch.remove(durationMs, weight)
  if (gone.failed > 0) from.failedSketch?.remove(durationMs, weight)
}

export function hasFailed({ end, isBehind }: Pick<CountedSegment, 'end' | 'isBehind'>): boolean {
  return isBehind || end === 'failed' || end === 'failed-behind-200'
}

export function addVital(
  sum: VitalSum,
  { vital, value, weight }: Pick<VitalSeen, 'vital' | 'value' | 'weight'>,
): void {
  const [good, poor] = VITAL_THRESHOLDS[vital]
  sum.count += weight
  if (value <= good) sum.good += weight
  else if (value > poor) sum.poor += weight
  sum.sketch.add(value, weight)
}

/** Takes back what `addVital` added. */
export function removeVital(from: VitalSum, vital: Pick<VitalSeen, 'vital' | 'value' | 'weight'>): void {
  const gone = emptyVitalSum()
  addVital(gone, vital)
  from.count -= gone.count
  from.good -= gone.good
  from.poor -= gone.poor
  from.sketch.remove(vital.value, vital.weight)
}

export function figuresOf(sum: RequestSum): RequestFigures {
  const { count, failed, failedBehind200, aborted, totalMs, sketch } = sum
  return {
    // Thousandths are what sums are kept in.
    ...{ count: roundCount(count), failed: roundCount(failed), failedBehind200: roundCount(failedBehind200) },
    ...{ aborted: roundCount(aborted), totalMs, isEstimated: Math.abs(count - sum.seen) > 0.5 },
    ...{ p50Ms: sketch.quantile(0.5), p75Ms: sketch.quantile(0.75) },
    ...{ p95Ms: sketch.quantile(0.95), p99Ms: sketch.quantile(0.99) },
    p75Bounds: boundsOf(sum, 0.75),
  }
}

/** Standard errors to either side that hold 95 %. */
const ERRORS_95 = 1.96

/**
 * By the ranks between which the quantile of all such requests lies, whatever their distribution. What an SDK left out says
 * nothing: how sure one is follows from those that came.
 */
function boundsOf({ sketch, seen }: RequestSum, q: number): RequestFigures['p75Bounds'] {
  const error = ERRORS_95 * Math.sqrt((q * (1 - q)) / Math.max(1, seen))
  const low = sketch.quantile(Math.max(0, q - error))
  const high = sketch.quantile(Math.min(1, q + error))
  return low === null || high === null ? null : [low, high]
}

/** Returns the figures of all requests of a sum, and of those that failed. */
export function wholeFiguresOf(sum: RequestSum): WholeFigures {
  const { failedSketch } = sum
  return {
    ...figuresOf(sum),
    ...{ failedP75Ms: failedSketch?.quantile(0.75) ?? null },
    ...{ failedP95Ms: failedSketch?.quantile(0.95) ?? null },
  }
}

function roundCount(count: number): number {
  return Math.round(count)
}

export function vitalFiguresOf(
  sum: VitalSum,
  of: Pick<VitalFigures, 'projectId' | 'route' | 'vital'>,
): VitalFigures {
  const { count, good, poor, sketch } = sum
  const share = (part: number) => (count === 0 ? 0 : part / count)
  return {
    ...of,
    count: roundCount(count),
    p75: sketch.quantile(0.75) ?? 0,
    shares: [share(good), share(count - good - poor), share(poor)],
  }
}

const ROUTE_CHARS = max('routeCharsMax')

export function keptRoute(route: string): string {
  return route.slice(0, ROUTE_CHARS)
}

/** The series as it is kept: texts bounded, `''` for none. */
export function keptSeries({ projectId, environment, release, route, kind }: RequestSeries) {
  return {
    projectId,
    environment: environment ?? '',
    release: release ?? '',
    route: keptRoute(route),
    kind,
  }
}

/** An action of a route as its figures are kept; `null` for what is no action, or is not said to be one. */
export interface KeptAction extends Omit<KeptSeries, 'kind'> {
  /** Its name, else its id, which is read by the name that is known then. `''`: ids beyond those that there is room for. */
  readonly action: string
}

export function keptAction(segment: RequestSeries & Pick<SegmentSeen, 'action'>): KeptAction | null {
  const { action } = segment
  if (action === undefined) return null
  const { kind: _, ...series } = keptSeries(segment)
  return { ...series, action: keptRoute(action) }
}

/** Returns true if a project that has so many ids takes another. Anybody can ask for ids that no build has. */
export function hasRoomForId(ids: number): boolean {
  return ids < IDS_MAX
}

/** Returns the key of an id beyond that: it counts under its known name, or else with the others. */
export function keptBeyondIds(kept: KeptAction, name: string | null): KeptAction {
  return { ...kept, action: keptRoute(name ?? '') }
}

const IDS_MAX = max('actionIdSeriesPerProjectMax')

export type KeptSeries = ReturnType<typeof keptSeries>

const SERIES_MAX = max('seriesPerProjectMax')
const OTHERS_MAX = max('otherSeriesPerProjectMax')

/**
 * Returns the key that a series counts under. Beyond a project's bound, series count as other routes of their
 * environment and release; beyond a second bound, of none.
 */
export function roomFor(
  series: KeptSeries,
  { count, has }: { readonly count: number; readonly has: (series: KeptSeries) => boolean },
): KeptSeries {
  if (count < SERIES_MAX || has(series)) return series
  const other = { ...series, route: OTHER_ROUTE }
  if (count < SERIES_MAX + OTHERS_MAX || has(other)) return other
  return { ...other, environment: '', release: '' }
}

const OTHER_ROUTE = '(other routes)'

/** 64 bits of what names a counted span, as two signed numbers that a store takes for keys. */
export function countedKey(
  traceId: string,
  spanId: string,
  vital = '',
): readonly [trace: bigint, span: bigint] {
  return [
    BigInt.asIntN(64, BigInt(`0x${traceId.slice(0, 16)}`)),
    hashText(`${traceId.slice(16)}:${spanId}:${vital}`),
  ]
}

/** 64 bits of an event’s id, likewise. */
export function eventKey(eventId: EventId): bigint {
  return hashText(eventId)
}

function hashText(text: string): bigint {
  return BigInt.asIntN(64, hash('sha256', text, 'buffer').readBigUInt64BE(0))
}
