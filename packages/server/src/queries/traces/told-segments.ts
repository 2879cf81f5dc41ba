/**
 * What the rest of a trace says of its segments: an error that a segment’s own span knows nothing of, and the name of
 * the server action that it ran. Rows stay as they came; whoever shows a trace asks here.
 */
import type { ProjectId } from '#base/ids.ts'
import type { RequestKind } from '#model/event.ts'
import { failureDistance } from '#requests/failures.ts'
import type { TraceSegment, TraceSpan } from './types.ts'

/** An error that stands for a failed request: see `isServerFailure`. */
export interface ToldFailure {
  readonly projectId: ProjectId
  readonly requestKind: RequestKind
  readonly route: string | null
  readonly atMs: number
}

export function toldSegments(
  spans: readonly TraceSpan[],
  failures: readonly ToldFailure[],
): readonly TraceSpan[] {
  const failed = new Set(failures.map((failure) => nearest(spans, failure)))
  const names = actionNames(spans)
  return spans.map((span) => {
    const { segment } = span
    if (segment === null) return span
    const isBehind = failed.has(span) && segment.end === 'answered'
    const action =
      segment.requestKind === 'action' ? names.get(keyOf(span.projectId, span.spanId)) : undefined
    if (!isBehind && action === undefined) return span
    const told: TraceSegment = {
      ...segment,
      end: isBehind ? 'failed-behind-200' : segment.end,
      action: action ?? segment.action,
    }
    return { ...span, segment: told }
  })
}

/** As the figures join them: of those of its kind and route, the nearest in time. */
function nearest(
  spans: readonly TraceSpan[],
  { projectId, requestKind, route, atMs }: ToldFailure,
): TraceSpan | null {
  let [found, least]: [TraceSpan | null, number] = [null, Number.POSITIVE_INFINITY]
  for (const span of spans) {
    const { segment, startMs, endMs } = span
    if (segment === null || span.projectId !== projectId) continue
    if (segment.requestKind !== requestKind || segment.route !== route) continue
    const distance = failureDistance({ atMs: startMs, durationMs: endMs - startMs }, atMs)
    if (distance !== null && distance < least) [found, least] = [span, distance]
  }
  return found
}

/** A wrapped action is a segment of its own below the request that ran it. */
function actionNames(spans: readonly TraceSpan[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { segment, parentSpanId, projectId } of spans) {
    if (segment?.requestKind === 'other' && segment.action !== null && parentSpanId !== null)
      names.set(keyOf(projectId, parentSpanId), segment.action)
  }
  return names
}

function keyOf(project: ProjectId, spanId: string): string {
  return `${project}:${spanId}`
}
