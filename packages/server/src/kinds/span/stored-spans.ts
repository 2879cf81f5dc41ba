/**
 * Stored form of a fragment beyond its row, as JSON. What differs in every span (ids, times, names) stands in
 * columns, because like compresses beside like; what spans have in common (operation, attributes) stands
 * there once, as a shape. Times are microseconds, the first start counts from that of its row.
 * docs/formats.md, section "Spans".
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

/** Shape that spans have in common, with each list once. `0` stands for an absent value. */
type Shape = readonly [
  op: string,
  status: string,
  origin?: string | 0,
  attributes?: Attributes | 0,
  links?: readonly SpanLink[] | 0,
]

interface Times {
  /** By its place among the spans, or its id where it is none of them. */
  readonly parents: readonly (number | string)[]
  /** From the start of the span before. */
  readonly starts: readonly number[]
  readonly durations: readonly number[]
}

interface SpanColumns extends Times {
  readonly names: readonly string[]
  readonly shapes: readonly Shape[]
  /** The place of each span's shape; left out where each span has one of its own, in their order. */
  readonly of?: readonly number[]
  /** Eight bytes each, one behind the other, in base64url: what nothing compresses, in the fewest signs. */
  readonly ids: string
}

/** Older form of fragments, from before spans that say the same shared it. */
interface ListColumns extends Times {
  readonly shapes?: undefined
  /** Ids one behind the other, each of `ID_CHARS`. */
  readonly ids: string
  readonly spans: readonly SpanList[]
}

type SpanList = readonly [
  op: string,
  name: string,
  status: string,
  origin?: string | 0,
  attributes?: Attributes | 0,
  links?: readonly SpanLink[] | 0,
]

/** Oldest form of fragments, from before there were columns. */
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

interface WholeSpans {
  readonly shapes?: undefined
  readonly ids?: undefined
  readonly spans: readonly WholeSpan[]
}

type StoredSpans = SpanColumns | ListColumns | WholeSpans
type StoredPayload = Partial<Omit<StoredFragment, 'spans'>> & StoredSpans

const MICROS = 1e6
const ID_CHARS = 16
const NO_PARENT = -1
const FEW = 8

/** UTF-8. `startMs`: as the row's `timestampMs`. */
export function storedSpans(fragment: ScrubbedFragment, startMs: number): Uint8Array {
  const { spans, contexts, problems, scrubbedPaths } = fragment
  const kept = {
    ...spanColumns(spans, startMs / 1_000),
    ...(Object.keys(contexts).length === 0 ? {} : { contexts }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(scrubbedPaths.length === 0 ? {} : { scrubbedPaths }),
  }
  return Buffer.from(JSON.stringify(kept))
}

function spanColumns(spans: readonly Span[], start: number): SpanColumns {
  const placeOf = placesOfSpans(spans)
  const shapes = new Shapes()
  let before = 0
  const ids: string[] = []
  const parents: (number | string)[] = []
  const starts: number[] = []
  const durations: number[] = []
  const names: string[] = []
  const of: number[] = []
  for (const span of spans) {
    const at = micros(span.start_timestamp - start)
    ids.push(span.span_id)
    parents.push(span.parent_span_id === undefined ? NO_PARENT : placeOf(span.parent_span_id))
    starts.push(at - before)
    durations.push(micros(span.end_timestamp - span.start_timestamp))
    names.push(span.name)
    of.push(shapes.placeOf(span))
    before = at
  }
  const columns = { parents, starts, durations, names, shapes: shapes.all }
  const packed = Buffer.from(ids.join(''), 'hex').toString('base64url')
  return shapes.all.length === spans.length ? { ...columns, ids: packed } : { ...columns, of, ids: packed }
}

/** Spans are alike by the very object of their attributes: those that were sent alike share one. */
class Shapes {
  readonly all: Shape[] = []
  readonly #attributes = new Map<Attributes, number>()
  readonly #places = new Map<string, number>()
  /** A span of each of the first shapes that have no links: to compare with a few is quicker than to make a key. */
  readonly #few: { readonly span: Span; readonly place: number }[] = []

  placeOf(span: Span): number {
    if (span.links !== undefined) return this.all.push(spanShapeOf(span)) - 1
    for (const one of this.#few) if (isAlike(one.span, span)) return one.place
    const key = this.#keyOf(span)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const place = this.all.push(spanShapeOf(span)) - 1
    if (this.#few.length < FEW) this.#few.push({ span, place })
    else this.#places.set(key, place)
    return place
  }

  /** Without doubt: a status and a number have no blank, and the operation is as long as is said. */
  #keyOf({ op, status, origin, attributes }: Span): string {
    const said = `${status} ${this.#numberOf(attributes)} ${op.length} ${op}`
    return origin === undefined ? said : `${said} ${origin}`
  }

  #numberOf(attributes: Attributes | undefined): number {
    if (attributes === undefined) return 0
    const known = this.#attributes.get(attributes)
    if (known !== undefined) return known
    this.#attributes.set(attributes, this.#attributes.size + 1)
    return this.#attributes.size
  }
}

function isAlike(one: Span, other: Span): boolean {
  return (
    one.attributes === other.attributes &&
    one.op === other.op &&
    one.status === other.status &&
    one.origin === other.origin
  )
}

/** The place of the span with an id, or the id; neighbours mostly have one parent. */
function placesOfSpans(spans: readonly Span[]): (id: string) => number | string {
  let places: ReadonlyMap<string, number> | null = null
  let last: string | null = null
  let place: number | string = NO_PARENT
  return (id) => {
    if (id === last) return place
    // The first is searched for: of most containers it is the only one.
    if (last === null) {
      const at = spans.findLastIndex(({ span_id }) => span_id === id)
      place = at === -1 ? id : at
    } else {
      places ??= new Map(spans.map(({ span_id }, at) => [span_id, at]))
      place = places.get(id) ?? id
    }
    last = id
    return place
  }
}

function spanShapeOf(span: Span): Shape {
  const { op, status } = span
  const { origin = 0, attributes = 0, links = 0 } = span
  if (links !== 0) return [op, status, origin, attributes, links]
  if (attributes !== 0) return [op, status, origin, attributes]
  return origin === 0 ? [op, status] : [op, status, origin]
}

function micros(seconds: number): number {
  return Math.round(seconds * MICROS)
}

/** Reads a stored fragment's spans. `null` where the payload is none that `storedSpans` writes, or wrote once. */
export function readStoredSpans(payload: Uint8Array, startMs: number): StoredFragment | null {
  const parsed = parseJson(Buffer.from(payload).toString('utf8'))
  if (!isObject(parsed) || !(Array.isArray(parsed.spans) || Array.isArray(parsed.shapes))) return null
  const kept = parsed as unknown as StoredPayload // as written above
  const { contexts = {}, problems = [], scrubbedPaths = [] } = kept
  return { spans: spansOf(kept, startMs / 1_000), contexts, problems, scrubbedPaths }
}

function spansOf(stored: StoredSpans, start: number): readonly Span[] {
  if (stored.shapes !== undefined) {
    const { names, shapes, of } = stored
    const ids = Buffer.from(stored.ids, 'base64url').toString('hex')
    const lists = names.map((name, place) => spanListOf(name, shapes[of?.[place] ?? place]))
    return spansOfColumns({ ...stored, ids }, lists, start)
  }
  if (stored.ids !== undefined) return spansOfColumns(stored, stored.spans, start)
  return stored.spans.map((whole) => wholeSpan(whole, start))
}

function spanListOf(name: string, shape: Shape = ['default', 'ok']): SpanList {
  const [op, status, ...rest] = shape
  return [op, name, status, ...rest]
}

function spansOfColumns(
  { ids, parents, starts, durations }: Times & { readonly ids: string },
  lists: readonly SpanList[],
  start: number,
): readonly Span[] {
  const idAt = (place: number) => ids.slice(place * ID_CHARS, (place + 1) * ID_CHARS)
  let at = 0
  return lists.map((list, place) => {
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
