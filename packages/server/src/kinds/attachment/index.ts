/** Attachments: files that SDKs send beside an event. */
import { ATTACHMENT_NAME } from '#model/large-item.ts'
import { type Kind, storedKind } from '../kind.ts'
import { ATTACHMENT_CATEGORY, ATTACHMENTS } from './fields.ts'
import { attachmentKeep } from './keep.ts'
import { followEvent, readAttachment } from './read.ts'
import { attachmentSum } from './sum.ts'

export const attachment: Kind = {
  itemTypes: [ATTACHMENT_NAME],
  read: readAttachment,
  follow: followEvent,
  stored: storedKind({
    table: ATTACHMENTS,
    category: ATTACHMENT_CATEGORY,
    sum: attachmentSum,
    keep: attachmentKeep,
  }),
}
