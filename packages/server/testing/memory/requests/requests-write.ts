/** Figures of requests as maps of rows: each segment and vital once, a sum a series and hour. */
import { DAY_MS } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import type { RequestsPart, SegmentSeen, SpanCost, VitalSeen } from '#ports/requests.ts'
import { addedCosts, addSumRow } from '#requests/read-sums.ts'
import {
  addSegment,
  addVital,
  countedKey,
  emptyRequestSum,
  emptyVitalSum,
  hourOf,
  type KeptSeries,
  keptSeries,
  roomFor,
} from '#requests/sums.ts'
import { type CountedBeside, isToldTwice, mayBeToldTwice, toldFirst } from '#requests/told-twice.ts'
import type { CountedSpan, Tables } from '../tables.ts'

export function addRequests(
  to: Tables,
  { segments, vitals, costs }: RequestsPart,
  isKnown: (project: ProjectId) => boolean,
): readonly SegmentSeen[] {
  const counted = toldFirst(segments).filter(
    (segment) => isKnown(segment.projectId) && takeSegment(to, segment),
  )
  for (const vital of vitals) if (isKnown(vital.projectId)) takeVital(to, vital)
  for (const cost of costs) if (isKnown(cost.projectId)) takeCost(to, cost)
  return counted
}

/** False for one that is counted already. */
function takeSegment(to: Tables, segment: SegmentSeen): boolean {
  if (mayBeToldTwice(segment) && isToldTwice(segment, countedBeside(to, segment))) return false
  if (!isFirst(to, { ...segment, segment }, countedKey(segment.traceId, segment.segmentId))) return false
  const hour = hourOf(segment.atMs)
  const { series, of } = seriesFor(to, keptSeries(segment), hour)
  const key = `${series} ${hour}`
  const sum = emptyRequestSum()
  const before = to.requestSums.get(key)
  if (before !== undefined) addSumRow(sum, before)
  addSegment(sum, segment)
  const { sketch, ...counts } = sum
  to.requestSums.put(key, { ...of, series, hour, ...counts, sketches: [sketch.toBytes()] })
  return true
}

function countedBeside(to: Tables, { projectId, traceId, kind }: SegmentSeen): readonly CountedBeside[] {
  return to.countedSpans
    .where(({ segment: of }) => of?.projectId === projectId)
    .flatMap(({ segment: of }) =>
      of?.traceId !== traceId || of.kind !== kind
        ? []
        : [
            {
              ...{ atMs: Math.floor(of.atMs), durationMs: Math.ceil(of.durationMs) },
              ...{ end: of.end, route: keptSeries(of).route },
            },
          ],
    )
}

function takeVital(to: Tables, seen: VitalSeen): void {
  if (!isFirst(to, { ...seen, segment: null }, countedKey(seen.traceId, seen.spanId, seen.vital))) return
  const hour = hourOf(seen.atMs)
  const { series, of } = seriesFor(to, keptSeries(seen), hour)
  const key = `${series} ${hour} ${seen.vital}`
  const before = to.vitalSums.get(key)
  const { count, good, poor } = before ?? emptyVitalSum()
  const sum = { ...emptyVitalSum(), count, good, poor }
  for (const sketch of before?.sketches ?? []) sum.sketch.merge(sketch)
  addVital(sum, seen)
  const { sketch, ...counts } = sum
  const row = { ...of, series, hour, vital: seen.vital, ...counts, sketches: [sketch.toBytes()] }
  to.vitalSums.put(key, row)
}

function isFirst(
  to: Tables,
  {
    projectId,
    receivedMs,
    segment,
  }: Pick<SegmentSeen, 'projectId' | 'receivedMs'> & Pick<CountedSpan, 'segment'>,
  counted: readonly bigint[],
): boolean {
  const key = `${projectId} ${counted.join(' ')}`
  if (to.countedSpans.has(key)) return false
  to.countedSpans.put(key, { projectId, day: dayOf(receivedMs), segment })
  return true
}

function seriesFor(
  to: Tables,
  series: KeptSeries,
  hour: number,
): { readonly series: string; readonly of: KeptSeries } {
  const count = to.seriesCounts.get(series.projectId)?.count ?? 0
  const has = (one: KeptSeries) => to.requestSeries.has(seriesKey(one))
  const of = has(series) ? series : roomFor(series, { count, has })
  const key = seriesKey(of)
  const before = to.requestSeries.get(key)
  if (before === undefined) to.seriesCounts.put(series.projectId, { count: count + 1 })
  to.requestSeries.put(key, { ...of, lastHour: Math.max(before?.lastHour ?? hour, hour) })
  return { series: key, of }
}

function seriesKey({ projectId, kind, route, environment, release }: KeptSeries): string {
  return JSON.stringify([projectId, kind, route, environment, release])
}

/** Beyond the limit of a day only those that are there already grow. */
function takeCost(to: Tables, given: SpanCost): void {
  const cost = { ...given, route: given.route.slice(0, max('routeCharsMax')) }
  const { projectId, day, route, op, description } = cost
  const key = JSON.stringify([projectId, day, route, op, description])
  const before = to.spanCosts.get(key)
  const ofDay = () => to.spanCosts.where((one) => one.projectId === projectId && one.day === day).length
  if (before === undefined && ofDay() >= max('spanCostsPerDayMax')) return
  to.spanCosts.put(key, addedCosts(before, cost))
}

/** What has reached its age. */
export function pruneRequests(to: Tables, nowMs: number): void {
  const today = Math.floor(nowMs / DAY_MS)
  const oldestDay = (project: ProjectId) =>
    today - (to.projects.get(project)?.options ?? PROJECT_OPTIONS_DEFAULT).retentionDays
  const isOld = ({ projectId, hour }: { readonly projectId: ProjectId; readonly hour: number }) =>
    hour < oldestDay(projectId) * 24
  to.countedSpans.deleteWhere(({ day }) => day < today - max('countedSpanDays'))
  to.requestSums.deleteWhere(isOld)
  to.vitalSums.deleteWhere(isOld)
  to.spanCosts.deleteWhere(({ projectId, day }) => day < oldestDay(projectId))
  const gone = to.requestSeries.deleteWhere(({ projectId, lastHour }) => isOld({ projectId, hour: lastHour }))
  for (const { projectId } of gone) {
    const { count } = to.seriesCounts.get(projectId) ?? { count: 1 }
    to.seriesCounts.put(projectId, { count: count - 1 })
  }
}
