/**
 * What is kept of a fragment beyond its row, as JSON. A span is a list without names, because neighbours are alike and names
 * would be half of it; times are microseconds, a start counts from that of its row. docs/formats.md, section "Spans".
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

const MICROS = 1e6

/** UTF-8. `startMs`: as the row's `timestampMs`. */
export function storedSpans(fragment: ScrubbedFragment, startMs: number): Uint8Array {
  const { spans, contexts, problems, scrubbedPaths } = fragment
  const kept = {
    spans: spans.map((span) => listOf(span, startMs / 1_000)),
    ...(Object.keys(contexts).length === 0 ? {} : { contexts }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(scrubbedPaths.length === 0 ? {} : { scrubbedPaths }),
  }
  return Buffer.from(JSON.stringify(kept))
}

function listOf(span: Span, start: number): SpanList {
  const { span_id, parent_span_id = 0, op, name, status, start_timestamp, end_timestamp } = span
  const { origin = 0, attributes = 0, links = 0 } = span
  const at = micros(start_timestamp - start)
  const took = micros(end_timestamp - start_timestamp)
  if (links !== 0) return [span_id, parent_span_id, op, name, status, at, took, origin, attributes, links]
  if (attributes !== 0) return [span_id, parent_span_id, op, name, status, at, took, origin, attributes]
  if (origin !== 0) return [span_id, parent_span_id, op, name, status, at, took, origin]
  return [span_id, parent_span_id, op, name, status, at, took]
}

function micros(seconds: number): number {
  return Math.round(seconds * MICROS)
}

/** `null` where the payload is none that `storedSpans` wrote. */
export function readStoredSpans(payload: Uint8Array, startMs: number): StoredFragment | null {
  const kept = parseJson(Buffer.from(payload).toString('utf8'))
  if (!isObject(kept) || !Array.isArray(kept.spans)) return null
  const { contexts = {}, problems = [], scrubbedPaths = [] } = kept as Partial<StoredFragment> // as written above
  const lists = kept.spans as readonly SpanList[] // as written above
  return { spans: lists.map((list) => spanOf(list, startMs / 1_000)), contexts, problems, scrubbedPaths }
}

function spanOf(list: SpanList, start: number): Span {
  const [span_id, parent, op, name, status, at, duration, origin = 0, attributes = 0, links = 0] = list
  const start_timestamp = start + at / MICROS
  return {
    ...{ span_id, op, name, status, start_timestamp, end_timestamp: start_timestamp + duration / MICROS },
    ...(parent === 0 ? {} : { parent_span_id: parent }),
    ...(origin === 0 ? {} : { origin }),
    ...(attributes === 0 ? {} : { attributes }),
    ...(links === 0 ? {} : { links }),
  }
}
