/** Reads one transaction by its event id, as SDKs answered it: found without a search of all traces. */
import type { EventId, ProjectId } from '#base/ids.ts'
import { type FragmentRow, SPAN, SPANS } from '#kinds/span/fields.ts'
import { readStoredSpans } from '#kinds/span/stored-spans.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { decodeRow } from '#model/row-record.ts'
import type { Span } from '#model/span.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventIds, PayloadSegments } from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'

export interface TransactionParts {
  readonly eventIds: Pick<EventIds, 'find'>
  readonly payloads: Pick<PayloadSegments, 'read' | 'records'>
  readonly telemetry: Pick<TraceReads<FragmentRow>, 'fragments'>
}

/** Transaction as it is kept; without spans if sampling left them out. */
export interface TransactionView {
  readonly row: FragmentRow
  readonly spans: readonly Span[]
  readonly contexts: Readonly<Record<string, unknown>>
}

export async function transactionView(
  parts: TransactionParts,
  scope: ReadScope,
  { project, id }: { readonly project: ProjectId; readonly id: EventId },
): Promise<TransactionView | null> {
  if (!scope.projects.includes(project)) return null
  for (const file of await parts.eventIds.find(project, id, SPAN)) {
    const row = await rowIn(parts, scope, { file, project, id })
    if (row === null) continue
    const payload = await parts.payloads.read(file, project, id)
    const stored = payload === null || payload.length === 0 ? null : readStoredSpans(payload, row.timestampMs)
    return { row, spans: stored?.spans ?? [], contexts: stored?.contexts ?? {} }
  }
  return null
}

/** Its record says of which trace it is; what may be seen of that, and what is hidden, only the columns know. */
async function rowIn(
  { payloads, telemetry }: TransactionParts,
  scope: ReadScope,
  place: { readonly file: FileName; readonly project: ProjectId; readonly id: EventId },
): Promise<FragmentRow | null> {
  const { file, project: projectId, id: eventId } = place
  const [record = null] = await payloads.records(file, [{ projectId, eventId }], max('eventBytesMax'))
  if (record === null) return null
  const { day, retentionDays } = file
  const at = { seq: record.seq, projectId, eventId, day, retentionDays }
  const { traceId } = decodeRow(SPANS, Buffer.from(record.text).toString('utf8'), at)
  const rows = await telemetry.fragments(scope, { traceId, files: [file] })
  return rows.find((row) => row.eventId === eventId && row.projectId === projectId && row.hasRoot) ?? null
}
