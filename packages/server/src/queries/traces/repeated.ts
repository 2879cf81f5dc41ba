/** Queries that ran again and again, as one request had them: what they were part of, what gave the rows, and each of them. */
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { SpanCost } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SegmentFilter, TraceReads } from '#ports/traces.ts'
import { describeQuery } from '#requests/costs.ts'
import { isQueryOp } from '#requests/waits.ts'
import { type TraceParts, traceView } from './trace.ts'
import type { RepeatedCalls, TraceSpan, TraceView } from './types.ts'

export type RepeatedParts = TraceParts & { readonly telemetry: Pick<TraceReads<FragmentRow>, 'segments'> }

/** Requests among which one with such a query is looked for. */
const REQUESTS_LOOKED_AT = 10
const EXAMPLES_MAX = 3
/** Traces read for one query before it has no example. */
const TRACES_READ = 3
const REPEATS_MIN = max('repeatedStatementMin')

/** Returns one example per query, of the newest request that repeated it; none if no such trace is kept. */
export async function repeatedCalls(
  parts: RepeatedParts,
  scope: ReadScope,
  { costs, filter }: { readonly costs: readonly SpanCost[]; readonly filter: SegmentFilter },
): Promise<readonly RepeatedCalls[]> {
  const repeated = costs.filter(({ repeatedIn }) => repeatedIn > 0).slice(0, EXAMPLES_MAX)
  if (repeated.length === 0) return []
  const page = { sort: 'newest', limit: REQUESTS_LOOKED_AT, cursor: null } as const
  const { rows } = await parts.telemetry.segments(scope, { ...filter, repeats: true }, page)
  const whole = rows.filter(({ isSampledOut }) => !isSampledOut)
  const found = await Promise.all(
    repeated.map(({ description }) => repeatedExample(parts, scope, { rows: whole, description })),
  )
  return found.filter((one) => one !== null)
}

async function repeatedExample(
  parts: RepeatedParts,
  scope: ReadScope,
  { rows, description }: { readonly rows: readonly FragmentRow[]; readonly description: string },
): Promise<RepeatedCalls | null> {
  const namesIt = ({ repeated }: FragmentRow) => repeated.includes(description)
  // Others may have had it in a part that came apart from them.
  const likely = [...rows.filter(namesIt), ...rows.filter((row) => !namesIt(row))]
  for (const { traceId, timestampMs: nearMs } of likely.slice(0, TRACES_READ)) {
    const view = await traceView(parts, scope, { traceId, nearMs })
    const calls = view === null ? null : callsIn(view, description)
    if (calls !== null) return calls
  }
  return null
}

/** Returns the calls under the parent that has most of them. */
function callsIn({ traceId, spans }: TraceView, description: string): RepeatedCalls | null {
  const queries = spans.filter(({ op }) => isQueryOp(op))
  const own = queries.filter((span) => describeQuery(span) === description)
  const families = [...Map.groupBy(own, parentKey).values()]
  const calls = families.toSorted((a, b) => b.length - a.length)[0] ?? []
  const [first] = calls
  if (first === undefined || calls.length < REPEATS_MIN) return null
  const parent = spans.find((span) => span.projectId === first.projectId && span.spanId === first.shownBelow)
  const before = queries.findLast(
    (span) => parentKey(span) === parentKey(first) && span !== first && span.endMs <= first.startMs,
  )
  const within = parent ?? { ...first, endMs: Math.max(...calls.map(({ endMs }) => endMs)) }
  const stretch = ({ startMs, endMs }: Pick<TraceSpan, 'startMs' | 'endMs'>) => ({
    ...{ startMs: startMs - within.startMs, endMs: endMs - within.startMs },
  })
  return {
    ...{ description, traceId, spanId: first.spanId, atMs: first.startMs },
    calls: calls.map(stretch),
    parent: { text: parent === undefined ? '' : `${parent.op} ${parent.name}`, ...stretch(within) },
    before: before === undefined ? null : { text: describeQuery(before), ...stretch(before) },
  }
}

function parentKey({ projectId, shownBelow }: TraceSpan): string {
  return `${projectId} ${shownBelow}`
}
