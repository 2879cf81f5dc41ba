import type { SpanCost } from '#ports/requests.ts'

/** Two sums of one sort of spans; the example is that of the slowest. */
export function addedCosts(before: SpanCost | undefined, cost: SpanCost): SpanCost {
  if (before === undefined) return cost
  return {
    ...cost,
    count: before.count + cost.count,
    totalMs: before.totalMs + cost.totalMs,
    failed: before.failed + cost.failed,
    repeatedIn: before.repeatedIn + cost.repeatedIn,
    ...(cost.slowest.ms > before.slowest.ms ? {} : { slowest: before.slowest, day: before.day }),
  }
}
