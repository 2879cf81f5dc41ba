/** Incidents that pagers have open of an issue, as the log of messages tells it. */
import type { OpenIncident } from '#alerts/rules/alert-store.ts'
import type { IssueId } from '#base/ids.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { INCIDENT_KINDS } from '#notices/rules/messages.ts'
import type { Connection } from '../connection.ts'

export function openIncidents(db: Connection, issue: IssueId): readonly OpenIncident[] {
  return [...incidentsOfIssue(db, issue), ...incidentsOfStorms(db, issue)]
}

/** Returns those of the issues that a pager has open; of nearly all nobody was ever told. */
export function awaitedByPagers(db: Connection, issues: readonly IssueId[]): ReadonlySet<IssueId> {
  // alert_messages_of_incidents; alert_rules_by_org, alert_firings_by_issue
  const sql = `SELECT 1 FROM alert_messages WHERE issue_id = :issue AND channel_id IS NOT NULL
    UNION ALL SELECT 1 FROM issues i JOIN projects p ON p.id = i.project_id
      JOIN alert_rules r ON r.org_id = p.org_id JOIN alert_firings f ON f.rule_id = r.id AND f.issue_id = i.id
      WHERE i.id = :issue AND f.untold = 'storm' LIMIT 1`
  const told = db.getEach(
    sql,
    issues.map((issue) => ({ issue })),
  )
  return new Set(issues.filter((id, at) => told[at] !== undefined && openIncidents(db, id).length > 0))
}

interface Row {
  readonly channelId: number
  readonly firingId: number | null
  readonly message: string
}

function incidentsOfIssue(db: Connection, issue: IssueId): readonly OpenIncident[] {
  // alert_messages_of_incidents
  const sql = `SELECT channel_id AS channelId, firing_id AS firingId, message, max(id) FROM alert_messages
    WHERE issue_id = ? AND channel_id IS NOT NULL AND state <> 'cancelled'
      AND kind IN (SELECT value FROM json_each(?)) AND channel_id IN (SELECT id FROM channels)
      AND json_extract(message, '$.story') NOT GLOB 'storm-*'
    GROUP BY channel_id, json_extract(message, '$.story') HAVING level <> 'ok'`
  return db.all<Row>(sql, [issue, JSON.stringify(INCIDENT_KINDS)]).map(incidentOf)
}

function incidentOf({ channelId, firingId, message }: Row): OpenIncident {
  const { rule, story }: AlertMessage = JSON.parse(message)
  return { channelId, firingId, rule, story }
}

/** Returns incidents of storms, each one incident for many issues: it is over with the last of them. */
function incidentsOfStorms(db: Connection, issue: IssueId): readonly OpenIncident[] {
  // alert_rules_by_org, alert_firings_by_issue
  const stormy = `SELECT DISTINCT f.rule_id AS id FROM issues i JOIN projects p ON p.id = i.project_id
    JOIN alert_rules r ON r.org_id = p.org_id JOIN alert_firings f ON f.rule_id = r.id AND f.issue_id = i.id
    WHERE i.id = ? AND f.untold = 'storm'`
  const rules = db.all<{ id: number }>(stormy, [issue]).map(({ id }) => id)
  if (rules.length === 0) return []
  // alert_messages_to_channel
  const sql = `SELECT channel_id AS channelId, firing_id AS firingId, message, rule_id AS ruleId, min(at_ms) AS toldMs,
      max(id) FROM alert_messages
    WHERE channel_id IN (SELECT id FROM channels WHERE kind IN (SELECT value FROM json_each(:kinds)))
      AND rule_id IN (SELECT value FROM json_each(:rules)) AND state <> 'cancelled'
      AND json_extract(message, '$.story') GLOB 'storm-*'
    GROUP BY channel_id, json_extract(message, '$.story')`
  interface StormRow extends Row {
    readonly ruleId: number
    readonly toldMs: number
  }
  const asked = { kinds: JSON.stringify(INCIDENT_KINDS), rules: JSON.stringify(rules) }
  return db
    .all<StormRow>(sql, asked)
    .filter((row) => isIncidentOver(db, issue, row))
    .map(incidentOf)
}

/** Whether it told of the issue, and none of its others waits for anybody. `message` is the newest of its story. */
function isIncidentOver(
  db: Connection,
  issue: IssueId,
  { ruleId, toldMs, message }: { readonly ruleId: number; readonly toldMs: number; readonly message: string },
): boolean {
  const { level, story }: AlertMessage = JSON.parse(message)
  if (level === 'ok') return false
  // alert_firings_by_rule; one that was merged into another issue is gone.
  const sql = `SELECT max(f.issue_id = :issue) AS isOfIt, max(f.issue_id <> :issue AND i.status = 'unresolved') AS isOpen
    FROM alert_firings f LEFT JOIN issues i ON i.id = f.issue_id
    WHERE f.rule_id = :rule AND f.untold = 'storm' AND f.started_ms BETWEEN :since AND :told`
  const since = Number(story.split('-').at(-1))
  const row = db.get<{ isOfIt: number | null; isOpen: number | null }>(sql, {
    ...{ issue, rule: ruleId, since, told: toldMs },
  })
  return row?.isOfIt === 1 && row.isOpen !== 1
}
