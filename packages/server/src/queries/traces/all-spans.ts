/** Segments with what all their parts say: spans of a request may come as they end. */
import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SpanSums, TraceReads } from '#ports/traces.ts'
import { filesNear } from './errors-near.ts'
import { segmentKey } from './segment-key.ts'

type Sum = Pick<SpanSums, 'count' | 'queriesMs' | 'callsMs' | 'httpStatus'>

/** Returns rows with the number of their spans, what they waited for and how they were answered, by all parts; and the sums. */
export async function withAllSpans(
  telemetry: Pick<TraceReads<FragmentRow>, 'spanSums'>,
  scope: ReadScope,
  { rows, files }: { readonly rows: readonly FragmentRow[]; readonly files: readonly FileName[] },
): Promise<{ readonly rows: readonly FragmentRow[]; readonly sums: readonly SpanSums[] }> {
  const traceIds = [...new Set(rows.map(({ traceId }) => traceId))]
  const days = rows.map(({ day }) => day)
  const sums = new Map<string, Sum>()
  const counted = await telemetry.spanSums(scope, { traceIds, files: filesNear(files, SPAN, days) })
  for (const one of counted) {
    const before = sums.get(segmentKey(one))
    sums.set(segmentKey(one), {
      count: one.count + (before?.count ?? 0),
      queriesMs: addedOrNull(one.queriesMs, before?.queriesMs),
      callsMs: addedOrNull(one.callsMs, before?.callsMs),
      httpStatus: one.httpStatus ?? before?.httpStatus ?? null,
    })
  }
  const complete = rows.map((row) => {
    const sum = sums.get(segmentKey(row))
    if (sum === undefined) return row
    const { count: spanCount, queriesMs, callsMs } = sum
    return { ...row, spanCount, queriesMs, callsMs, httpStatus: row.httpStatus ?? sum.httpStatus }
  })
  return { rows: complete, sums: counted }
}

function addedOrNull(one: number | null, other: number | null | undefined): number | null {
  return one === null ? (other ?? null) : one + (other ?? 0)
}
