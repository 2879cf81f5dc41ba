/** Writes what tools and people say of releases. Each operation is one transaction. */
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
import { makeRoom } from './release-room.ts'
import { releasedMs } from './release-rows.ts'
import { addProject, insertRelease } from './seen-releases.ts'

export function releasesWrite(db: Connection): ReleasesWrite {
  return {
    putRelease: async (place, change, actor) => db.transaction(() => put(db, { place, change }, actor)),
    setCommits: async (place, commits, actor) =>
      db.transaction(() => setCommits(db, { place, commits }, actor)),
    addDeploy: async (place, deploy, actor) => db.transaction(() => addDeploy(db, { place, deploy }, actor)),
    deleteRelease: async (place, actor) => db.transaction(() => remove(db, place, actor)),
  }
}

/**
 * Returns the parts of a version that have a readable project, oldest first. What is said of a version
 * belongs to the projects it is said of: there is a part for each set of projects spoken of together.
 */
function partsOf(db: Connection, { orgId, readable, version }: ReleasePlace): readonly number[] {
  // releases_by_version
  const sql = `SELECT r.id FROM releases r WHERE r.org_id = ? AND r.version = ? AND EXISTS (
    SELECT 1 FROM release_projects WHERE release_id = r.id AND +project_id IN (SELECT value FROM json_each(?)))
    ORDER BY r.id`
  return db.all<{ id: number }>(sql, [orgId, version, JSON.stringify(readable)]).map(({ id }) => id)
}

function put(
  db: Connection,
  { place, change }: { readonly place: ReleasePlace; readonly change: ReleaseChange },
  actor: Actor,
): Result<{ readonly isNew: boolean }> {
  const { orgId, version } = place
  const projects = projectsWithin(db, place, change.projects ?? [])
  const parts = partsOf(db, place)
  const isNew = parts.length === 0
  if (isNew) {
    if (projects.length === 0) return RELEASE_REFUSALS.noProjects()
    const rooms = projects.map((projectId) => makeRoom(db, { orgId, projectId, atMs: actor.atMs }))
    if (rooms.some(({ isThere }) => !isThere)) return RELEASE_REFUSALS.tooMany()
  }
  const main =
    parts.find((id) => isSpokenOf(db, id)) ??
    parts[0] ??
    insertRelease(db, { orgId, version, createdMs: actor.atMs })
  const added = projects.filter((project) => takeIn(db, { main, parts, project }))
  const changed = write(db, partsOf(db, place), change)
  if (isNew || added.length > 0 || changed.length > 0) {
    const detail = { projects: added.join(', '), changed: changed.join(', ') }
    writeAudit(db, orgId, actor, {
      action: isNew ? 'release.created' : 'release.changed',
      target: version,
      detail,
    })
  }
  return ok({ isNew })
}

/** Whether anybody said something of it: events alone name it and say nothing. */
function isSpokenOf(db: Connection, part: number): boolean {
  const sql = `SELECT 1 FROM releases r WHERE r.id = ? AND (r.ref IS NOT NULL OR r.url IS NOT NULL
    OR r.started_ms IS NOT NULL OR r.released_ms IS NOT NULL OR r.status <> 'open'
    OR EXISTS (SELECT 1 FROM release_commits c WHERE c.release_id = r.id)
    OR EXISTS (SELECT 1 FROM deploys d WHERE d.release_id = r.id))`
  return db.get(sql, [part]) !== undefined
}

/** True where the project came into the part. One that has a part of which something was said stays there. */
function takeIn(
  db: Connection,
  { main, parts, project }: { main: number; parts: readonly number[]; project: ProjectId },
): boolean {
  const of = 'SELECT 1 FROM release_projects WHERE release_id = ? AND project_id = ?'
  const own = parts.find((id) => db.get(of, [id, project]) !== undefined)
  if (own === undefined) {
    addProject(db, main, project)
    return true
  }
  if (own === main || isSpokenOf(db, own)) return false
  for (const table of ['release_projects', 'release_environments'])
    db.run(`UPDATE ${table} SET release_id = ? WHERE release_id = ? AND project_id = ?`, [main, own, project])
  const bare =
    'DELETE FROM releases WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM release_projects WHERE release_id = ?1)'
  db.run(bare, [own])
  return true
}

/** Answers what is another now. */
function write(db: Connection, parts: readonly number[], change: ReleaseChange): readonly string[] {
  const { startedMs, releasedMs: released, ref, url, status } = change
  const columns = { started_ms: startedMs, released_ms: released, ref, url, status }
  return Object.entries(columns).flatMap(([column, value]) => {
    if (value === undefined) return []
    const sql = `UPDATE releases SET ${column} = ?1 WHERE id = ?2 AND ${column} IS NOT ?1`
    const changes = parts.map((id) => db.run(sql, [value, id]).changes)
    return changes.some((count) => count > 0) ? [column] : []
  })
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

function setCommits(
  db: Connection,
  { place, commits }: { readonly place: ReleasePlace; readonly commits: readonly Commit[] },
  actor: Actor,
): Result<null> {
  const parts = partsOf(db, place)
  if (parts.length === 0) return RELEASE_REFUSALS.noRelease()
  const kept = commits.slice(0, max('commitsPerReleaseMax'))
  const ids = new Set(kept.map((each) => each.id))
  for (const release of parts) {
    db.run('DELETE FROM release_commits WHERE release_id = ?', [release])
    for (const [position, commit] of kept.entries()) insertCommit(db, { release, position, commit })
    settleIssues(db, { release, version: place.version }, ids)
  }
  const detail = { commits: kept.length }
  writeAudit(db, place.orgId, actor, { action: 'release.commits_set', target: place.version, detail })
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
    const [atMs] = releasedMs(db, [[project, version]])
    const after = withRelease(before, { version, atMs: atMs ?? 0 }, commits)
    if (after !== null) db.run('UPDATE issues SET resolved_in = ? WHERE id = ?', [JSON.stringify(after), id])
  }
}

function addDeploy(
  db: Connection,
  { place, deploy }: { readonly place: ReleasePlace; readonly deploy: Omit<Deploy, 'id'> },
  actor: Actor,
): Result<Deploy> {
  const ids = partsOf(db, place).map((release) => insertDeploy(db, release, deploy))
  const [id] = ids
  if (id === undefined) return RELEASE_REFUSALS.noRelease()
  const detail = { environment: deploy.environment }
  writeAudit(db, place.orgId, actor, { action: 'release.deployed', target: place.version, detail })
  return ok({ ...deploy, id })
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

function remove(db: Connection, place: ReleasePlace, actor: Actor): Result<null> {
  const parts = partsOf(db, place)
  if (parts.length === 0) return RELEASE_REFUSALS.noRelease()
  const [readable, ids] = [JSON.stringify(place.readable), JSON.stringify(parts)]
  const others = `SELECT count(*) AS count FROM release_projects WHERE release_id IN (SELECT value FROM json_each(?))
    AND project_id NOT IN (SELECT value FROM json_each(?))`
  if (countOf(db, others, [ids, readable]) > 0) return RELEASE_REFUSALS.ofOthers()
  db.run('DELETE FROM releases WHERE id IN (SELECT value FROM json_each(?))', [ids])
  const health = `DELETE FROM health_series WHERE release = ?
    AND project_id IN (SELECT id FROM projects WHERE org_id = ? AND id IN (SELECT value FROM json_each(?)))`
  db.run(health, [place.version, place.orgId, readable])
  writeAudit(db, place.orgId, actor, { action: 'release.deleted', target: place.version })
  return ok(null)
}
