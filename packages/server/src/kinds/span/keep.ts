/** What is kept of fragments: every one, and what they add to the figures of requests. */
import { DAY_MS } from '#base/durations.ts'
import { type ProjectId, projectId } from '#base/ids.ts'
import type { RequestsPart, SegmentSeen, SpanCost, VitalSeen } from '#ports/requests.ts'
import type { StaleClickSeen } from '#ports/skew.ts'
import { addedCosts } from '#requests/read-sums.ts'
import type { ArrivedPart, KindKeep } from '../kind.ts'
import { parseJson } from '../lenient-json.ts'
import type { FragmentOwn } from './facts.ts'
import { CATEGORY, type FragmentRow, SPAN } from './fields.ts'
import type { CostColumns, FragmentSum, FragmentSums } from './sum.ts'

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
  const costs = new CostSums(sums.costs)
  const starts = startsOf(sums.rows)
  const segments: SegmentSeen[] = []
  const vitals: VitalSeen[] = []
  const stale: StaleClickSeen[] = []
  for (const place of places) {
    const sum = sums.rows[place] ?? null
    if (sum === null) continue
    const times = { atMs: columns.timestampMs[place] ?? 0, receivedMs: columns.receivedMs[place] ?? 0 }
    const project = projectId(columns.projectId[place] ?? 0)
    const segment = segmentOf(sum, project, times)
    if (segment !== null) segments.push(segment)
    vitals.push(...vitalsOf(sum, project, times))
    stale.push(...staleOf(sum, project, times))
    costs.add(sum, starts[place] ?? 0, { project, day: Math.floor(times.atMs / DAY_MS) })
  }
  const all = costs.all()
  if (segments.length === 0 && vitals.length === 0 && all.length === 0 && stale.length === 0) return null
  const found = { segments, vitals, costs: all, stale }
  return { type: 'requests', kind: SPAN, category: CATEGORY, ...found }
}

/** Where the costs of each row begin. */
function startsOf(rows: FragmentSums['rows']): readonly number[] {
  let start = 0
  return rows.map((row) => {
    const before = start
    start += row?.costs ?? 0
    return before
  })
}

function seriesOf({ environment, release, route, requestKind: kind }: FragmentSum, project: ProjectId) {
  return { projectId: project, environment, release, route, kind }
}

function segmentOf(
  sum: FragmentSum,
  project: ProjectId,
  times: Pick<SegmentSeen, 'atMs' | 'receivedMs'>,
): SegmentSeen | null {
  const { hasRoot, segmentId, end, traceId, fragmentId, durationMs, weight, sandbox } = sum
  if (!hasRoot || segmentId === null || end === null) return null
  const ids = { traceId, segmentId, fragmentId }
  const seen = { ...seriesOf(sum, project), ...ids, ...times, durationMs, end, weight }
  return sandbox === null ? seen : { ...seen, sandbox }
}

function vitalsOf(
  sum: FragmentSum,
  project: ProjectId,
  times: Pick<VitalSeen, 'atMs' | 'receivedMs'>,
): readonly VitalSeen[] {
  const { traceId, weight } = sum
  return sum.vitals.map((vital) => ({ ...seriesOf(sum, project), traceId, ...times, weight, ...vital }))
}

function staleOf(
  { stale }: FragmentSum,
  project: ProjectId,
  { receivedMs }: Pick<StaleClickSeen, 'receivedMs'>,
): readonly StaleClickSeen[] {
  return stale.map(({ user, ...half }) => ({
    ...{ ...half, projectId: project, receivedMs, source: 'span', eventId: null, group: null },
    user: user === null ? null : BigInt(user),
  }))
}

/** What the segments of a route spent their time on in a day, by their places in the columns. */
class CostSums {
  readonly #columns: CostColumns
  /** By project, day and route; then by operation and description. */
  readonly #routes = new Map<string, Map<number, SpanCost>>()

  constructor(columns: CostColumns) {
    this.#columns = columns
  }

  all(): readonly SpanCost[] {
    return [...this.#routes.values()].flatMap((sorts) => [...sorts.values()])
  }

  /** Of the entries from `start` on. */
  add(
    sum: FragmentSum,
    start: number,
    { project, day }: { readonly project: ProjectId; readonly day: number },
  ) {
    const { op, description, texts } = this.#columns
    const key = `${project}\n${day}\n${sum.route}`
    const sorts = this.#routes.get(key) ?? new Map<number, SpanCost>()
    this.#routes.set(key, sorts)
    for (let at = start; at < start + sum.costs; at++) {
      const [ofOp, ofText] = [op[at] ?? 0, description[at] ?? 0]
      const sort = ofOp * texts.length + ofText
      const names = { op: texts[ofOp] ?? '', description: texts[ofText] ?? '' }
      const cost = { projectId: project, route: sum.route, day, ...names, ...this.#figures(at, sum.traceId) }
      sorts.set(sort, addedCosts(sorts.get(sort), cost))
    }
  }

  #figures(at: number, traceId: string) {
    const { count, totalMs, failed, repeated, slowestMs, slowest } = this.#columns
    const spanId = (slowest[at] ?? 0n).toString(16).padStart(16, '0')
    return {
      ...{ count: count[at] ?? 0, totalMs: totalMs[at] ?? 0, failed: failed[at] ?? 0 },
      repeatedIn: repeated[at] ?? 0,
      slowest: { ms: slowestMs[at] ?? 0, traceId, spanId },
    }
  }
}
