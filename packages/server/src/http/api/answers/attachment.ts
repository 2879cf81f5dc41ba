/** Answer for a file that was sent with an event. */
import * as v from 'valibot'
import { namedSchema, textSchema, wholeSchema } from './words.ts'

export const ATTACHMENT_SCHEMA = namedSchema(
  'Attachment',
  v.object({
    ...{
      id: textSchema,
      event_id: textSchema,
      type: textSchema,
      name: textSchema,
      mimetype: textSchema,
      dateCreated: textSchema,
      size: wholeSchema,
    },
    headers: v.object({ 'Content-Type': textSchema }),
    sha1: v.null(),
    sha256: textSchema,
  }),
)
