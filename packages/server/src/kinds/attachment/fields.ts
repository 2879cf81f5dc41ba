/** The one table of what is kept of an attachment for its lifetime; name and type stand in the control store alone. */
import type { EventId } from '#base/ids.ts'
import { type RowOf, rowTable, text, whole } from '#model/fields.ts'
import { ATTACHMENT_NAME } from '#model/large-item.ts'

/** Data category under which attachments are counted, each as one. */
export const ATTACHMENT_CATEGORY = 'attachment_item'

/** New fields go to the end, and may be null. */
export const ATTACHMENTS = rowTable(
  ATTACHMENT_NAME,
  {
    /** The event it belongs to; its own id is made of that and its content. */
    event: text<EventId>(),
    bytes: whole(),
    sha256: text(),
  },
  { hasEventId: true, neighbours: ['event'] },
)

export type AttachmentRow = RowOf<typeof ATTACHMENTS>
