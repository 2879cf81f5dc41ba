/**
 * The exceptions that spans of OpenTelemetry ended with, as events: who has no Sentry SDK has issues all the same. The id of an
 * event is made of its trace, type and message, so that an exception which was recorded on every span that it passed
 * through, by every service, is one event. docs/wire.md, section "OTLP".
 */
import { hash } from 'node:crypto'
import { textAttribute } from '#model/attributes.ts'
import type { Attributes } from '#model/span.ts'
import { readStackText } from './stack-text.ts'

/** Mechanism of exceptions recorded as span events, which tells them from those of SDKs. */
export const OTLP_MECHANISM = 'otel.exception'

export interface SpanEvent {
  readonly name: string
  /** Nanoseconds since 1970 UTC, as it was sent. */
  readonly time: unknown
  readonly data: Readonly<Record<string, unknown>>
}

export interface RecordedException {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly spanName: string
  readonly op: string
  /** Attributes of the span. */
  readonly attributes: Attributes
  /** `exception.type`, `exception.message`, `exception.stacktrace`, `exception.escaped`. */
  readonly said: Attributes
  /** Events that the span recorded before, oldest first. */
  readonly before: readonly SpanEvent[]
  /** Nanoseconds since 1970 UTC, as it was sent. */
  readonly time: unknown
  /** True where the span says that it failed. */
  readonly isFailed: boolean
}

/** Returns the event as an SDK would have sent it. */
export function eventOfException(
  exception: RecordedException,
  { resource, platform }: { readonly resource: Attributes; readonly platform: string },
): Readonly<Record<string, unknown>> {
  const { traceId, spanId, parentId, attributes, said } = exception
  const type = textAttribute(said, 'exception.type') ?? 'Error'
  const value = textAttribute(said, 'exception.message') ?? ''
  const isEscaped = said['exception.escaped'] === true || said['exception.escaped'] === 'true'
  const isHandled = !isEscaped && !exception.isFailed
  return {
    event_id: hash('sha256', JSON.stringify([traceId, type, value]), 'hex').slice(0, 32),
    timestamp: exception.time,
    platform,
    level: 'error',
    transaction: textAttribute(attributes, 'http.route') ?? exception.spanName,
    exception: { values: exceptionValues(said, { type, value, platform, isHandled }) },
    breadcrumbs: { values: exception.before.map(crumbOf) },
    contexts: {
      trace: { trace_id: traceId, span_id: spanId, parent_span_id: parentId ?? undefined, op: exception.op },
      otel: { ...resource },
    },
    release: textAttribute(resource, 'service.version'),
    environment: textAttribute(resource, 'deployment.environment.name', 'deployment.environment'),
    server_name: textAttribute(resource, 'host.name', 'service.instance.id'),
    user: userOfAttributes(attributes),
    request: requestOfAttributes(attributes),
    tags: { 'service.name': textAttribute(resource, 'service.name') },
    sdk: {
      name: textAttribute(resource, 'telemetry.sdk.name') ?? 'opentelemetry',
      version: textAttribute(resource, 'telemetry.sdk.version') ?? '',
    },
  }
}

function crumbOf({ name, time, data }: SpanEvent) {
  const { 'exception.type': type, 'exception.message': message, ...rest } = data
  const isException = name === 'exception'
  return {
    ...{ timestamp: time, category: 'span.event', level: isException ? 'error' : 'info' },
    message: isException ? `${type ?? 'Error'}: ${message ?? ''}` : name,
    data: isException ? rest : data,
  }
}

interface Thrown {
  readonly type: string
  readonly value: string
  readonly platform: string
  readonly isHandled: boolean
}

function exceptionValues(said: Attributes, { type, value, platform, isHandled }: Thrown) {
  const trace = textAttribute(said, 'exception.stacktrace') ?? ''
  return readStackText(trace, platform, { type, value }).map((one, at, all) => ({
    type: one.type,
    value: one.value,
    ...(one.frames.length === 0 ? {} : { stacktrace: { frames: one.frames } }),
    mechanism: { type: OTLP_MECHANISM, ...(at === all.length - 1 ? { handled: isHandled } : {}) },
  }))
}

function userOfAttributes(attributes: Attributes) {
  const id = textAttribute(attributes, 'user.id', 'enduser.id')
  const email = textAttribute(attributes, 'user.email')
  const address = textAttribute(attributes, 'client.address', 'http.client_ip')
  return { id, email, ip_address: address }
}

function requestOfAttributes(attributes: Attributes) {
  const url = textAttribute(attributes, 'url.full', 'http.url')
  const path = textAttribute(attributes, 'url.path', 'http.target')
  const host = textAttribute(attributes, 'server.address', 'http.host')
  const scheme = textAttribute(attributes, 'url.scheme', 'http.scheme') ?? 'http'
  const made = path === null || host === null ? path : `${scheme}://${host}${path}`
  const method = textAttribute(attributes, 'http.request.method', 'http.method')
  return url === null && made === null ? undefined : { url: url ?? made, method }
}
