/**
 * Keeps costs of segments: one row per sort of spans, route, kind and day. The sorts of a day are remembered:
 * a request brings dozens, and most of those of an app with many addresses are beyond the bound of a day.
 */
import { max } from '#limits/limits.ts'
import type { SpanCost } from '#ports/requests.ts'
import { keptRoute } from '#requests/sums.ts'
import type { Connection, SqlValue } from '../connection.ts'
import type { Kept, Memory } from '../memory.ts'

const COSTS_MAX = max('spanCostsPerDayMax')

const UPSERT = `INSERT INTO span_costs (project_id, day, route, kind, op, description, count, total_ms, failed,
    repeated_in, slowest_ms, slowest_trace, slowest_span)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count, total_ms = total_ms + excluded.total_ms,
    failed = failed + excluded.failed, repeated_in = repeated_in + excluded.repeated_in,
    slowest_trace = iif(excluded.slowest_ms > slowest_ms, excluded.slowest_trace, slowest_trace),
    slowest_span = iif(excluded.slowest_ms > slowest_ms, excluded.slowest_span, slowest_span),
    slowest_ms = max(slowest_ms, excluded.slowest_ms)`

function costParams(cost: SpanCost): readonly SqlValue[] {
  const { projectId, day, kind, op, description, slowest } = cost
  const figures = [cost.count, cost.totalMs, cost.failed, cost.repeatedIn]
  const example = [slowest.ms, slowest.traceId, slowest.spanId]
  return [projectId, day, keptRoute(cost.route), kind, op, description, ...figures, ...example]
}

type Sort = Pick<SpanCost, 'route' | 'kind' | 'op' | 'description'>

/** Sorts by project and day. */
type KnownDays = Kept<string, KnownSorts>

export function rememberCosts(memory: Memory): KnownDays {
  return memory.keep({ most: max('spanCostsRememberedMax'), weightOf: ({ size }) => size })
}

export class CostStore {
  readonly #db: Connection
  readonly #known: KnownDays

  constructor(db: Connection, known: KnownDays) {
    this.#db = db
    this.#known = known
  }

  /** Beyond the limit of a day only those that are there already grow. */
  add(costs: readonly SpanCost[]): void {
    this.#db.runEach(UPSERT, costs.filter((cost) => this.#hasRoom(cost)).map(costParams))
  }

  #hasRoom(cost: SpanCost): boolean {
    const { kind, op, description } = cost
    const known = this.#knownOf(cost)
    const sort = { route: keptRoute(cost.route), kind, op, description }
    if (known.has(sort)) return true
    if (known.size >= COSTS_MAX) return false
    known.add(sort)
    return true
  }

  #knownOf({ projectId, day }: SpanCost): KnownSorts {
    const name = `${projectId}:${day}`
    const before = this.#known.get(name)
    if (before !== undefined) return before
    const sql = 'SELECT route, kind, op, description FROM span_costs WHERE project_id = ? AND day = ?'
    const known = new KnownSorts(this.#db.all<Sort>(sql, [projectId, day]))
    this.#known.set(name, known)
    return known
  }
}

/** Looked up text by text: those of a batch are one object each, and what is made of them would be read anew each time. */
class KnownSorts {
  size = 0
  /** Descriptions by kind, route and operation. */
  readonly #kinds = new Map<string, Map<string, Map<string, Set<string>>>>()

  constructor(sorts: readonly Sort[]) {
    for (const sort of sorts) this.add(sort)
  }

  has({ route, kind, op, description }: Sort): boolean {
    return this.#kinds.get(kind)?.get(route)?.get(op)?.has(description) === true
  }

  /** Adds a sort that the day does not have. */
  add({ route, kind, op, description }: Sort): void {
    const routes = this.#kinds.get(kind) ?? new Map<string, Map<string, Set<string>>>()
    this.#kinds.set(kind, routes)
    const ops = routes.get(route) ?? new Map<string, Set<string>>()
    routes.set(route, ops)
    const descriptions = ops.get(op) ?? new Set()
    ops.set(op, descriptions.add(description))
    this.size++
  }
}
