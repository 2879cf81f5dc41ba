/** Attachments of events: what is shown of them. Their content lies in large blobs, named by day, class, project and id. */
import type { ProjectId } from '#base/ids.ts'
import { bytes, json, orNull, ref, table, text, time, whole } from './table.ts'

export const ATTACHMENTS_KEPT = table(
  'attachments',
  {
    projectId: ref<ProjectId>('projects'),
    attachment: bytes(),
    event: bytes(),
    seq: whole(),
    receivedMs: time(),
    // Of the blob.
    day: whole(),
    retentionDays: whole(),
    name: text(),
    contentType: orNull(text()),
    type: text(),
    bytes: whole(),
    // SHA-256.
    contentHash: bytes(),
    // NULL where the event came otherwise.
    groupHash: orNull(bytes()),
    // As EventRow.people.
    people: json<readonly string[]>(),
  },
  {
    key: ['projectId', 'attachment'],
    indices: {
      attachments_by_event: { on: ['projectId', 'event'] },
      attachments_by_group: { on: ['projectId', 'groupHash', 'receivedMs'] },
      attachments_by_day: { on: ['day', 'retentionDays', 'bytes'] },
    },
  },
)
