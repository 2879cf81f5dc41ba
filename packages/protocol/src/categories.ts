/** Item types, the data category each counts in, and how much it counts. docs/wire.md, section "Categories". */
import type { HeaderFields } from './envelope.ts'

export interface CategoryQuantity {
  readonly category: string
  readonly quantity: number
}

/** Category under which attachments count by their bytes, beside `attachment_item`. */
export const ATTACHMENT_BYTES = 'attachment'

/** A map: a client names the types, and an object would answer `constructor` as well. */
const CATEGORY_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    event: 'error',
    unreal_report: 'error',
    minidump: 'error',
    playstation: 'error',
    transaction: 'transaction',
    span: 'span',
    otlp_traces: 'span',
    otel_span: 'span',
    otel_traces_data: 'span',
    log: 'log_item',
    otel_log: 'log_item',
    otlp_logs: 'log_item',
    nel: 'log_item',
    vercel_log: 'log_item',
    trace_metric: 'trace_metric',
    otlp_metrics: 'trace_metric',
    attachment: 'attachment_item',
    form_data: 'attachment_item',
    session: 'session',
    sessions: 'session',
    profile: 'profile',
    profile_chunk: 'profile_chunk',
    otlp_profiles: 'profile_chunk',
    profile_chunk_ui: 'profile_chunk_ui',
    replay_event: 'replay',
    replay_recording: 'replay',
    replay_video: 'replay',
    replay_recording_not_chunked: 'replay',
    check_in: 'monitor',
    feedback: 'feedback',
    user_report: 'feedback',
    security: 'security',
    raw_security: 'security',
    statsd: 'metric_bucket',
    metric_buckets: 'metric_bucket',
    metric_meta: 'metric_bucket',
    client_report: 'internal',
  }),
)

/** Containers say how many they hold. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['span', 'otlp_traces', 'log', 'trace_metric'],
  ...['otlp_logs', 'otlp_metrics', 'otlp_profiles', 'nel', 'raw_security', 'vercel_log'],
])
const CONTAINER_ITEMS_MAX = 100_000

/** Item types that belong in an envelope with an event id. */
const EVENT_LIKE: ReadonlySet<string> = new Set([
  'event',
  'transaction',
  'security',
  'raw_security',
  'replay_event',
  'feedback',
  'form_data',
])
const NEEDS_EVENT_ID: ReadonlySet<string> = new Set([
  ...EVENT_LIKE,
  'attachment',
  'unreal_report',
  'user_report',
  'profile',
])

/** Category and quantity of one item; an unknown type counts one in `default`. */
export function categoryOf(type: string, header: HeaderFields): CategoryQuantity {
  const category = CATEGORY_OF.get(type) ?? 'default'
  const count = header.item_count
  const quantity =
    CONTAINERS.has(type) && typeof count === 'number' && Number.isSafeInteger(count) && count > 0
      ? Math.min(count, CONTAINER_ITEMS_MAX)
      : 1
  return { category, quantity }
}

/** At most one of these per envelope. */
export function isEventLike(type: string): boolean {
  return EVENT_LIKE.has(type)
}

export function needsEventId(type: string): boolean {
  return NEEDS_EVENT_ID.has(type)
}
