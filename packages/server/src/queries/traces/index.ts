/** Traces and performance, as pages and the web API ask for them. */
import { eventTrace } from './event-trace.ts'
import { actionFigures, type PerformanceParts, performanceView, routeView } from './performance.ts'
import type { RouteChangeParts } from './route-change.ts'
import { type TraceSearchParts, traceList } from './search.ts'
import { type TraceSuggestionParts, traceSuggestions } from './suggestions.ts'
import { type TraceParts, traceView } from './trace.ts'
import type { TraceQueries } from './types.ts'
import { vitalsView } from './vitals-view.ts'

export function traceQueries(
  parts: TraceParts & TraceSearchParts & TraceSuggestionParts & PerformanceParts & RouteChangeParts,
): TraceQueries {
  return {
    trace: (scope, traceId, nearMs) => traceView(parts, scope, { traceId, nearMs }),
    eventTrace: (scope, row) => eventTrace(parts, scope, row),
    traces: (scope, search) => traceList(parts, scope, search),
    traceSuggestions: (scope, asked) => traceSuggestions(parts, scope, asked),
    actions: (scope, query) => actionFigures(parts, scope, query),
    performance: (scope, filter) => performanceView(parts, scope, filter),
    route: (scope, filter) => routeView(parts, scope, filter),
    vitals: (scope, filter) => vitalsView(parts, scope, filter),
    requests: parts.requests,
  }
}
