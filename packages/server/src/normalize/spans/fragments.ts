/** Spans of one item into fragments: those of one segment together, with what the segment or any of them says of all. */

import { hash } from 'node:crypto'
import { type EventId, eventId } from '#base/ids.ts'
import { canonicalIp } from '#base/ip-text.ts'
import { setOwn } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { numberAttribute, textAttribute } from '#model/attributes.ts'
import type { Problem } from '#model/event.ts'
import type { Attributes, AttributeValue, Fragment, FragmentUser, Span } from '#model/span.ts'
import type { NormalizeContext } from '../normalize.ts'
import { type EventReader, scalarText } from '../reader.ts'
import { readDist, readEnvironment, readReleaseName } from '../release.ts'
import { readUserAgent } from '../user-agent.ts'
import type { BareSpan } from './read-span.ts'

export interface SpansContext extends NormalizeContext {
  /** `trace` of the envelope's header as sent: what the head of the trace said. */
  readonly trace: unknown
}

/** Fragments of an item, and its answer. */
export interface SpansAnswer {
  readonly fragments: readonly Fragment[]
  /** Spans that could not be read. */
  readonly refused: readonly {
    readonly reason: string
    readonly quantity: number
    readonly example: string
  }[]
}

/** A span as it was read, before its fragment is known, which completes it. */
export interface ReadSpan {
  readonly traceId: string
  readonly span: BareSpan
  /** Attributes; several spans may share them if `said` is separate. */
  readonly attributes: Record<string, AttributeValue>
  /** Attributes of its fragment, if they are kept apart from its own. */
  readonly said?: Attributes
  /** Its times as they came, before clocks were corrected: what tells a repeat that was sent later. */
  readonly sent: { readonly start: unknown; readonly end: unknown }
  /** `null`: that of its segment. */
  readonly start: number | null
  /** `null`: nothing says to which segment it belongs. */
  readonly segmentId: string | null
  readonly isSegment: boolean
}

/** Facts that all spans of an item share. */
export interface ItemFacts {
  readonly isBrowser: boolean
  readonly inferAddress: boolean
  readonly platform: string | null
  readonly problems: readonly Problem[]
  /**
   * Attributes of all spans together: used if no span states its own, and kept with the segment's own span.
   */
  readonly resource?: Attributes
}

const DURATION_MAX = max('spanDurationMsMax') / 1000

/** Said once by the fragment, and by none of its spans. */
export const HOISTED: ReadonlySet<string> = new Set([
  ...['sentry.release', 'sentry.environment', 'sentry.dist', 'sentry.sdk.name', 'sentry.sdk.version'],
  ...['sentry.segment.id', 'sentry.segment.name', 'sentry.segment.name.source', 'sentry.sample_rate'],
  ...['sentry.trace_lifecycle', 'sentry.platform', 'sentry.is_localhost', 'sentry.sdk.integrations'],
  ...['user.id', 'user.email', 'user.name', 'user.ip_address', 'server.name', 'host.name'],
])
/** All that is asked of the spans of a fragment together. */
const SAID: ReadonlySet<string> = new Set([
  ...HOISTED,
  ...['sentry.transaction', 'transaction', 'sentry.source', 'telemetry.sdk.name', 'user_agent.original'],
  ...['service.version', 'deployment.environment.name', 'deployment.environment', 'browser.name'],
  ...['browser.version', 'os.name', 'os.version', 'process.runtime.name', 'process.runtime.version'],
  ...['device.model', 'device.family', 'client.address', 'user.username'],
])

/** Groups spans into fragments, in the order of each one's first span. */
export function fragmentsOf(
  reader: EventReader,
  spans: readonly ReadSpan[],
  { facts, context }: { readonly facts: ItemFacts; readonly context: SpansContext },
): readonly Fragment[] {
  return groupSpans(spans).map((group) => fragmentOf(reader, group, { facts, context }))
}

/** Nearly always all of them are of one segment. */
function groupSpans(spans: readonly ReadSpan[]): readonly (readonly ReadSpan[])[] {
  const [first] = spans
  const isOne = spans.every(
    ({ traceId, segmentId }) => traceId === first?.traceId && segmentId === first.segmentId,
  )
  if (isOne) return first === undefined ? [] : [spans]
  return [...Map.groupBy(spans, ({ traceId, segmentId }) => `${traceId}:${segmentId ?? ''}`).values()]
}

function fragmentOf(
  reader: EventReader,
  group: readonly ReadSpan[],
  { facts, context }: { readonly facts: ItemFacts; readonly context: SpansContext },
): Fragment {
  const root = group.findIndex(({ isSegment }) => isSegment)
  const { resource = {} } = facts
  const ordered = group[root] === undefined ? group : [group[root], ...group]
  const said = saidByGroup([...ordered, { attributes: resource }])
  const start = group[root]?.start ?? firstStart(group)
  const first = group[0]
  return {
    id: fragmentId(group),
    traceId: first?.traceId ?? '',
    segmentId: first?.segmentId ?? null,
    root: root < 0 ? null : root,
    segmentName:
      group[root]?.span.name ?? said.text('sentry.segment.name', 'sentry.transaction', 'transaction'),
    nameSource: said.text('sentry.segment.name.source', 'sentry.source'),
    ...readFragmentNames(reader, said, { facts, context }),
    user: fragmentUser(said, { facts, context }),
    tags: [],
    sampleRate: sampleRate(said.number('sentry.sample_rate') ?? rateOf(context.trace)),
    contexts: {},
    isTransaction: false,
    problems: facts.problems,
    // Last: it takes out of the attributes what was read of them above.
    spans: group.map((one, at) => spanOf(at === root ? withResource(one, resource) : one, start)),
  }
}

/** Returns the earliest start; the earliest end if none has a start. */
function firstStart(group: readonly ReadSpan[]): number {
  const starts = group.flatMap(({ start }) => (start === null ? [] : [start]))
  return Math.min(...(starts.length === 0 ? group.map(({ span }) => span.end_timestamp) : starts))
}

interface Said {
  text(...names: readonly string[]): string | null
  number(name: string): number | null
}

type Saying = Pick<ReadSpan, 'attributes' | 'said'>

/** The first of them that says it. Each attribute is looked at once, whatever is asked for. */
function saidByGroup(group: readonly Saying[]): Said {
  const found = new Map<string, { readonly at: number; readonly text: string }>()
  const seen = new Set<Attributes>() // spans that say the same may share them
  const note = (attributes: Attributes, at: number): void => {
    if (seen.has(attributes)) return
    seen.add(attributes)
    for (const name in attributes) {
      if (!SAID.has(name) || found.has(name)) continue
      const text = textAttribute(attributes, name)
      if (text !== null) found.set(name, { at, text })
    }
  }
  for (const [at, { attributes, said }] of group.entries()) {
    if (said !== undefined) note(said, at)
    note(attributes, at)
  }
  return {
    text(...names) {
      let [first, text]: [number, string | null] = [group.length, null]
      for (const name of names) {
        const one = found.get(name)
        if (one !== undefined && one.at < first) [first, text] = [one.at, one.text]
      }
      return text
    },
    number(name) {
      if (!found.has(name)) return null
      for (const { attributes, said } of group) {
        const value = numberAttribute(said ?? attributes, name)
        if (value !== null) return value
      }
      return null
    },
  }
}

function readFragmentNames(
  reader: EventReader,
  said: Said,
  { facts, context }: { readonly facts: ItemFacts; readonly context: SpansContext },
) {
  const sdk = said.text('sentry.sdk.name', 'telemetry.sdk.name')
  const agent = said.text('user_agent.original') ?? (facts.isBrowser ? context.userAgent : null)
  const client = agent === null ? {} : readUserAgent(agent)
  const named = (name: string | null, version: string | null) =>
    name === null ? null : version === null ? name : `${name} ${version}`
  const release = said.text('sentry.release', 'service.version')
  const environment = said.text('sentry.environment', 'deployment.environment.name', 'deployment.environment')
  const dist = said.text('sentry.dist')
  const browser = named(said.text('browser.name'), said.text('browser.version'))
  const os = named(said.text('os.name'), said.text('os.version'))
  return {
    platform: facts.platform ?? (facts.isBrowser ? 'javascript' : sdkPlatform(sdk)),
    sdk,
    release: (release === null ? undefined : readReleaseName(reader, release)) ?? null,
    dist: (dist === null ? undefined : readDist(reader, dist)) ?? null,
    environment: (environment === null ? undefined : readEnvironment(reader, environment)) ?? null,
    serverName: said.text('server.name', 'host.name'),
    browser: browser ?? named(client.browser?.name ?? null, client.browser?.version ?? null),
    os: os ?? (facts.isBrowser ? named(client.os?.name ?? null, client.os?.version ?? null) : null),
    runtime: named(said.text('process.runtime.name'), said.text('process.runtime.version')),
    device: said.text('device.model', 'device.family') ?? client.device?.model ?? null,
  }
}

/** `sentry.javascript.nextjs` of a server is Node.js: what comes from a browser says so by itself. */
function sdkPlatform(sdk: string | null): string {
  const [, language = 'other'] = /^sentry\.([a-z]+)/.exec(sdk ?? '') ?? []
  return language === 'javascript' ? 'node' : language
}

function fragmentUser(
  said: Said,
  { facts, context }: { readonly facts: ItemFacts; readonly context: SpansContext },
): FragmentUser | null {
  const sent = said.text('user.ip_address', 'client.address')
  const isAsked = facts.inferAddress && (sent === null || sent === '{{auto}}')
  const address = canonicalIp((isAsked ? context.clientAddress : sent) ?? '') ?? null
  const named = {
    id: said.text('user.id')?.slice(0, 128),
    email: said.text('user.email')?.slice(0, 256),
    username: said.text('user.name', 'user.username')?.slice(0, 256),
    ip_address: address ?? undefined,
  }
  const user = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  return Object.keys(user).length === 0 ? null : user
}

function withResource(one: ReadSpan, resource: Attributes): ReadSpan {
  const named = Object.entries(resource).map(([name, value]) => [`resource.${name}`, value] as const)
  if (named.length === 0) return one
  return { ...one, attributes: { ...one.attributes, ...Object.fromEntries(named) } }
}

function spanOf({ span, attributes, start, said }: ReadSpan, segmentStart: number): Span {
  const { end_timestamp: end } = span
  const own = said === undefined ? withoutHoisted(attributes) : attributes
  span.start_timestamp = start ?? (isSaneStretch(segmentStart, end) ? segmentStart : end)
  for (const _ in own) {
    span.attributes = own
    break
  }
  return span
}

/** A copy: an object that something is deleted from is slow to read for everybody behind. */
function withoutHoisted(attributes: Attributes): Attributes {
  const own: Record<string, AttributeValue> = {}
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined && !HOISTED.has(name)) setOwn(own, name, value)
  }
  return own
}

/** A segment that came in parts may have begun long before, or after. */
function isSaneStretch(start: number, end: number): boolean {
  return start <= end && end - start <= DURATION_MAX
}

/** Above 0, at most 1. */
export function sampleRate(rate: number | null): number {
  return rate !== null && rate > 0 && rate <= 1 ? rate : 1
}

export function rateOf(trace: unknown): number | null {
  if (typeof trace !== 'object' || trace === null || !('sample_rate' in trace)) return null
  const rate = Number(trace.sample_rate)
  return Number.isFinite(rate) ? rate : null
}

/** The same for the same spans, so that a repeat of an item is told from a later version of a span. */
function fragmentId(group: readonly ReadSpan[]): EventId {
  const pieces = [group[0]?.traceId ?? '']
  const times = new Float64Array(2 * group.length) // their digits would take longer than all of the rest
  const timeText = (value: unknown, at: number): string => {
    if (typeof value !== 'number') return scalarText(value) ?? ''
    times[at] = value
    return ''
  }
  for (const [at, { span, sent }] of group.entries()) {
    const tail = `.${timeText(sent.start, 2 * at)}.${timeText(sent.end, 2 * at + 1)}.${span.status}`
    pieces.push(span.span_id + tail)
  }
  const text = pieces.join(':')
  const bytes = Buffer.concat([Buffer.from(times.buffer), Buffer.from(text)])
  return eventId(hash('sha256', bytes, 'hex').slice(0, 32))
}
