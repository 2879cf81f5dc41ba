/** Rows of events from the records behind their payloads: a few blocks, where the columns would be a query of them all. */
import type { RowTable } from '#model/fields.ts'
import { decodeRow } from '#model/row-record.ts'
import type { EventLike, PayloadSegments, RowsOfEvents } from '#ports/telemetry.ts'

export function rowsOfEvents<R extends EventLike>(
  table: RowTable<R>,
  segments: Pick<PayloadSegments, 'records'>,
): RowsOfEvents<R> {
  return async (file, events, bytesMax) => {
    const { day, retentionDays } = file
    const records = await segments.records(file, events, bytesMax)
    return events.map(({ projectId, eventId }, index) => {
      const record = records[index] ?? null
      if (record === null) return null
      const place = { seq: record.seq, projectId, eventId, day, retentionDays }
      return decodeRow(table, Buffer.from(record.text).toString('utf8'), place)
    })
  }
}
