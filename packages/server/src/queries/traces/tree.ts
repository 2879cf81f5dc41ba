/** Spans of one trace as a waterfall shows them: each above its children, with its own time and the critical path. */
import type { ProjectId } from '#base/ids.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { pickByTurns } from '#model/fair-share.ts'
import { isVital, type Span } from '#model/span.ts'
import { costsOf, repeatedIn } from '#requests/costs.ts'
import { ownTime } from '#requests/own-time.ts'
import type { TraceSegment, TraceSpan } from './types.ts'

/** A fragment as it was read: its row, and its spans where they are kept. */
export interface ReadFragment {
  readonly row: FragmentRow
  readonly spans: readonly Span[]
}

type Flat = Omit<TraceSpan, 'depth' | 'shownBelow' | 'ownMs' | 'isCritical'>

/** At most `limit` spans, the earliest of each project; answers whether more came. */
export function traceSpans(
  fragments: readonly ReadFragment[],
  limit: number,
): { readonly spans: readonly TraceSpan[]; readonly isCut: boolean } {
  const newest = newestSpans(fragments)
  const kept = pickByTurns([...newest.values()].sort(compareStarts), limit, ({ projectId }) => projectId)
  return { spans: orderSpans(withRepeatedOfAllParts(kept, fragments)), isCut: newest.size > kept.length }
}

/** A segment in several parts repeats what its parts repeat together. */
function withRepeatedOfAllParts(spans: readonly Flat[], fragments: readonly ReadFragment[]): readonly Flat[] {
  const parts = Map.groupBy(fragments, ({ row }) => `${row.projectId}:${row.segmentId}`)
  return spans.map((span) => {
    const ofSegment = parts.get(spanKeyOf(span.projectId, span.spanId)) ?? []
    if (span.segment === null || ofSegment.length < 2) return span
    const own = new Map(ofSegment.flatMap((part) => part.spans.map((one) => [one.span_id, one] as const)))
    own.delete(span.spanId)
    const together = repeatedIn(costsOf({ spans: [...own.values()], root: null }))
    const repeated = new Set([...ofSegment.flatMap(({ row }) => row.repeated), ...together])
    return { ...span, segment: { ...span.segment, repeated: [...repeated] } }
  })
}

/** A span that came several times is as it was received last. */
function newestSpans(fragments: readonly ReadFragment[]): ReadonlyMap<string, Flat> {
  const sorted = [...fragments].sort((a, b) => a.row.receivedMs - b.row.receivedMs || a.row.seq - b.row.seq)
  const spans = new Map<string, Flat>()
  for (const { row, spans: own } of sorted) {
    for (const span of own.length === 0 ? bareSegment(row) : own) {
      const key = `${row.projectId}:${span.span_id}`
      spans.set(key, flat(row, span))
    }
  }
  return spans
}

/** Builds a segment from its columns if its spans were left out. */
function bareSegment(row: FragmentRow): readonly Span[] {
  if (!row.hasRoot || row.segmentId === null) return []
  const { name, op, status, segmentId, parentSpanId, timestampMs, durationMs } = row
  return [
    {
      ...{ span_id: segmentId, name, op, status, start_timestamp: timestampMs / 1_000 },
      ...{ end_timestamp: (timestampMs + durationMs) / 1_000 },
      ...(parentSpanId === null ? {} : { parent_span_id: parentSpanId }),
    },
  ]
}

function flat(row: FragmentRow, span: Span): Flat {
  const isSegment = row.hasRoot && span.span_id === row.segmentId
  return {
    projectId: row.projectId,
    spanId: span.span_id,
    parentSpanId: span.parent_span_id ?? null,
    isSegment,
    ...{ op: span.op, name: span.name, status: span.status, origin: span.origin ?? null },
    startMs: span.start_timestamp * 1_000,
    endMs: span.end_timestamp * 1_000,
    attributes: span.attributes ?? {},
    links: span.links ?? [],
    segment: isSegment ? traceSegment(row) : null,
  }
}

function traceSegment(row: FragmentRow): TraceSegment {
  const { lcp, inp, cls, fcp, ttfb } = row
  const vitals = Object.entries({ lcp, inp, cls, fcp, ttfb }).filter(([, value]) => value !== null)
  return {
    ...{ requestKind: row.requestKind, route: row.route, method: row.method, httpStatus: row.httpStatus },
    ...{
      end: row.end,
      action: row.action,
      actionId: null,
      release: row.release,
      environment: row.environment,
      user: row.user,
    },
    ...{ sdk: row.sdk, platform: row.platform, repeated: row.repeated, isSampledOut: row.isSampledOut },
    fragmentId: row.eventId,
    vitals: Object.fromEntries(vitals),
  }
}

function compareStarts(a: Flat, b: Flat): number {
  return a.startMs - b.startMs || b.endMs - a.endMs || (a.spanId < b.spanId ? -1 : 1)
}

/**
 * `spans`: by start. A parent may be of another project, and is one's own where both have the id: whoever gives a span
 * of theirs the id of another's hides nothing.
 */
function orderSpans(spans: readonly Flat[]): readonly TraceSpan[] {
  const own = new Map(spans.map((span) => [spanKeyOf(span.projectId, span.spanId), span]))
  const first = new Map(spans.toReversed().map((span) => [span.spanId, span]))
  const parentOf = ({ projectId, parentSpanId: id }: Flat) => {
    if (id === null) return null
    const parent = own.get(spanKeyOf(projectId, id)) ?? first.get(id)
    return parent === undefined ? id : spanKeyOf(parent.projectId, parent.spanId)
  }
  const named = spans.map((span) => ({
    ...span,
    spanId: spanKeyOf(span.projectId, span.spanId),
    parentSpanId: parentOf(span),
  }))
  return inOrderOfIds(named).map((span) => {
    const { spanId, parentSpanId } = own.get(span.spanId) ?? span
    return { ...span, spanId, parentSpanId, shownBelow: span.shownBelow === null ? null : parentSpanId }
  })
}

function spanKeyOf(project: ProjectId, spanId: string): string {
  return `${project}:${spanId}`
}

/** Every span has an id of its own. */
function inOrderOfIds(spans: readonly Flat[]): readonly TraceSpan[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const children = Map.groupBy(spans, ({ parentSpanId }) =>
    parentSpanId !== null && byId.has(parentSpanId) ? parentSpanId : null,
  )
  const critical = criticalPath(spans, children)
  const shown: TraceSpan[] = []
  const seen = new Set<string>()
  // A stack and no recursion: chains of spans may be thousands deep.
  const rest = (children.get(null) ?? []).toReversed().map((span) => ({ span, depth: 0 }))
  const take = () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      const { span, depth } = next
      if (seen.has(span.spanId)) continue
      seen.add(span.spanId)
      const below = children.get(span.spanId) ?? []
      const shownBelow = depth === 0 ? null : span.parentSpanId
      shown.push({
        ...span,
        depth,
        shownBelow,
        ownMs: ownTime(spanStretch(span), below.filter(isWorkSpan).map(spanStretch)),
        isCritical: critical.has(span.spanId),
      })
      for (const child of below.toReversed()) rest.push({ span: child, depth: depth + 1 })
    }
  }
  take()
  for (const span of spans) {
    if (seen.has(span.spanId)) continue
    rest.push({ span, depth: 0 }) // of a circle of parents
    take()
  }
  return shown
}

function spanStretch({ startMs, endMs }: Flat) {
  return { start: startMs, end: endMs }
}

/** A web vital is a point that was measured; until it nothing was worked on, however long its span is. */
function isWorkSpan(span: Flat): boolean {
  return !isVital(span)
}

/**
 * Returns the critical path of the trace's longest tree: backwards from what ended last, whether or not the
 * span above had ended by then; below each span the child that ended last, then what ended last before that
 * one began.
 */
function criticalPath(
  spans: readonly Flat[],
  children: ReadonlyMap<string | null, readonly Flat[]>,
): ReadonlySet<string> {
  const childrenOf = (id: string | null) => (children.get(id) ?? []).filter(isWorkSpan)
  const ends = treeEnds(spans)
  const endOf = ({ spanId, endMs }: Flat) => ends.get(spanId) ?? endMs
  const [root] = childrenOf(null).sort((a, b) => endOf(b) - b.startMs - (endOf(a) - a.startMs))
  const path = new Set<string>()
  const open = root === undefined ? [] : [root]
  for (let span = open.pop(); span !== undefined && path.size < spans.length; span = open.pop()) {
    if (path.has(span.spanId)) continue
    path.add(span.spanId)
    let until = endOf(span)
    for (const child of childrenOf(span.spanId).sort((a, b) => endOf(b) - endOf(a))) {
      // A mark or a paint is a moment: nothing waited for it.
      const isMoment = endOf(child) <= child.startMs
      if (isMoment || endOf(child) > until + 1 || child.startMs >= until) continue
      open.push(child)
      until = child.startMs
    }
  }
  return path
}

/** When each span and all that is below it had ended. */
function treeEnds(spans: readonly Flat[]): ReadonlyMap<string, number> {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const ends = new Map<string, number>()
  for (const span of spans.filter(isWorkSpan).toSorted((a, b) => b.endMs - a.endMs)) {
    // The latest first: what has an end already, and all above it, ended with something that came later.
    let at: Flat | undefined = span
    while (at !== undefined && !ends.has(at.spanId)) {
      ends.set(at.spanId, span.endMs)
      at = at.parentSpanId === null ? undefined : byId.get(at.parentSpanId)
    }
  }
  return ends
}

/** Names the projects of a trace, each once. */
export function traceProjects(fragments: readonly ReadFragment[]): readonly ProjectId[] {
  return [...new Set(fragments.map(({ row }) => row.projectId))]
}

/** Returns the names of segments whose own span is in none of the fragments, each segment once. */
export function unendedSegments(fragments: readonly ReadFragment[]): readonly string[] {
  const keyOf = ({ projectId, segmentId }: FragmentRow) => `${projectId}:${segmentId}`
  const ended = new Set(fragments.filter(({ row }) => row.hasRoot).map(({ row }) => keyOf(row)))
  const open = fragments.filter(({ row }) => row.segmentId !== null && !ended.has(keyOf(row)))
  return [...new Map(open.map(({ row }) => [keyOf(row), row.name])).values()]
}
