/** Echoes: issues of which every event is the browser's mirror of a failure on the server. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'
import { MAIL_RECEIVERS, noticeSettings } from './notice-rows.ts'

/** An echo that is not told of. */
export interface QuietEcho {
  /** A sentence that names no issue: not everybody who reads of the echo may read of its exception. */
  readonly reason: string
  /** The issue of the exception that is told of instead. */
  readonly echoOf: IssueId | null
}

interface Echo {
  readonly issue: IssueId
  readonly project: ProjectId
}

/** `null` when nobody who would hear of the echo heard of its exception: then it is told of itself. */
export function quietEcho(db: Connection, echo: Echo): QuietEcho | null {
  // groups_by_issue, digests_by_digest
  const sql = 'SELECT 1 FROM groups g JOIN digests d ON d.group_id = g.id WHERE g.issue_id = ? LIMIT 1'
  // Without a number every request makes an echo of its own, and nothing tells which exception it belongs to.
  if (db.get(sql, [echo.issue]) === undefined)
    return { reason: 'The browser’s echo of a failure on the server, without a digest.', echoOf: null }
  const told = noticesOfException(db, echo).find((notice) => reachesReaders(db, notice, echo))
  if (told === undefined) return null
  return {
    reason: 'The browser’s echo of a failure on the server, which is told of itself.',
    echoOf: told.issue,
  }
}

interface ExceptionNotice {
  readonly notice: number
  readonly issue: IssueId
  readonly project: ProjectId
}

const NOTICES_MAX = 20

/** Notices, not dropped, of issues whose events on the server showed the same digest; of the whole organisation. */
function noticesOfException(db: Connection, { issue, project }: Echo): readonly ExceptionNotice[] {
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
  return db.all<ExceptionNotice>(sql, { issue, org: owner?.org ?? -1, limit: NOTICES_MAX })
}

/** Whether somebody who would be told of the echo is told of its exception by this notice. */
function reachesReaders(db: Connection, { notice, project }: ExceptionNotice, echo: Echo): boolean {
  if (project === echo.project) return true
  const { mail, webhook } = noticeSettings(db, echo.project)
  // deliveries_by_notice
  const mailed = `SELECT 1 FROM deliveries WHERE notice_id = :notice AND channel = 'mail' AND state <> 'cancelled'
    AND user_id IN (SELECT id FROM (${MAIL_RECEIVERS})) LIMIT 1`
  if (mail && db.get(mailed, { notice, project: echo.project }) !== undefined) return true
  if (webhook === null || webhook.url !== noticeSettings(db, project).webhook?.url) return false
  const called = `SELECT 1 FROM deliveries WHERE notice_id = ? AND channel = 'webhook' AND state <> 'cancelled'`
  return db.get(called, [notice]) !== undefined
}
