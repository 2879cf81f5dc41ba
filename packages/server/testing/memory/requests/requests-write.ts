/** Figures of requests as maps of rows: each segment and vital once, a sum a series and hour. */
import { DAY_MS } from '#base/durations.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isActionId } from '#model/action-name.ts'
import type { RequestKind } from '#model/event.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import type {
  ActionNamed,
  RequestsPart,
  SegmentHint,
  SegmentSeen,
  SpanCost,
  VitalSeen,
} from '#ports/requests.ts'
import { addSumRow, type SumOfHour } from '#requests/read-sums.ts'
import { segmentAsTold } from '#requests/segment-hints.ts'
import {
  actionRoom,
  addSegment,
  addVital,
  countedKey,
  emptyRequestSum,
  emptyVitalSum,
  hourOf,
  type KeptAction,
  type KeptSeries,
  keptAction,
  keptSeries,
  type RequestSum,
  removeCounted,
  roomFor,
} from '#requests/sums.ts'
import { type CountedBeside, mayBeToldTwice, placeOfHalves, toldAs, toldFirst } from '#requests/told-twice.ts'
import type { Table } from '../table.ts'
import type { CountedSpan, Tables } from '../tables.ts'
import { addedCosts } from './added-costs.ts'

export function addRequests(
  to: Tables,
  { segments, vitals, costs, actionNames, hints }: RequestsPart,
  isKnown: (project: ProjectId) => boolean,
): readonly SegmentSeen[] {
  for (const named of actionNames) if (isKnown(named.projectId)) takeName(to, named)
  for (const hint of hints) if (isKnown(hint.projectId)) takeHint(to, hint)
  const halves: { readonly half: SegmentSeen; readonly counted: string }[] = []
  const counted = toldFirst(segments).flatMap((seen) => {
    if (!isKnown(seen.projectId)) return []
    const told = mayBeToldTwice(seen) ? toldAs(seen, countedBeside(to, seen)) : undefined
    if (told !== undefined) {
      if (seen.sandbox !== undefined) halves.push({ half: seen, counted: told.span })
      return []
    }
    const segment = asHinted(to, seen)
    if (!takeSegment(to, segment)) return []
    if (segment.kind !== seen.kind || segment.end !== seen.end) noteMoved(to, segmentKey(seen), seen.kind)
    return [segment]
  })
  for (const { half, counted: of } of halves) takeHalf(to, half, of)
  for (const segment of counted) takeRoute(to, segment)
  for (const vital of vitals) if (isKnown(vital.projectId)) takeVital(to, vital)
  for (const cost of costs) if (isKnown(cost.projectId)) takeCost(to, cost)
  return counted
}

function takeRoute(to: Tables, { projectId, stated, statedAs, receivedMs, ...segment }: SegmentSeen): void {
  if (stated === undefined) return
  const route = statedAs ?? segment.route
  const day = dayOf(receivedMs)
  const own = to.knownRoutes.where((one) => one.projectId === projectId)
  const known = own.find((one) => one.of === stated && one.route === route)
  if (known !== undefined) to.knownRoutes.change(known.id, { day: day > known.day ? day : known.day })
  else if (own.length < max('knownRoutesPerProjectMax')) {
    const id = to.knownRoutes.nextId()
    to.knownRoutes.put(id, { id, projectId, of: stated, route, day })
  }
}

function takeHint(to: Tables, hint: SegmentHint): void {
  const key = segmentKey(hint)
  const counted = to.countedSpans.get(key)?.segment
  if (counted == null) {
    const own = to.segmentHints.where(({ projectId }) => projectId === hint.projectId).length
    const { kind, work } = to.segmentHints.get(key) ?? hint
    if (own < max('segmentHintsPerProjectMax'))
      to.segmentHints.put(key, { ...hint, kind: hint.kind ?? kind, work: hint.work ?? work })
  } else if (counted.isOpen === true) moveSegment(to, key, segmentAsTold(counted, hint))
}

function asHinted(to: Tables, segment: SegmentSeen): SegmentSeen {
  const key = segmentKey(segment)
  const told = to.segmentHints.get(key)
  if (segment.isOpen !== true || told === undefined) return segment
  to.segmentHints.delete(key)
  return segmentAsTold(segment, told)
}

function takeHalf(to: Tables, half: SegmentSeen, segmentId: string): void {
  const key = segmentKey({ ...half, segmentId })
  const counted = to.countedSpans.get(key)?.segment
  if (counted == null) return
  const { action: own, ...rest } = counted
  const { kind, route } = placeOfHalves(half, counted)
  const action = kind === 'action' ? (own ?? half.action) : undefined
  moveSegment(to, key, { ...rest, kind, route, ...(action === undefined ? {} : { action }) })
}

function moveSegment(to: Tables, key: string, segment: SegmentSeen): void {
  const counted = to.countedSpans.get(key)
  if (counted?.segment == null) return
  const before = counted.segment
  removeFrom(to.requestSums, `${seriesKey(keptSeries(before))} ${hourOf(before.atMs)}`, before)
  const action = actionSeries(to, before)
  if (action !== null) removeFrom(to.actionSums, `${action} ${hourOf(before.atMs)}`, before)
  const isMoved = segment.kind !== before.kind || segment.route !== before.route || segment.end !== before.end
  to.countedSpans.put(key, { ...counted, segment })
  if (isMoved) noteMoved(to, key, before.kind)
  addToSums(to, segment)
}

/** Of several moves the first is from what its own row says. */
function noteMoved(to: Tables, key: string, saidKind: RequestKind): void {
  const counted = to.countedSpans.get(key)
  if (counted !== undefined) to.countedSpans.put(key, { saidKind, ...counted })
}

function removeFrom<Row extends SumOfHour>(
  from: Table<string, Row>,
  key: string,
  segment: SegmentSeen,
): void {
  const row = from.get(key)
  if (row === undefined) return
  const sum = emptyRequestSum()
  addSumRow(sum, row)
  removeCounted(sum, { ...segment, isBehind: false })
  if (sum.seen > 0) from.put(key, { ...row, ...keptSum(sum) })
  else from.delete(key)
}

/** Where its action is counted; `null`: it is none. */
function actionSeries(of: Tables, segment: SegmentSeen): string | null {
  const kept = keptActionOf(of, segment)
  return kept === null ? null : actionKey(kept)
}

function keptActionOf(of: Tables, segment: SegmentSeen): KeptAction | null {
  const kept = keptAction(segment)
  if (kept === null || of.actionSeries.has(actionKey(kept))) return kept
  const { projectId, action } = kept
  return actionRoom(kept, {
    ids: () => of.actionSeries.where((one) => one.projectId === projectId && isActionId(one.action)).length,
    name: () => of.actionNames.get(`${projectId} ${action}`)?.name ?? null,
  })
}

function segmentKey({
  projectId,
  traceId,
  segmentId,
}: Pick<SegmentSeen, 'projectId' | 'traceId' | 'segmentId'>) {
  return `${projectId} ${countedKey(traceId, segmentId).join(' ')}`
}

/** False for one that is counted already. */
function takeSegment(to: Tables, segment: SegmentSeen): boolean {
  if (!isFirst(to, { ...segment, segment }, countedKey(segment.traceId, segment.segmentId))) return false
  addToSums(to, segment)
  return true
}

function addToSums(to: Tables, segment: SegmentSeen): void {
  const hour = hourOf(segment.atMs)
  const { series, of } = seriesFor(to, keptSeries(segment), hour)
  const key = `${series} ${hour}`
  const sum = emptyRequestSum()
  const before = to.requestSums.get(key)
  if (before !== undefined) addSumRow(sum, before)
  addSegment(sum, segment)
  to.requestSums.put(key, { ...of, series, hour, ...keptSum(sum) })
  takeAction(to, segment)
}

function takeName(to: Tables, named: ActionNamed): void {
  const key = `${named.projectId} ${named.id}`
  const own = to.actionNames.where(({ projectId }) => projectId === named.projectId)
  if (!to.actionNames.has(key) && own.length >= max('actionNamesPerProjectMax')) {
    const [oldest] = own.sort((a, b) => dayOf(a.receivedMs) - dayOf(b.receivedMs) || (a.id < b.id ? -1 : 1))
    to.actionNames.deleteWhere((one) => one === oldest)
  }
  to.actionNames.put(key, named)
}

function takeAction(to: Tables, segment: SegmentSeen): void {
  const of = keptActionOf(to, segment)
  if (of === null) return
  const series = actionKey(of)
  const hour = hourOf(segment.atMs)
  const known = to.actionSeries.get(series)
  const own = () => to.actionSeries.where((one) => one.projectId === of.projectId).length
  if (known === undefined && own() >= max('actionSeriesPerProjectMax')) return
  to.actionSeries.put(series, { ...of, lastHour: Math.max(known?.lastHour ?? hour, hour) })
  const key = `${series} ${hour}`
  const sum = emptyRequestSum()
  const before = to.actionSums.get(key)
  if (before !== undefined) addSumRow(sum, before)
  addSegment(sum, segment)
  to.actionSums.put(key, { ...of, series, hour, ...keptSum(sum) })
}

function keptSum({ sketch, failedSketch, ...counts }: RequestSum) {
  const failed = failedSketch === null ? [] : [failedSketch.toBytes()]
  return { ...counts, sketches: [sketch.toBytes()], failedSketches: failed }
}

function actionKey({ projectId, route, action, environment, release }: KeptAction): string {
  return JSON.stringify([projectId, route, action, environment, release])
}

function countedBeside(to: Tables, { projectId, traceId }: SegmentSeen): readonly CountedBeside[] {
  return to.countedSpans
    .where(({ segment: of }) => of?.projectId === projectId)
    .flatMap(({ segment: of }) =>
      of?.traceId !== traceId
        ? []
        : [
            {
              ...{ atMs: Math.floor(of.atMs), durationMs: Math.ceil(of.durationMs) },
              ...{ span: of.segmentId, kind: of.kind, end: of.end, route: keptSeries(of).route },
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
  const { projectId, day, route, kind, op, description } = cost
  const key = JSON.stringify([projectId, day, route, kind, op, description])
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
  to.knownRoutes.deleteWhere(({ day }) => day < today - max('knownRouteDays'))
  to.segmentHints.deleteWhere(({ receivedMs }) => dayOf(receivedMs) < today - max('countedSpanDays'))
  to.requestSums.deleteWhere(isOld)
  to.vitalSums.deleteWhere(isOld)
  to.actionSums.deleteWhere(isOld)
  to.actionSeries.deleteWhere(({ projectId, lastHour }) => isOld({ projectId, hour: lastHour }))
  to.actionNames.deleteWhere(({ projectId, receivedMs }) => dayOf(receivedMs) < oldestDay(projectId))
  to.spanCosts.deleteWhere(({ projectId, day }) => day < oldestDay(projectId))
  const gone = to.requestSeries.deleteWhere(({ projectId, lastHour }) => isOld({ projectId, hour: lastHour }))
  for (const { projectId } of gone) {
    const { count } = to.seriesCounts.get(projectId) ?? { count: 1 }
    to.seriesCounts.put(projectId, { count: count - 1 })
  }
}
