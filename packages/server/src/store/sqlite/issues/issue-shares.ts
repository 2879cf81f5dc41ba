/** Links to single issues. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import { ok, refuse } from '#base/result.ts'
import type { IssueShare, IssueSharesRead, IssueSharesWrite } from '#ports/issue-shares.ts'
import type { Connection } from '../connection.ts'
import { writeAudit } from '../rows/audit.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { choose } from './chosen-issues.ts'

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

export function issueSharesWrite(db: Connection): IssueSharesWrite {
  return {
    shareIssue: async (change, { tokenHash, sealedToken, expiresMs }, actor) =>
      db.transaction(() => {
        const chosen = choose(db, change)
        if (!chosen.ok) return chosen
        const [issue] = chosen.value
        if (issue === undefined) return refuse('not_found', 'There is no such issue.')
        const share = { sealedToken, expiresMs, createdMs: Math.floor(actor.atMs), createdBy: actor.label }
        const known = `SELECT ${SHARE} FROM issue_shares WHERE issue_id = :id AND ${IS_OPEN}`
        const kept = db.get<IssueShare>(known, { id: issue.id, now: share.createdMs })
        if (kept !== undefined) return ok(kept)
        const sql = `INSERT OR REPLACE INTO issue_shares
          (issue_id, token_hash, sealed_token, expires_ms, created_ms, created_by) VALUES (?, ?, ?, ?, ?, ?)`
        db.run(sql, [issue.id, tokenHash, sealedToken, expiresMs, share.createdMs, share.createdBy])
        const detail = { expiresMs }
        writeAudit(db, change.orgId, actor, { action: 'issue.shared', target: issue.shortId, detail })
        return ok(share)
      }),
    unshareIssue: async (change, actor) =>
      db.transaction(() => {
        const chosen = choose(db, change)
        if (!chosen.ok) return chosen
        for (const issue of chosen.value) {
          const { changes } = db.run('DELETE FROM issue_shares WHERE issue_id = ?', [issue.id])
          if (changes > 0)
            writeAudit(db, change.orgId, actor, { action: 'issue.unshared', target: issue.shortId })
        }
        return ok(null)
      }),
  }
}
