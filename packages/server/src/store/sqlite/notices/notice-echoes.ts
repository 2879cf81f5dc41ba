/** What is read to tell whether an echo is told of. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import {
  EXCEPTION_NOTICES_MAX,
  type ExceptionNotice,
  type QuietEcho,
  quietEcho,
} from '#notices/rules/echoes.ts'
import type { NewIssue } from '#notices/rules/queueing.ts'
import type { Connection } from '../connection.ts'
import { MAIL_RECEIVERS, noticeSettings } from './notice-rows.ts'

type Echo = Pick<NewIssue, 'issueId' | 'projectId'>

export function quietEchoOf(db: Connection, echo: Echo): QuietEcho | null {
  // groups_by_issue, digests_by_digest
  const sql = 'SELECT 1 FROM groups g JOIN digests d ON d.group_id = g.id WHERE g.issue_id = ? LIMIT 1'
  return quietEcho(() => noticeSettings(db, echo.projectId), {
    hasDigest: db.get(sql, [echo.issueId]) !== undefined,
    notices: () => noticesOfException(db, echo),
  })
}

interface NoticeRow {
  readonly notice: number
  readonly issue: IssueId
  readonly project: ProjectId
}

/** Of the whole organisation. */
function noticesOfException(db: Connection, echo: Echo): readonly ExceptionNotice[] {
  const { issueId: issue, projectId: project } = echo
  const owner = db.get<{ org: OrgId }>('SELECT org_id AS org FROM projects WHERE id = ?', [project])
  // groups_by_issue, digests_by_digest, notices_by_issue; a merged issue's notices bear its own number, its redirect's.
  const sql = `SELECT DISTINCT n.id AS notice, og.issue_id AS issue, n.project_id AS project
    FROM groups g JOIN digests d ON d.group_id = g.id
      JOIN digests other ON other.digest = d.digest AND other.mirror_count < other.count
      JOIN groups og ON og.id = other.group_id JOIN projects p ON p.id = og.project_id AND p.org_id = :org
      JOIN notices n ON n.issue_id IN (
        SELECT og.issue_id UNION ALL SELECT r.id FROM issue_redirects r WHERE r.issue_id = og.issue_id)
    WHERE g.issue_id = :issue AND og.issue_id <> :issue AND n.dropped IS NULL
    ORDER BY n.at_ms DESC, n.id DESC LIMIT :limit`
  const params = { issue, org: owner?.org ?? -1, limit: EXCEPTION_NOTICES_MAX }
  return db.all<NoticeRow>(sql, params).map((row) => exceptionNotice(db, row, echo))
}

function exceptionNotice(
  db: Connection,
  { notice, issue, project }: NoticeRow,
  { projectId }: Echo,
): ExceptionNotice {
  // deliveries_by_notice
  const mailed = `SELECT 1 FROM deliveries WHERE notice_id = :notice AND channel = 'mail' AND state <> 'cancelled'
    AND user_id IN (SELECT id FROM (${MAIL_RECEIVERS})) LIMIT 1`
  const called = `SELECT 1 FROM deliveries WHERE notice_id = ? AND channel = 'webhook' AND state <> 'cancelled'`
  return {
    issue,
    isSameProject: project === projectId,
    isMailedToReaders: () => db.get(mailed, { notice, project: projectId }) !== undefined,
    webhookUrl: () => noticeSettings(db, project).webhook?.url ?? null,
    isCalled: () => db.get(called, [notice]) !== undefined,
  }
}
