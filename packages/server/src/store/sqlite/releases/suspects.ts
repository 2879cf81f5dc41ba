/** The commit that may have caused an issue, as far as the place in the code that it is called by tells. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import { type SuspectCommit, suspectCommits, versionsThatBrought } from '#issues/suspect-commits.ts'
import type { Connection } from '../connection.ts'
import { commitsOf, ofProjects } from './releases-read.ts'

interface Row {
  readonly orgId: OrgId
  readonly projectId: ProjectId
  readonly filename: string
  readonly release: string | null
}

/** The newest of them. */
export function suspectOfIssue(db: Connection, issue: IssueId): SuspectCommit | null {
  // activities_by_issue
  const sql = `SELECT p.org_id AS orgId, i.project_id AS projectId, i.filename,
      coalesce((SELECT json_extract(a.detail, '$.release') FROM activities a
        WHERE a.issue_id = i.id AND a.kind = 'regressed' ORDER BY a.id DESC LIMIT 1), i.first_release) AS release
    FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.id = ? AND i.filename IS NOT NULL
      AND EXISTS (SELECT 1 FROM release_projects rp JOIN release_commits c ON c.release_id = rp.release_id
        WHERE rp.project_id = i.project_id)`
  const row = db.get<Row>(sql, [issue])
  if (row === undefined || row.release === null) return null
  const scope = { orgId: row.orgId, projects: [row.projectId] }
  const versions = versionsThatBrought(ofProjects(db, scope, null), row.release)
  return suspectCommits([row.filename], commitsOf(db, scope, versions))[0] ?? null
}
