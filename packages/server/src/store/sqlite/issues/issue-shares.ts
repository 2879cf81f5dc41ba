/** Links to single issues. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { IssueShare, IssueSharesRead } from '#ports/issue-shares.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

const SHARE = `sealed_token AS sealedToken, expires_ms AS expiresMs, created_ms AS createdMs,
  created_by AS createdBy`
const IS_OPEN = '(expires_ms IS NULL OR expires_ms > :now)'

export function issueSharesRead(db: Connection): IssueSharesRead {
  return {
    issueShare: async (scope, id, nowMs) => {
      const sql = `${READABLE} SELECT ${SHARE} FROM issue_shares s JOIN issues i ON i.id = s.issue_id
        WHERE s.issue_id = :id AND ${IS_OPEN} AND i.project_id IN (SELECT id FROM readable)`
      return db.get<IssueShare>(sql, { ...readableParams(scope), id, now: nowMs }) ?? null
    },
    sharedIssue: async (tokenHash, nowMs) => {
      const sql = `SELECT o.id, o.slug, i.project_id AS projectId, i.id AS issueId FROM issue_shares s
        JOIN issues i ON i.id = s.issue_id JOIN projects p ON p.id = i.project_id
        JOIN organisations o ON o.id = p.org_id WHERE s.token_hash = :hash AND ${IS_OPEN}`
      type Row = { id: OrgId; slug: string; projectId: ProjectId; issueId: IssueId }
      const row = db.get<Row>(sql, { hash: tokenHash, now: nowMs })
      if (row === undefined) return null
      const { id, slug, ...issue } = row
      return { organisation: { id, slug }, ...issue }
    },
  }
}
