/** Tries of messages to channels and trackers as JSON. */
import type { MessageTry } from '#ports/messages.ts'
import { MESSAGE_TRY } from '../answers/alert.ts'
import { picks } from '../pick.ts'
import { isoTimeText } from './times.ts'

export const messageTryShape = picks(MESSAGE_TRY).from<MessageTry>({
  date: ({ atMs }) => isoTimeText(atMs),
})
