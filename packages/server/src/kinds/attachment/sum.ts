/** Sums of attachments: what the commit knows of them beyond the columns of every row. */

import { assert } from '#base/errors.ts'
import { eventId, projectId, seq } from '#base/ids.ts'
import type { PackedRow } from '#model/batch.ts'
import type { StoredAttachment } from '#ports/attachments.ts'
import type { ArrivedPart, KindSum, PackedSums } from '../kind.ts'
import { eventIdAt } from '../row-columns.ts'
import type { AttachmentRow } from './fields.ts'
import type { AttachmentOwn } from './read.ts'

type Packed = AttachmentOwn & Pick<AttachmentRow, 'event' | 'bytes' | 'sha256'>
/** Entries, one a row. */
export type AttachmentSums = readonly Packed[]

/** A handful an envelope, and few envelopes: they travel as they are. */
export const attachmentSum: KindSum<AttachmentRow, AttachmentOwn, AttachmentSums> = {
  pack: (rows: readonly PackedRow<AttachmentRow, AttachmentOwn>[]) => ({
    head: rows.map(
      ({ row, own }): Packed => ({ ...own, event: row.event, bytes: row.bytes, sha256: row.sha256 }),
    ),
    columns: {},
  }),
  unpack: ({ head }: PackedSums) => head as AttachmentSums, // as packed above
}

export function attachmentAt(
  { columns, sums }: ArrivedPart<AttachmentSums>,
  place: number,
): StoredAttachment {
  const packed = sums[place]
  const file = columns.files[columns.file[place] ?? 0]
  assert(packed !== undefined && file !== undefined, 'every row has its entry')
  const { event, ...rest } = packed
  return {
    ...rest,
    projectId: projectId(columns.projectId[place] ?? 0),
    id: eventIdAt(columns, place),
    eventId: eventId(event),
    seq: seq(columns.seq[place] ?? 0),
    receivedMs: columns.receivedMs[place] ?? 0,
    ...{ day: file.day, retentionDays: file.retentionDays },
  }
}
