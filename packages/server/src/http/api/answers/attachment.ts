/** Answer for a file that was sent with an event. */
import * as v from 'valibot'
import { named, text, whole } from './words.ts'

export const ATTACHMENT = named(
  'Attachment',
  v.object({
    ...{ id: text, event_id: text, type: text, name: text, mimetype: text, dateCreated: text, size: whole },
    headers: v.object({ 'Content-Type': text }),
    sha1: v.null(),
    sha256: text,
  }),
)
