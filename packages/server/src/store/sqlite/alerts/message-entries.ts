/** Entries of the log of messages, and which of them a viewer may read. */
import type { AlertMessage } from '#model/alert-message.ts'
import type { MessageLogEntry } from '#ports/messages.ts'
import type { ReadScope } from '#ports/scope.ts'
import { messageText } from './message-texts.ts'

export interface MessageRow extends Omit<MessageLogEntry, 'rule' | 'moment' | 'level' | 'tries' | 'issue'> {
  readonly message: string
  readonly tried: string
}

export const ENTRY = `SELECT id, at_ms AS atMs, headline, channel_id AS channelId, kind, receiver AS "to", state, says,
  held_until_ms AS heldUntilMs, CASE state WHEN 'waiting' THEN due_ms END AS nextMs, settled_ms AS settledMs, tried,
  gathered_in AS gatheredIn, ${messageText('alert_messages')} AS message FROM alert_messages`
/**
 * Condition on readable messages: one that gathers others says what they say, so only people who may read all
 * of them may read it.
 */
export const READABLE_MESSAGES = `org_id = :org AND (${isOpen('alert_messages')})
  AND id NOT IN (SELECT g.gathered_in FROM alert_messages g
    WHERE g.org_id = :org AND g.gathered_in IS NOT NULL AND NOT (${isOpen('g')}))`

/** Its project, or one of several, or all of the organisation. */
function isOpen(row: string): string {
  return `CASE WHEN ${row}.project_id IS NOT NULL
      THEN ${row}.project_id IN (SELECT value FROM json_each(:projects))
    ELSE ${row}.projects IS NULL OR EXISTS (SELECT 1 FROM json_each(${row}.projects) own
      WHERE own.value IN (SELECT value FROM json_each(:projects))) END`
}

/** Parameters of `READABLE_MESSAGES`. */
export function readableMessages({ orgId, projects }: ReadScope) {
  return { org: orgId, projects: JSON.stringify(projects) }
}

export function readMessageEntry({ message, tried, ...row }: MessageRow): MessageLogEntry {
  const { rule, moment, level, issue }: AlertMessage = JSON.parse(message)
  return { ...row, rule, moment, level, tries: JSON.parse(tried), issue: issue?.shortId ?? null }
}
