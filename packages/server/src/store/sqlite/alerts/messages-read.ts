/** The log of alerts. */
import { countsByState, median } from '#notices/rules/message-log.ts'
import type { MessageLog, MessageLogQuery, MessageState, MessagesRead } from '#ports/messages.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { deliveryLog } from './delivery-log.ts'
import {
  ENTRY,
  type MessageRow,
  READABLE_MESSAGES,
  readableMessages,
  readMessageEntry,
} from './message-entries.ts'

export function messagesRead(db: Connection): MessagesRead {
  return {
    messageLog: async (scope, query) => db.snapshot(() => readMessageLog(db, scope, query)),
    deliveryLog: async (scope, query) => db.snapshot(() => deliveryLog(db, scope, query)),
    messageSent: async (scope, id) => {
      const row = db.get<MessageRow>(`${ENTRY} WHERE ${READABLE_MESSAGES} AND id = :id`, {
        ...readableMessages(scope),
        id,
      })
      return row === undefined ? null : { entry: readMessageEntry(row), message: JSON.parse(row.message) }
    },
  }
}

function readMessageLog(db: Connection, scope: ReadScope, query: MessageLogQuery): MessageLog {
  const { ruleId, kind, channelId, states, sinceMs, text, before, limit } = query
  const wanted = `${READABLE_MESSAGES} AND at_ms >= :since AND (:rule IS NULL OR rule_id = :rule)
    AND (:kind IS NULL OR kind = :kind) AND (:channel IS NULL OR channel_id = :channel)
    AND (:text = '' OR instr(lower(headline || char(10) || receiver || char(10) || coalesce(says, '')), :text) > 0)`
  const params = {
    ...readableMessages(scope),
    since: sinceMs,
    rule: ruleId,
    kind,
    channel: channelId,
    text: text.toLowerCase(),
  }
  const counts = db.all<{ state: MessageState; count: number }>(
    `SELECT state, count(*) AS count FROM alert_messages WHERE ${wanted} GROUP BY state`,
    params,
  )
  const took = db.all<{ ms: number }>(
    `SELECT settled_ms - at_ms AS ms FROM alert_messages WHERE ${wanted} AND state = 'sent' AND held_until_ms IS NULL
     ORDER BY ms`,
    params,
  )
  const rows = db.all<MessageRow>(
    `${ENTRY} WHERE ${wanted} AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
     AND (:before IS NULL OR id < :before) ORDER BY id DESC LIMIT :limit`,
    { ...params, states: states === null ? null : JSON.stringify(states), before, limit },
  )
  return {
    entries: rows.map(readMessageEntry),
    counts: countsByState(counts),
    medianMs: median(took.map(({ ms }) => ms)),
  }
}
