/** Uploads that were refused. */
import { type OrgId, type ProjectId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactIndex, FailedUpload, FailureFilter, NewFailure } from '#ports/artifacts.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { projectIds } from './bundle-lists.ts'

const FAILURES_MAX = max('failedUploadsMax')
const REASON_CHARS_MAX = max('failedUploadReasonCharsMax')

interface FailureRow {
  readonly id: number
  readonly projects: string
  readonly release: string | null
  readonly at_ms: number
  readonly what: string
  readonly reason: string
  readonly uploaded_by: string
}

export function failedUploads(db: Connection): Pick<ArtifactIndex, 'addFailure' | 'failures'> {
  return {
    addFailure: (failure) => db.transaction(() => addFailedUpload(db, failure)),
    failures: (scope, filter) => listFailedUploads(db, scope, filter),
  }
}

function addFailedUpload(db: Connection, { orgId, projects, atMs, what, by, ...failure }: NewFailure): void {
  const release = failure.release?.slice(0, max('releaseCharsMax')) ?? null
  const reason = failure.reason.slice(0, REASON_CHARS_MAX)
  const ids = JSON.stringify(projects)
  // A tool that tries again and again does not push out what else was refused.
  db.run(
    `DELETE FROM failed_uploads WHERE org_id = ? AND projects = ? AND release IS ? AND what = ? AND reason = ?
      AND uploaded_by = ?`,
    [orgId, ids, release, what, reason, by],
  )
  db.run(
    `INSERT INTO failed_uploads (org_id, projects, release, at_ms, what, reason, uploaded_by)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [orgId, ids, release, atMs, what, reason, by],
  )
  // Whichever project fails most loses its oldest: what was refused of others stays.
  db.run(
    `DELETE FROM failed_uploads WHERE id IN (SELECT id FROM (
      SELECT id, row_number() OVER (ORDER BY own, id DESC) AS place FROM (
        SELECT id, row_number() OVER (PARTITION BY projects ORDER BY id DESC) AS own
        FROM failed_uploads WHERE org_id = ?)) WHERE place > ?)`,
    [orgId, FAILURES_MAX],
  )
}

/** By the index of the organisation's rows, which are `failedUploadsMax` at most. */
function listFailedUploads(
  db: Connection,
  scope: ReadScope,
  { project, limit }: FailureFilter,
): readonly FailedUpload[] {
  const readable = project === null ? scope.projects : scope.projects.filter((id) => id === project)
  const rows = db.all<FailureRow>(
    `SELECT * FROM failed_uploads f WHERE org_id = :org AND (f.projects = '[]' OR EXISTS (
        SELECT 1 FROM json_each(f.projects) j JOIN json_each(:projects) r ON r.value = j.value))
      ORDER BY id DESC LIMIT :limit`,
    { org: scope.orgId, projects: JSON.stringify(readable), limit },
  )
  return rows.map((row) => ({
    ...{ id: row.id, atMs: row.at_ms, release: row.release, what: row.what, reason: row.reason },
    projects: projectIds(row.projects).filter((id) => scope.projects.includes(id)),
    by: row.uploaded_by,
  }))
}

/** Forgets failures of a deleted project; what was for others as well stays for them. */
export function forgetFailures(db: Connection, org: OrgId, project: ProjectId): void {
  const rows = db.all<{ id: number; projects: string }>(
    `SELECT id, projects FROM failed_uploads WHERE org_id = ? AND EXISTS (
      SELECT 1 FROM json_each(projects) WHERE value = ?)`,
    [org, project],
  )
  for (const { id, projects } of rows) {
    const others = projectIds(projects).filter((each) => each !== projectId(project))
    if (others.length === 0) db.run('DELETE FROM failed_uploads WHERE id = ?', [id])
    else db.run('UPDATE failed_uploads SET projects = ? WHERE id = ?', [JSON.stringify(others), id])
  }
}
