/** Reads what is kept of an event's trace, with the request it belongs to. */
import { dayOf } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { SPAN } from '#kinds/span/fields.ts'
import type { RequestKind } from '#model/event.ts'
import type { ReadScope } from '#ports/scope.ts'
import { isServerFailure } from '#requests/failures.ts'
import { filesNear } from './errors-near.ts'
import { nearestSegment, type ToldFailure } from './told-segments.ts'
import { spansIn, type TraceParts } from './trace.ts'
import type { EventTrace, TraceSpan } from './types.ts'

/** Cheaper than the view of a trace: spans of the days around the event, and no errors beside it. */
export async function eventTrace(
  parts: TraceParts,
  scope: ReadScope,
  row: EventRow,
): Promise<EventTrace | null> {
  const { traceId, receivedMs } = row
  if (traceId === null) return null
  const files = filesNear(await parts.telemetry.files(), SPAN, [dayOf(receivedMs)])
  if (files.length === 0) return null
  const failures = isServerFailure(row) ? [failureOfEvent(row)] : []
  const shown = await spansIn(parts, scope, { traceId, files, failures })
  return shown.spans.length === 0 ? null : { ...shown, request: findRequest(shown.spans, row) }
}

function failureOfEvent({ projectId, requestKind, route, timestampMs: atMs }: EventRow): ToldFailure {
  return { projectId, requestKind, route, atMs }
}

const ANSWERED: ReadonlySet<RequestKind> = new Set([
  'document',
  'page-data',
  'prefetch',
  'action',
  'route-handler',
])

/** The request that the event’s span is below; where no such span is kept, the one that the figures count it for. */
function findRequest(spans: readonly TraceSpan[], row: EventRow): TraceSpan | null {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  let steps = spans.length
  for (let span = byId.get(row.spanId ?? ''); span !== undefined && steps > 0; steps--) {
    if (isAnswered(span)) return span
    span = byId.get(span.parentSpanId ?? '')
  }
  const found = nearestSegment(spans, failureOfEvent(row))
  return found !== null && isAnswered(found) ? found : null
}

function isAnswered({ segment }: TraceSpan): boolean {
  return segment !== null && segment.end !== null && ANSWERED.has(segment.requestKind)
}
