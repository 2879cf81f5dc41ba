/**
 * Reads one span in an item of its own, as browser SDKs of the generation before send web vitals.
 * docs/wire.md, section "Spans".
 */

import { isObject, setOwn } from '#base/json.ts'
import { textAttribute } from '#model/attributes.ts'
import type { AttributeValue } from '#model/span.ts'
import { EventReader, type RawObject, scalarText } from '../reader.ts'
import { readPlainAttributes } from './attributes.ts'
import { fragmentsOf, type ReadSpan, type SpansAnswer, type SpansContext } from './fragments.ts'
import {
  bareSpan,
  readLinks,
  readOp,
  readSpanId,
  readSpanName,
  readSpanTimes,
  readStatus,
  readTraceId,
  type SpanClock,
  spanClock,
} from './read-span.ts'

/** Names of measurements that have one among attributes too. */
const VITAL_NAMES: ReadonlyMap<string, string> = new Map(
  ['lcp', 'cls', 'inp', 'fcp', 'ttfb', 'fp'].map((name) => [name, `browser.web_vital.${name}.value`]),
)

export function readStandaloneSpan(raw: unknown, context: SpansContext): SpansAnswer {
  const reader = new EventReader(context)
  const clock = spanClock(context)
  const span = isObject(raw) ? readBareSpan(reader, raw, clock) : null
  if (span === null) {
    const example = 'span without a trace id or a span id'
    return { fragments: [], refused: [{ reason: 'missing_ids', quantity: 1, example }] }
  }
  // Only browsers send spans on their own, and those SDKs leave the address to the server.
  const facts = { isBrowser: true, inferAddress: true, platform: 'javascript', problems: reader.problems }
  return { fragments: fragmentsOf(reader, [span], { facts, context }), refused: [] }
}

/** A span as transactions and items of their own spell it. */
export function readBareSpan(reader: EventReader, raw: RawObject, clock: SpanClock): ReadSpan | null {
  const [traceId, spanId] = [readTraceId(raw.trace_id), readSpanId(raw.span_id)]
  if (traceId === null || spanId === null) return null
  const attributes = readPlainAttributes(reader, raw.data)
  addMeasurements(attributes, raw.measurements)
  addTags(attributes, raw.tags)
  const op = readOp(reader, raw.op ?? attributes['sentry.op'])
  const times = { start: raw.start_timestamp, end: raw.timestamp }
  const { start, end } = readSpanTimes(reader, times, clock)
  const origin = scalarText(raw.origin)
  const isSegment = raw.is_segment === true
  delete attributes['sentry.op']
  delete attributes['sentry.origin']
  return {
    traceId,
    span: bareSpan({
      span_id: spanId,
      op,
      name: readSpanName(reader, raw.description, op),
      status: readStatus(raw.status),
      end_timestamp: end,
      parent: readSpanId(raw.parent_span_id),
      origin,
      links: readLinks(reader, raw.links),
    }),
    attributes,
    sent: times,
    start,
    isSegment,
    segmentId: isSegment
      ? spanId
      : readSpanId(raw.segment_id ?? textAttribute(attributes, 'sentry.segment.id')),
  }
}

/** `{ "lcp": { "value": 1200, "unit": "millisecond" } }`: under the names that span batches use. */
export function addMeasurements(attributes: Record<string, AttributeValue>, measurements: unknown): void {
  if (!isObject(measurements)) return
  for (const name of Object.keys(measurements).slice(0, 50)) {
    const one = measurements[name]
    const value = isObject(one) ? one.value : one
    if (typeof value !== 'number' || !Number.isFinite(value)) continue
    const seconds = isObject(one) && one.unit === 'second'
    setOwn(
      attributes,
      VITAL_NAMES.get(name) ?? `measurement.${name.slice(0, 100)}`,
      seconds ? value * 1000 : value,
    )
  }
}

function addTags(attributes: Record<string, AttributeValue>, tags: unknown): void {
  if (!isObject(tags)) return
  for (const name of Object.keys(tags).slice(0, 50)) {
    const value = scalarText(tags[name])
    if (value !== undefined) setOwn(attributes, `tag.${name.slice(0, 100)}`, value.slice(0, 200))
  }
}
