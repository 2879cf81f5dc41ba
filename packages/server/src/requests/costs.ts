/** What a segment's time went to: its spans by operation and description, and statements that ran again and again. */
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
  const costs = new Map<string, FragmentCost>()
  const descriptions = fragment.spans.map(describe)
  const runs = repeats(fragment.spans, descriptions)
  for (const [at, span] of fragment.spans.entries()) {
    if (span === root) continue
    const description = descriptions[at] ?? ''
    const key = `${span.op}\n${description}`
    const before = costs.get(key)
    const ms = Math.max(0, (span.end_timestamp - span.start_timestamp) * 1_000)
    const slowest =
      before === undefined || ms > before.slowest.ms ? { ms, spanId: span.span_id } : before.slowest
    costs.set(key, {
      ...{ op: span.op, description, slowest, isRepeated: runs.has(key) },
      count: (before?.count ?? 0) + 1,
      totalMs: (before?.totalMs ?? 0) + ms,
      failed: (before?.failed ?? 0) + (span.status === 'ok' ? 0 : 1),
    })
  }
  return [...costs.values()].sort((a, b) => b.totalMs - a.totalMs).slice(0, COSTS_MAX)
}

/** Statements of the fragment that ran again and again, each once. */
export function repeatedIn(costs: readonly FragmentCost[]): readonly string[] {
  return costs.filter(({ isRepeated }) => isRepeated).map(({ description }) => description)
}

/**
 * Queries of one parent that follow one another `repeatedStatementMin` times or more with nothing but other values: what
 * is known as N+1.
 */
function repeats(spans: readonly Span[], descriptions: readonly string[]): ReadonlySet<string> {
  const runs = new Map<string, Span[]>()
  for (const [at, span] of spans.entries()) {
    if (!QUERY_OPS.test(span.op)) continue
    const key = `${span.parent_span_id ?? ''}\n${span.op}\n${descriptions[at]}`
    const run = runs.get(key)
    if (run === undefined) runs.set(key, [span])
    else run.push(span)
  }
  const found = new Set<string>()
  for (const [key, group] of runs) {
    if (group.length >= REPEATS_MIN && inSequence(group) >= REPEATS_MIN)
      found.add(key.slice(key.indexOf('\n') + 1))
  }
  return found
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
    return statementOf(String(said))
  }
  if (CALL_OPS.test(span.op)) return callOf(span.name)
  return span.name.replace(/[?#].*$/s, '').slice(0, DESCRIPTION_CHARS)
}

/** `GET https://api.example.com/orders/17?x=1` → `GET https://api.example.com/orders/*`. */
function callOf(text: string): string {
  const bare = text.slice(0, 2_048).replace(/[?#].*$/s, '')
  return bare.replace(/\/(?:\d+|[0-9a-f]{8,}[0-9a-f-]*)(?=\/|$)/gi, '/*').slice(0, DESCRIPTION_CHARS)
}

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
