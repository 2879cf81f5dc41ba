/**
 * What is kept of a fragment beyond its row, as JSON. What is different in every span (ids, times) stands in columns, what is
 * alike (operation, name, attributes) in a list a span without names: like compresses beside like, which takes a seventh less.
 * Times are microseconds, the first start counts from that of its row. docs/formats.md, section "Spans".
 */
import { isObject } from '#base/json.ts'
import type { Problem, ScrubbedPath } from '#model/event.ts'
import type { Attributes, ScrubbedFragment, Span, SpanLink } from '#model/span.ts'
import { parseJson } from '../lenient-json.ts'

export interface StoredFragment {
  readonly spans: readonly Span[]
  readonly contexts: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
  readonly scrubbedPaths: readonly ScrubbedPath[]
}

/** `0` stands for what is not there. */
type SpanList = readonly [
  op: string,
  name: string,
  status: string,
  origin?: string | 0,
  attributes?: Attributes | 0,
  links?: readonly SpanLink[] | 0,
]

interface SpanColumns {
  /** One behind the other, each of `ID_CHARS`. */
  readonly ids: string
  /** By its place among the spans, or its id where it is none of them. */
  readonly parents: readonly (number | string)[]
  /** From the start of the span before. */
  readonly starts: readonly number[]
  readonly durations: readonly number[]
  readonly spans: readonly SpanList[]
}

/** As fragments were written before there were columns. */
type WholeSpan = readonly [
  id: string,
  parent: string | 0,
  op: string,
  name: string,
  status: string,
  start: number,
  duration: number,
  origin?: string | 0,
  attributes?: Attributes | 0,
  links?: readonly SpanLink[] | 0,
]

type StoredSpans = SpanColumns | { readonly ids?: undefined; readonly spans: readonly WholeSpan[] }
type StoredPayload = Partial<Omit<StoredFragment, 'spans'>> & StoredSpans

const MICROS = 1e6
const ID_CHARS = 16
const NO_PARENT = -1

/** UTF-8. `startMs`: as the row's `timestampMs`. */
export function storedSpans(fragment: ScrubbedFragment, startMs: number): Uint8Array {
  const { spans, contexts, problems, scrubbedPaths } = fragment
  const kept = {
    ...columnsOf(spans, startMs / 1_000),
    ...(Object.keys(contexts).length === 0 ? {} : { contexts }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(scrubbedPaths.length === 0 ? {} : { scrubbedPaths }),
  }
  return Buffer.from(JSON.stringify(kept))
}

function columnsOf(spans: readonly Span[], start: number): SpanColumns {
  const placeOf = placesIn(spans)
  let ids = ''
  let before = 0
  const parents: (number | string)[] = []
  const starts: number[] = []
  const durations: number[] = []
  const lists: SpanList[] = []
  for (const span of spans) {
    const at = micros(span.start_timestamp - start)
    ids += span.span_id
    parents.push(span.parent_span_id === undefined ? NO_PARENT : placeOf(span.parent_span_id))
    starts.push(at - before)
    durations.push(micros(span.end_timestamp - span.start_timestamp))
    lists.push(listOf(span))
    before = at
  }
  return { ids, parents, starts, durations, spans: lists }
}

/** The place of the span with an id, or the id; neighbours mostly have one parent. */
function placesIn(spans: readonly Span[]): (id: string) => number | string {
  const places = new Map(spans.map(({ span_id }, at) => [span_id, at]))
  let last: string | null = null
  let place: number | string = NO_PARENT
  return (id) => {
    if (id !== last) place = places.get(id) ?? id
    last = id
    return place
  }
}

function listOf(span: Span): SpanList {
  const { op, name, status } = span
  const { origin = 0, attributes = 0, links = 0 } = span
  if (links !== 0) return [op, name, status, origin, attributes, links]
  if (attributes !== 0) return [op, name, status, origin, attributes]
  if (origin !== 0) return [op, name, status, origin]
  return [op, name, status]
}

function micros(seconds: number): number {
  return Math.round(seconds * MICROS)
}

/** `null` where the payload is none that `storedSpans` wrote, or wrote before it wrote columns. */
export function readStoredSpans(payload: Uint8Array, startMs: number): StoredFragment | null {
  const parsed = parseJson(Buffer.from(payload).toString('utf8'))
  if (!isObject(parsed) || !Array.isArray(parsed.spans)) return null
  const kept = parsed as unknown as StoredPayload // as written above
  const { contexts = {}, problems = [], scrubbedPaths = [] } = kept
  return { spans: spansOf(kept, startMs / 1_000), contexts, problems, scrubbedPaths }
}

function spansOf(stored: StoredSpans, start: number): readonly Span[] {
  if (stored.ids === undefined) return stored.spans.map((whole) => wholeSpan(whole, start))
  const { ids, parents, starts, durations, spans } = stored
  const idAt = (place: number) => ids.slice(place * ID_CHARS, (place + 1) * ID_CHARS)
  let at = 0
  return spans.map((list, place) => {
    at += starts[place] ?? 0
    const parent = parents[place] ?? NO_PARENT
    const parentId = typeof parent === 'string' ? parent : parent === NO_PARENT ? 0 : idAt(parent)
    const [op, name, status, ...rest] = list
    return wholeSpan([idAt(place), parentId, op, name, status, at, durations[place] ?? 0, ...rest], start)
  })
}

function wholeSpan(whole: WholeSpan, start: number): Span {
  const [span_id, parent, op, name, status, at, duration, origin = 0, attributes = 0, links = 0] = whole
  const start_timestamp = start + at / MICROS
  return {
    ...{ span_id, op, name, status, start_timestamp, end_timestamp: start_timestamp + duration / MICROS },
    ...(parent === 0 ? {} : { parent_span_id: parent }),
    ...(origin === 0 ? {} : { origin }),
    ...(attributes === 0 ? {} : { attributes }),
    ...(links === 0 ? {} : { links }),
  }
}
