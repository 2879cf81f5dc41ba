import { type IssueId, type OrgId, type ProjectId, teamId, type UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { InboxKind } from '#model/inbox.ts'
import { inboxKindOf } from '#notices/rules/inbox.ts'
import { sinceOccasion } from '#notices/rules/messages.ts'
import type { ActivityKind } from '#ports/issues.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { Connection } from '../connection.ts'
import { readDetail } from '../rows/activity.ts'
import { peopleOfAssignee } from '../rows/assignees.ts'
import { type IssueMove, moveRows } from '../rows/issue-move.ts'
import { withoutMuting } from '../rows/muted-issues.ts'
import { moveHeld } from './held-emails.ts'

/** Something that happened to an issue, and who is told of it. */
export interface ToldActivity {
  readonly activity: number
  readonly people: readonly { readonly userId: UserId; readonly isMention: boolean }[]
}

interface ActivityRow {
  readonly kind: ActivityKind
  readonly detail: string
  readonly issueId: IssueId
  readonly projectId: ProjectId
  readonly orgId: OrgId
  readonly atMs: number
}

/** Enters an activity into the inboxes of the people; once each, however often it is told. */
export function enterActivity(db: Connection, { activity, people }: ToldActivity): void {
  if (people.length === 0) return
  const sql = `SELECT a.kind, a.detail, a.at_ms AS atMs, i.id AS issueId, p.id AS projectId, p.org_id AS orgId
    FROM activities a JOIN issues i ON i.id = a.issue_id JOIN projects p ON p.id = i.project_id WHERE a.id = ?`
  const row = db.get<ActivityRow>(sql, [activity])
  if (row === undefined) return
  const assigned = new Set(row.kind === 'assigned' ? readAssignees(db, row.detail) : [])
  const told = withoutMuting(db, { people, issue: row.issueId, idOf: ({ userId }) => userId })
  const entries = told.map(({ userId, isMention }) => ({
    userId,
    kind: inboxKindOf({ kind: row.kind, isMention, isAssignee: assigned.has(userId) }),
  }))
  const { orgId, projectId, issueId, atMs } = row
  insertEntries(db, entries, { ...NOTHING, orgId, projectId, issueId, atMs, activityId: activity })
}

function readAssignees(db: Connection, json: string): readonly number[] {
  const { assignee, team } = readDetail(json)
  if (typeof team === 'number') return peopleOfAssignee(db, { team: teamId(team) })
  return typeof assignee === 'number' ? [assignee] : []
}

/**
 * Enters an alert into the inboxes of the people it is for. One occasion of an issue is one entry, whatever told of it
 * first; of a rule that goes on, the newest alone stays unread.
 */
export function enterAlert(
  db: Connection,
  message: NewMessage,
  people: readonly UserId[],
  nowMs: number,
): void {
  const { orgId, projectId, issueId, occasion, message: said } = message
  if (said.moment === 'test') return
  const ruleId = said.rule?.id ?? null
  const since = occasion === null ? null : sinceOccasion(occasion.atMs)
  const untold = issueId === null || since === null ? people : withoutTold(db, people, { issueId, since })
  // inbox_by_issue: of unread ones a person may have hundreds.
  const sql = `DELETE FROM inbox INDEXED BY inbox_by_issue WHERE issue_id IS :issue
    AND user_id IN (SELECT value FROM json_each(:users)) AND read_ms IS NULL
    AND kind = 'alert' AND org_id = :org AND rule_id = :rule`
  db.run(sql, { users: JSON.stringify(untold), org: orgId, rule: ruleId, issue: issueId })
  const entries = untold.map((userId) => ({ userId, kind: 'alert' as const }))
  const at = { orgId, projectId, issueId, atMs: nowMs }
  insertEntries(db, entries, { ...NOTHING, ...at, ruleId, headline: said.headline, level: said.level })
}

function withoutTold(
  db: Connection,
  people: readonly UserId[],
  { issueId, since }: { readonly issueId: IssueId; readonly since: number },
): readonly UserId[] {
  // inbox_by_issue
  const sql = 'SELECT user_id AS id FROM inbox WHERE issue_id = ? AND at_ms >= ?'
  const told = new Set(db.all<{ id: UserId }>(sql, [issueId, since]).map(({ id }) => id))
  return people.filter((id) => !told.has(id))
}

/** A message that failed for good. `channel` is `null` for the webhook of the project. */
export interface FailedDelivery {
  readonly orgId: OrgId
  readonly projectId: ProjectId | null
  readonly channelId: number | null
  readonly says: string
}

/** Tells who looks after the organisation; of one receiver the newest failure alone stays unread. */
export function enterFailure(db: Connection, failed: FailedDelivery, nowMs: number): void {
  const { orgId, projectId, channelId, says } = failed
  const managers = `SELECT user_id AS id FROM memberships WHERE org_id = ? AND role IN ('owner', 'manager')
    ORDER BY user_id LIMIT ?`
  const ids = db.all<{ id: UserId }>(managers, [orgId, max('membersPerOrgMax')]).map(({ id }) => id)
  // inbox_unread
  const sql = `DELETE FROM inbox WHERE user_id IN (SELECT value FROM json_each(:users)) AND read_ms IS NULL
    AND kind = 'delivery' AND org_id = :org AND channel_id IS :channel
    AND (:channel IS NOT NULL OR project_id IS :project)`
  db.run(sql, { users: JSON.stringify(ids), org: orgId, channel: channelId, project: projectId })
  const entries = ids.map((userId) => ({ userId, kind: 'delivery' as const }))
  const said = { orgId, projectId, channelId, headline: says }
  insertEntries(db, entries, { ...NOTHING, ...said, atMs: nowMs })
}

/** Entries of an issue that another takes in go along. */
export function moveEntries(db: Connection, moves: readonly IssueMove[]): void {
  // inbox_by_issue
  moveRows(db, 'UPDATE inbox SET issue_id = ? WHERE issue_id = ?', moves)
  moveHeld(db, moves)
}

interface Entered {
  readonly userId: UserId
  readonly kind: InboxKind
}

interface NewEntry {
  readonly orgId: OrgId
  readonly projectId: ProjectId | null
  readonly atMs: number
  readonly activityId: number | null
  readonly issueId: IssueId | null
  readonly ruleId: number | null
  readonly headline: string | null
  readonly level: string | null
  readonly channelId: number | null
}

const NOTHING = {
  activityId: null,
  issueId: null,
  ruleId: null,
  headline: null,
  level: null,
  channelId: null,
} as const

/** Inserts an entry for each person: two statements, however many are told. */
function insertEntries(db: Connection, entries: readonly Entered[], entry: NewEntry): void {
  if (entries.length === 0) return
  const sql = `INSERT INTO inbox (user_id, org_id, project_id, kind, at_ms, activity_id, issue_id, rule_id, headline,
      level, channel_id)
    SELECT u.id, :orgId, :projectId, e.value ->> 'kind', :atMs, :activityId, :issueId, :ruleId, :headline, :level,
      :channelId
    FROM json_each(:entries) e CROSS JOIN users u ON u.id = e.value ->> 'userId'
    WHERE NOT EXISTS (SELECT 1 FROM inbox_off o WHERE o.user_id = u.id AND o.kind = e.value ->> 'kind')
    ORDER BY e.key ON CONFLICT DO NOTHING`
  const said = { ...entry, atMs: Math.floor(entry.atMs), entries: JSON.stringify(entries) }
  if (db.run(sql, said).changes === 0) return
  // inbox_of_person
  const oldest = `DELETE FROM inbox WHERE id IN (SELECT old.id FROM json_each(:users) AS u
    CROSS JOIN inbox AS old ON old.user_id = u.value AND old.id <= (
      SELECT id FROM inbox WHERE user_id = u.value ORDER BY id DESC LIMIT 1 OFFSET :most))`
  const users = JSON.stringify(entries.map(({ userId }) => userId))
  db.run(oldest, { users, most: max('inboxEntriesMax') })
}
