/** Requests of one page, one row a trace. Pure. */
import type { TraceList } from '@errata/server/queries'

type Row = TraceList['rows'][number]

type Grouped = Pick<Row, 'traceId' | 'timestampMs' | 'end' | 'error'> & { readonly atMs: number }

/** How bad an end is: what failed is said of the whole trace. */
const WORST: readonly Row['end'][] = ['failed', 'failed-behind-200']

/**
 * The first of each trace in the order of the list stands for it, the one that began first; what failed in any of them is
 * said of it. `others`: how many more requests of the trace are on the page.
 */
export function traceRows<R extends Omit<Grouped, 'timestampMs'>>(
  rows: readonly R[],
): readonly (R & { readonly others: number })[] {
  const traces = Map.groupBy(rows, ({ traceId }) => traceId)
  return [...traces.values()].map((own) => {
    const first = own.reduce((before, row) => (row.atMs < before.atMs ? row : before))
    const failed = WORST.flatMap((end) => own.find((row) => row.end === end) ?? [])[0]
    return {
      ...first,
      ...(failed === undefined ? {} : { end: failed.end }),
      error: own.find(({ error }) => error !== null)?.error ?? null,
      others: own.length - 1,
    }
  })
}
