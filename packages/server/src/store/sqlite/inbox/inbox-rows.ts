/** Entries of inboxes, written within the transaction of what they tell of. */
import { DAY_MS } from '#base/durations.ts'
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
  const assigned = new Set(row.kind === 'assigned' ? assigneesOf(db, row.detail) : [])
  for (const { userId, isMention } of people) {
    const kind = inboxKindOf({ kind: row.kind, isMention, isAssignee: assigned.has(userId) })
    const { orgId, projectId, issueId, atMs } = row
    insert(db, { ...NOTHING, userId, kind, orgId, projectId, issueId, atMs, activityId: activity })
  }
}

function assigneesOf(db: Connection, json: string): readonly number[] {
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
  const at = { orgId, projectId, issueId, kind: 'alert' as const, atMs: nowMs }
  for (const userId of people) {
    if (
      issueId !== null &&
      occasion !== null &&
      isTold(db, { userId, issueId, sinceMs: sinceOccasion(occasion.atMs) })
    )
      continue
    // inbox_unread
    const sql = `DELETE FROM inbox WHERE user_id = :user AND read_ms IS NULL AND kind = 'alert' AND org_id = :org
      AND rule_id = :rule AND issue_id IS :issue`
    db.run(sql, { user: userId, org: orgId, rule: ruleId, issue: issueId })
    insert(db, { ...NOTHING, ...at, userId, ruleId, headline: said.headline, level: said.level })
  }
}

function isTold(
  db: Connection,
  told: { readonly userId: UserId; readonly issueId: IssueId; readonly sinceMs: number },
): boolean {
  // inbox_by_issue
  const sql = 'SELECT 1 FROM inbox WHERE issue_id = ? AND user_id = ? AND at_ms >= ? LIMIT 1'
  return db.get(sql, [told.issueId, told.userId, told.sinceMs]) !== undefined
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
  for (const { id } of db.all<{ id: UserId }>(managers, [orgId, max('membersPerOrgMax')])) {
    // inbox_unread
    const sql = `DELETE FROM inbox WHERE user_id = :user AND read_ms IS NULL AND kind = 'delivery' AND org_id = :org
      AND channel_id IS :channel AND (:channel IS NOT NULL OR project_id IS :project)`
    db.run(sql, { user: id, org: orgId, channel: channelId, project: projectId })
    const said = { orgId, projectId, channelId, headline: says }
    insert(db, { ...NOTHING, ...said, userId: id, kind: 'delivery', atMs: nowMs })
  }
}

/** Entries of an issue that another takes in go along. */
export function moveEntries(
  db: Connection,
  { from, into }: { readonly from: IssueId; readonly into: IssueId },
): void {
  // inbox_by_issue
  db.run('UPDATE inbox SET issue_id = ? WHERE issue_id = ?', [into, from])
}

/** Removes the entries that tell of something that is gone. */
export function removeEntries(db: Connection, activity: number): void {
  // inbox_by_activity
  db.run('DELETE FROM inbox WHERE activity_id = ?', [activity])
}

/** What has reached its age, once a day. */
export function pruneInbox(db: Connection, nowMs: number): void {
  // inbox_by_age
  db.run('DELETE FROM inbox WHERE at_ms < ?', [Math.floor(nowMs - max('inboxDays') * DAY_MS)])
}

interface NewEntry {
  readonly userId: UserId
  readonly orgId: OrgId
  readonly projectId: ProjectId | null
  readonly kind: InboxKind
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

function insert(db: Connection, entry: NewEntry): void {
  const sql = `INSERT INTO inbox (user_id, org_id, project_id, kind, at_ms, activity_id, issue_id, rule_id, headline,
      level, channel_id)
    SELECT u.id, :orgId, :projectId, :kind, :atMs, :activityId, :issueId, :ruleId, :headline, :level, :channelId
    FROM users u WHERE u.id = :userId
      AND NOT EXISTS (SELECT 1 FROM inbox_off o WHERE o.user_id = u.id AND o.kind = :kind)
    ON CONFLICT DO NOTHING`
  if (db.run(sql, { ...entry, atMs: Math.floor(entry.atMs) }).changes === 0) return
  // inbox_of_person
  const oldest = `DELETE FROM inbox WHERE user_id = :user AND id <= (
    SELECT id FROM inbox WHERE user_id = :user ORDER BY id DESC LIMIT 1 OFFSET :most)`
  db.run(oldest, { user: entry.userId, most: max('inboxEntriesMax') })
}
