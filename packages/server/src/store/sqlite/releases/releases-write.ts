/** What tools and people say of releases. Each operation is one transaction. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { foldText } from '#issues/issue-names.ts'
import { withRelease } from '#issues/resolution.ts'
import { max } from '#limits/limits.ts'
import { RELEASE_REFUSALS } from '#model/release-rules.ts'
import type { ResolvedIn } from '#ports/issues.ts'
import type { Commit, Deploy, ReleaseChange, ReleasePlace, ReleasesWrite } from '#ports/releases.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'
import { releasedMs } from './release-rows.ts'
import { addProject, insertRelease } from './seen-releases.ts'

export function releasesWrite(db: Connection): ReleasesWrite {
  return {
    putRelease: async (place, change, actor) => db.transaction(() => put(db, { place, change }, actor)),
    setCommits: async (place, commits) => db.transaction(() => setCommits(db, place, commits)),
    addDeploy: async (place, deploy) => db.transaction(() => addDeploy(db, place, deploy)),
    deleteRelease: async (place, actor) => db.transaction(() => remove(db, place, actor)),
  }
}

/** The release that whoever asks may see. */
function find(db: Connection, { orgId, readable, version }: ReleasePlace): number | null {
  const sql = `SELECT r.id FROM releases r WHERE r.org_id = ? AND r.version = ? AND EXISTS (
    SELECT 1 FROM release_projects WHERE release_id = r.id AND project_id IN (SELECT value FROM json_each(?)))`
  return db.get<{ id: number }>(sql, [orgId, version, JSON.stringify(readable)])?.id ?? null
}

function put(
  db: Connection,
  { place, change }: { readonly place: ReleasePlace; readonly change: ReleaseChange },
  { atMs }: Actor,
): Result<{ readonly isNew: boolean }> {
  const projects = projectsWithin(db, place, change.projects ?? [])
  const sql = 'SELECT id FROM releases WHERE org_id = ? AND version = ?'
  const there = db.get<{ id: number }>(sql, [place.orgId, place.version])?.id
  if (there === undefined || (projects.length === 0 && find(db, place) === null)) {
    if (projects.length === 0) return RELEASE_REFUSALS.noProjects()
    const count = countOf(db, 'SELECT count(*) AS count FROM releases WHERE org_id = ?', [place.orgId])
    if (count >= max('releasesPerOrgMax')) return RELEASE_REFUSALS.tooMany()
  }
  const { orgId, version } = place
  const id = there ?? insertRelease(db, { orgId, version, createdMs: atMs })
  for (const project of projects) addProject(db, id, project)
  write(db, id, change)
  return ok({ isNew: there === undefined })
}

function write(db: Connection, id: number, change: ReleaseChange): void {
  const { startedMs, releasedMs: released, ref, url, status } = change
  const columns = { started_ms: startedMs, released_ms: released, ref, url, status }
  for (const [column, value] of Object.entries(columns))
    if (value !== undefined) db.run(`UPDATE releases SET ${column} = ? WHERE id = ?`, [value, id])
}

function projectsWithin(
  db: Connection,
  { orgId, readable }: ReleasePlace,
  projects: readonly ProjectId[],
): readonly ProjectId[] {
  const sql = 'SELECT id FROM projects WHERE org_id = ? AND id IN (SELECT value FROM json_each(?))'
  const within = JSON.stringify(projects.filter((id) => readable.includes(id)))
  return db.all<{ id: ProjectId }>(sql, [orgId, within]).map(({ id }) => id)
}

function setCommits(db: Connection, place: ReleasePlace, commits: readonly Commit[]): Result<null> {
  const id = find(db, place)
  if (id === null) return RELEASE_REFUSALS.noRelease()
  db.run('DELETE FROM release_commits WHERE release_id = ?', [id])
  const kept = commits.slice(0, max('commitsPerReleaseMax'))
  for (const [position, commit] of kept.entries()) insertCommit(db, { release: id, position, commit })
  settleIssues(db, { release: id, version: place.version }, new Set(kept.map((each) => each.id)))
  return ok(null)
}

function insertCommit(
  db: Connection,
  at: { readonly release: number; readonly position: number; readonly commit: Commit },
): void {
  const { id, repository, message, authorName, authorEmail, atMs, files } = at.commit
  const sql = `INSERT INTO release_commits (release_id, position, commit_id, repository, message, author_name,
    author_email, email_folded, at_ms, files) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  const folded = authorEmail === null ? null : foldText(authorEmail)
  const listed = JSON.stringify(files.map(({ path, type }) => [path, type]))
  const who = [message, authorName, authorEmail, folded]
  db.run(sql, [at.release, at.position, id, repository, ...who, atMs, listed])
}

/** Those of the release's projects that waited for one of the commits. */
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
    const atMs = releasedMs(db, project, version) ?? 0
    const after = withRelease(before, { version, atMs }, commits)
    if (after !== null) db.run('UPDATE issues SET resolved_in = ? WHERE id = ?', [JSON.stringify(after), id])
  }
}

function addDeploy(db: Connection, place: ReleasePlace, deploy: Omit<Deploy, 'id'>): Result<Deploy> {
  const release = find(db, place)
  if (release === null) return RELEASE_REFUSALS.noRelease()
  const { environment, name, url, startedMs, finishedMs } = deploy
  const sql = `INSERT INTO deploys (release_id, environment, name, url, started_ms, finished_ms)
    VALUES (?, ?, ?, ?, ?, ?)`
  const id = db.run(sql, [release, environment, name, url, startedMs, finishedMs]).lastId
  const beyond = `DELETE FROM deploys WHERE release_id = ?1 AND id NOT IN (
    SELECT id FROM deploys WHERE release_id = ?1 ORDER BY id DESC LIMIT ?2)`
  db.run(beyond, [release, max('deploysPerReleaseMax')])
  return ok({ ...deploy, id })
}

function remove(db: Connection, place: ReleasePlace, actor: Actor): Result<null> {
  const id = find(db, place)
  if (id === null) return RELEASE_REFUSALS.noRelease()
  const others = `SELECT count(*) AS count FROM release_projects WHERE release_id = ?
    AND project_id NOT IN (SELECT value FROM json_each(?))`
  if (countOf(db, others, [id, JSON.stringify(place.readable)]) > 0) return RELEASE_REFUSALS.ofOthers()
  db.run('DELETE FROM releases WHERE id = ?', [id])
  const health = `DELETE FROM health_series WHERE release = ?
    AND project_id IN (SELECT id FROM projects WHERE org_id = ?)`
  db.run(health, [place.version, place.orgId])
  writeAudit(db, place.orgId, actor, { action: 'release.deleted', target: place.version })
  return ok(null)
}
