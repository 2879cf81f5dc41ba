/** Details of one span: its times, the request it belongs to, and everything it states. Pure. */
import type { TraceSpan, TraceView } from '@errata/server/queries'

type Segment = NonNullable<TraceSpan['segment']>

export interface SpanDetails {
  readonly id: string
  readonly op: string
  readonly name: string
  readonly project: string
  readonly status: string
  readonly origin: string | null
  readonly tookMs: number
  readonly ownMs: number
  readonly isCritical: boolean
  readonly hasChildren: boolean
  /** Request that it belongs to. */
  readonly request: Omit<Segment, 'repeated' | 'isSampledOut' | 'fragmentId' | 'vitals'> | null
  readonly vitals: Segment['vitals']
  /** Statements that ran again and again. */
  readonly repeated: readonly string[]
  readonly isSampledOut: boolean
  /** Spans that ran below it; `null` if there are none. */
  readonly inside: {
    readonly queries: Sum
    readonly calls: Sum
  } | null
  readonly attributes: readonly (readonly [name: string, text: string])[]
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
}

interface Sum {
  readonly count: number
  readonly ms: number
}

/** Returns what the page shows of one span. `null` where no such span came. */
export function spanDetails({ spans, projects }: TraceView, spanId: string): SpanDetails | null {
  const place = spans.findIndex((span) => span.spanId === spanId)
  const span = spans[place]
  if (span === undefined) return null
  const below = belowOf(spans, place)
  const request = segmentAbove(spans, place)
  const { op, name, status, origin, ownMs, isCritical, segment, attributes, links } = span
  return {
    ...{ id: spanId, op, name, status, origin, ownMs, isCritical, hasChildren: below.length > 0 },
    project: projects.find(({ id }) => id === span.projectId)?.slug ?? '',
    tookMs: span.endMs - span.startMs,
    request: request === null ? null : requestOf(request),
    vitals: segment?.vitals ?? {},
    repeated: segment?.repeated ?? [],
    isSampledOut: segment?.isSampledOut ?? false,
    inside:
      below.length === 0
        ? null
        : {
            queries: sumOf(below.filter((one) => /^db\b/.test(one.op))),
            calls: sumOf(below.filter((one) => one.op.startsWith('http.client'))),
          },
    attributes: Object.entries(attributes)
      .map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : String(value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    links: links.map((link) => ({ traceId: link.trace_id, spanId: link.span_id })),
  }
}

function belowOf(spans: readonly TraceSpan[], place: number): readonly TraceSpan[] {
  const depth = spans[place]?.depth ?? 0
  const end = spans.findIndex((span, at) => at > place && span.depth <= depth)
  return spans.slice(place + 1, end < 0 ? undefined : end)
}

function segmentAbove(spans: readonly TraceSpan[], place: number): Segment | null {
  let depth = Number.POSITIVE_INFINITY
  for (let at = place; at >= 0; at -= 1) {
    const span = spans[at]
    if (span === undefined || span.depth >= depth) continue
    if (span.segment !== null) return span.segment
    depth = span.depth
  }
  return null
}

function requestOf(segment: Segment): SpanDetails['request'] {
  const { requestKind, route, method, httpStatus, end, action, actionId } = segment
  const { release, environment, user, sdk, platform } = segment
  return {
    ...{ requestKind, route, method, httpStatus, end, action, actionId },
    ...{ release, environment, user, sdk, platform },
  }
}

function sumOf(spans: readonly TraceSpan[]): Sum {
  return { count: spans.length, ms: spans.reduce((sum, one) => sum + one.endMs - one.startMs, 0) }
}
