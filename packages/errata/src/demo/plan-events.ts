/** Turns each sample payload into many events: when they happen, to whom, in which release, and what the browser saw. */
import { requestBy } from './visitors.ts'

export interface DemoPayload {
  readonly project: string
  /** Events to make. */
  readonly count: number
  /** Part of the 14 days that passed before it began: 0 for all along, 0.9 for lately. */
  readonly since: number
  readonly event: Readonly<Record<string, unknown>>
}

/** Payload that an SDK sends at one moment: an event, its spans, sessions, or a report of what it dropped. */
export interface DemoItem {
  readonly project: string
  readonly type: 'event' | 'client_report' | 'sessions' | 'span' | 'transaction'
  readonly payload: Readonly<Record<string, unknown>>
  readonly atMs: number
}

interface DemoEvent extends DemoItem {
  readonly type: 'event'
  readonly payload: DemoItem['payload'] & {
    readonly event_id: string
    readonly user: { readonly id: string; readonly email: string }
    readonly contexts: { readonly trace: { readonly trace_id: string; readonly span_id: string } }
  }
}

export interface Planned {
  readonly nowMs: number
  /** Answers numbers in [0, 1). */
  readonly random: () => number
}

const DAY_MS = 86_400_000
export const DEMO_DAYS = 14
const SPAN_MS = DEMO_DAYS * DAY_MS
/** The newest failure of each that is mirrored is younger than all else: the two stand side by side in a list. */
const MINUTE_MS = 60_000
const QUIET_MS = 5 * MINUTE_MS
const PEOPLE = 320
/** Release suffix by the part of the span from which on it runs. */
export const RELEASES = [
  [0, '2026.11.9-1'],
  [0.25, '2026.11.12-1'],
  [0.62, '2026.11.18-1'],
  [0.9, '2026.11.20-2'],
] as const

/** User agents that the sample's project filters, so that its ledger has more than one column. */
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const CRAWLED = 54
const SPANS_TYPE = 'application/vnd.sentry.items.span.v2+json'

/** Everything that is sent, oldest first: a mirror 0.1 to 1 s behind the failure it mirrors. */
export function planEvents(payloads: readonly DemoPayload[], planned: Planned): readonly DemoItem[] {
  const causes = payloads.map((payload) => mirroredBy(payload, payloads))
  const mirrored = [...new Set(causes)].filter((cause) => cause !== null)
  const failures = new Map(
    payloads
      .filter((_, index) => causes[index] === null)
      .map((payload) => {
        const place = mirrored.indexOf(payload)
        const lastMs = place < 0 ? null : planned.nowMs - (place + 1) * MINUTE_MS
        return [payload, occurrences(payload, { ...planned, lastMs })]
      }),
  )
  const seen = payloads.flatMap((payload, index) => {
    const cause = causes[index] ?? null
    return cause === null ? [] : mirrors(payload, { cause, failures: failures.get(cause) ?? [], planned })
  })
  const stored = [...[...failures.values()].flat(), ...seen]
  const all = [...stored, ...crawlEvents(payloads, planned), ...reports(payloads, planned)]
  return all.sort((a, b) => a.atMs - b.atMs)
}

/**
 * Builds one envelope without the time of sending: the demo's clock leaps, which would look like a client's
 * that is off.
 */
export function makeEnvelope({ type, payload }: DemoItem): string {
  const { event_id, items } = payload
  const header = event_id === undefined ? {} : { event_id }
  const batch = Array.isArray(items) ? { item_count: items.length, content_type: SPANS_TYPE } : {}
  return `${JSON.stringify(header)}\n${JSON.stringify({ type, ...batch })}\n${JSON.stringify(payload)}`
}

/** The server's failure that a browser's payload was captured with: the same request, so the same trace. */
export function mirroredBy(payload: DemoPayload, all: readonly DemoPayload[]): DemoPayload | null {
  if (payload.event.platform !== 'javascript') return null
  const trace = traceOf(payload.event).trace_id
  const isCause = ({ event }: DemoPayload) => event.platform === 'node' && traceOf(event).trace_id === trace
  return all.find((other) => other.project === payload.project && isCause(other)) ?? null
}

/** `lastMs`: when the newest is. */
function occurrences(
  payload: DemoPayload,
  { nowMs, random, lastMs = null }: Planned & { readonly lastMs?: number | null },
): readonly DemoEvent[] {
  return Array.from({ length: payload.count }, (_, index) => {
    const part = payload.since + (1 - payload.since) * random() ** 0.8
    const isLast = index === 0 && lastMs !== null
    const atMs = isLast ? lastMs : momentOf(part, nowMs)
    const person = somebody(random)
    return eventOf(payload, {
      ...{ atMs, random, person, release: releaseAt(payload.event.release, isLast ? 1 : part) },
      trace: { trace_id: hexId(random, 32), span_id: hexId(random, 16) },
    })
  })
}

/** A part of the span, as a time. */
export function momentOf(part: number, nowMs: number): number {
  return Math.floor(nowMs - QUIET_MS - (SPAN_MS - QUIET_MS) * (1 - part))
}

/** A few people come often. */
export function somebody(random: () => number): number {
  return Math.floor(random() ** 1.6 * PEOPLE)
}

interface Mirrored {
  readonly cause: DemoPayload
  readonly failures: readonly DemoEvent[]
  readonly planned: Planned
}

/** The newest failure has one, and so have others as often as they were asked for. */
function mirrors(payload: DemoPayload, given: Mirrored): readonly DemoEvent[] {
  const { cause, planned } = given
  const laterMs = (secondsOf(payload.event.timestamp) - secondsOf(cause.event.timestamp)) * 1_000
  const newestFirst = [...given.failures].sort((a, b) => b.atMs - a.atMs)
  const every = Math.max(1, Math.floor(newestFirst.length / payload.count))
  return newestFirst
    .filter((_, index) => index % every === 0)
    .slice(0, payload.count)
    .map(({ atMs, payload: failure }) => {
      const { trace_id, span_id } = failure.contexts.trace
      return eventOf(payload, {
        ...{ atMs: Math.min(planned.nowMs, Math.floor(atMs + laterMs)), random: planned.random },
        person: personOf(failure.user),
        release: typeof failure.release === 'string' ? failure.release : null,
        trace: { trace_id, span_id: hexId(planned.random, 16), parent_span_id: span_id },
      })
    })
}

/** Pages of the shop that a crawler broke: the project's filter keeps them out. */
function crawlEvents(payloads: readonly DemoPayload[], planned: Planned): readonly DemoEvent[] {
  const browsed = payloads.find(
    (payload) => payload.event.platform === 'javascript' && mirroredBy(payload, payloads) === null,
  )
  if (browsed === undefined) return []
  return occurrences({ ...browsed, count: CRAWLED, since: 0 }, planned).map((event) => ({
    ...event,
    payload: { ...event.payload, request: { ...requestOf(browsed), headers: { 'User-Agent': CRAWLER } } },
  }))
}

/** Builds reports of what browsers could not send while offline: a few a day, told when the SDK could. */
function reports(payloads: readonly DemoPayload[], { nowMs, random }: Planned): readonly DemoItem[] {
  const project = payloads.find(({ event }) => event.platform === 'javascript')?.project
  if (project === undefined) return []
  return Array.from({ length: DEMO_DAYS }, (_, day) => {
    const atMs = Math.floor(nowMs - day * DAY_MS - random() * DAY_MS * 0.9)
    const quantity = 1 + Math.floor(random() * 3)
    const discarded_events = [{ reason: 'network_error', category: 'error', quantity }]
    return { project, type: 'client_report', payload: { timestamp: atMs / 1_000, discarded_events }, atMs }
  })
}

interface Occurrence {
  readonly atMs: number
  readonly random: () => number
  readonly person: number
  readonly release: string | null
  readonly trace: DemoEvent['payload']['contexts']['trace'] & { readonly parent_span_id?: string }
}

export function eventOf(payload: DemoPayload, occurrence: Occurrence): DemoEvent {
  const { atMs, person, release, trace } = occurrence
  const { event } = payload
  const shiftSeconds = atMs / 1_000 - secondsOf(event.timestamp)
  const { parent_span_id: _, ...kept } = traceOf(event)
  return {
    project: payload.project,
    type: 'event',
    atMs,
    payload: {
      ...event,
      event_id: hexId(occurrence.random, 32),
      timestamp: atMs / 1_000,
      contexts: { ...objectOf(event.contexts), trace: { ...kept, ...trace } },
      user: { id: `u-${person}`, email: `person${person}@shop.example` },
      ...(release === null ? {} : { release }),
      ...('request' in event ? { request: requestBy(person, requestOf(payload)) } : {}),
      breadcrumbs: shiftCrumbs(event.breadcrumbs, shiftSeconds),
    },
  }
}

/** The number of who had a failure. */
function personOf({ id }: DemoEvent['payload']['user']): number {
  return Number(id.slice(2))
}

function requestOf({ event }: DemoPayload): object {
  return objectOf(event.request)
}

export function traceOf(event: DemoPayload['event']): Readonly<Record<string, unknown>> {
  const contexts = objectOf(event.contexts)
  return 'trace' in contexts ? { ...objectOf(contexts.trace) } : {}
}

export function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

/** Returns the shop's release by its place. */
export function releaseName(index: number): string {
  return `shop@${RELEASES[index]?.[1] ?? RELEASES[0][1]}`
}

function releaseAt(release: unknown, part: number): string | null {
  if (typeof release !== 'string') return null
  const suffix = RELEASES.findLast(([from]) => part >= from)?.[1] ?? RELEASES[0][1]
  return `${release.split('@')[0] ?? release}@${suffix}`
}

export function hexId(random: () => number, digits: number): string {
  return Array.from({ length: digits / 4 }, () =>
    Math.floor(random() * 0x10000)
      .toString(16)
      .padStart(4, '0'),
  ).join('')
}

function secondsOf(timestamp: unknown): number {
  if (typeof timestamp === 'number') return timestamp
  return typeof timestamp === 'string' ? Date.parse(timestamp) / 1_000 : 0
}

/** Breadcrumbs keep their distance to the event; both shapes that SDKs send. */
function shiftCrumbs(breadcrumbs: unknown, seconds: number): unknown {
  if (Array.isArray(breadcrumbs)) return breadcrumbs.map((crumb: unknown) => shiftedCrumb(crumb, seconds))
  if (typeof breadcrumbs !== 'object' || breadcrumbs === null || !('values' in breadcrumbs))
    return breadcrumbs
  return { values: shiftCrumbs(breadcrumbs.values, seconds) }
}

function shiftedCrumb(crumb: unknown, seconds: number): unknown {
  if (typeof crumb !== 'object' || crumb === null || !('timestamp' in crumb)) return crumb
  return { ...crumb, timestamp: secondsOf(crumb.timestamp) + seconds }
}
