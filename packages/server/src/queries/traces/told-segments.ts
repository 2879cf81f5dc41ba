/**
 * Adds to segments what the rest of a trace says: an error that the segment's own span does not know, and the
 * name of the server action it ran. Rows stay as they came; whoever shows a trace asks here.
 */
import type { ProjectId } from '#base/ids.ts'
import { isActionId } from '#model/action-name.ts'
import type { RequestKind } from '#model/event.ts'
import { failureDistance, joinedRoute } from '#requests/failures.ts'
import { isFailedPrerender, isFromCache } from '#requests/framework-spans.ts'
import { asTold, toldBy } from '#requests/segment-hints.ts'
import { isSubRequest, isSvelteKit } from '#requests/sveltekit-spans.ts'
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
  const { spans: all, revalidated } = withKinds(spans)
  const failed = new Set(failures.map((failure) => nearestSegment(all, failure)))
  const names = toldActionNames(all)
  return all.map((span) => {
    const { segment } = span
    if (segment === null) return span
    const isBehind = failed.has(span) && segment.end === 'answered' && !revalidated.has(span)
    const action =
      segment.requestKind === 'action' ? names.get(spanKey(span.projectId, span.spanId)) : undefined
    if (!isBehind && action === undefined) return span
    const told: TraceSegment = {
      ...segment,
      end: isBehind ? 'failed-behind-200' : segment.end,
      action: action ?? segment.action,
      actionId: action !== undefined && isActionId(segment.action ?? '') ? segment.action : null,
    }
    return { ...span, segment: told }
  })
}

/** Right below its segment, or late: then it is a segment of its own, and no request. */
function isOfItsOwn(span: TraceSpan): boolean {
  return span.segment === null || (span.segment.end === null && isFailedPrerender(span))
}

/** With what spans that came apart from their segment say of it, as the figures have it. */
function withKinds(spans: readonly TraceSpan[]): {
  readonly spans: readonly TraceSpan[]
  /** Segments that answered from a cache. */
  readonly revalidated: ReadonlySet<TraceSpan>
} {
  const revalidated = new Set<TraceSpan>()
  const below = Map.groupBy(spans, (span) => spanKey(span.projectId, span.parentSpanId ?? ''))
  const told = spans.map((span) => {
    const { segment, projectId, spanId, attributes } = span
    const children = below.get(spanKey(projectId, spanId)) ?? []
    if (segment === null || segment.end === null || 'errata.request_kind' in attributes) return span
    const said = toldBy({
      spans: isSvelteKit(segment.sdk) ? allBelow(span, below) : children.filter(isOfItsOwn),
      ...segment,
    })
    if (said === null) {
      // Outside of an edge sandbox a page is found, too, and rendered within.
      if ('next.route' in attributes && isFromCache(children)) revalidated.add(span)
      return span
    }
    const { kind, end } = asTold({ kind: segment.requestKind, end: segment.end }, said)
    const httpStatus = segment.httpStatus ?? said.httpStatus
    const action = kind === 'action' ? (segment.action ?? said.action) : segment.action
    const changed = {
      ...span,
      segment: {
        ...segment,
        requestKind: kind,
        httpStatus,
        action,
        end: end === 'revalidated' ? 'answered' : end,
      },
    }
    if (end === 'revalidated') revalidated.add(changed)
    return changed
  })
  return { spans: told, revalidated }
}

/** SvelteKit’s spans lie below one another; other frameworks’ own are right below the request. */
function allBelow(
  segment: TraceSpan,
  below: ReadonlyMap<string, readonly TraceSpan[]>,
): readonly TraceSpan[] {
  const found = new Set<TraceSpan>()
  const waiting = [segment]
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop())
    for (const child of below.get(spanKey(span.projectId, span.spanId)) ?? []) {
      if (found.has(child) || child.segment !== null || isSubRequest(child)) continue
      found.add(child)
      waiting.push(child)
    }
  return [...found]
}

/** Returns the segment as figures join it: the nearest in time of its kind and route. */
export function nearestSegment(
  spans: readonly TraceSpan[],
  { projectId, requestKind, route, atMs }: ToldFailure,
): TraceSpan | null {
  let [found, least]: [TraceSpan | null, number] = [null, Number.POSITIVE_INFINITY]
  for (const span of spans) {
    const { segment, startMs, endMs } = span
    if (segment === null || span.projectId !== projectId) continue
    if (segment.requestKind !== requestKind || joinedPlace(segment.route) !== joinedPlace(route)) continue
    const distance = failureDistance({ atMs: startMs, durationMs: endMs - startMs, ended: segment.end }, atMs)
    if (distance !== null && distance < least) [found, least] = [span, distance]
  }
  return found
}

function joinedPlace(route: string | null): string | null {
  return route === null ? null : joinedRoute(route)
}

/** A wrapped action is a segment of its own below the request that ran it. */
function toldActionNames(spans: readonly TraceSpan[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { segment, parentSpanId, projectId } of spans) {
    if (segment?.requestKind === 'other' && segment.action !== null && parentSpanId !== null)
      names.set(spanKey(projectId, parentSpanId), segment.action)
  }
  return names
}

function spanKey(project: ProjectId, spanId: string): string {
  return `${project}:${spanId}`
}
