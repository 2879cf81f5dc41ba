/**
 * The spellings of an OTLP export in JSON, as the one that its reader knows: protobuf's JSON mapping takes a field by its
 * name in the schema (`trace_id`) as well as in lower camel case (`traceId`), and bytes in base64, where OTLP says hex.
 */
import { isObject } from '#base/json.ts'

/** Ends of every name below, as they stand in JSON: a look that costs nothing where they are not there. */
const TELLING = ['_spans"', '_id"', '_state"', '_nano"', '_value"', '_library"']
const DEPTH_MAX = 64

const CAMEL: ReadonlyMap<string, string> = new Map(
  [
    ...['resource_spans', 'scope_spans', 'instrumentation_library_spans', 'instrumentation_library'],
    ...['trace_id', 'span_id', 'parent_span_id', 'trace_state', 'time_unix_nano'],
    ...['start_time_unix_nano', 'end_time_unix_nano', 'string_value', 'bool_value', 'int_value'],
    ...['double_value', 'bytes_value', 'array_value', 'kvlist_value'],
  ].map((name) => [name, name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]),
)

/** True if a field may stand there under its name of the schema. `text`: of the export, in UTF-8. */
export function mayBeSpelledOtherwise(text: Uint8Array): boolean {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  return TELLING.some((end) => bytes.includes(end))
}

/** Returns the export with its fields in lower camel case; names of attributes are values and stay. */
export function respellKeys(raw: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return raw
  if (Array.isArray(raw)) return raw.map((one: unknown) => respellKeys(one, depth + 1))
  if (!isObject(raw)) return raw
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [CAMEL.get(name) ?? name, respellKeys(value, depth + 1)]),
  )
}

const BASE64 = /^[\w+/-]{11,22}={0,2}$/

/** Returns the hex form of an id that came in base64; whatever else it is, as it came. `bytes`: how long such an id is. */
export function hexId(value: unknown, bytes: 8 | 16): unknown {
  if (typeof value !== 'string' || value.length < (bytes === 8 ? 11 : 22)) return value
  if (value.length > (bytes === 8 ? 12 : 24) || !BASE64.test(value)) return value
  const decoded = Buffer.from(value, 'base64')
  return decoded.length === bytes ? decoded.toString('hex') : value
}
