/** Reads one span of any wire: ids, status, times. docs/wire.md, section "Spans". */
import { max } from '#limits/limits.ts'
import type { Attributes, Span, SpanLink } from '#model/span.ts'
import { type Building, type EventReader, type RawObject, scalarText } from '../reader.ts'
import { clockDrift, isBelievable, oldestTime, parseTime, roundToMicroseconds } from '../time.ts'
import { readTypedAttributes } from './attributes.ts'

const NAME_CHARS = max('spanNameCharsMax')
const LINKS_MAX = max('spanLinksMax')
const DURATION_MAX = max('spanDurationMsMax') / 1000
const OP_CHARS = 128
const TRACE_ID = /^[0-9a-f]{32}$/
const SPAN_ID = /^[0-9a-f]{16}$/
const STATUS = /^[a-z_]{1,32}$/
const NO_ID = /^0+$/

/** A span that is being read: its start and attributes are set where its segment is known. */
export type BareSpan = Building<Span>

/** Codes of gRPC, as OpenTelemetry and old SDKs number them. */
const STATUS_CODES: readonly string[] = [
  ...['ok', 'cancelled', 'unknown', 'invalid_argument', 'deadline_exceeded', 'not_found'],
  ...['already_exists', 'permission_denied', 'resource_exhausted', 'failed_precondition', 'aborted'],
  ...['out_of_range', 'unimplemented', 'internal_error', 'unavailable', 'data_loss', 'unauthenticated'],
]

/** Clocks of an item, or of a part of it that one machine wrote, and what its times are measured against. Seconds. */
export interface SpanClock {
  readonly received: number
  readonly drift: number
  /**
   * Added to times of spans that cannot be, so that they keep their length and their places beside each other: what
   * brings the first of them to the time of receipt. Exporters of OTLP never say when they sent.
   */
  shift: number | null
}

export function spanClock(context: { readonly receivedMs: number; readonly sentAt: unknown }): SpanClock {
  return { received: context.receivedMs / 1000, drift: clockDrift(context), shift: null }
}

/** The trace that was read last: spans of a container are of one. */
let lastTraceId = ''

/** Reads a trace id. `null` where it is none; dashes of UUIDs and upper case are taken off. */
export function readTraceId(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (value === lastTraceId) return value
  const isPlain = TRACE_ID.test(value)
  const id = isPlain ? value : value.replaceAll('-', '').toLowerCase()
  if (!(isPlain || TRACE_ID.test(id)) || isNoId(id)) return null
  lastTraceId = id
  return id
}

export function readSpanId(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const isPlain = SPAN_ID.test(value)
  const id = isPlain ? value : value.toLowerCase()
  return (isPlain || SPAN_ID.test(id)) && !isNoId(id) ? id : null
}

function isNoId(id: string): boolean {
  return id.startsWith('0') && NO_ID.test(id)
}

/** The parent or segment that was read last: most spans of a container share theirs. */
let lastSharedId = ''

/** Reads an id as `readSpanId` does, for a span that others name too. */
export function readSharedId(value: unknown): string | null {
  if (value === lastSharedId && lastSharedId !== '') return lastSharedId
  const id = readSpanId(value)
  if (id !== null) lastSharedId = id
  return id
}

export function readStatus(value: unknown): string {
  if (value === 'ok') return value
  if (typeof value === 'number') return STATUS_CODES[value] ?? 'unknown'
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (text === '') return 'ok'
  if (text === 'unknown_error') return 'unknown'
  return STATUS.test(text) ? text : (STATUS_CODES[Number(text)] ?? 'unknown')
}

export function readSpanName(reader: EventReader, value: unknown, op: string): string {
  return reader.trimmed(value, 'name', NAME_CHARS) ?? op
}

export function readOp(reader: EventReader, value: unknown): string {
  return reader.trimmed(value, 'op', OP_CHARS) ?? 'default'
}

/** A link may name its ids as the wire of spans or that of transactions does. */
export function readLinks(reader: EventReader, value: unknown): readonly SpanLink[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, LINKS_MAX).flatMap((raw): SpanLink[] => {
    const link = typeof raw === 'object' && raw !== null ? (raw as RawObject) : {} // read field by field
    const [trace, span] = [readTraceId(link.trace_id), readSpanId(link.span_id)]
    if (trace === null || span === null) return []
    const attributes = readTypedAttributes(reader, link.attributes)
    return [{ trace_id: trace, span_id: span, ...(hasAny(attributes) ? { attributes } : {}) }]
  })
}

function hasAny(attributes: Attributes): boolean {
  for (const _ in attributes) return true
  return false
}

/**
 * Start and end. Both of a clock that is far off are moved together. Else an end that cannot be is the time of receipt,
 * and a start that cannot be (seconds since the process began exist) is `null`, so that whoever knows the segment puts
 * its start there. A span that ends before it begins, as where a clock was set meanwhile, took no time.
 */
export function readSpanTimes(
  reader: EventReader,
  raw: { readonly start: unknown; readonly end: unknown },
  clock: SpanClock,
): { readonly start: number | null; readonly end: number } {
  const { received, drift } = clock
  const [start, end] = [driftedTime(raw.start, drift), driftedTime(raw.end, drift)]
  const moved = start === null || end === null ? null : movedTimes(reader, { start, end }, clock)
  if (moved !== null) return moved
  const isEnd = end !== null && isBelievable(end, received)
  if (!isEnd) reader.problem('end_timestamp', end === null ? 'missing' : 'invalid_value', scalarText(raw.end))
  const ended = isEnd ? end : startOr(start, received)
  const isStart = start !== null && start <= ended && ended - start <= DURATION_MAX
  if (isStart) return { start, end: ended }
  reader.problem('start_timestamp', start === null ? 'missing' : 'invalid_value', scalarText(raw.start))
  const isBackwards = start !== null && start > ended && isBelievable(start, received)
  return { start: isBackwards ? ended : null, end: ended }
}

/** Returns corrected times for a span that lies where none can be; `null` for any other. */
function movedTimes(
  reader: EventReader,
  { start, end }: { readonly start: number; readonly end: number },
  clock: SpanClock,
): { readonly start: number; readonly end: number } | null {
  const { received } = clock
  const isWhole = start <= end && end - start <= DURATION_MAX
  const isAside = start > received || end < oldestTime(received)
  if (!(isWhole && isAside)) return null
  if (clock.shift === null) {
    if (isBelievable(end, received)) return null
    clock.shift = received - end
    reader.problem('end_timestamp', 'clock_drift', `${Math.round(-clock.shift)} s`)
  }
  const ended = roundToMicroseconds(end + clock.shift)
  return isBelievable(ended, received)
    ? { start: roundToMicroseconds(start + clock.shift), end: ended }
    : null
}

function startOr(start: number | null, received: number): number {
  return start !== null && isBelievable(start, received) ? start : received
}

function driftedTime(value: unknown, drift: number): number | null {
  const seconds = parseTime(value)
  return seconds === null ? null : roundToMicroseconds(seconds + drift)
}

interface SpanFields extends Pick<Span, 'span_id' | 'op' | 'name' | 'status' | 'end_timestamp'> {
  readonly parent: string | null
  readonly origin: string | undefined
  readonly links: readonly SpanLink[]
}

/** A span without its start. Fields that are not there are left out: most spans have neither. */
export function bareSpan(fields: SpanFields): BareSpan {
  const { span_id, op, name, status, end_timestamp, parent, origin, links } = fields
  const span: BareSpan = { span_id, op, name, status, start_timestamp: end_timestamp, end_timestamp }
  if (parent !== null) span.parent_span_id = parent
  if (origin !== undefined) span.origin = origin
  if (links.length > 0) span.links = links
  return span
}
