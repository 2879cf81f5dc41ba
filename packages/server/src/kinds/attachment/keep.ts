/** Every row is kept, none with a payload; the control store gets what is shown of them. */
import { ATTACHMENT_BYTES } from '@errata/protocol'
import type { KindKeep } from '../kind.ts'
import { ATTACHMENT_CATEGORY, type AttachmentRow } from './fields.ts'
import type { AttachmentOwn } from './read.ts'
import { type AttachmentSums, attachmentAt } from './sum.ts'

export const attachmentKeep: KindKeep<AttachmentRow, AttachmentOwn, AttachmentSums> = {
  thinner: null,
  hints: null,
  weight: {
    category: ATTACHMENT_BYTES,
    of: ({ sums }, place) => Math.max(1, sums[place]?.bytes ?? 0),
  },
  settle: async (part, places) => ({
    ...{ part, bare: new Set(), hint: null },
    control:
      places.length === 0
        ? null
        : {
            ...{ type: 'attachments', category: ATTACHMENT_CATEGORY },
            attachments: places.map((place) => attachmentAt(part, place)),
          },
  }),
  holds: () => true,
}
