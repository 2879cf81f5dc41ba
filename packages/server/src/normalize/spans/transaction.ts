/** Transactions: a segment with its children in one item. docs/wire.md, section "Transactions". */

import { type EventId, readEventId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { numberAttribute } from '#model/attributes.ts'
import type { EventUser } from '#model/event.ts'
import type { AttributeValue, Fragment, FragmentUser } from '#model/span.ts'
import { readContexts, readSdk } from '../contexts.ts'
import { EventReader, type RawObject, scalarText } from '../reader.ts'
import { readDist, readEnvironment, readReleaseName } from '../release.ts'
import { headerOf, readRequest } from '../request.ts'
import { readTags } from '../tags.ts'
import { readUser } from '../user.ts'
import { readPlainAttributes } from './attributes.ts'
import {
  fragmentsOf,
  type ReadSpan,
  rateOf,
  type SpansAnswer,
  type SpansContext,
  sampleRate,
} from './fragments.ts'
import { readSpanId, readTraceId, type SpanClock, spanClock } from './read-span.ts'
import { addMeasurements, readBareSpan } from './standalone.ts'

const SPANS_MAX = max('spansPerItemMax')
const UNNAMED = '<unlabeled transaction>'
/** Contexts that are told by the segment itself. */
const TOLD: ReadonlySet<string> = new Set(['trace'])

/** Reads a transaction. Total: no JSON value makes it throw. */
export function readTransaction(raw: unknown, context: SpansContext): SpansAnswer {
  const reader = new EventReader(context)
  const trace = isObject(raw) && isObject(raw.contexts) ? raw.contexts.trace : undefined
  if (!isObject(raw) || !isObject(trace)) return refuseSpans('missing_trace', 'transaction without a trace')
  const clock = spanClock(context)
  const root = readRoot(reader, { raw, trace }, clock)
  if (root === null) return refuseSpans('missing_ids', 'transaction without a trace id or a span id')
  const sent = Array.isArray(raw.spans) ? raw.spans : []
  const spans = sent.slice(0, SPANS_MAX).flatMap((span: unknown) => {
    const read = isObject(span) ? childOf(reader, span, { root, clock }) : null
    return read === null ? [] : [read]
  })
  if (sent.length > spans.length)
    reader.problem('spans', 'too_many', `${sent.length - spans.length} left out`)
  const platform = reader.trimmed(raw.platform, 'platform', 64)?.toLowerCase() ?? 'other'
  const facts = {
    isBrowser: platform === 'javascript',
    inferAddress: false,
    platform,
    problems: reader.problems,
  }
  const rate = numberAttribute(root.attributes, 'sentry.sample_rate') ?? rateOf(context.trace)
  const [fragment] = fragmentsOf(reader, [root, ...spans], { facts, context })
  if (fragment === undefined) return refuseSpans('missing_ids', 'transaction without spans')
  const id = readEventId(context.eventId) ?? readEventId(raw.event_id)
  const own = ownFields(reader, raw, { fragment, context, id })
  return { fragments: [{ ...own, sampleRate: sampleRate(rate) }], refused: [] }
}

function refuseSpans(reason: string, example: string): SpansAnswer {
  return { fragments: [], refused: [{ reason, quantity: 1, example }] }
}

function readRoot(
  reader: EventReader,
  { raw, trace }: { readonly raw: RawObject; readonly trace: RawObject },
  clock: SpanClock,
): ReadSpan | null {
  const { start_timestamp, timestamp, measurements } = raw
  const read = readBareSpan(
    reader,
    {
      ...trace,
      start_timestamp,
      timestamp,
      description: undefined,
      tags: undefined,
      measurements: undefined,
    },
    clock,
  )
  if (read === null) return null
  const attributes: Record<string, AttributeValue> = read.attributes
  addMeasurements(attributes, measurements)
  const response = isObject(raw.contexts) ? raw.contexts.response : undefined
  if (isObject(response) && attributes['http.response.status_code'] === undefined) {
    const [status] = Object.values(readPlainAttributes(reader, { status: response.status_code }))
    if (status !== undefined) attributes['http.response.status_code'] = status
  }
  const source = isObject(raw.transaction_info) ? scalarText(raw.transaction_info.source) : undefined
  if (source !== undefined) attributes['sentry.source'] = source.slice(0, 64)
  const name = reader.trimmed(raw.transaction, 'transaction', max('spanNameCharsMax')) ?? UNNAMED
  const { span_id: segmentId } = read.span
  return { ...read, span: { ...read.span, name }, isSegment: true, segmentId }
}

/**
 * Reads a child span: it belongs to the transaction's trace, whatever it states, and to the segment if it
 * names no parent.
 */
function childOf(
  reader: EventReader,
  raw: RawObject,
  { root, clock }: { readonly root: ReadSpan; readonly clock: SpanClock },
): ReadSpan | null {
  const of = readTraceId(raw.trace_id) === null ? { ...raw, trace_id: root.traceId } : raw
  const read = readBareSpan(reader, of, clock)
  if (read === null || readSpanId(raw.span_id) === root.span.span_id) return null
  const { span_id: segmentId } = root.span
  const span = { parent_span_id: segmentId, ...read.span }
  return { ...read, span, traceId: root.traceId, segmentId, isSegment: false }
}

/** Returns a transaction's fields that events have too. */
function ownFields(
  reader: EventReader,
  raw: RawObject,
  {
    fragment,
    context,
    id,
  }: { readonly fragment: Fragment; readonly context: SpansContext; readonly id: EventId | null },
): Fragment {
  const { request } = readRequest(reader, raw.request)
  const sdk = readSdk(reader, raw.sdk, { envelope: context.sdk, client: context.client })
  const settings = isObject(sdk?.settings) ? sdk.settings : {}
  const user = readUser(reader, raw.user, {
    ...{ platform: fragment.platform, request, clientAddress: context.clientAddress },
    inferIp: settings.infer_ip,
  })
  const isBrowser = fragment.platform === 'javascript'
  const agent = headerOf(request, 'User-Agent') ?? (isBrowser ? context.userAgent : null) ?? undefined
  const contexts = readContexts(reader, raw.contexts, { userAgent: agent }) ?? {}
  const named = (name: string): string | null => contextName(contexts[name])
  return {
    ...fragment,
    ...(id === null ? {} : { id }),
    sdk: sdk?.name ?? null,
    release: readReleaseName(reader, raw.release) ?? null,
    dist: readDist(reader, raw.dist) ?? null,
    environment: readEnvironment(reader, raw.environment) ?? null,
    serverName: reader.trimmed(raw.server_name, 'server_name', 256) ?? null,
    browser: named('browser') ?? fragment.browser,
    os: named('os') ?? named('client_os') ?? fragment.os,
    runtime: named('runtime') ?? fragment.runtime,
    device: textOrNull(contexts.device?.model) ?? fragment.device,
    user: user === undefined ? null : fragmentPerson(user),
    tags: readTags(reader, raw.tags),
    contexts: {
      ...Object.fromEntries(Object.entries(contexts).filter(([name]) => !TOLD.has(name))),
      ...(request === undefined ? {} : { request }),
    },
    isTransaction: true,
    problems: reader.problems,
  }
}

function fragmentPerson({ id, email, username, name, ip_address }: EventUser): FragmentUser {
  const named = { id, email, username: username ?? name, ip_address }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => typeof value === 'string'))
}

function contextName(context: Readonly<Record<string, unknown>> | undefined): string | null {
  const name = textOrNull(context?.name)
  const version = textOrNull(context?.version)
  return name === null || version === null ? name : `${name} ${version}`
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
