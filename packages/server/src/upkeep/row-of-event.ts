/** The row of one event from the record behind its payload: one block, where the columns would be a query of them all. */
import type { RowTable } from '#model/fields.ts'
import { decodeRow } from '#model/row-record.ts'
import type { EventLike, PayloadSegments, RowOfEvent } from '#ports/telemetry.ts'

export function rowOfEvent<R extends EventLike>(
  table: RowTable<R>,
  segments: Pick<PayloadSegments, 'record'>,
): RowOfEvent<R> {
  return async (file, projectId, eventId) => {
    const record = await segments.record(file, projectId, eventId)
    if (record === null) return null
    const { day, retentionDays } = file
    const place = { seq: record.seq, projectId, eventId, day, retentionDays }
    return decodeRow(table, Buffer.from(record.text).toString('utf8'), place)
  }
}
