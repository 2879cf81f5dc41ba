/** Traces of OpenTelemetry, in the shape of OTLP's JSON. docs/wire.md, section "OTLP". */

import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { textAttribute } from '#model/attributes.ts'
import type { Attributes, AttributeValue, Fragment } from '#model/span.ts'
import { EventReader, type RawObject } from '../reader.ts'
import { parseTime } from '../time.ts'
import { readPlainAttributes } from './attributes.ts'
import { withSegments } from './batch.ts'
import { fragmentsOf, type ReadSpan, type SpansAnswer, type SpansContext } from './fragments.ts'
import { eventOfException, type RecordedException } from './otlp-exceptions.ts'
import { isOtlpSegment, opOf, platformOf, sampleRateOf, spanKind } from './otlp-meaning.ts'
import { hexId } from './otlp-spelling.ts'
import { plainOf } from './otlp-values.ts'
import {
  bareSpan,
  readLinks,
  readSpanId,
  readSpanName,
  readSpanTimes,
  readTraceId,
  type SpanClock,
  spanClock,
} from './read-span.ts'

const SPANS_MAX = max('spansPerItemMax')
const EVENTS_MAX = max('spanEventsReadMax')
const EXCEPTIONS_MAX = max('otlpExceptionsMax')
const STACK_CHARS_MAX = max('otlpStackCharsMax')
const EVENT_CHARS_MAX = 400
const FEW = 8
const ORIGIN_CHARS = 128
const TAG_CHARS = max('tagValueCharsMax')

export interface OtlpAnswer extends SpansAnswer {
  /** Events of the exceptions that were recorded on its spans, as an SDK would have sent them. */
  readonly exceptions: readonly Readonly<Record<string, unknown>>[]
  /** Exceptions beyond as many as are read of one item. */
  readonly exceptionsBeyond: number
}

/** Reads an export. Total: no JSON value makes it throw. `beyond`: spans that were left out before. */
export function readOtlp(raw: unknown, context: SpansContext, beyond = 0): OtlpAnswer {
  const reader = new EventReader(context)
  const left = { spans: SPANS_MAX, beyond, broken: 0, exceptions: EXCEPTIONS_MAX }
  const exceptions: Readonly<Record<string, unknown>>[] = []
  const parts = objectsOf(isObject(raw) ? raw.resourceSpans : null)
  const fragments = parts.flatMap((resourceSpans) => {
    const resource = readResource(reader, resourceSpans.resource)
    const recorded: RecordedException[] = []
    // A collector joins exports of several machines.
    const clock = spanClock(context)
    const spans = readOtlpScopes(reader, scopesOf(resourceSpans), { clock, left, recorded })
    const platform = platformOf(resource)
    exceptions.push(...recorded.map((one) => eventOfException(one, { resource, platform })))
    return fragmentsOfResource(reader, spans, { resource, context })
  })
  const isNothing = left.spans === SPANS_MAX && left.broken + left.beyond === 0
  return {
    fragments,
    exceptions,
    exceptionsBeyond: Math.max(0, -left.exceptions),
    refused: [
      ...refusal('missing_ids', left.broken, 'span without a trace id or a span id'),
      ...refusal('too_large', left.beyond, `item with more than ${SPANS_MAX} spans`),
      ...refusal('no_spans', isNothing && !isPlainlyEmpty(raw, parts) ? 1 : 0, unknownFieldNames(raw, parts)),
    ],
  }
}

/** Exporters of before 2022 call a scope an instrumentation library. */
function scopesOf({ scopeSpans, instrumentationLibrarySpans }: RawObject): readonly RawObject[] {
  return [...objectsOf(scopeSpans), ...objectsOf(instrumentationLibrarySpans)]
}

const REQUEST_FIELDS: ReadonlySet<string> = new Set(['resourceSpans'])
const RESOURCE_FIELDS: ReadonlySet<string> = new Set([
  ...['resource', 'schemaUrl', 'schema_url', 'scopeSpans', 'instrumentationLibrarySpans'],
])
const SCOPE_FIELDS: ReadonlySet<string> = new Set([
  ...['scope', 'instrumentationLibrary', 'schemaUrl', 'schema_url', 'spans'],
])

/** True for an export that holds no spans, and nothing else that might be some in a spelling nobody knows. */
function isPlainlyEmpty(raw: unknown, parts: readonly RawObject[]): boolean {
  return unknownFieldNames(raw, parts) === ''
}

/** Names of fields that an export has and nobody reads. */
function unknownFieldNames(raw: unknown, parts: readonly RawObject[]): string {
  const beside = (objects: readonly RawObject[], known: ReadonlySet<string>) =>
    objects.slice(0, FEW).flatMap((one) => Object.keys(one).filter((name) => !known.has(name)))
  const request = isObject(raw) ? [raw] : []
  const names = [
    ...(isObject(raw) ? [] : ['no object']),
    ...beside(request, REQUEST_FIELDS),
    ...beside(parts, RESOURCE_FIELDS),
    ...beside(parts.slice(0, FEW).flatMap(scopesOf), SCOPE_FIELDS),
  ]
  return names.length === 0
    ? ''
    : `export without spans; fields not known: ${names.slice(0, FEW).join(', ').slice(0, 200)}`
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
  readonly left: { spans: number; beyond: number; broken: number; exceptions: number }
  readonly recorded: RecordedException[]
}

function readOtlpScopes(
  reader: EventReader,
  scopes: readonly RawObject[],
  { clock, left, recorded }: Reading,
): readonly ReadSpan[] {
  const read: ReadSpan[] = []
  const named = scopes.map(({ scope, instrumentationLibrary, spans }) => ({
    spans,
    origin: originOf(reader, scope ?? instrumentationLibrary),
  }))
  const sent = named.flatMap(({ spans, origin }) =>
    (Array.isArray(spans) ? spans : []).map((raw: unknown) => ({ raw, origin })),
  )
  const taken = sent.slice(0, left.spans)
  const inItem = new Set(taken.map(({ raw }) => (isObject(raw) ? readOtlpSpanId(raw.spanId) : null)))
  for (const [at, { raw, origin }] of taken.entries()) {
    reader.enter(at)
    reader.visitsLeft = max('eventKeysMax')
    const span = isObject(raw) ? readOtlpSpan(reader, raw, { clock, origin, inItem }) : null
    reader.leave()
    if (span === null) left.broken++
    else read.push(span)
    if (span !== null && isObject(raw) && Array.isArray(raw.events)) record(raw, span, { left, recorded })
  }
  left.spans -= taken.length
  left.beyond += sent.length - taken.length
  return read
}

/** Notes the exception that a span ended with: what it recorded before was caught there, and is told beside it. */
function record(
  raw: RawObject,
  span: ReadSpan,
  { left, recorded }: Pick<Reading, 'left' | 'recorded'>,
): void {
  const events = objectsOf(raw.events).slice(0, EVENTS_MAX)
  const at = events.findLastIndex(({ name }) => name === 'exception')
  const event = events[at]
  if (event === undefined || left.exceptions-- <= 0) return
  recorded.push({
    ...{ traceId: span.traceId, spanId: span.span.span_id, parentId: span.span.parent_span_id ?? null },
    ...{ spanName: span.span.name, op: span.span.op, attributes: span.attributes },
    said: boundedTexts(plainOf(event.attributes)),
    before: events.slice(0, at).map(({ name, timeUnixNano, attributes }) => ({
      ...{ name: typeof name === 'string' ? name : 'event', time: timeUnixNano, data: plainOf(attributes) },
    })),
    time: event.timeUnixNano ?? raw.endTimeUnixNano,
    isFailed: span.span.status === 'error',
  })
}

/** Whole, unlike attributes of a span: a stack is longer than those may be. */
function boundedTexts(said: RawObject): Attributes {
  const texts = Object.entries(said).flatMap(
    ([name, value]): readonly (readonly [string, AttributeValue])[] =>
      typeof value === 'string' || typeof value === 'boolean'
        ? [[name, typeof value === 'string' ? value.slice(0, STACK_CHARS_MAX) : value]]
        : [],
  )
  return Object.fromEntries(texts)
}

/** Name of the library that made the spans. */
function originOf(reader: EventReader, scope: unknown): string | undefined {
  return isObject(scope) ? reader.trimmed(scope.name, 'scope', ORIGIN_CHARS) : undefined
}

function readOtlpSpan(
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
  const [traceId, spanId] = [readOtlpTraceId(raw.traceId), readOtlpSpanId(raw.spanId)]
  if (traceId === null || spanId === null) return null
  const parent = readOtlpSpanId(raw.parentSpanId)
  const kind = spanKind(raw.kind)
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
      links: readLinks(reader, readSpanLinks(raw.links)),
    }),
    attributes,
    sent: times,
    start,
    isSegment,
    segmentId: isSegment ? spanId : null,
  }
}

function readOtlpTraceId(value: unknown): string | null {
  return readTraceId(value) ?? readTraceId(hexId(value, 16))
}

function readOtlpSpanId(value: unknown): string | null {
  return readSpanId(value) ?? readSpanId(hexId(value, 8))
}

function isFailed(status: unknown): boolean {
  const code = isObject(status) ? status.code : undefined
  return code === 2 || code === '2' || code === 'STATUS_CODE_ERROR'
}

/** Adds what is a field on this wire and an attribute on the others. */
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
  if (!Array.isArray(raw.events) || raw.events.length === 0) return
  const events = objectsOf(raw.events)
  const last = events.slice(0, EVENTS_MAX).findLast(({ name }) => name === 'exception')
  const said = last === undefined ? {} : readPlainAttributes(reader, plainOf(last.attributes), 'events')
  for (const name of ['exception.type', 'exception.message', 'exception.stacktrace']) {
    const value = said[name]
    if (value !== undefined) attributes[name] ??= value
  }
  const lines = eventLines(events, raw.startTimeUnixNano)
  Object.assign(attributes, readPlainAttributes(reader, { 'span.events': lines }, 'events'))
}

/** A line for each event of a span: when after its start, its name, what it says. */
function eventLines(events: readonly RawObject[], startNanos: unknown): readonly string[] {
  const start = parseTime(startNanos)
  const lines = events.slice(0, EVENTS_MAX).map(({ name, timeUnixNano, attributes }) => {
    const at = parseTime(timeUnixNano)
    const after = start === null || at === null ? '' : `+${((at - start) * 1_000).toFixed(1)} ms  `
    const said = Object.entries(plainOf(attributes))
      .filter(([key]) => key !== 'exception.stacktrace')
      .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    return [`${after}${typeof name === 'string' ? name : 'event'}`, ...said]
      .join('  ')
      .slice(0, EVENT_CHARS_MAX)
  })
  const beyond = events.length - lines.length
  return beyond > 0 ? [...lines.slice(0, -1), `… ${beyond + 1} more`] : lines
}

/** Returns links as the other wires spell them. */
function readSpanLinks(links: unknown): readonly RawObject[] {
  return objectsOf(links)
    .slice(0, max('spanLinksMax'))
    .map(({ traceId, spanId, attributes }) => ({
      trace_id: traceId,
      span_id: spanId,
      attributes: plainOf(attributes),
    }))
}

/**
 * Returns the fragments of a resource; its attributes belong to all of them and are kept once, with the
 * segment's own span.
 */
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
