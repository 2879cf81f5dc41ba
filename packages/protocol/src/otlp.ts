/** OTLP over HTTP: which bodies are taken, and how one travels on as an item of an envelope. docs/wire.md, "OTLP". */
import { writeEnvelope } from './envelope.ts'
import { type FieldsLeft, nextProtobufField, ProtobufError, type ProtobufRange, takeOne } from './protobuf.ts'

/** Item type of an `ExportTraceServiceRequest`, as it was received. */
export const OTLP_TRACES = 'otlp_traces'

const OTLP_CONTENT_TYPES = ['application/x-protobuf', 'application/json'] as const
export type OtlpContentType = (typeof OTLP_CONTENT_TYPES)[number]

/** Parameters such as a character set are passed over; `null` for a type that is not taken. */
export function readOtlpContentType(header: string | null): OtlpContentType | null {
  const type = header?.split(';')[0]?.trim().toLowerCase()
  return OTLP_CONTENT_TYPES.find((taken) => taken === type) ?? null
}

/** An envelope with the body as its one item; `null` for a body that is plainly no such message. */
export function otlpEnvelope(
  body: Uint8Array,
  contentType: OtlpContentType,
  fieldsMax = Number.POSITIVE_INFINITY,
): Uint8Array | null {
  const count = countOtlp('traces', body, { contentType, fieldsMax })
  if (count === null) return null
  const header = { type: OTLP_TRACES, content_type: contentType, item_count: count }
  return writeEnvelope({}, [{ header, payload: body }])
}

export type OtlpSignal = 'traces' | 'logs' | 'metrics' | 'profiles'

/**
 * About how many spans, log records, metrics or profiles a body holds, without reading them: quotas go by it. `null`
 * where the way down to them is broken or has more than `fieldsMax` fields; what is broken inside of one, or between the
 * ends of a JSON object, is for its reader to find.
 */
export function countOtlp(
  signal: OtlpSignal,
  body: Uint8Array,
  {
    contentType,
    fieldsMax = Number.POSITIVE_INFINITY,
  }: { readonly contentType: OtlpContentType; readonly fieldsMax?: number },
): number | null {
  if (contentType === 'application/x-protobuf') return countInProtobuf(body, fieldsMax)
  return isBraced(body) ? countInJson(body, JSON_KEYS[signal]) : null
}

const [OPENING, CLOSING] = [0x7b, 0x7d]
/** Tab, line feed, carriage return and space, as JSON has them around a value. */
const BLANK: ReadonlySet<number | undefined> = new Set([0x09, 0x0a, 0x0d, 0x20])

function isBraced(body: Uint8Array): boolean {
  const first = body.find((byte) => !BLANK.has(byte))
  const last = body.findLast((byte) => !BLANK.has(byte))
  return first === OPENING && last === CLOSING
}

/**
 * Keys that every item of a signal has and nothing else does: a span's beginning, a metric's points, a profile's samples. A log record has one of two times, most often both.
 */
const JSON_KEYS: Readonly<Record<OtlpSignal, readonly string[]>> = {
  // In both spellings of protobuf's JSON mapping.
  traces: ['"startTimeUnixNano"', '"start_time_unix_nano"'],
  logs: ['"timeUnixNano"', '"observedTimeUnixNano"'],
  metrics: ['"dataPoints"'],
  profiles: ['"sampleType"', '"samples"'],
}
/** A character for each byte: what stands there does not matter, only where the key is. */
const CHARACTERS = new TextDecoder('latin1')

/**
 * The key that stands most often of those. Inside of a text the closing quote would be escaped. The engine's own search
 * of a text has no slow case, which one of bytes by us has: 20 MB took up to a quarter of a second.
 */
function countInJson(body: Uint8Array, keys: readonly string[]): number {
  const text = CHARACTERS.decode(body)
  return keys.reduce((most, key) => Math.max(most, timesIn(text, key)), 0)
}

function timesIn(text: string, key: string): number {
  let found = 0
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + key.length)) found++
  return found
}

/** Field numbers on the way down to spans, and the same ones to log records, metrics and profiles. */
const PATH = [1, 2, 2] as const

function countInProtobuf(body: Uint8Array, fieldsMax: number): number | null {
  try {
    return countBelow(body, { start: 0, end: body.length }, { level: 0, left: { fields: fieldsMax } })
  } catch (cause) {
    if (cause instanceof ProtobufError) return null // the caller says so
    throw cause
  }
}

interface Counting {
  readonly level: number
  /** Fields that may still be looked at, in all of the body. */
  readonly left: FieldsLeft
}

/** Moves `range.start`. On the thread that accepts: nothing is made of what is passed over. */
function countBelow(body: Uint8Array, range: ProtobufRange, { level, left }: Counting): number {
  const found: ProtobufRange = { start: 0, end: 0 }
  let count = 0
  while (range.start < range.end) {
    takeOne(left)
    if (nextProtobufField(body, range, found) !== PATH[level] || found.start < 0) continue
    count += level === PATH.length - 1 ? 1 : countBelow(body, { ...found }, { level: level + 1, left })
  }
  return count
}
