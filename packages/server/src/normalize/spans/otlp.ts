/** Traces of OpenTelemetry, in the shape of OTLP's JSON. docs/wire.md, section "OTLP". */

import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { textAttribute } from '#model/attributes.ts'
import type { Attributes, AttributeValue, Fragment } from '#model/span.ts'
import { EventReader, type RawObject } from '../reader.ts'
import { clockDrift } from '../time.ts'
import { readPlainAttributes } from './attributes.ts'
import { withSegments } from './batch.ts'
import { fragmentsOf, type ReadSpan, type SpansAnswer, type SpansContext } from './fragments.ts'
import { isOtlpSegment, kindOf, opOf, platformOf, sampleRateOf } from './otlp-meaning.ts'
import { plainOf } from './otlp-values.ts'
import {
  bareSpan,
  readLinks,
  readSpanId,
  readSpanName,
  readSpanTimes,
  readTraceId,
  type SpanClock,
} from './read-span.ts'

const SPANS_MAX = max('spansPerItemMax')
const EVENTS_MAX = max('spanEventsReadMax')
const ORIGIN_CHARS = 128
const TAG_CHARS = max('tagValueCharsMax')

/** Reads an export. Total: no JSON value makes it throw. `beyond`: spans that were left out before. */
export function readOtlp(raw: unknown, context: SpansContext, beyond = 0): SpansAnswer {
  const reader = new EventReader(context)
  const clock = { received: context.receivedMs / 1000, drift: clockDrift(context) }
  const left = { spans: SPANS_MAX, beyond, broken: 0 }
  const fragments = objectsOf(isObject(raw) ? raw.resourceSpans : null).flatMap((resourceSpans) => {
    const resource = readResource(reader, resourceSpans.resource)
    const spans = readScopes(reader, resourceSpans.scopeSpans, { clock, left })
    return fragmentsOfResource(reader, spans, { resource, context })
  })
  return {
    fragments,
    refused: [
      ...refusal('missing_ids', left.broken, 'span without a trace id or a span id'),
      ...refusal('too_large', left.beyond, `item with more than ${SPANS_MAX} spans`),
    ],
  }
}

function refusal(reason: string, quantity: number, example: string): SpansAnswer['refused'] {
  return quantity <= 0 ? [] : [{ reason, quantity, example }]
}

function objectsOf(value: unknown): readonly RawObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function readResource(reader: EventReader, raw: unknown): Attributes {
  reader.visitsLeft = max('eventKeysMax')
  if (!isObject(raw)) return {}
  const attributes = readPlainAttributes(reader, plainOf(raw.attributes), 'resource')
  for (const name of Object.keys(attributes)) if (COMMAND.test(name)) delete attributes[name]
  return attributes
}

/** Command lines are where passwords stand, and every process has one. */
const COMMAND = /^process\.command/

interface Reading {
  readonly clock: SpanClock
  readonly left: { spans: number; beyond: number; broken: number }
}

function readScopes(reader: EventReader, scopes: unknown, { clock, left }: Reading): readonly ReadSpan[] {
  const read: ReadSpan[] = []
  const named = objectsOf(scopes).map(({ scope, spans }) => ({ spans, origin: originOf(reader, scope) }))
  const sent = named.flatMap(({ spans, origin }) =>
    (Array.isArray(spans) ? spans : []).map((raw: unknown) => ({ raw, origin })),
  )
  const taken = sent.slice(0, left.spans)
  const inItem = new Set(taken.map(({ raw }) => (isObject(raw) ? readSpanId(raw.spanId) : null)))
  for (const [at, { raw, origin }] of taken.entries()) {
    reader.enter(at)
    reader.visitsLeft = max('eventKeysMax')
    const span = isObject(raw) ? readSpan(reader, raw, { clock, origin, inItem }) : null
    reader.leave()
    if (span === null) left.broken++
    else read.push(span)
  }
  left.spans -= taken.length
  left.beyond += sent.length - taken.length
  return read
}

/** Name of the library that made the spans. */
function originOf(reader: EventReader, scope: unknown): string | undefined {
  return isObject(scope) ? reader.trimmed(scope.name, 'scope', ORIGIN_CHARS) : undefined
}

function readSpan(
  reader: EventReader,
  raw: RawObject,
  {
    clock,
    origin,
    inItem,
  }: {
    readonly clock: SpanClock
    readonly origin: string | undefined
    readonly inItem: ReadonlySet<string | null>
  },
): ReadSpan | null {
  const [traceId, spanId] = [readTraceId(raw.traceId), readSpanId(raw.spanId)]
  if (traceId === null || spanId === null) return null
  const parent = readSpanId(raw.parentSpanId)
  const kind = kindOf(raw.kind)
  const attributes = readPlainAttributes(reader, plainOf(raw.attributes), 'attributes')
  addOwn(reader, attributes, { raw, kind })
  const op = opOf(attributes, kind)
  const times = { start: raw.startTimeUnixNano, end: raw.endTimeUnixNano }
  const { start, end } = readSpanTimes(reader, times, clock)
  const isSegment = isOtlpSegment({ parent, kind, flags: raw.flags, isParentThere: inItem.has(parent) })
  return {
    traceId,
    span: bareSpan({
      span_id: spanId,
      op,
      name: readSpanName(reader, raw.name, op),
      status: isFailed(raw.status) ? 'error' : 'ok',
      end_timestamp: end,
      parent,
      origin,
      links: readLinks(reader, linksOf(raw.links)),
    }),
    attributes,
    sent: times,
    start,
    isSegment,
    segmentId: isSegment ? spanId : null,
  }
}

function isFailed(status: unknown): boolean {
  const code = isObject(status) ? status.code : undefined
  return code === 2 || code === '2' || code === 'STATUS_CODE_ERROR'
}

/** What has a field on this wire and is an attribute on the others. */
function addOwn(
  reader: EventReader,
  attributes: Record<string, AttributeValue>,
  { raw, kind }: { readonly raw: RawObject; readonly kind: string | null },
): void {
  if (kind !== null) attributes['sentry.kind'] = kind
  const message = isObject(raw.status)
    ? reader.trimmed(raw.status.message, 'status', max('spanAttributeCharsMax'))
    : undefined
  if (message !== undefined) attributes['sentry.status.message'] = message
  const rate = sampleRateOf(raw.traceState)
  if (rate !== null) attributes['sentry.sample_rate'] = rate
  const exceptions = objectsOf(raw.events)
    .slice(0, EVENTS_MAX)
    .filter(({ name }) => name === 'exception')
  const last = exceptions.at(-1)
  if (last === undefined) return
  const said = readPlainAttributes(reader, plainOf(last.attributes), 'events')
  for (const name of ['exception.type', 'exception.message', 'exception.stacktrace']) {
    const value = said[name]
    if (value !== undefined) attributes[name] ??= value
  }
}

/** As the other wires spell them. */
function linksOf(links: unknown): readonly RawObject[] {
  return objectsOf(links)
    .slice(0, max('spanLinksMax'))
    .map(({ traceId, spanId, attributes }) => ({
      trace_id: traceId,
      span_id: spanId,
      attributes: plainOf(attributes),
    }))
}

/** What the resource says is of all of them, and is kept once: with the segment's own span. */
function fragmentsOfResource(
  reader: EventReader,
  spans: readonly ReadSpan[],
  { resource, context }: { readonly resource: Attributes; readonly context: SpansContext },
): readonly Fragment[] {
  const platform = platformOf(resource)
  const facts = {
    ...{ isBrowser: platform === 'javascript', inferAddress: false, platform },
    ...{ problems: reader.problems, resource },
  }
  const service = textAttribute(resource, 'service.name')?.slice(0, TAG_CHARS) ?? null
  const tags = service === null ? [] : [['service.name', service] as const]
  return fragmentsOf(reader, withSegments(spans), { facts, context }).map((fragment) => ({
    ...fragment,
    tags,
  }))
}
