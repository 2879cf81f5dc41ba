/** Incidents that pagers have open of an issue, as the log of messages tells it. */
import type { OpenIncident } from '#alerts/rules/alert-store.ts'
import type { IssueId } from '#base/ids.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { INCIDENT_KINDS } from '#notices/rules/messages.ts'
import type { Connection } from '../connection.ts'

export function openIncidents(db: Connection, issue: IssueId): readonly OpenIncident[] {
  // alert_messages_of_incidents
  const sql = `SELECT channel_id AS channelId, firing_id AS firingId, message, max(id) FROM alert_messages
    WHERE issue_id = ? AND channel_id IS NOT NULL AND state <> 'cancelled'
      AND kind IN (SELECT value FROM json_each(?)) AND channel_id IN (SELECT id FROM channels)
    GROUP BY channel_id, json_extract(message, '$.story') HAVING level <> 'ok'`
  const rows = db.all<{ channelId: number; firingId: number | null; message: string }>(sql, [
    issue,
    JSON.stringify(INCIDENT_KINDS),
  ])
  return rows.map(({ channelId, firingId, message }) => {
    const { rule, story }: AlertMessage = JSON.parse(message)
    return { channelId, firingId, rule, story }
  })
}
