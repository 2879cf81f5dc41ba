import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import { readStoredSpans } from '#kinds/span/stored-spans.ts'
import type { Span } from '#model/span.ts'
import type { TraceParts } from './trace.ts'

/** The spans of a row; none where its payload is gone. */
export async function spansOfRow(
  { payloads }: Pick<TraceParts, 'payloads'>,
  { day, retentionDays, projectId, eventId, timestampMs }: FragmentRow,
): Promise<readonly Span[]> {
  const payload = await payloads.read({ kind: SPAN, day, retentionDays }, projectId, eventId)
  const stored = payload === null || payload.length === 0 ? null : readStoredSpans(payload, timestampMs)
  return stored?.spans ?? []
}
