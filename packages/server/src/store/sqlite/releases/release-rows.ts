/** Rows of releases, as reads and writes share them. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import type { TimedRelease } from '#model/release-order.ts'
import type { Connection } from '../connection.ts'

/** When a release `r` was released, or made where nobody said. */
export const RELEASED_MS = 'coalesce(r.released_ms, r.created_ms)'

/** All of one project, newest first. */
/** Columns of `releases r` that decide whether it may be the latest; uses deploys_by_release. */
export const STANDING = `r.status = 'archived' AS isArchived,
  EXISTS (SELECT 1 FROM deploys d WHERE d.release_id = r.id) AS isDeployed`

export interface StandingRow extends Omit<TimedRelease, 'isArchived' | 'isDeployed'> {
  readonly isArchived: number
  readonly isDeployed: number
}

export function releasesOfProject(db: Connection, project: ProjectId): readonly TimedRelease[] {
  // release_projects_by_project
  const sql = `SELECT r.version, ${RELEASED_MS} AS atMs, ${STANDING} FROM release_projects rp
    JOIN releases r ON r.id = rp.release_id WHERE rp.project_id = ? ORDER BY atMs DESC, r.id DESC`
  return db
    .all<StandingRow>(sql, [project])
    .map((row) => ({ ...row, isArchived: row.isArchived === 1, isDeployed: row.isDeployed === 1 }))
}

/** The first release of the project that has the commit. */
export function releaseWithCommit(db: Connection, project: ProjectId, commit: string): TimedRelease | null {
  // release_commits_by_id
  const sql = `SELECT r.version, ${RELEASED_MS} AS atMs FROM release_commits c
    JOIN releases r ON r.id = c.release_id JOIN release_projects rp ON rp.release_id = r.id
    WHERE c.commit_id = ? AND rp.project_id = ? ORDER BY atMs, r.id LIMIT 1`
  return db.get<TimedRelease>(sql, [commit, project]) ?? null
}

/** Returns when releases of projects were released, or made; `null` for those that are not known. */
export function releasedMs(
  db: Connection,
  releases: readonly (readonly [ProjectId | null, string])[],
): readonly (number | null)[] {
  // releases_by_version
  const sql = `SELECT ${RELEASED_MS} AS atMs FROM projects p JOIN releases r ON r.org_id = p.org_id
      AND r.version = ?2
    JOIN release_projects rp ON rp.release_id = r.id AND rp.project_id = p.id WHERE p.id = ?1`
  return db.getEach<{ atMs: number }>(sql, releases).map((row) => row?.atMs ?? null)
}

/** Removes releases that no project has any more. */
export function removeBareReleases(db: Connection, org: OrgId): void {
  const sql = `DELETE FROM releases WHERE org_id = ?
    AND NOT EXISTS (SELECT 1 FROM release_projects WHERE release_id = releases.id)`
  db.run(sql, [org])
}
