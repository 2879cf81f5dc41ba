/** Span batches, as SDKs with span streaming send them. docs/wire.md, section "Spans". */

import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { textAttribute } from '#model/attributes.ts'
import type { Attributes } from '#model/span.ts'
import { EventReader, type RawObject } from '../reader.ts'
import { typedReader } from './attributes.ts'
import { fragmentsOf, HOISTED, type ReadSpan, type SpansAnswer, type SpansContext } from './fragments.ts'
import {
  bareSpan,
  readLinks,
  readOp,
  readSharedId,
  readSpanId,
  readSpanName,
  readSpanTimes,
  readStatus,
  readTraceId,
  type SpanClock,
  spanClock,
} from './read-span.ts'

const SPANS_MAX = max('spansPerItemMax')
const VISITS_MAX = max('eventKeysMax')
/** No attributes of the span itself, once they are read. */
const ASIDE: ReadonlySet<string> = new Set([...HOISTED, 'sentry.op', 'sentry.origin'])

/** True for a container of spans; anything else of the type is one span on its own. */
export function isSpanBatch(raw: unknown): raw is RawObject & { readonly items: readonly unknown[] } {
  return isObject(raw) && Array.isArray(raw.items)
}

/** Reads a container. Total: no JSON value makes it throw. */
export function readSpanBatch(
  raw: RawObject & { readonly items: readonly unknown[] },
  context: SpansContext,
): SpansAnswer {
  const reader = new EventReader(context)
  const clock = spanClock(context)
  const reading = { clock, apartOf: typedReader(reader, ASIDE) }
  const spans: ReadSpan[] = []
  let broken = 0
  const count = Math.min(raw.items.length, SPANS_MAX)
  for (let at = 0; at < count; at++) {
    const item = raw.items[at]
    reader.enter(at)
    reader.visitsLeft = VISITS_MAX
    const span = isObject(item) ? readStandaloneSpan(reader, item, reading) : null
    reader.leave()
    if (span === null) broken++
    else spans.push(span)
  }
  const settings = isObject(raw.ingest_settings) ? raw.ingest_settings : null
  const facts = {
    isBrowser: settings !== null,
    inferAddress: settings?.infer_ip === 'auto',
    platform: null,
    problems: reader.problems,
  }
  return {
    fragments: fragmentsOf(reader, withSegments(spans), { facts, context }),
    refused: [
      ...refusal('missing_ids', broken, 'span without a trace id or a span id'),
      ...refusal('too_large', raw.items.length - SPANS_MAX, `item with more than ${SPANS_MAX} spans`),
    ],
  }
}

function refusal(reason: string, quantity: number, example: string): SpansAnswer['refused'] {
  return quantity <= 0 ? [] : [{ reason, quantity, example }]
}

interface Reading {
  readonly clock: SpanClock
  readonly apartOf: ReturnType<typeof typedReader>
}

function readStandaloneSpan(
  reader: EventReader,
  raw: RawObject,
  { clock, apartOf }: Reading,
): ReadSpan | null {
  const [traceId, spanId] = [readTraceId(raw.trace_id), readSpanId(raw.span_id)]
  if (traceId === null || spanId === null) return null
  const { attributes, said } = apartOf(raw.attributes)
  const op = readOp(reader, said['sentry.op'])
  const times = { start: raw.start_timestamp, end: raw.end_timestamp }
  const { start, end } = readSpanTimes(reader, times, clock)
  const name = readSpanName(reader, raw.name, op)
  const origin = said['sentry.origin']
  const isSegment = raw.is_segment === true
  // Field by field, here and in `bareSpan`: an object that others are spread into takes ten times as long.
  const span = bareSpan({
    span_id: spanId,
    op,
    name,
    status: readStatus(raw.status),
    end_timestamp: end,
    parent: readSharedId(raw.parent_span_id),
    origin: typeof origin === 'string' ? origin : undefined,
    links: readLinks(reader, raw.links),
  })
  const segmentId = isSegment ? spanId : statedSegment(said)
  return { traceId, span, attributes, said, sent: times, start, isSegment, segmentId }
}

function statedSegment(said: Attributes): string | null {
  return readSharedId(textAttribute(said, 'sentry.segment.id'))
}

/**
 * Old containers say neither which spans are segments nor to which one the others belong: then a span without a parent
 * is a segment, and what hangs below it is of it.
 */
export function withSegments(spans: readonly ReadSpan[]): readonly ReadSpan[] {
  if (spans.every(({ segmentId }) => segmentId !== null)) return spans
  const byId = new Map(spans.map((one) => [one.span.span_id, one]))
  const segments = new Map<string, string | null>()
  const segmentIdOf = (of: ReadSpan): string | null => {
    const path: ReadSpan[] = []
    let at: ReadSpan | undefined = of
    while (at !== undefined && !segments.has(at.span.span_id) && path.length <= spans.length) {
      path.push(at)
      segments.set(at.span.span_id, null) // a circle of parents ends here
      if (at.segmentId !== null || at.span.parent_span_id === undefined) break
      at = byId.get(at.span.parent_span_id)
    }
    const top =
      at === undefined ? null : (at.segmentId ?? rootId(at) ?? segments.get(at.span.span_id) ?? null)
    for (const { span } of path) segments.set(span.span_id, top)
    return top
  }
  return spans.map((one) => {
    if (one.segmentId !== null) return one
    const segmentId = segmentIdOf(one)
    return { ...one, segmentId, isSegment: segmentId === one.span.span_id }
  })
}

function rootId({ span }: ReadSpan): string | null {
  return span.parent_span_id === undefined ? span.span_id : null
}
