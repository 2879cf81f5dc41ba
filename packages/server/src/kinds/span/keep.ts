/** What is kept of fragments: every one, and what they add to the figures of requests. */
import { DAY_MS } from '#base/durations.ts'
import { type ProjectId, projectId } from '#base/ids.ts'
import type { RequestsPart, SegmentSeen, SpanCost, VitalSeen } from '#ports/requests.ts'
import type { ArrivedPart, KindKeep } from '../kind.ts'
import { parseJson } from '../lenient-json.ts'
import type { FragmentOwn } from './facts.ts'
import { CATEGORY, type FragmentRow, SPAN } from './fields.ts'
import type { FragmentSum, FragmentSums } from './sum.ts'

export const fragmentKeep: KindKeep<FragmentRow, FragmentOwn, FragmentSums> = {
  thinner: null,
  hints: null,
  settle: async (part, places) => ({
    part,
    bare: new Set(),
    control: requestsOf(part, places),
    hint: null,
  }),
  holds(payload) {
    // What the sampling rule left out has none; nothing in the others names their row.
    return payload.length === 0 || parseJson(Buffer.from(payload).toString('utf8')) !== undefined
  },
}

function requestsOf(
  { columns, sums }: ArrivedPart<FragmentSums>,
  places: readonly number[],
): RequestsPart | null {
  const costs = new Map<string, SpanCost>()
  const segments: SegmentSeen[] = []
  const vitals: VitalSeen[] = []
  for (const place of places) {
    const sum = sums.rows[place] ?? null
    if (sum === null) continue
    const times = { atMs: columns.timestampMs[place] ?? 0, receivedMs: columns.receivedMs[place] ?? 0 }
    const project = projectId(columns.projectId[place] ?? 0)
    const segment = segmentOf(sum, project, times)
    if (segment !== null) segments.push(segment)
    vitals.push(...vitalsOf(sum, project, times))
    addCosts(costs, sum, { project, day: Math.floor(times.atMs / DAY_MS) })
  }
  if (segments.length === 0 && vitals.length === 0 && costs.size === 0) return null
  return { type: 'requests', kind: SPAN, category: CATEGORY, segments, vitals, costs: [...costs.values()] }
}

function seriesOf({ environment, release, route, requestKind: kind }: FragmentSum, project: ProjectId) {
  return { projectId: project, environment, release, route, kind }
}

function segmentOf(
  sum: FragmentSum,
  project: ProjectId,
  times: Pick<SegmentSeen, 'atMs' | 'receivedMs'>,
): SegmentSeen | null {
  const { hasRoot, segmentId, end, traceId, fragmentId, durationMs, weight } = sum
  if (!hasRoot || segmentId === null || end === null) return null
  return { ...seriesOf(sum, project), traceId, segmentId, fragmentId, ...times, durationMs, end, weight }
}

function vitalsOf(
  sum: FragmentSum,
  project: ProjectId,
  times: Pick<VitalSeen, 'atMs' | 'receivedMs'>,
): readonly VitalSeen[] {
  const { traceId, weight } = sum
  return sum.vitals.map((vital) => ({ ...seriesOf(sum, project), traceId, ...times, weight, ...vital }))
}

function addCosts(
  costs: Map<string, SpanCost>,
  sum: FragmentSum,
  { project, day }: { readonly project: ProjectId; readonly day: number },
): void {
  for (const { op, description, isRepeated, slowest, ...own } of sum.costs) {
    const key = `${project}\n${day}\n${sum.route}\n${op}\n${description}`
    const before = costs.get(key)
    const place = { projectId: project, route: sum.route, day, op, description }
    costs.set(key, {
      ...place,
      count: own.count + (before?.count ?? 0),
      totalMs: own.totalMs + (before?.totalMs ?? 0),
      failed: own.failed + (before?.failed ?? 0),
      repeatedIn: (isRepeated ? 1 : 0) + (before?.repeatedIn ?? 0),
      slowest:
        before !== undefined && before.slowest.ms >= slowest.ms
          ? before.slowest
          : { ...slowest, traceId: sum.traceId },
    })
  }
}
