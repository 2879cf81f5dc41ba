/** Sums a segment's time by span operation and description, and finds statements that ran again and again. */
import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'
import { type Fragment, isVital, type Span } from '#model/span.ts'
import { ownTime, type TimeStretch } from './own-time.ts'
import { isQueryOp } from './waits.ts'

/** Spans of one operation and description. */
export interface FragmentCost {
  readonly op: string
  readonly description: string
  readonly count: number
  /** Own time, as of the slowest: what child spans took is theirs. */
  readonly totalMs: number
  readonly failed: number
  /** It ran again and again here. */
  readonly isRepeated: boolean
  readonly slowestMs: number
  readonly slowestId: string
}

const COSTS_MAX = max('spanCostsPerSegmentMax')
const REPEATS_MIN = max('repeatedStatementMin')
const DESCRIPTION_CHARS = 200
const CALL_OPS = /^http\.client/

/** Returns the spans with most time first; the segment's own span is not among them. */
export function costsOf(fragment: Pick<Fragment, 'spans' | 'root'>): readonly FragmentCost[] {
  const { costs, of } = sumsOf(fragment)
  const sorted = costs.toSorted((a, b) => b.totalMs - a.totalMs).slice(0, COSTS_MAX)
  for (const cost of sorted) {
    if (cost.count < REPEATS_MIN || !isQueryOp(cost.op)) continue
    cost.isRepeated = areRepeated(fragment.spans.filter((_, at) => of[at] === cost))
  }
  return sorted
}

type Sum = { -readonly [Name in keyof FragmentCost]: FragmentCost[Name] }

/** Number of an operation's spans, and the time of each. */
interface Operation {
  readonly describe: (span: Span) => string
  readonly byDescription: Map<string, Sum>
}

/** Sums spans in the order in which they came. `of` holds the sum of each span, by its place. */
function sumsOf({ spans, root }: Pick<Fragment, 'spans' | 'root'>): {
  readonly costs: readonly Sum[]
  readonly of: readonly (Sum | null)[]
} {
  const costs: Sum[] = []
  const of: (Sum | null)[] = []
  const operations = new Map<string, Operation>()
  const children = childrenOf(spans)
  for (const [at, span] of spans.entries()) {
    const cost = at === root || isVital(span) ? null : addTo(operations, span, children.get(span.span_id))
    of.push(cost)
    if (cost?.count === 1) costs.push(cost)
  }
  return { costs, of }
}

/** By parent, in the order in which they began. */
function childrenOf(spans: readonly Span[]): ReadonlyMap<string, readonly TimeStretch[]> {
  const children = new Map<string, TimeStretch[]>()
  for (const span of spans) {
    const { parent_span_id: parent, start_timestamp: start, end_timestamp: end } = span
    if (parent === undefined || isVital(span)) continue
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [{ start, end }])
    else known.push({ start, end })
  }
  for (const some of children.values()) if (some.length > 1) some.sort((a, b) => a.start - b.start)
  return children
}

const NO_CHILDREN: readonly TimeStretch[] = []

function addTo(operations: Map<string, Operation>, span: Span, children = NO_CHILDREN): Sum {
  const { op, status } = span
  let operation = operations.get(op)
  if (operation === undefined) {
    operation = { describe: describerOf(op), byDescription: new Map() }
    operations.set(op, operation)
  }
  const description = operation.describe(span)
  const ms = ownTime({ start: span.start_timestamp, end: span.end_timestamp }, children) * 1_000
  const failed = status === 'ok' ? 0 : 1
  const known = operation.byDescription.get(description)
  if (known === undefined) {
    const slowest = { slowestMs: ms, slowestId: span.span_id }
    const made: Sum = { op, description, count: 1, totalMs: ms, failed, isRepeated: false, ...slowest }
    operation.byDescription.set(description, made)
    return made
  }
  known.count++
  known.totalMs += ms
  known.failed += failed
  if (ms > known.slowestMs) {
    known.slowestMs = ms
    known.slowestId = span.span_id
  }
  return known
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

/** Returns a function that describes a span without the values that make each one different. */
function describerOf(op: string): (span: Span) => string {
  if (isQueryOp(op)) return describeQuery
  return CALL_OPS.test(op) ? describeCall : describeOther
}

/** Describes a query: what it did, whatever its values. */
export function describeQuery({ attributes, name }: Pick<Span, 'attributes' | 'name'>): string {
  return STATEMENTS.of(String(attributes?.['db.query.text'] ?? attributes?.['db.statement'] ?? name))
}

function describeCall({ name }: Span): string {
  return callOf(name)
}

function describeOther({ name }: Span): string {
  return withoutQuery(name).slice(0, DESCRIPTION_CHARS)
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
