/** Rows of notices, as queue, deliveries and reads share them. */

import type { Digest, IssueId, ProjectId } from '#base/ids.ts'
import { mostFrequent, readCounts } from '#issues/counts.ts'
import { shortId } from '#issues/issue-names.ts'
import { mainRequestKind } from '#issues/main-request-kind.ts'
import type { Level } from '#model/event.ts'
import { CAUSES, readCause } from '#notices/rules/cause.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import {
  NOTICE_SETTINGS_DEFAULT,
  type Notice,
  type NoticeIssue,
  type NoticeKind,
  type NoticeSettings,
} from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { readDetail } from '../rows/activity.ts'
import { facetsOf } from '../rows/facets-of.ts'
import { ISSUE_TITLE } from '../rows/issue-title.ts'

interface SettingsRow {
  readonly project: ProjectId
  readonly mail: number
  readonly quietHours: number
  readonly webhookUrl: string | null
  readonly changedMs: number | null
}

export function noticeSettings(db: Connection, project: ProjectId): NoticeSettings {
  return settingsOfProjects(db, [project]).get(project) ?? NOTICE_SETTINGS_DEFAULT
}

/** Returns the settings of those projects that have some of their own. */
export function settingsOfProjects(
  db: Connection,
  projects: readonly ProjectId[],
): ReadonlyMap<ProjectId, NoticeSettings> {
  const sql = `SELECT project_id AS project, mail, quiet_hours AS quietHours, webhook_url AS webhookUrl,
      webhook_changed_ms AS changedMs
    FROM notice_settings WHERE project_id IN (SELECT value FROM json_each(?))`
  const rows = db.all<SettingsRow>(sql, [JSON.stringify(projects)])
  return new Map(
    rows.map(({ project, mail, quietHours, webhookUrl, changedMs }) => {
      const webhook = webhookUrl === null ? null : { url: webhookUrl, changedMs: changedMs ?? 0 }
      return [project, { mail: mail === 1, quietHours, webhook }]
    }),
  )
}

/** True for who takes email at all. */
export const TAKES_EMAIL = 'NOT EXISTS (SELECT 1 FROM notice_mail_off o WHERE o.user_id = u.id)'

/** Members who may read the project. Parameter: `project`; append conditions with AND. */
export const PROJECT_READERS = `SELECT u.id, u.email, u.name, ${TAKES_EMAIL} AS takesEmail
  FROM projects p JOIN memberships m ON m.org_id = p.org_id JOIN users u ON u.id = m.user_id
  WHERE p.id = :project
    AND (m.role IN ('owner', 'manager') OR EXISTS (
      SELECT 1 FROM team_members tm JOIN team_projects tp ON tp.team_id = tm.team_id
      JOIN teams t ON t.id = tm.team_id AND t.org_id = p.org_id
      WHERE tm.user_id = m.user_id AND tp.project_id = p.id)
      OR EXISTS (SELECT 1 FROM guest_projects g
        WHERE g.org_id = m.org_id AND g.user_id = m.user_id AND g.project_id = p.id))`

/** Readers who take email. */
export const MAIL_RECEIVERS = `${PROJECT_READERS} AND ${TAKES_EMAIL}`

/** The issue as it is now, while it is one of the notice's project: who reads the alert may read that one alone. */
export function issueOfNotice(db: Connection, notice: Parameters<typeof ownerOfNotice>[1]): IssueId | null {
  const owner = ownerOfNotice(db, notice)
  const sql = 'SELECT id FROM issues WHERE id = ? AND project_id = ?'
  return db.get<{ id: IssueId }>(sql, [owner, notice.projectId])?.id ?? null
}

/** The issue as it is now: itself, or what it was merged or folded into; `null` when it is gone. */
export function ownerOfNotice(
  db: Connection,
  notice: { readonly issueId: IssueId | null; readonly projectId: ProjectId; readonly number: number | null },
): IssueId | null {
  const sql = `SELECT id FROM issues WHERE id = :issue
    UNION ALL SELECT issue_id FROM issue_redirects WHERE project_id = :project AND number = :number LIMIT 1`
  const { issueId, projectId, number } = notice
  return (
    db.get<{ id: IssueId }>(sql, { issue: issueId, project: projectId, number: number ?? -1 })?.id ?? null
  )
}

interface NoticeRow {
  readonly id: number
  readonly kind: NoticeKind
  readonly atMs: number
  readonly issueId: IssueId | null
  readonly number: number | null
  readonly newIssues: number
  readonly returnedIssues: number
  readonly echoIssues: number
  readonly organisation: string
  readonly projectId: ProjectId
  readonly slug: string
  readonly name: string
}

/** Everything that is told, as it stands now; `null` when its issue is gone. */
export function readNotice(db: Connection, id: number): Notice | null {
  const sql = `SELECT n.id, n.kind, n.at_ms AS atMs, n.issue_id AS issueId, n.issue_number AS number,
      n.new_issues AS newIssues, n.returned_issues AS returnedIssues, n.echo_issues AS echoIssues,
      o.slug AS organisation, p.id AS projectId, p.slug, p.name
    FROM notices n JOIN projects p ON p.id = n.project_id JOIN organisations o ON o.id = p.org_id WHERE n.id = ?`
  const row = db.get<NoticeRow>(sql, [id])
  if (row === undefined) return null
  const base = {
    id,
    kind: row.kind,
    atMs: row.atMs,
    organisation: row.organisation,
    project: { id: row.projectId, slug: row.slug, name: row.name },
  }
  if (row.kind === 'summary') {
    const { newIssues, returnedIssues, echoIssues } = row
    return { ...base, issue: null, rest: { newIssues, returnedIssues, echoIssues } }
  }
  const issueId = issueOfNotice(db, row)
  const issue = issueId === null ? null : readToldIssue(db, { issueId, slug: row.slug })
  return issue === null ? null : { ...base, issue, rest: null }
}

interface IssueFactsRow {
  readonly number: number
  readonly title: string
  readonly culprit: string
  readonly level: Level
  readonly eventCount: number
  readonly mirrorCount: number
  readonly userCount: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly lastRelease: string | null
  readonly kinds: string
  readonly routes: string
}

export function readToldIssue(
  db: Connection,
  { issueId, slug }: { readonly issueId: IssueId; readonly slug: string },
): NoticeIssue | null {
  const sql = `SELECT number, ${ISSUE_TITLE} AS title, culprit, level, event_count AS eventCount,
      mirror_count AS mirrorCount, user_count AS userCount, first_seen_ms AS firstSeenMs, last_seen_ms AS lastSeenMs,
      last_release AS lastRelease, kinds, routes
    FROM issues i WHERE id = ?`
  const row = db.get<IssueFactsRow>(sql, [issueId])
  if (row === undefined) return null
  const { mirrorCount, lastRelease, kinds, routes, ...facts } = row
  const cause = readNoticeCause(db, issueId)
  return {
    ...facts,
    shortId: shortId(slug, row.number),
    requestKind: mainRequestKind(readCounts(kinds)),
    route: mostFrequent(readCounts(routes))[0]?.[0] ?? null,
    digest: newestDigest(db, issueId),
    isMirror: isMirror(row),
    release: cause.release ?? lastRelease,
    environment: newestEnvironment(db, issueId),
    eventId: cause.eventId,
    traceId: cause.traceId,
  }
}

function readNoticeCause(db: Connection, issue: IssueId): ReturnType<typeof readCause> {
  // activities_by_issue
  const sql = `SELECT detail FROM activities
    WHERE issue_id = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT 1`
  const row = db.get<{ detail: string }>(sql, [issue, JSON.stringify(CAUSES)])
  return readCause(row === undefined ? null : readDetail(row.detail))
}

function newestDigest(db: Connection, issue: IssueId): Digest | null {
  // groups_by_issue, digests_by_age
  const sql = `SELECT d.digest FROM groups g JOIN digests d ON d.group_id = g.id
    WHERE g.issue_id = ? ORDER BY d.last_seen_ms DESC, d.id DESC LIMIT 1`
  return db.get<{ digest: Digest }>(sql, [issue])?.digest ?? null
}

function newestEnvironment(db: Connection, issue: IssueId): string | null {
  // groups_by_issue, the primary keys of facets and packed_facets
  const sql = `SELECT f.value FROM ${facetsOf('g.issue_id = :issue')} f
    WHERE f.key_id = (SELECT id FROM tag_keys WHERE key = 'environment') ORDER BY f.last_at_ms DESC, f.value LIMIT 1`
  return db.get<{ value: string }>(sql, { issue })?.value ?? null
}
