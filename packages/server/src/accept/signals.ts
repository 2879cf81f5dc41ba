/**
 * Addresses of the wire for whose signals this version has no store. What comes there is authenticated, limited and
 * counted like everything else, and travels on as an item that is a header alone: its body is read for as long as it
 * takes to count what is in it. docs/wire.md, section "Signals without a store".
 */
import { countOtlp, type OtlpSignal, readOtlpContentType, writeEnvelope } from '@errata/protocol'
import { max } from '#limits/limits.ts'

export interface Signal {
  /** Type of the item that represents the signal; it names the category. */
  readonly itemType: string
  /** Any other is refused; absent where the address takes all. */
  readonly mediaTypes?: readonly string[]
  /** How many a body holds, `null` for one that is broken. Absent where a request is one, and its body is not looked at. */
  readonly count?: (body: Uint8Array, contentType: string | null) => number | null
}

const REPORTS = 'application/reports+json'
const OTLP_TYPES = ['application/x-protobuf', 'application/json']

const SIGNALS = {
  cron: { itemType: 'check_in' },
  security: {
    itemType: 'raw_security',
    mediaTypes: [
      ...['application/csp-report', 'application/json', REPORTS, 'application/expect-staple-report'],
      ...['application/expect-ct-report', 'application/expect-ct-report+json'],
    ],
    count: countJson,
  },
  nel: { itemType: 'nel', mediaTypes: ['application/json', REPORTS], count: countJson },
  minidump: { itemType: 'minidump' },
  unreal: { itemType: 'unreal_report' },
  playstation: { itemType: 'playstation' },
  attachments: { itemType: 'attachment' },
  upload: { itemType: 'attachment' },
  dialog: { itemType: 'user_report' },
  // A page that loads its SDK so sends nothing at all: each time it is opened counts.
  loader: { itemType: 'loader_script' },
  otlpLogs: { itemType: 'otlp_logs', mediaTypes: OTLP_TYPES, count: otlpCounter('logs') },
  otlpMetrics: { itemType: 'otlp_metrics', mediaTypes: OTLP_TYPES, count: otlpCounter('metrics') },
  otlpProfiles: { itemType: 'otlp_profiles', mediaTypes: OTLP_TYPES, count: otlpCounter('profiles') },
  logDrain: { itemType: 'vercel_log', count: countLines },
  integrity: { itemType: 'raw_security', count: countJson },
} as const satisfies Readonly<Record<string, Signal>>

export type SignalName = keyof typeof SIGNALS

export function signalOf(name: SignalName): Signal {
  return SIGNALS[name]
}

/** False for a content type that the address does not take. */
export function takesMediaType({ mediaTypes }: Signal, contentType: string | null): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  return mediaTypes === undefined || (type !== undefined && mediaTypes.includes(type))
}

/** An envelope that says what came, and holds nothing of it. */
export function signalEnvelope({ itemType }: Signal, quantity: number): Uint8Array {
  return writeEnvelope({}, [{ header: { type: itemType, item_count: quantity }, payload: '' }])
}

/** An array is so many reports; what is too large to look at is one. */
function countJson(body: Uint8Array): number | null {
  if (body.length > max('signalJsonBytesMax')) return 1
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    if (Array.isArray(value)) return value.length
    return typeof value === 'object' && value !== null ? 1 : null
  } catch {
    return null // no JSON: the caller refuses it
  }
}

/** A drain sends an array of JSON, or a line for each. */
function countLines(body: Uint8Array): number {
  const [first] = body
  if (first === OPENING_BRACKET) return countJson(body) ?? 1
  let lines = 0
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(NEWLINE, at)
    const stop = end < 0 ? body.length : end
    if (stop > at) lines++
    at = stop + 1
  }
  return lines
}

const OPENING_BRACKET = 0x5b
const NEWLINE = 0x0a

function otlpCounter(signal: OtlpSignal) {
  return (body: Uint8Array, header: string | null): number | null => {
    const contentType = readOtlpContentType(header)
    if (contentType === null) return null
    const exact = contentType === 'application/json' ? countOtlpJson(signal, body) : null
    return exact ?? countOtlp(signal, body, { contentType, fieldsMax: max('otlpFieldsCountedMax') })
  }
}

/** Lists on the way down to what is counted, in both spellings of protobuf's JSON mapping. */
const OTLP_LISTS = {
  traces: [['resourceSpans', 'resource_spans'], ['scopeSpans', 'scope_spans'], ['spans']],
  logs: [
    ['resourceLogs', 'resource_logs'],
    ['scopeLogs', 'scope_logs'],
    ['logRecords', 'log_records'],
  ],
  metrics: [['resourceMetrics', 'resource_metrics'], ['scopeMetrics', 'scope_metrics'], ['metrics']],
  profiles: [['resourceProfiles', 'resource_profiles'], ['scopeProfiles', 'scope_profiles'], ['profiles']],
} as const satisfies Readonly<Record<OtlpSignal, readonly (readonly string[])[]>>

/** Every record, those without a time too; `null` for what is too large to parse here, or no JSON. */
function countOtlpJson(signal: OtlpSignal, body: Uint8Array): number | null {
  if (body.length > max('signalJsonBytesMax')) return null
  try {
    let level: readonly unknown[] = [JSON.parse(Buffer.from(body).toString('utf8'))]
    for (const names of OTLP_LISTS[signal]) level = level.flatMap((holder) => listNamed(holder, names))
    return level.length
  } catch {
    return null // no JSON: the count by its keys says whether it is refused
  }
}

function listNamed(holder: unknown, names: readonly string[]): readonly unknown[] {
  if (typeof holder !== 'object' || holder === null) return []
  const list = Object.entries(holder).find(([name]) => names.includes(name))?.[1]
  return Array.isArray(list) ? list : []
}
