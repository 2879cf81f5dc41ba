/** The log of alerts. */
import type { AlertMessage } from '#model/alert-message.ts'
import { countsByState, median } from '#notices/rules/message-log.ts'
import type {
  MessageLog,
  MessageLogEntry,
  MessageLogQuery,
  MessageState,
  MessagesRead,
} from '#ports/messages.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'

export function messagesRead(db: Connection): MessagesRead {
  return {
    messageLog: async (scope, query) => db.snapshot(() => log(db, scope, query)),
    messageSent: async (scope, id) => {
      const row = db.get<Row>(`${ENTRY} WHERE ${READABLE} AND id = :id`, { ...readable(scope), id })
      return row === undefined ? null : { entry: entryOf(row), message: JSON.parse(row.message) }
    },
  }
}

interface Row extends Omit<MessageLogEntry, 'rule' | 'moment' | 'level' | 'tries' | 'issue'> {
  readonly message: string
  readonly tried: string
}

const ENTRY = `SELECT id, at_ms AS atMs, headline, channel_id AS channelId, kind, receiver AS "to", state, says,
  held_until_ms AS heldUntilMs, CASE state WHEN 'waiting' THEN due_ms END AS nextMs, settled_ms AS settledMs, tried,
  gathered_in AS gatheredIn, message FROM alert_messages`
/**
 * Condition on readable messages: one that gathers others says what they say, so only people who may read all
 * of them may read it.
 */
const READABLE = `org_id = :org AND (${isOpen('alert_messages')})
  AND id NOT IN (SELECT g.gathered_in FROM alert_messages g
    WHERE g.org_id = :org AND g.gathered_in IS NOT NULL AND NOT (${isOpen('g')}))`

/** Its project, or one of several, or all of the organisation. */
function isOpen(row: string): string {
  return `CASE WHEN ${row}.project_id IS NOT NULL
      THEN ${row}.project_id IN (SELECT value FROM json_each(:projects))
    ELSE ${row}.projects IS NULL OR EXISTS (SELECT 1 FROM json_each(${row}.projects) own
      WHERE own.value IN (SELECT value FROM json_each(:projects))) END`
}

function readable(scope: ReadScope) {
  return { org: scope.orgId, projects: JSON.stringify(scope.projects) }
}

function log(db: Connection, scope: ReadScope, query: MessageLogQuery): MessageLog {
  const { ruleId, kind, channelId, states, sinceMs, text, before, limit } = query
  const wanted = `${READABLE} AND at_ms >= :since AND (:rule IS NULL OR rule_id = :rule)
    AND (:kind IS NULL OR kind = :kind) AND (:channel IS NULL OR channel_id = :channel)
    AND (:text = '' OR instr(lower(headline || char(10) || receiver || char(10) || coalesce(says, '')), :text) > 0)`
  const params = {
    ...readable(scope),
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
  const rows = db.all<Row>(
    `${ENTRY} WHERE ${wanted} AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
     AND (:before IS NULL OR id < :before) ORDER BY id DESC LIMIT :limit`,
    { ...params, states: states === null ? null : JSON.stringify(states), before, limit },
  )
  return {
    entries: rows.map(entryOf),
    counts: countsByState(counts),
    medianMs: median(took.map(({ ms }) => ms)),
  }
}

function entryOf({ message, tried, ...row }: Row): MessageLogEntry {
  const { rule, moment, level, issue }: AlertMessage = JSON.parse(message)
  return { ...row, rule, moment, level, tries: JSON.parse(tried), issue: issue?.shortId ?? null }
}
