/**
 * Columns of a trace's spans for the waterfall: ten thousand of them stay small on their way to the browser.
 * What only the chosen span shows is asked for by itself. Pure.
 */
import type { TraceSpan, TraceView } from '@errata/server/queries'
import { type Side, sidesOf } from '#parts/span-sides.ts'

type Kind = NonNullable<TraceSpan['segment']>['requestKind']

export interface SpanColumns {
  /** Operations and names, each once; `op` and `name` are places in it. */
  readonly texts: readonly string[]
  readonly id: readonly string[]
  readonly depth: readonly number[]
  readonly op: readonly number[]
  readonly name: readonly number[]
  /** Milliseconds from the start of the trace, as all times here. */
  readonly startMs: readonly number[]
  readonly tookMs: readonly number[]
  readonly ownMs: readonly number[]
  /** Names of the services that ran them, each once; `service` are places in it. What a browser ran is a service of its own. */
  readonly services: readonly string[]
  readonly service: readonly number[]
  /** A letter for each span. */
  readonly sides: string
  /** Places of spans that are on the critical path. */
  readonly critical: readonly number[]
  readonly failed: readonly number[]
  /** Among those: failed although the status says 200. */
  readonly behind200: readonly number[]
  /** Places of spans whose parent was not received. */
  readonly orphans: readonly number[]
  /** By place: kinds of requests. */
  readonly kinds: Readonly<Record<number, Kind>>
  /** By place: status or size, in a few characters. */
  readonly notes: Readonly<Record<number, string>>
  /** By place: when the largest contentful paint was. */
  readonly lcpMs: Readonly<Record<number, number>>
}

export interface TimedTrace {
  readonly startMs: number
  readonly totalMs: number
  readonly columns: SpanColumns
  /** The times of errors as those of the spans beside them. */
  readonly errorAtMs: readonly number[]
}

const NAME_CHARS_MAX = 160
export const LCP_OP = /^ui\.webvital\.lcp/

export function timedTrace({ spans, errors, clockShiftMs, projects }: TraceView): TimedTrace {
  const sides = sidesOf(spans)
  const shift = (place: number | undefined) =>
    place !== undefined && sides[place] === 'b' ? (clockShiftMs ?? 0) : 0
  const places = new Map(spans.map(({ spanId }, place) => [spanId, place]))
  const starts = spans.map(({ startMs }, place) => startMs - shift(place))
  const ends = spans.map(({ endMs }, place) => endMs - shift(place))
  const errorTimes = errors.map(({ atMs, spanId }) => atMs - shift(places.get(spanId ?? '')))
  const startMs = [...starts, ...errorTimes].reduce(
    (low, one) => Math.min(low, one),
    Number.POSITIVE_INFINITY,
  )
  const endMs = [...ends, ...errorTimes].reduce((high, one) => Math.max(high, one), startMs)
  const fromStart = (ms: number) => roundMs(ms - startMs)
  return {
    startMs,
    totalMs: roundMs(endMs - startMs),
    columns: {
      ...wordColumns(spans),
      startMs: starts.map(fromStart),
      tookMs: spans.map((span) => roundMs(span.endMs - span.startMs)),
      ownMs: spans.map(({ ownMs }) => roundMs(ownMs)),
      sides: sides.join(''),
      ...serviceColumns(spans, sides, projects),
      ...markColumns(spans),
      ...paints(spans, starts.map(fromStart)),
    },
    errorAtMs: errorTimes.map(fromStart),
  }
}

/** Hundredths of a millisecond are enough to draw. */
function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100
}

function wordColumns(spans: readonly TraceSpan[]) {
  const texts = new Map<string, number>()
  const place = (text: string) => {
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, texts.size)
    return texts.size - 1
  }
  const op = spans.map((span) => place(span.op))
  const name = spans.map((span) => place(spanName(span).slice(0, NAME_CHARS_MAX)))
  const id = spans.map(({ spanId }) => spanId)
  return { id, depth: spans.map(({ depth }) => depth), op, name, texts: [...texts.keys()] }
}

/** A page has many actions behind its one address. */
function spanName({ name, segment }: TraceSpan): string {
  const action = segment?.requestKind === 'action' ? segment.action : null
  return action === null || name.includes(action) ? name : `${name}, ${action}`
}

/**
 * Builds services: as OpenTelemetry names them with a segment, else the project's slug; spans below have the
 * same, until another says so.
 */
function serviceColumns(
  spans: readonly TraceSpan[],
  sides: readonly Side[],
  projects: TraceView['projects'],
): Pick<SpanColumns, 'services' | 'service'> {
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  const services: string[] = []
  const above: { readonly name: string; readonly project: TraceSpan['projectId'] }[] = []
  const service = spans.map(({ depth, attributes, projectId, segment }, place) => {
    above.length = depth
    const own = attributes['service.name']
    const parent = above.at(-1)
    const inherited =
      segment === null && parent?.project === projectId ? parent.name : (slugs.get(projectId) ?? '')
    const name = typeof own === 'string' && own !== '' ? own : inherited
    above.push({ name, project: projectId })
    const shown = sides[place] === 'b' ? `${name}, browser` : name
    const known = services.indexOf(shown)
    return known >= 0 ? known : services.push(shown) - 1
  })
  return { services, service }
}

function markColumns(spans: readonly TraceSpan[]) {
  const placesOf = (holds: (span: TraceSpan) => boolean) =>
    spans.flatMap((span, place) => (holds(span) ? [place] : []))
  return {
    critical: placesOf(({ isCritical }) => isCritical),
    failed: placesOf(hasFailed),
    behind200: placesOf(({ segment }) => segment?.end === 'failed-behind-200'),
    // A request may have been begun by somebody who sends no traces.
    orphans: placesOf(
      ({ segment, parentSpanId, shownBelow }) =>
        segment === null && parentSpanId !== null && shownBelow !== parentSpanId,
    ),
    kinds: valuesByPlace(spans, ({ segment }) => segment?.requestKind ?? null),
    notes: valuesByPlace(spans, noteOf),
  }
}

function valuesByPlace<T>(spans: readonly TraceSpan[], of: (span: TraceSpan) => T | null): Record<number, T> {
  const found: Record<number, T> = {}
  for (const [place, span] of spans.entries()) {
    const value = of(span)
    if (value !== null) found[place] = value
  }
  return found
}

const GOOD = /^(?:|ok|unset|unknown|default|cancell?ed|aborted|not_found)$/

export function hasFailed({ segment, status }: TraceSpan): boolean {
  if (segment?.end === 'failed' || segment?.end === 'failed-behind-200') return true
  return segment?.end !== 'aborted' && !GOOD.test(status)
}

function noteOf({ op, segment, attributes }: TraceSpan): string | null {
  const status = segment?.httpStatus ?? firstNumber(attributes, STATUS)
  if (status !== null) return String(status)
  if (!op.startsWith('resource')) return null
  const bytes = firstNumber(attributes, SIZES)
  return bytes === null || bytes <= 0 ? null : bytesNote(bytes)
}

const STATUS = ['http.response.status_code', 'http.status_code'] as const
const SIZES = ['http.response_transfer_size', 'http.response_content_length', 'http.response.size'] as const

function firstNumber(attributes: TraceSpan['attributes'], names: readonly string[]): number | null {
  for (const name of names) {
    const value = Number(attributes[name] ?? Number.NaN)
    if (Number.isFinite(value)) return value
  }
  return null
}

function bytesNote(bytes: number): string {
  return bytes < 1_024 ? `${bytes} B` : `${Math.round(bytes / 1_024)} KiB`
}

/** On the page load that measured it, unless a span of its own says it. */
function paints(spans: readonly TraceSpan[], startMs: readonly number[]) {
  const lcpMs: Record<number, number> = {}
  for (const [place, { op, segment, startMs: spanMs, endMs }] of spans.entries()) {
    const lcp = segment?.vitals.lcp
    if (LCP_OP.test(op)) return { lcpMs: { [place]: roundMs((startMs[place] ?? 0) + endMs - spanMs) } }
    if (lcp !== undefined) lcpMs[place] = roundMs((startMs[place] ?? 0) + lcp)
  }
  return { lcpMs }
}
