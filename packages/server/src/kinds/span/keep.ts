/** Keeps every fragment, and adds it to the figures of requests. */
import { DAY_MS } from '#base/durations.ts'
import { type ProjectId, projectId } from '#base/ids.ts'
import type {
  ActionNamed,
  RequestsPart,
  SegmentHint,
  SegmentSeen,
  SpanCost,
  VitalSeen,
} from '#ports/requests.ts'
import type { StaleClickSeen } from '#ports/skew.ts'
import type { ArrivedPart, KindKeep } from '../kind.ts'
import { parseJson } from '../lenient-json.ts'
import type { FragmentOwn } from './facts.ts'
import { type FragmentRow, SPAN, SPAN_CATEGORY } from './fields.ts'
import { type CostColumns, type FragmentSum, type FragmentSums, UNKNOWN_ROUTE } from './sum.ts'

export const fragmentKeep: KindKeep<FragmentRow, FragmentOwn, FragmentSums> = {
  thinner: null,
  hints: null,
  settle: async (part, places) => ({
    part,
    bare: new Set(),
    control: requestsOfPart(part, places),
    hint: null,
  }),
  holds(payload) {
    // What the sampling rule left out has none; nothing in the others names their row.
    return payload.length === 0 || parseJson(Buffer.from(payload).toString('utf8')) !== undefined
  },
}

function requestsOfPart(
  { columns, sums }: ArrivedPart<FragmentSums>,
  places: readonly number[],
): RequestsPart | null {
  const costs = new CostSums(sums.costs)
  const starts = startsOf(sums.rows)
  const segments: SegmentSeen[] = []
  const vitals: VitalSeen[] = []
  const stale: StaleClickSeen[] = []
  const actionNames: ActionNamed[] = []
  const hints: SegmentHint[] = []
  for (const place of places) {
    const sum = sums.rows[place] ?? null
    if (sum === null) continue
    const times = { atMs: columns.timestampMs[place] ?? 0, receivedMs: columns.receivedMs[place] ?? 0 }
    const project = projectId(columns.projectId[place] ?? 0)
    const segment = segmentOfSum(sum, project, times)
    if (segment !== null) segments.push(segment)
    vitals.push(...vitalsOfSum(sum, project, times))
    stale.push(...staleClicksOfSum(sum, project, times))
    if (sum.told !== null && sum.toldOf !== null) {
      const { traceId, toldOf: segmentId, told } = sum
      hints.push({ projectId: project, traceId, segmentId, receivedMs: times.receivedMs, ...told })
    }
    if (sum.wraps !== null && sum.action !== null)
      actionNames.push({
        projectId: project,
        id: sum.wraps,
        name: sum.action,
        receivedMs: times.receivedMs,
      })
    costs.add(sum, starts[place] ?? 0, { project, day: Math.floor(times.atMs / DAY_MS) })
  }
  const all = costs.all()
  const found = { segments, vitals, costs: all, stale, actionNames, hints }
  if (Object.values(found).every(({ length }) => length === 0)) return null
  return { type: 'requests', kind: SPAN, category: SPAN_CATEGORY, ...found }
}

/** Returns where the costs of each row begin. */
function startsOf(rows: FragmentSums['rows']): readonly number[] {
  let start = 0
  return rows.map((row) => {
    const before = start
    start += row?.costs ?? 0
    return before
  })
}

function fragmentSeries({ environment, release, route, requestKind: kind }: FragmentSum, project: ProjectId) {
  return { projectId: project, environment, release, route, kind }
}

function segmentOfSum(
  sum: FragmentSum,
  project: ProjectId,
  times: Pick<SegmentSeen, 'atMs' | 'receivedMs'>,
): SegmentSeen | null {
  const {
    hasRoot,
    segmentId,
    end,
    traceId,
    fragmentId,
    durationMs,
    weight,
    sandbox,
    isClockCorrected,
    isOpen,
    isRevalidation,
    stated,
    statedAs,
    action,
  } = sum
  if (!hasRoot || segmentId === null || end === null) return null
  const ids = { traceId, segmentId, fragmentId }
  const seen = { ...fragmentSeries(sum, project), ...ids, ...times, durationMs, end, weight }
  return {
    ...seen,
    ...(sandbox === null ? {} : { sandbox }),
    ...(isClockCorrected ? { isClockCorrected } : {}),
    ...(isOpen ? { isOpen } : {}),
    ...(isRevalidation ? { isRevalidation } : {}),
    ...(stated === null ? {} : { stated }),
    ...(statedAs === null ? {} : { statedAs }),
    ...(sum.requestKind !== 'action' || action === null ? {} : { action }),
  }
}

function vitalsOfSum(
  sum: FragmentSum,
  project: ProjectId,
  times: Pick<VitalSeen, 'atMs' | 'receivedMs'>,
): readonly VitalSeen[] {
  const { traceId, weight, route, segmentId } = sum
  const of = route === UNKNOWN_ROUTE && segmentId !== null ? { ofSegment: segmentId } : {}
  const seen = { ...fragmentSeries(sum, project), traceId, ...times, weight, ...of }
  return sum.vitals.map((vital) => ({ ...seen, ...vital }))
}

function staleClicksOfSum(
  { stale }: FragmentSum,
  project: ProjectId,
  { receivedMs }: Pick<StaleClickSeen, 'receivedMs'>,
): readonly StaleClickSeen[] {
  return stale.map(({ user, ...half }) => ({
    ...{ ...half, projectId: project, receivedMs, source: 'span', eventId: null, group: null },
    user: user === null ? null : BigInt(user),
  }))
}

/** Sum of spans of one route, day, operation and description. */
interface CostSum {
  count: number
  totalMs: number
  failed: number
  repeatedIn: number
  /** Place of the slowest in the columns, and its trace. */
  slowestAt: number
  traceId: string
}

interface RouteSums extends Pick<SpanCost, 'projectId' | 'route' | 'kind' | 'day'> {
  /** By the places of operation and description. */
  readonly sorts: Map<number, CostSum>
}

/** Sums of time in the segments of a route and day, by their places in the columns. */
class CostSums {
  readonly #columns: CostColumns
  /** By project, day, kind and route. */
  readonly #routes = new Map<string, RouteSums>()

  constructor(columns: CostColumns) {
    this.#columns = columns
  }

  all(): readonly SpanCost[] {
    const { texts, slowestMs, slowest } = this.#columns
    const costs: SpanCost[] = []
    for (const { projectId: project, route, kind, day, sorts } of this.#routes.values()) {
      for (const [sort, { count, totalMs, failed, repeatedIn, slowestAt, traceId }] of sorts) {
        const place = sort % texts.length
        costs.push({
          projectId: project,
          route,
          kind,
          day,
          op: texts[(sort - place) / texts.length] ?? '',
          description: texts[place] ?? '',
          count,
          totalMs,
          failed,
          repeatedIn,
          slowest: { ms: slowestMs[slowestAt] ?? 0, traceId, spanId: spanIdText(slowest[slowestAt] ?? 0n) },
        })
      }
    }
    return costs
  }

  /** Adds the entries from `start` on. */
  add(
    sum: FragmentSum,
    start: number,
    { project, day }: { readonly project: ProjectId; readonly day: number },
  ) {
    const { op, description, texts } = this.#columns
    const { route, traceId, costs } = sum
    const kind = sum.hasRoot ? sum.requestKind : ''
    const key = `${project}\n${day}\n${kind}\n${route}`
    const sums = this.#routes.get(key) ?? { projectId: project, route, kind, day, sorts: new Map() }
    this.#routes.set(key, sums)
    for (let at = start; at < start + costs; at++) {
      const sort = (op[at] ?? 0) * texts.length + (description[at] ?? 0)
      const known = sums.sorts.get(sort)
      if (known === undefined) sums.sorts.set(sort, this.#begun(at, traceId))
      else this.#grow(known, at, traceId)
    }
  }

  #begun(at: number, traceId: string): CostSum {
    const { count, totalMs, failed, repeated } = this.#columns
    return {
      count: count[at] ?? 0,
      totalMs: totalMs[at] ?? 0,
      failed: failed[at] ?? 0,
      repeatedIn: repeated[at] ?? 0,
      slowestAt: at,
      traceId,
    }
  }

  /** Adds to a sum; of several equally long the first is the example. */
  #grow(sum: CostSum, at: number, traceId: string): void {
    const { count, totalMs, failed, repeated, slowestMs } = this.#columns
    sum.count += count[at] ?? 0
    sum.totalMs += totalMs[at] ?? 0
    sum.failed += failed[at] ?? 0
    sum.repeatedIn += repeated[at] ?? 0
    if ((slowestMs[at] ?? 0) <= (slowestMs[sum.slowestAt] ?? 0)) return
    sum.slowestAt = at
    sum.traceId = traceId
  }
}

function spanIdText(number: bigint): string {
  return number.toString(16).padStart(16, '0')
}
