/** Sums of hours, joined to what a read answers: the same from whatever store. */
import { HOUR_MS } from '#base/durations.ts'
import { type ProjectId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isActionId } from '#model/action-name.ts'
import type { RequestKind } from '#model/event.ts'
import { VITALS, type Vital } from '#model/span.ts'
import type {
  ActionFigures,
  BucketSum,
  RequestBucket,
  RequestsQuery,
  RouteFigures,
  RouteTrend,
  VitalFigures,
  VitalGroup,
  VitalSpread,
} from '#ports/requests.ts'
import { DurationSketch } from './sketch.ts'
import {
  emptyRequestSum,
  emptyVitalSum,
  figuresOf,
  type RequestSum,
  type VitalSum,
  vitalFiguresOf,
} from './sums.ts'
import { VITAL_THRESHOLDS } from './vitals.ts'

interface OfRoute {
  readonly projectId: ProjectId
  readonly route: string
}

/** Sketches as they are kept, of each series and hour that a row is of. */
export interface OfSketches {
  readonly sketches: readonly Uint8Array[]
  /** Durations of failed requests, if they are read. */
  readonly failedSketches?: readonly Uint8Array[]
}

type Counts = Omit<RequestSum, 'sketch' | 'failedSketch'>

/** Sums of one route and kind, as many as a store joined. */
export interface RequestSumRow extends OfRoute, OfSketches, Counts {
  readonly kind: RequestKind
}

/** Sums of one action of a route. */
export interface ActionSumRow extends OfRoute, OfSketches, Counts {
  readonly action: string
}

/** A sum of the hours from `hour` on. */
export interface SumOfHour extends OfSketches, Counts {
  readonly hour: number
}

export interface VitalSumRow extends OfRoute, OfSketches, Omit<VitalSum, 'sketch'> {
  readonly vital: Vital
}

/** A bucket of a series; buckets count from the first. */
export interface TrendRow extends OfRoute, Pick<OfSketches, 'sketches'> {
  readonly kind: RequestKind
  readonly bucket: number
  readonly count: number
}

/** Hours that are read: those that begin within the range. */
export function hoursOf({ startMs, endMs }: Pick<RequestsQuery, 'startMs' | 'endMs'>) {
  return { start: Math.floor(startMs / HOUR_MS), end: Math.ceil(endMs / HOUR_MS) }
}

/** Days that the range touches. */
export function daysOf(query: Pick<RequestsQuery, 'startMs' | 'endMs'>) {
  const { start, end } = hoursOf(query)
  return { firstDay: Math.floor(start / 24), lastDay: Math.floor((end - 1) / 24) }
}

export type SummedRow = Omit<RequestSumRow, 'kind' | keyof OfRoute>

/** Adds a row's counts and durations to a sum. */
export function addSumRow(sum: RequestSum, row: SummedRow): void {
  sum.count += row.count
  sum.seen += row.seen
  sum.failed += row.failed
  sum.failedBehind200 += row.failedBehind200
  sum.aborted += row.aborted
  sum.totalMs += row.totalMs
  for (const sketch of row.sketches) sum.sketch.merge(sketch)
  for (const sketch of row.failedSketches ?? []) {
    sum.failedSketch ??= new DurationSketch()
    sum.failedSketch.merge(sketch)
  }
}

export function wholeSum(rows: readonly SummedRow[]): RequestSum {
  const sum = emptyRequestSum()
  for (const row of rows) addSumRow(sum, row)
  return sum
}

/** Returns figures of routes, most time first. */
export function routesOf(rows: readonly RequestSumRow[]): readonly RouteFigures[] {
  const sums = new Map<string, { readonly of: RequestSumRow; readonly sum: RequestSum }>()
  for (const row of rows) {
    const key = keyOf(row, row.kind)
    const one = sums.get(key) ?? { of: row, sum: emptyRequestSum() }
    sums.set(key, one)
    addSumRow(one.sum, row)
  }
  return [...sums.values()]
    .sort((a, b) => b.sum.totalMs - a.sum.totalMs)
    .slice(0, max('routesReadMax'))
    .map(({ of: { projectId, route, kind }, sum }) => ({ projectId, route, kind, ...figuresOf(sum) }))
}

/**
 * Returns figures of actions, most time first, under the names known by now. Ids of one name are joined,
 * except the id that was asked for.
 */
export function actionsOf(
  rows: readonly ActionSumRow[],
  { action: asked }: Pick<RequestsQuery, 'action'>,
): readonly ActionFigures[] {
  const shown = (action: string) => (isActionId(action) && action !== asked ? '' : action)
  const byAction = Map.groupBy(rows, (row) => keyOf(row, shown(row.action)))
  return [...byAction.values()]
    .flatMap((own) => {
      const [first] = own
      if (first === undefined) return []
      const { projectId, route } = first
      return [{ projectId, route, action: shown(first.action), ...figuresOf(wholeSum(own)) }]
    })
    .sort((a, b) => b.totalMs - a.totalMs)
    .slice(0, max('routesReadMax'))
}

export function bucketsOf(
  rows: readonly SumOfHour[],
  query: RequestsQuery,
  bucketMs: number,
): readonly RequestBucket[] {
  return sumsByBucket(rows, query, bucketMs).map(({ startMs, sum }) => ({ startMs, ...figuresOf(sum) }))
}

/** The same before anything is concluded from it. */
export function bucketSumsOf(
  rows: readonly SumOfHour[],
  query: RequestsQuery,
  bucketMs: number,
): readonly BucketSum[] {
  return sumsByBucket(rows, query, bucketMs).map(({ startMs, sum: { count, failed, sketch } }) => ({
    ...{ startMs, count, failed, sketch: sketch.toBytes() },
  }))
}

function sumsByBucket(rows: readonly SumOfHour[], query: RequestsQuery, bucketMs: number) {
  const { first, length } = bucketRange(query, bucketMs)
  const sums = Array.from({ length }, emptyRequestSum)
  for (const row of rows) {
    const sum = sums[Math.floor((row.hour * HOUR_MS) / bucketMs) - first]
    if (sum !== undefined) addSumRow(sum, row)
  }
  return sums.map((sum, at) => ({ startMs: (first + at) * bucketMs, sum }))
}

export function bucketRange({ startMs, endMs }: RequestsQuery, bucketMs: number) {
  const first = Math.floor(startMs / bucketMs)
  return { first, length: Math.max(0, Math.ceil(endMs / bucketMs) - first) }
}

export function sumTrends(rows: readonly TrendRow[], length: number): readonly RouteTrend[] {
  const trends = new Map<
    string,
    { readonly of: TrendRow; readonly counts: number[]; readonly sketches: DurationSketch[] }
  >()
  for (const row of rows) {
    const key = keyOf(row, row.kind)
    const trend = trends.get(key) ?? {
      of: row,
      counts: Array.from({ length }, () => 0),
      sketches: Array.from({ length }, () => new DurationSketch()),
    }
    trends.set(key, trend)
    const [before, sketch] = [trend.counts[row.bucket], trend.sketches[row.bucket]]
    if (before === undefined || sketch === undefined) continue
    trend.counts[row.bucket] = before + row.count
    for (const bytes of row.sketches) sketch.merge(bytes)
  }
  return [...trends.values()].map(({ of: { projectId, route, kind }, counts, sketches }) => ({
    ...{ projectId, route, kind, counts: counts.map(Math.round) },
    p75Ms: sketches.map((sketch) => sketch.quantile(0.75)),
  }))
}

/** Returns vitals, most counted first. */
export function vitalsOfRows(rows: readonly VitalSumRow[]): readonly VitalFigures[] {
  const sums = new Map<string, { readonly of: VitalSumRow; readonly sum: VitalSum }>()
  for (const row of rows) {
    const key = keyOf(row, row.vital)
    const { of, sum } = sums.get(key) ?? { of: row, sum: emptyVitalSum() }
    sums.set(key, { of, sum })
    sum.count += row.count
    sum.good += row.good
    sum.poor += row.poor
    for (const sketch of row.sketches) sum.sketch.merge(sketch)
  }
  return [...sums.values()]
    .sort((a, b) => b.sum.count - a.sum.count)
    .slice(0, max('routesReadMax'))
    .map(({ of: { projectId, route, vital }, sum }) => vitalFiguresOf(sum, { projectId, route, vital }))
}

export interface VitalGroupRow extends Omit<VitalSumRow, keyof OfRoute> {
  readonly key: string | number
}

/** `isTime`: keys are times, and stay in their order. */
export function vitalGroupsOf(rows: readonly VitalGroupRow[], isTime: boolean): readonly VitalGroup[] {
  const groups = Map.groupBy(rows, ({ key, vital }) => `${vital}\n${key}`)
  const found = [...groups.values()].flatMap((own): VitalGroup[] => {
    const [first] = own
    if (first === undefined) return []
    const {
      projectId: _,
      route: __,
      ...figures
    } = vitalFiguresOf(vitalSumOf(own), { ...NO_ROUTE, vital: first.vital })
    return [{ key: String(first.key), ...figures }]
  })
  return found
    .sort((a, b) => (isTime ? Number(a.key) - Number(b.key) : b.count - a.count))
    .slice(0, max('routesReadMax'))
}

const NO_ROUTE = { projectId: projectId(1), route: '' }

function vitalSumOf(rows: readonly Omit<VitalGroupRow, 'key'>[]): VitalSum {
  const sum = emptyVitalSum()
  for (const row of rows) {
    sum.count += row.count
    sum.good += row.good
    sum.poor += row.poor
    for (const sketch of row.sketches) sum.sketch.merge(sketch)
  }
  return sum
}

/** Steps that the good ones are divided into. */
const STEPS_GOOD = 10
const STEPS = 30

/** Returns the spread of each vital, in the order of vitals. */
export function vitalSpreadsOf(rows: readonly Omit<VitalGroupRow, 'key'>[]): readonly VitalSpread[] {
  return VITALS.flatMap((vital): VitalSpread[] => {
    const own = rows.filter((row) => row.vital === vital)
    if (own.length === 0) return []
    const sum = vitalSumOf(own)
    const { projectId: _, route: __, ...figures } = vitalFiguresOf(sum, { ...NO_ROUTE, vital })
    const step = VITAL_THRESHOLDS[vital][0] / STEPS_GOOD
    const counts = Array.from({ length: STEPS }, () => 0)
    for (const { value, count } of sum.sketch.bins()) {
      const at = Math.min(STEPS - 1, Math.floor(value / step))
      counts[at] = (counts[at] ?? 0) + count
    }
    return [{ ...figures, step, counts: counts.map(Math.round) }]
  })
}

function keyOf({ projectId, route }: OfRoute, of: string): string {
  return `${projectId}\n${of}\n${route}`
}
