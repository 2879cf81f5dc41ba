/** Reads of releases. A release is there for whoever may read one of its projects. */
import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { foldText } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import type { RecentEvents } from '#model/recent-events.ts'
import type { TimedRelease } from '#model/release-order.ts'
import type {
  Commit,
  CommitFile,
  Deploy,
  Release,
  ReleasedCommit,
  ReleaseFilter,
  ReleaseInProject,
  ReleaseIssues,
  ReleaseOfProject,
  ReleasePage,
  ReleasesRead,
} from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { RELEASED_MS } from './release-rows.ts'

export function releasesRead(db: Connection): ReleasesRead {
  return {
    releases: async (scope, filter, page) => db.snapshot(() => list(db, scope, { ...filter, ...page })),
    release: async (scope, version) => db.snapshot(() => one(db, scope, version)),
    releaseTimes: async (scope, projects) => times(db, scope, projects),
    releasesOfProjects: async (scope, projects) => ofProjects(db, scope, projects),
    commits: async (scope, version) => commitsOf(db, scope, [version]),
    commitsOfReleases: async (scope, versions) =>
      commitsOf(db, scope, versions.slice(0, max('releasesComparedMax'))),
    deploys: async (scope, version) => deploysOf(db, scope, version),
    releaseIssues: async (scope, version, limit) =>
      db.snapshot(() => issuesOf(db, scope, { version, limit })),
  }
}

/** `releases r` that the viewer may see. */
const VISIBLE = `r.org_id = :org AND EXISTS (SELECT 1 FROM release_projects rp WHERE rp.release_id = r.id
  AND rp.project_id IN (SELECT id FROM readable))`

type ReleaseRow = Omit<Release, 'projects' | 'lastCommit' | 'lastDeploy'> & { readonly id: number }

const COLUMNS = `r.id, r.version, r.status, r.ref, r.url, r.created_ms AS createdMs, r.started_ms AS startedMs,
  r.released_ms AS releasedMs,
  (SELECT count(*) FROM release_commits c WHERE c.release_id = r.id) AS commitCount,
  (SELECT count(*) FROM deploys d WHERE d.release_id = r.id) AS deployCount`

function list(
  db: Connection,
  scope: ReadScope,
  {
    projects,
    status,
    text,
    offset,
    limit,
  }: ReleaseFilter & { readonly offset: number; readonly limit: number },
): ReleasePage {
  const filter = {
    ...readableParams(scope, projects),
    ...{ status, text: text === '' ? null : foldText(text) },
  }
  const where = `${VISIBLE} AND (:status IS NULL OR r.status = :status)
    AND (:text IS NULL OR instr(r.folded, :text) > 0)`
  const total = db.get<{ count: number }>(
    `${READABLE} SELECT count(*) AS count FROM releases r WHERE ${where}`,
    filter,
  )
  const rows = db.all<ReleaseRow>(
    `${READABLE} SELECT ${COLUMNS} FROM releases r WHERE ${where}
      ORDER BY ${RELEASED_MS} DESC, r.id DESC LIMIT :limit OFFSET :offset`,
    { ...filter, limit, offset },
  )
  return { rows: rows.map((row) => releaseOf(db, scope, row)), total: total?.count ?? 0 }
}

function one(db: Connection, scope: ReadScope, version: string): Release | null {
  const row = db.get<ReleaseRow>(
    `${READABLE} SELECT ${COLUMNS} FROM releases r WHERE ${VISIBLE} AND r.version = :version`,
    { ...readableParams(scope), version },
  )
  return row === undefined ? null : releaseOf(db, scope, row)
}

function releaseOf(db: Connection, scope: ReadScope, { id, ...row }: ReleaseRow): Release {
  const lastCommit = db.get<CommitRow>(
    `SELECT ${COMMIT} FROM release_commits c WHERE c.release_id = ? AND c.position = 0`,
    [id],
  )
  const lastDeploy = db.get<Deploy>(
    `SELECT ${DEPLOY} FROM deploys d WHERE d.release_id = ? ORDER BY d.id DESC LIMIT 1`,
    [id],
  )
  return {
    ...row,
    projects: projectsOf(db, scope, { id, version: row.version }),
    lastCommit: lastCommit === undefined ? null : commitOf(lastCommit),
    lastDeploy: lastDeploy ?? null,
  }
}

function projectsOf(
  db: Connection,
  scope: ReadScope,
  { id, version }: { readonly id: number; readonly version: string },
): readonly ReleaseInProject[] {
  // issues_by_first_release
  const sql = `${READABLE} SELECT p.id AS projectId, p.slug, p.name, rp.first_event_ms AS firstEventMs,
      rp.last_event_ms AS lastEventMs, rp.event_count AS eventCount,
      (SELECT count(*) FROM issues i WHERE i.project_id = p.id AND i.first_release = :version) AS newIssues
    FROM release_projects rp JOIN projects p ON p.id = rp.project_id
    WHERE rp.release_id = :id AND p.id IN (SELECT id FROM readable) ORDER BY p.slug`
  return db.all<ReleaseInProject>(sql, { ...readableParams(scope), id, version })
}

function times(
  db: Connection,
  scope: ReadScope,
  projects: readonly ProjectId[] | null,
): readonly TimedRelease[] {
  const sql = `${READABLE} SELECT r.version, ${RELEASED_MS} AS atMs FROM releases r WHERE ${VISIBLE}
    ORDER BY atMs DESC, r.id DESC LIMIT :limit`
  return db.all<TimedRelease>(sql, { ...readableParams(scope, projects), limit: max('releasesPerOrgMax') })
}

function ofProjects(
  db: Connection,
  scope: ReadScope,
  projects: readonly ProjectId[] | null,
): readonly ReleaseOfProject[] {
  // release_projects_by_project; each project has at most as many as its organisation.
  const sql = `${READABLE} SELECT rp.project_id AS projectId, r.version, ${RELEASED_MS} AS atMs,
      rp.event_count AS eventCount, rp.recent_day AS day, rp.recent_events AS events, rp.recent_before AS before
    FROM readable CROSS JOIN release_projects rp ON rp.project_id = readable.id
      CROSS JOIN releases r ON r.id = rp.release_id
    ORDER BY atMs DESC, r.id DESC, rp.project_id`
  type Row = Omit<ReleaseOfProject, 'recent'> & { readonly day: number | null } & Omit<RecentEvents, 'day'>
  return db
    .all<Row>(sql, { ...readableParams(scope, projects) })
    .map(({ day, events, before, ...release }) => ({
      ...release,
      recent: day === null ? null : { day, events, before },
    }))
}

const COMMIT = `c.commit_id AS id, c.repository, c.message, c.author_name AS authorName,
  c.author_email AS authorEmail, c.at_ms AS atMs, c.files`

interface CommitRow extends Omit<Commit, 'files'> {
  readonly files: string
}

function commitOf({ files, ...row }: CommitRow): Commit {
  const pairs: readonly (readonly [string, CommitFile['type']])[] = JSON.parse(files)
  return { ...row, files: pairs.map(([path, type]) => ({ path, type })) }
}

interface ReleasedRow extends CommitRow {
  readonly release: string
  readonly userId: UserId | null
  readonly userName: string | null
  readonly userEmail: string | null
}

function commitsOf(db: Connection, scope: ReadScope, versions: readonly string[]): readonly ReleasedCommit[] {
  const sql = `${READABLE} SELECT r.version AS release, ${COMMIT}, u.id AS userId, u.name AS userName,
      u.email AS userEmail
    FROM json_each(:versions) v JOIN releases r ON r.version = v.value
    JOIN release_commits c ON c.release_id = r.id
    LEFT JOIN users u ON u.email_folded = c.email_folded
      AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.org_id = r.org_id)
    WHERE ${VISIBLE} ORDER BY v.key, c.position`
  const params = { ...readableParams(scope), versions: JSON.stringify(versions) }
  return db.all<ReleasedRow>(sql, params).map(({ release, userId, userName, userEmail, ...row }) => ({
    ...commitOf(row),
    release,
    member: userId === null ? null : { userId, name: userName ?? '', email: userEmail ?? '' },
  }))
}

const DEPLOY = `d.id, d.environment, d.name, d.url, d.started_ms AS startedMs, d.finished_ms AS finishedMs`

function deploysOf(db: Connection, scope: ReadScope, version: string): readonly Deploy[] {
  const sql = `${READABLE} SELECT ${DEPLOY} FROM releases r JOIN deploys d ON d.release_id = r.id
    WHERE ${VISIBLE} AND r.version = :version ORDER BY d.id DESC`
  return db.all<Deploy>(sql, { ...readableParams(scope), version })
}

function issuesOf(
  db: Connection,
  scope: ReadScope,
  { version, limit }: { readonly version: string; readonly limit: number },
): ReleaseIssues {
  const params = { ...readableParams(scope), version, limit }
  const ids = (where: string) =>
    db
      .all<{ id: IssueId }>(
        `${READABLE} SELECT i.id FROM issues i WHERE i.project_id IN (SELECT id FROM readable) AND ${where}
          ORDER BY i.last_seen_ms DESC, i.id DESC LIMIT :limit`,
        params,
      )
      .map(({ id }) => id)
  return {
    // issues_by_first_release
    begun: ids('i.first_release = :version'),
    // activities_regressed
    regressed: ids(`i.id IN (SELECT a.issue_id FROM activities a
      WHERE a.kind = 'regressed' AND json_extract(a.detail, '$.release') = :version)`),
    // issues_resolved_in
    resolved: ids(`i.resolved_in IS NOT NULL AND json_extract(i.resolved_in, '$.how') = 'release'
      AND json_extract(i.resolved_in, '$.release') = :version`),
  }
}
