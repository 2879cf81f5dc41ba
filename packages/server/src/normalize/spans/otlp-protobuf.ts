/**
 * An `ExportTraceServiceRequest` of OTLP from protobuf into the shape that its JSON has, so that one reader serves both. Only
 * what that reader looks at is taken out; numbers of fields are those of opentelemetry/proto.
 */
import { countOtlp, type FieldsLeft, type ProtobufField, protobufFields } from '@errata/protocol'
import { max } from '#limits/limits.ts'
import type { RawObject } from '../reader.ts'

const SPANS_MAX = max('spansPerItemMax')
const ATTRIBUTES_MAX = max('spanAttributesMax')
const LINKS_MAX = max('spanLinksMax')
const EVENTS_MAX = max('spanEventsReadMax')
const DEPTH_MAX = max('otlpValueDepthMax')
const LIST_MAX = 64
const TEXT = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

type Built = Record<string, unknown>
/** Puts what a field says into what is being built. */
type Take = (built: Built, field: ProtobufField) => void
type Fields = Readonly<Record<number, Take>>

interface OtlpRequest {
  readonly request: RawObject
  /** Spans that are more than are read of one item. */
  readonly beyond: number
}

/**
 * Reads spans of an OTLP request in protobuf.
 * @throws ProtobufError for bytes that are no message, or one of more fields than are read.
 */
export function readOtlpProtobuf(bytes: Uint8Array): OtlpRequest {
  const left = { spans: SPANS_MAX, containers: SPANS_MAX, isAll: true }
  /** Nothing that is nearly nothing in the bytes may be much in memory. */
  const bounded =
    (of: 'spans' | 'containers', take: Take): Take =>
    (built, field) => {
      if (left[of]-- > 0) take(built, field)
      else left.isAll = false
    }
  const scopeSpans: Fields = { 1: takeMessage('scope', SCOPE), 2: bounded('spans', takeList('spans', SPAN)) }
  const resourceSpans: Fields = {
    1: takeMessage('resource', RESOURCE),
    2: bounded('containers', takeList('scopeSpans', scopeSpans)),
    // Of the schema of 2022, in which a scope was called an instrumentation library.
    1000: bounded('containers', takeList('scopeSpans', scopeSpans)),
  }
  const containers = { 1: bounded('containers', takeList('resourceSpans', resourceSpans)) }
  const request = readMessage(bytes, containers, { fields: max('otlpFieldsMax') })
  if (left.isAll) return { request, beyond: 0 }
  const read = SPANS_MAX - Math.max(0, left.spans)
  return {
    request,
    beyond: (countOtlp('traces', bytes, { contentType: 'application/x-protobuf' }) ?? read) - read,
  }
}

function readMessage(bytes: Uint8Array, fields: Fields, left: FieldsLeft): Built {
  const built: Built = {}
  for (const field of protobufFields(bytes, left)) fields[field.number]?.(built, field)
  return built
}

function readField({ bytes, left }: ProtobufField, fields: Fields): Built {
  return bytes === null ? {} : readMessage(bytes, fields, left)
}

function takeMessage(name: string, fields: Fields): Take {
  return (built, field) => {
    built[name] = readField(field, fields)
  }
}

function takeList(name: string, fields: Fields, countMax = Number.POSITIVE_INFINITY): Take {
  return (built, field) => {
    const list = built[name]
    if (!Array.isArray(list) || list.length < countMax) append(built, name, readField(field, fields))
  }
}

function append(built: Built, name: string, value: unknown): void {
  const list = built[name]
  if (Array.isArray(list)) list.push(value)
  else built[name] = [value]
}

function takeText(name: string): Take {
  return (built, { bytes }) => {
    if (bytes !== null) built[name] = TEXT.decode(bytes)
  }
}

function takeId(name: string): Take {
  return (built, { bytes }) => {
    if (bytes !== null && bytes.length <= 16) built[name] = Buffer.from(bytes).toString('hex')
  }
}

function takeNumber(name: string): Take {
  return (built, { bits, bytes }) => {
    if (bytes === null) built[name] = Number(bits)
  }
}

/** 64 bits as a text, as in JSON. */
function takeLong(name: string): Take {
  return (built, { bits, bytes }) => {
    if (bytes === null) built[name] = String(bits)
  }
}

/** `AnyValue`, which may hold itself. */
function anyValue(field: ProtobufField, depth: number): Built {
  return depth <= 0 ? {} : readField(field, VALUES[depth] ?? {})
}

function valueFields(depth: number): Fields {
  return {
    1: takeText('stringValue'),
    2: (built, { bits }) => {
      built.boolValue = bits !== 0n
    },
    3: (built, { bits }) => {
      built.intValue = String(BigInt.asIntN(64, bits))
    },
    4: (built, { bits }) => {
      built.doubleValue = doubleOf(bits)
    },
    5: (built, field) => {
      const one: Take = (list, value) => appendBounded(list, 'values', () => anyValue(value, depth - 1))
      built.arrayValue = readField(field, { 1: one })
    },
    6: (built, field) => {
      built.kvlistValue = readField(field, {
        1: pairInto('values', { depth: depth - 1, countMax: LIST_MAX }),
      })
    },
    7: (built, { bytes }) => {
      if (bytes !== null) built.bytesValue = Buffer.from(bytes).toString('base64')
    },
  }
}

function appendBounded(built: Built, name: string, read: () => unknown): void {
  const list = built[name]
  if (!Array.isArray(list) || list.length < LIST_MAX) append(built, name, read())
}

function doubleOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

/** `KeyValue`. */
function pairInto(name: string, of: { readonly depth: number; readonly countMax: number }): Take {
  const fields: Fields = {
    1: takeText('key'),
    2: (built, value) => {
      built.value = anyValue(value, of.depth)
    },
  }
  return (built, field) => {
    const list = built[name]
    if (!Array.isArray(list) || list.length < of.countMax) append(built, name, readField(field, fields))
  }
}

/** By depth: they are the same for every value. */
const VALUES: readonly Fields[] = Array.from({ length: DEPTH_MAX + 1 }, (_, depth) => valueFields(depth))
/** Reads one more attribute than is kept, so that the reader sees that there were more. */
const ATTRIBUTES: Take = pairInto('attributes', { depth: DEPTH_MAX, countMax: ATTRIBUTES_MAX + 1 })
const RESOURCE: Fields = { 1: ATTRIBUTES }
const SCOPE: Fields = { 1: takeText('name'), 2: takeText('version') }
const EVENT: Fields = { 1: takeLong('timeUnixNano'), 2: takeText('name'), 3: ATTRIBUTES }
const LINK: Fields = { 1: takeId('traceId'), 2: takeId('spanId'), 4: ATTRIBUTES }
const STATUS: Fields = { 2: takeText('message'), 3: takeNumber('code') }
const SPAN: Fields = {
  1: takeId('traceId'),
  2: takeId('spanId'),
  3: takeText('traceState'),
  4: takeId('parentSpanId'),
  5: takeText('name'),
  6: takeNumber('kind'),
  7: takeLong('startTimeUnixNano'),
  8: takeLong('endTimeUnixNano'),
  9: ATTRIBUTES,
  11: takeList('events', EVENT, EVENTS_MAX),
  13: takeList('links', LINK, LINKS_MAX),
  15: takeMessage('status', STATUS),
  16: takeNumber('flags'),
}
