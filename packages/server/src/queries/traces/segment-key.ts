import type { FragmentRow } from '#kinds/span/fields.ts'

/** Returns a segment's key: ids of traces and spans are unique within a project only. */
export function segmentKey({
  projectId,
  traceId,
  segmentId,
}: Pick<FragmentRow, 'projectId' | 'traceId' | 'segmentId'>): string {
  return `${projectId}:${traceId}:${segmentId}`
}
