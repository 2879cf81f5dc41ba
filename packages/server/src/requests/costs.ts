/** What a segment's time went to: its spans by operation and description, and statements that ran again and again. */
import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'
import type { Fragment, Span } from '#model/span.ts'

export interface FragmentCost {
  readonly op: string
  readonly description: string
  readonly count: number
  readonly totalMs: number
  readonly failed: number
  /** It ran again and again here. */
  readonly isRepeated: boolean
  readonly slowest: { readonly ms: number; readonly spanId: string }
}

const COSTS_MAX = max('spanCostsPerSegmentMax')
const REPEATS_MIN = max('repeatedStatementMin')
const DESCRIPTION_CHARS = 200
const QUERY_OPS = /^(?:db|cache)(?:\.|$)/
const CALL_OPS = /^http\.client/

/** Those with most time first; the segment's own span is none of them. */
export function costsOf(fragment: Fragment): readonly FragmentCost[] {
  const root = fragment.root === null ? undefined : fragment.spans[fragment.root]
  const sorts = sortsOf(fragment.spans, root)
  return sorts
    .sort((a, b) => b.totalMs - a.totalMs)
    .slice(0, COSTS_MAX)
    .map(({ op, description, count, totalMs, failed, slowestMs, slowest, spans }) => {
      const isRepeated = spans.length >= REPEATS_MIN && QUERY_OPS.test(op) && areRepeated(spans)
      const { span_id: spanId } = slowest
      return { op, description, count, totalMs, failed, isRepeated, slowest: { ms: slowestMs, spanId } }
    })
}

/** Spans of one operation and description. */
interface Sort {
  readonly op: string
  readonly description: string
  count: number
  totalMs: number
  failed: number
  slowestMs: number
  slowest: Span
  readonly spans: Span[]
}

function sortsOf(spans: readonly Span[], root: Span | undefined): Sort[] {
  const sorts: Sort[] = []
  const byOp = new Map<string, Map<string, Sort>>()
  for (const span of spans) {
    if (span === root) continue
    const { op } = span
    const description = describe(span)
    let ofOp = byOp.get(op)
    if (ofOp === undefined) {
      ofOp = new Map()
      byOp.set(op, ofOp)
    }
    const ms = Math.max(0, (span.end_timestamp - span.start_timestamp) * 1_000)
    const failed = span.status === 'ok' ? 0 : 1
    const sort = ofOp.get(description)
    if (sort === undefined) {
      const figures = { count: 1, totalMs: ms, failed, slowestMs: ms, slowest: span }
      const made: Sort = { op, description, ...figures, spans: [span] }
      ofOp.set(description, made)
      sorts.push(made)
      continue
    }
    sort.count++
    sort.totalMs += ms
    sort.failed += failed
    sort.spans.push(span)
    if (ms <= sort.slowestMs) continue
    sort.slowestMs = ms
    sort.slowest = span
  }
  return sorts
}

/** Statements of the fragment that ran again and again, each once. */
export function repeatedIn(costs: readonly FragmentCost[]): readonly string[] {
  return costs.filter(({ isRepeated }) => isRepeated).map(({ description }) => description)
}

/**
 * Queries of one parent that follow one another `repeatedStatementMin` times or more with nothing but other values: what
 * is known as N+1.
 */
function areRepeated(spans: readonly Span[]): boolean {
  const families = Map.groupBy(spans, ({ parent_span_id: parent }) => parent)
  return [...families.values()].some(
    (family) => family.length >= REPEATS_MIN && inSequence(family) >= REPEATS_MIN,
  )
}

/** How many begin after the one before has ended: what runs side by side waits for nothing. */
function inSequence(spans: readonly Span[]): number {
  const sorted = [...spans].sort((a, b) => a.start_timestamp - b.start_timestamp)
  let [count, end] = [0, Number.NEGATIVE_INFINITY]
  for (const { start_timestamp: start, end_timestamp } of sorted) {
    if (start < end) continue
    count++
    end = end_timestamp
  }
  return count
}

/** What the span did, without the values that make each one different. */
function describe(span: Span): string {
  if (QUERY_OPS.test(span.op)) {
    const said = span.attributes?.['db.query.text'] ?? span.attributes?.['db.statement'] ?? span.name
    return STATEMENTS.of(String(said))
  }
  if (CALL_OPS.test(span.op)) return callOf(span.name)
  return withoutQuery(span.name).slice(0, DESCRIPTION_CHARS)
}

function withoutQuery(address: string): string {
  const end = address.search(/[?#]/)
  return end === -1 ? address : address.slice(0, end)
}

/** `GET https://api.example.com/orders/17?x=1` → `GET https://api.example.com/orders/*`. */
function callOf(text: string): string {
  const bare = withoutQuery(text.slice(0, 2_048))
  return bare.replace(/\/(?:\d+|[0-9a-f]{8,}[0-9a-f-]*)(?=\/|$)/gi, '/*').slice(0, DESCRIPTION_CHARS)
}

/** An app runs the same statements again and again, and finding their values takes a dozen patterns. */
const STATEMENTS = new Memo(statementOf, { entriesMax: max('statementsRememberedMax'), charsMax: 1_024 })

/** A statement with every value as `?`, lists of them as one, in one line. */
export function statementOf(text: string): string {
  return text
    .slice(0, 4_096)
    .replace(/\/\*.*?\*\//gs, ' ')
    .replace(/'(?:[^'\\]|\\.|'')*'/gs, '?')
    .replace(/\$\d+|%s|%\(\w+\)s|(?<=[\s(,=]):\w+/g, '?')
    .replace(/(?<![\w"`.])-?\d+(?:\.\d+)?\b/g, '?')
    .replace(/\(\s*\?(?:\s*,\s*\?)+\s*\)/g, '(?)')
    .replace(/(\(\?\))(?:\s*,\s*\(\?\))+/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, DESCRIPTION_CHARS)
}
