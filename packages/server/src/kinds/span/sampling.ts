/** The sampling rule of a project: whose spans are kept. What is left out is counted all the same. */
import { hash } from 'node:crypto'
import type { SpanSampling } from '#ports/projects.ts'
import type { FragmentRow } from './fields.ts'

/** Everything of a trace is kept or left out together, but for what failed and what was slow. */
export function isSpanSampled(
  row: Pick<FragmentRow, 'traceId' | 'end' | 'status' | 'durationMs'>,
  sampling: SpanSampling | null,
): boolean {
  if (sampling === null || row.durationMs >= sampling.slowMs) return true
  if (row.end === 'failed' || row.end === 'failed-behind-200') return true
  if (row.status !== 'ok' && row.status !== 'cancelled' && row.end === null) return true
  const drawn = hash('sha256', row.traceId, 'buffer').readUInt32BE(0) / 2 ** 32
  return drawn < sampling.share
}
