import type { FragmentRow } from '#kinds/span/fields.ts'

/** What names a segment: the ids of a trace and of a span are drawn anew by each project. */
export function segmentKey({
  projectId,
  traceId,
  segmentId,
}: Pick<FragmentRow, 'projectId' | 'traceId' | 'segmentId'>): string {
  return `${projectId}:${traceId}:${segmentId}`
}
