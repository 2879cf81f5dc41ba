/** A sketch of an event’s trace, and what its request was answered with: in words and figures that are ready to be shown. */
import type { EventTrace, EventView, TraceSpan } from '@errata/server/queries'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'
import { type Side, sidesOf } from '#parts/span-sides.ts'
import { quantityText } from '#ui/number-text.ts'
import { durationText } from '#ui/time-text.ts'
import type { OrgContext } from '#wire/types.ts'

const BARS_MAX = 12

export async function eventTrace({ engine, viewer, scope }: OrgContext, { row, digests }: EventView) {
  if (row.traceId === null) return null
  const id = row.traceId
  const nearMs = Math.round(row.timestampMs)
  if (!engine.access.can(viewer, scope, 'trace.read')) return { id, nearMs, sketch: null, answer: [] }
  const trace = await engine.queries.eventTrace(scope, row)
  return {
    ...{ id, nearMs },
    sketch: trace === null ? null : traceSketch(trace, row),
    answer: trace === null ? [] : answerFacts(trace.request, digests[0] ?? null),
  }
}

type RequestEnd = NonNullable<NonNullable<TraceSpan['segment']>['end']>

/** `bad`: what of it tells a failure. */
interface AnswerFact {
  readonly term: string
  readonly text: string
  readonly bad?: string
}

export function answerFacts(request: TraceSpan | null, digest: string | null): readonly AnswerFact[] {
  const segment = request?.segment ?? null
  if (request === null || segment === null) return []
  const { requestKind, method, httpStatus, end, action } = segment
  const kind = REQUEST_KINDS[requestKind]?.label ?? requestKind
  const bad = badWord(end, httpStatus)
  return [
    { term: 'Request', text: method === null ? kind : `${kind}, ${method}` },
    ...(action === null ? [] : [{ term: 'Action', text: action }]),
    { term: 'Status', ...(bad === null ? { text: String(httpStatus ?? 'answered') } : { text: '', bad }) },
    { term: 'Duration', text: durationText(request.endMs - request.startMs) },
    ...(digest === null ? [] : [{ term: 'Digest', text: digest }]),
  ]
}

function badWord(end: RequestEnd | null, httpStatus: number | null): string | null {
  if (end === 'failed-behind-200') return 'failed with status 200'
  if (end === 'aborted') return 'aborted'
  return end === 'failed' ? String(httpStatus ?? 'failed') : null
}

/** Sketches a trace; of many spans, those that took longest, and the event's own. */
export function traceSketch(
  { spans, isCut, clockShiftMs, request }: EventTrace,
  event: { readonly spanId: string | null; readonly timestampMs: number },
) {
  const own = spans.find(({ spanId }) => spanId === event.spanId) ?? request
  const sides = sidesOf(spans)
  const timed = spans.map((span, at) => {
    const shift = sides[at] === 'b' ? (clockShiftMs ?? 0) : 0
    const [startMs, endMs] = [span.startMs - shift, span.endMs - shift]
    const errorMs = span === own ? event.timestampMs - shift : null
    return { side: sides[at], startMs, endMs, errorMs }
  })
  const startMs = timed.reduce((least, one) => Math.min(least, one.startMs), Number.POSITIVE_INFINITY)
  const tookMs = timed.reduce((most, one) => Math.max(most, one.endMs), startMs) - startMs
  const percent = (ms: number) =>
    tookMs <= 0 ? 0 : Math.min(100, Math.max(0, Math.round((ms / tookMs) * 1e3) / 10))
  const kept = new Set(timed.toSorted((a, b) => weight(b) - weight(a)).slice(0, BARS_MAX))
  const where = [sides.includes('b') ? 'browser' : '', sides.some((side) => side !== 'b') ? 'server' : '']
  const count = isCut ? `more than ${quantityText(spans.length, 'span')}` : quantityText(spans.length, 'span')
  return {
    text: `${count}, ${where.filter((side) => side !== '').join(' and ')}, ${durationText(tookMs)}`,
    bars: timed
      .filter((span) => kept.has(span))
      .map(
        (span): SketchBar => [
          percent(span.startMs - startMs),
          percent(span.endMs - span.startMs),
          span.side ?? 's',
          span.errorMs === null ? null : percent(span.errorMs - startMs),
        ],
      ),
  }
}

/** Bar in percent of the whole; `error`: when the event was, on its own span. */
type SketchBar = readonly [start: number, width: number, side: Side, error: number | null]

interface Timed {
  readonly startMs: number
  readonly endMs: number
  readonly errorMs: number | null
}

function weight({ startMs, endMs, errorMs }: Timed): number {
  return errorMs === null ? endMs - startMs : Number.POSITIVE_INFINITY
}
