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

/** An envelope with the body as its one item. */
export function otlpEnvelope(body: Uint8Array, contentType: OtlpContentType): Uint8Array {
  const header = {
    type: OTLP_TRACES,
    content_type: contentType,
    item_count: countOtlpSpans(body, contentType),
  }
  return writeEnvelope({}, [{ header, payload: body }])
}

/** About how many spans a body holds, without reading them; 0 where it is none. Quotas go by it. */
export function countOtlpSpans(body: Uint8Array, contentType: OtlpContentType): number {
  return contentType === 'application/json' ? countInJson(body) : countInProtobuf(body)
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

function countInProtobuf(body: Uint8Array): number {
  try {
    return countBelow(body, 0)
  } catch (cause) {
    if (cause instanceof ProtobufError) return 0 // its reader says so
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
