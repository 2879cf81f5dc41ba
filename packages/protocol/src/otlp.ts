/** OTLP over HTTP: which bodies are taken, and how one travels on as an item of an envelope. docs/wire.md, "OTLP". */
import { writeEnvelope } from './envelope.ts'
import { ProtobufError, protobufFields } from './protobuf.ts'

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
export function otlpEnvelope(body: Uint8Array, contentType: OtlpContentType): Uint8Array | null {
  const count = countOtlpSpans(body, contentType)
  if (count === null) return null
  const header = { type: OTLP_TRACES, content_type: contentType, item_count: count }
  return writeEnvelope({}, [{ header, payload: body }])
}

/**
 * About how many spans a body holds, without reading them: quotas go by it. `null` where the way down to them is broken;
 * what is broken inside of a span, or between the ends of a JSON object, is for its reader to find.
 */
export function countOtlpSpans(body: Uint8Array, contentType: OtlpContentType): number | null {
  if (contentType === 'application/json') return isBraced(body) ? countInJson(body) : null
  return countInProtobuf(body)
}

const [OPENING, CLOSING] = [0x7b, 0x7d]
/** Tab, line feed, carriage return and space, as JSON has them around a value. */
const BLANK: ReadonlySet<number | undefined> = new Set([0x09, 0x0a, 0x0d, 0x20])

function isBraced(body: Uint8Array): boolean {
  const first = body.find((byte) => !BLANK.has(byte))
  const last = body.findLast((byte) => !BLANK.has(byte))
  return first === OPENING && last === CLOSING
}

const START_KEY = new TextEncoder().encode('"startTimeUnixNano"')
/** Place of its rarest letter. */
const RARE_AT = 14
const RARE = 0x4e

/** Every span says when it began, and nothing else does. Inside of a text the closing quote would be escaped. */
function countInJson(body: Uint8Array): number {
  let found = 0
  for (let at = body.indexOf(RARE, RARE_AT); at !== -1; at = body.indexOf(RARE, at + 1)) {
    if (START_KEY.every((byte, nth) => body[at - RARE_AT + nth] === byte)) found++
  }
  return found
}

/** Field numbers of opentelemetry/proto/trace/v1/trace.proto on the way down to its spans. */
const PATH = [1, 2, 2] as const

function countInProtobuf(body: Uint8Array): number | null {
  try {
    return countBelow(body, 0)
  } catch (cause) {
    if (cause instanceof ProtobufError) return null // the caller says so
    throw cause
  }
}

function countBelow(message: Uint8Array, level: number): number {
  let count = 0
  for (const { number, bytes } of protobufFields(message)) {
    if (number !== PATH[level] || bytes === null) continue
    count += level === PATH.length - 1 ? 1 : countBelow(bytes, level + 1)
  }
  return count
}
