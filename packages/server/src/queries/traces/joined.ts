/** Requests that failed by an error that tells of them, while their own rows say that they answered. */
import type { FragmentRow } from '#kinds/span/fields.ts'
import type { JoinedFailure } from '#ports/requests.ts'

/** Rows that say how their requests ended by all that is known. */
export function withJoined(
  rows: readonly FragmentRow[],
  joined: readonly JoinedFailure[],
): readonly FragmentRow[] {
  const names = new Set(joined.map(({ projectId, traceHead, atMs }) => `${projectId}:${traceHead}:${atMs}`))
  return rows.map((row) => {
    const name = `${row.projectId}:${row.traceId.slice(0, 16)}:${Math.floor(row.timestampMs)}`
    return row.end === 'answered' && names.has(name) ? { ...row, end: 'failed-behind-200' } : row
  })
}
