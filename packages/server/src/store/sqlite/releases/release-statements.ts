/** Rows of releases within a transaction: statements, which decide nothing. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { foldText } from '#issues/issue-names.ts'
import { withRelease } from '#issues/resolution.ts'
import { max } from '#limits/limits.ts'
import type { ResolvedIn } from '#ports/issues.ts'
import type { ReleasePart, ReleaseRows } from '#ports/release-rows.ts'
import type { Deploy, ReleaseChange, ReleaseCommit, ReleasePlace } from '#ports/releases.ts'
import type { Connection } from '../connection.ts'
import type { Statements } from '../statements.ts'
import { makeRoom } from './release-room.ts'
import { releasedMs } from './release-rows.ts'
import { addProject, insertRelease } from './seen-releases.ts'

export function releaseStatements(db: Connection): Statements<ReleaseRows> {
  return {
    parts: (place) => readReleaseParts(db, place),
    projectsWithin: (place, projects) => readableProjects(db, place, projects),
    makeRoom(orgId, projects, atMs) {
      const rooms = projects.map((projectId) => makeRoom(db, { orgId, projectId, atMs }))
      return rooms.every(({ isThere }) => isThere)
    },
    begin: ({ orgId, version }, createdMs) => insertRelease(db, { orgId, version, createdMs }),
    addProject: (part, project) => addProject(db, part, project),
    moveProject(project, from, into) {
      for (const table of ['release_projects', 'release_environments']) {
        const sql = `UPDATE ${table} SET release_id = ? WHERE release_id = ? AND project_id = ?`
        db.run(sql, [into, from, project])
      }
      const bare =
        'DELETE FROM releases WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM release_projects WHERE release_id = ?1)'
      db.run(bare, [from])
    },
    write: (parts, change) => writeRelease(db, parts, change),
    setCommits(release, version, commits) {
      db.run('DELETE FROM release_commits WHERE release_id = ?', [release])
      for (const [position, commit] of commits.entries()) insertCommit(db, { release, position, commit })
      settleIssues(db, { release, version }, new Set(commits.map(({ id }) => id)))
    },
    addDeploy: (part, deploy) => insertDeploy(db, part, deploy),
    remove(parts, { orgId, version, readable }) {
      const ids = JSON.stringify(parts)
      db.run('DELETE FROM releases WHERE id IN (SELECT value FROM json_each(?))', [ids])
      const health = `DELETE FROM health_series WHERE release = ?
        AND project_id IN (SELECT id FROM projects WHERE org_id = ? AND id IN (SELECT value FROM json_each(?)))`
      db.run(health, [version, orgId, JSON.stringify(readable)])
    },
  }
}

/** Whether anybody said something of `releases r`. */
const IS_SPOKEN_OF = `(r.ref IS NOT NULL OR r.url IS NOT NULL
    OR r.started_ms IS NOT NULL OR r.released_ms IS NOT NULL OR r.status <> 'open'
    OR EXISTS (SELECT 1 FROM release_commits c WHERE c.release_id = r.id)
    OR EXISTS (SELECT 1 FROM deploys d WHERE d.release_id = r.id))`

interface PartRow {
  readonly id: number
  readonly isSpokenOf: number
  readonly projects: string
}

function readReleaseParts(
  db: Connection,
  { orgId, readable, version }: ReleasePlace,
): readonly ReleasePart[] {
  // releases_by_version
  const sql = `SELECT r.id, ${IS_SPOKEN_OF} AS isSpokenOf,
      (SELECT json_group_array(project_id) FROM release_projects WHERE release_id = r.id) AS projects
    FROM releases r WHERE r.org_id = ? AND r.version = ? AND EXISTS (
      SELECT 1 FROM release_projects WHERE release_id = r.id AND +project_id IN (SELECT value FROM json_each(?)))
    ORDER BY r.id`
  return db.all<PartRow>(sql, [orgId, version, JSON.stringify(readable)]).map((row) => ({
    ...{ id: row.id, isSpokenOf: row.isSpokenOf === 1 },
    projects: JSON.parse(row.projects),
  }))
}

/** Answers what is another now. */
function writeRelease(db: Connection, parts: readonly number[], change: ReleaseChange): readonly string[] {
  const { startedMs, releasedMs: released, ref, url, status } = change
  const columns = { started_ms: startedMs, released_ms: released, ref, url, status }
  return Object.entries(columns).flatMap(([column, value]) => {
    if (value === undefined) return []
    const sql = `UPDATE releases SET ${column} = ?1 WHERE id = ?2 AND ${column} IS NOT ?1`
    const changes = parts.map((id) => db.run(sql, [value, id]).changes)
    return changes.some((count) => count > 0) ? [column] : []
  })
}

function readableProjects(
  db: Connection,
  { orgId, readable }: ReleasePlace,
  projects: readonly ProjectId[],
): readonly ProjectId[] {
  const sql = 'SELECT id FROM projects WHERE org_id = ? AND id IN (SELECT value FROM json_each(?))'
  const within = JSON.stringify(projects.filter((id) => readable.includes(id)))
  return db.all<{ id: ProjectId }>(sql, [orgId, within]).map(({ id }) => id)
}

function insertCommit(
  db: Connection,
  at: { readonly release: number; readonly position: number; readonly commit: ReleaseCommit },
): void {
  const { id, repository, message, authorName, authorEmail, atMs, files } = at.commit
  const sql = `INSERT INTO release_commits (release_id, position, commit_id, repository, message, author_name,
    author_email, email_folded, at_ms, files) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  const folded = authorEmail === null ? null : foldText(authorEmail)
  const listed = JSON.stringify(files.map(({ path, type }) => [path, type]))
  const who = [message, authorName, authorEmail, folded]
  db.run(sql, [at.release, at.position, id, repository, ...who, atMs, listed])
}

/** Settles issues of the release's projects that waited for one of the commits. */
function settleIssues(
  db: Connection,
  { release, version }: { readonly release: number; readonly version: string },
  commits: ReadonlySet<string>,
): void {
  // issues_resolved_in
  const sql = `SELECT i.id, i.project_id AS project, i.resolved_in AS resolvedIn FROM release_projects rp
    JOIN issues i ON i.project_id = rp.project_id WHERE rp.release_id = ? AND i.resolved_in IS NOT NULL`
  type Row = { readonly id: IssueId; readonly project: ProjectId; readonly resolvedIn: string }
  for (const { id, project, resolvedIn } of db.all<Row>(sql, [release])) {
    const before: ResolvedIn = JSON.parse(resolvedIn)
    const [releasedAtMs] = releasedMs(db, [[project, version]])
    const atMs = releasedAtMs ?? 0
    const after = withRelease(before, { version, atMs }, commits)
    if (after !== null) db.run('UPDATE issues SET resolved_in = ? WHERE id = ?', [JSON.stringify(after), id])
  }
}

function insertDeploy(db: Connection, release: number, deploy: Omit<Deploy, 'id'>): number {
  const { environment, name, url, startedMs, finishedMs } = deploy
  const sql = `INSERT INTO deploys (release_id, environment, name, url, started_ms, finished_ms)
    VALUES (?, ?, ?, ?, ?, ?)`
  const id = db.run(sql, [release, environment, name, url, startedMs, finishedMs]).lastId
  const beyond = `DELETE FROM deploys WHERE release_id = ?1 AND id NOT IN (
    SELECT id FROM deploys WHERE release_id = ?1 ORDER BY id DESC LIMIT ?2)`
  db.run(beyond, [release, max('deploysPerReleaseMax')])
  return id
}
