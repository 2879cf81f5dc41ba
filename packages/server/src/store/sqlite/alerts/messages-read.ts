/** The log of alerts. */
import type { MessagesRead } from '#ports/messages.ts'
import type { Connection } from '../connection.ts'
import { deliveryCounts, deliveryLog } from './delivery-log.ts'
import {
  ENTRY,
  type MessageRow,
  READABLE_MESSAGES,
  readableMessages,
  readMessageEntry,
} from './message-entries.ts'

export function messagesRead(db: Connection): MessagesRead {
  return {
    deliveryLog: async (scope, query) => db.snapshot(() => deliveryLog(db, scope, query)),
    deliveryCounts: async (scope, { sinceMs }) => deliveryCounts(db, scope, sinceMs),
    messageSent: async (scope, id) => {
      const row = db.get<MessageRow>(`${ENTRY} WHERE ${READABLE_MESSAGES} AND id = :id`, {
        ...readableMessages(scope),
        id,
      })
      return row === undefined ? null : { entry: readMessageEntry(row), message: JSON.parse(row.message) }
    },
  }
}
