/** Computes a segment's waits from its spans: time that several took at once counts once. */
import type { Fragment, Span } from '#model/span.ts'

export interface Waits {
  /** Waiting for a database or cache, in whole milliseconds. */
  readonly queriesMs: number
  /** Waiting for other services while no query ran. */
  readonly callsMs: number
}

type Stretch = Pick<Span, 'start_timestamp' | 'end_timestamp'>

/** Returns waits; for spans without their segment, all the time they took. */
export function waitsOf({ spans, root }: Pick<Fragment, 'spans' | 'root'>): Waits {
  const queries: Stretch[] = []
  const calls: Stretch[] = []
  for (const [at, span] of spans.entries()) {
    if (at === root) continue
    if (isQueryOp(span.op)) queries.push(span)
    else if (isCallOp(span.op)) calls.push(span)
  }
  const within = root === null ? undefined : spans[root]
  const queriesSeconds = coveredBy(queries, within)
  const both = calls.length === 0 ? queriesSeconds : coveredBy([...queries, ...calls], within)
  return {
    queriesMs: Math.round(queriesSeconds * 1_000),
    callsMs: Math.round((both - queriesSeconds) * 1_000),
  }
}

export function isQueryOp(op: string): boolean {
  return isOf(op, 'db') || isOf(op, 'cache')
}

function isCallOp(op: string): boolean {
  return isOf(op, 'http.client') || isOf(op, 'rpc') || isOf(op, 'grpc.client')
}

/** `db` and `db.query`, not `dba`. */
function isOf(op: string, name: string): boolean {
  return op.startsWith(name) && (op.length === name.length || op[name.length] === '.')
}

/** Seconds. */
function coveredBy(stretches: readonly Stretch[], within: Stretch | undefined): number {
  const from = within?.start_timestamp ?? Number.NEGATIVE_INFINITY
  const until = within?.end_timestamp ?? Number.POSITIVE_INFINITY
  let [covered, end] = [0, from]
  for (const { start_timestamp: start, end_timestamp } of byStart(stretches)) {
    const stop = Math.min(end_timestamp, until)
    if (stop <= end) continue
    covered += stop - Math.max(start, end)
    end = stop
  }
  return covered
}

function byStart(stretches: readonly Stretch[]): readonly Stretch[] {
  return stretches.length < 2
    ? stretches
    : stretches.toSorted((a, b) => a.start_timestamp - b.start_timestamp)
}
