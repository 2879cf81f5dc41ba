/** The row of an event that was stored without a row record, by version 1 of the payload files. */

import { groupEvent } from '#group/group.ts'
import type { EventRow } from '#model/batch.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import type { RowPlace } from '#model/row-record.ts'
import { eventFacts } from './facts.ts'

/** `payload` is what our own process step stored: UTF-8 JSON of a scrubbed event. */
export function rowOfStored(payload: Uint8Array, place: RowPlace): EventRow {
  const event = JSON.parse(Buffer.from(payload).toString('utf8')) as ScrubbedEvent // see above
  const { projectId, seq, retentionDays } = place
  const receivedMs = Math.round(event.received * 1_000)
  const { row } = eventFacts(event, groupEvent(event), { projectId, seq, receivedMs, retentionDays })
  return { ...row, ...place }
}
