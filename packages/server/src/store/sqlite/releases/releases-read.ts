/** Reads of releases. A release is there for whoever may read one of its projects. */
import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { foldText } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import type { RecentEvents } from '#model/recent-events.ts'
import { orderReleases, type PlacedRelease, type TimedRelease } from '#model/release-order.ts'
import { commitBeginning } from '#model/release-rules.ts'
import type {
  Commit,
  CommitFile,
  Deploy,
  Release,
  ReleaseAuthor,
  ReleasedCommit,
  ReleaseFilter,
  ReleaseInProject,
  ReleaseIssues,
  ReleaseOfProject,
  ReleasePage,
  ReleaseRevision,
  ReleaseSort,
  ReleasesRead,
} from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { type ProjectScope, READABLE, readableParams } from '../rows/readable.ts'
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
    revision: async (scope, version) => db.snapshot(() => revisionOf(db, scope, version)),
    releaseEnvironments: async (scope, limit) => environmentNames(db, scope, limit),
    deploys: async (scope, version) => deploysOf(db, scope, version),
    releaseIssueCounts: async (scope, version, untilMs) => {
      // issues_by_first_release, activities_regressed
      const sql = `${READABLE} SELECT
        (SELECT count(*) FROM issues i WHERE ${IS_READABLE} AND i.first_release = :version
          AND i.substatus IS NOT 'waiting' AND i.first_seen_ms < :until) AS begun,
        (SELECT count(*) FROM issues i WHERE ${REGRESSED(':version', 'AND a.at_ms < :until')}) AS regressed`
      const params = { ...readableParams(scope), version, until: untilMs }
      return db.get<{ begun: number; regressed: number }>(sql, params) ?? { begun: 0, regressed: 0 }
    },
    releaseIssues: async (scope, version, limit) =>
      db.snapshot(() => issuesOf(db, scope, { version, limit })),
  }
}

const IS_READABLE = 'i.project_id IN (SELECT id FROM readable)'
/** Issues `i` that came back with a release: activities_regressed. */
const REGRESSED = (
  version: string,
  when = '',
) => `${IS_READABLE} AND i.id IN (SELECT a.issue_id FROM activities a
  WHERE a.kind = 'regressed' AND json_extract(a.detail, '$.release') = ${version} ${when})`
/** And those that are resolved in it: issues_resolved_in. */
const RESOLVED = (version: string) => `${IS_READABLE} AND i.resolved_in IS NOT NULL
  AND json_extract(i.resolved_in, '$.how') = 'release' AND json_extract(i.resolved_in, '$.release') = ${version}`

/** `releases r` that the viewer may see. */
const VISIBLE = `r.org_id = :org AND EXISTS (SELECT 1 FROM release_projects rp WHERE rp.release_id = r.id
  AND rp.project_id IN (SELECT id FROM readable))`

/** The same `releases r` where many are read: release_projects_by_project, once, instead of a search for each release. */
const FROM_VISIBLE = `FROM (SELECT rp.release_id, min(rp.project_id) AS place FROM readable
    CROSS JOIN release_projects rp ON rp.project_id = readable.id GROUP BY rp.release_id) seen
  CROSS JOIN releases r ON r.id = seen.release_id AND r.org_id = :org`

type Gathered = 'projects' | 'lastCommit' | 'lastDeploy' | 'authors' | 'environments'
type ReleaseRow = Omit<Release, Gathered>

const COLUMNS = `r.id, r.version, r.status, r.ref, r.url, r.created_ms AS createdMs, r.started_ms AS startedMs,
  r.released_ms AS releasedMs,
  (SELECT count(*) FROM release_commits c WHERE c.release_id = r.id) AS commitCount,
  (SELECT count(*) FROM deploys d WHERE d.release_id = r.id) AS deployCount,
  (SELECT count(*) FROM issues i WHERE ${REGRESSED('r.version')}) AS regressedIssues,
  (SELECT count(*) FROM issues i WHERE ${RESOLVED('r.version')}) AS resolvedIssues`

function list(
  db: Connection,
  scope: ReadScope,
  asked: ReleaseFilter & { readonly offset: number; readonly limit: number },
): ReleasePage {
  const { projects, status, text, environments, offset, limit } = asked
  const filter = {
    ...readableParams(scope, projects),
    ...{ status, text: text === '' ? null : foldText(text), commit: commitBeginning(text) },
    environments: environments.length === 0 ? null : JSON.stringify(environments),
  }
  const found = db.all<PlacedRelease & { readonly id: number }>(
    `${READABLE} SELECT r.id, r.version, ${RELEASED_MS} AS atMs, seen.place ${FROM_VISIBLE}
      WHERE (:status IS NULL OR r.status = :status)
      AND (:text IS NULL OR instr(r.folded, :text) > 0 OR r.id IN ${WITH_COMMIT})
      AND (:environments IS NULL OR ${RAN_IN})
      ORDER BY ${ORDER[asked.sort]}atMs DESC, r.id DESC`,
    filter,
  )
  const ordered = asked.sort === 'semver' ? orderReleases(found) : found
  const page = ordered.slice(offset, offset + limit).flatMap(({ id }) => {
    const row = db.get<ReleaseRow>(`${READABLE} SELECT ${COLUMNS} FROM releases r WHERE r.id = :id`, {
      ...{ ...readableParams(scope), id },
    })
    return row === undefined ? [] : [releaseOf(db, scope, row)]
  })
  return { rows: page, total: found.length }
}

/** release_commits_by_id; what follows the digits is greater than any of them. */
const WITH_COMMIT = `(SELECT c.release_id FROM release_commits c
  WHERE c.commit_id >= :commit AND c.commit_id < :commit || 'g')`

/**
 * A release `r` that was deployed to an environment, or of which an event or session in a readable project named it.
 * Series of sessions are read once, by their unique index, and not for each release.
 */
const RAN_IN = `(EXISTS (SELECT 1 FROM deploys d WHERE d.release_id = r.id
    AND d.environment IN (SELECT value FROM json_each(:environments)))
  OR EXISTS (SELECT 1 FROM release_environments e WHERE e.release_id = r.id
    AND e.environment IN (SELECT value FROM json_each(:environments))
    AND e.project_id IN (SELECT id FROM readable))
  OR r.version IN (SELECT h.release FROM health_series h WHERE h.project_id IN (SELECT id FROM readable)
    AND h.environment IN (SELECT value FROM json_each(:environments))))`

/** What comes before the time. */
const ORDER: Readonly<Record<ReleaseSort, string>> = {
  date: '',
  semver: '',
  // issues_by_first_release
  new: `(SELECT count(*) FROM issues i WHERE ${IS_READABLE} AND i.first_release = r.version AND i.substatus IS NOT 'waiting') DESC, `,
  events: `(SELECT sum(rp.event_count) FROM release_projects rp WHERE rp.release_id = r.id
    AND rp.project_id IN (SELECT id FROM readable)) DESC, `,
}

function one(db: Connection, scope: ReadScope, version: string): Release | null {
  const row = db.get<ReleaseRow>(
    `${READABLE} SELECT ${COLUMNS} FROM releases r WHERE ${VISIBLE} AND r.version = :version`,
    { ...readableParams(scope), version },
  )
  return row === undefined ? null : releaseOf(db, scope, row)
}

function releaseOf(db: Connection, scope: ReadScope, row: ReleaseRow): Release {
  const { id } = row
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
    authors: authorsOf(db, id),
    environments: db.all(
      `${READABLE} SELECT e.environment AS name, sum(e.event_count) AS eventCount FROM release_environments e
        WHERE e.release_id = :id AND e.project_id IN (SELECT id FROM readable)
        GROUP BY e.environment ORDER BY eventCount DESC, name`,
      { ...readableParams(scope), id },
    ),
  }
}

function authorsOf(db: Connection, release: number): readonly ReleaseAuthor[] {
  const sql = `SELECT c.author_name AS name, c.author_email AS email, u.id AS userId, u.name AS userName,
      u.email AS userEmail, min(c.position)
    FROM release_commits c JOIN releases r ON r.id = c.release_id ${MEMBER}
    WHERE c.release_id = ? AND (c.author_name IS NOT NULL OR c.author_email IS NOT NULL)
    GROUP BY coalesce(c.email_folded, c.author_name) ORDER BY min(c.position) LIMIT ?`
  type Row = Pick<ReleaseAuthor, 'name' | 'email'> & MemberRow
  return db
    .all<Row>(sql, [release, max('releaseAuthorsShownMax')])
    .map(({ name, email, ...user }) => ({ name, email, member: memberOf(user) }))
}

/** The member `u` with the address of the author of commit `c` of release `r`. */
const MEMBER = `LEFT JOIN users u ON u.email_folded = c.email_folded
  AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.org_id = r.org_id)`

interface MemberRow {
  readonly userId: UserId | null
  readonly userName: string | null
  readonly userEmail: string | null
}

function memberOf({ userId, userName, userEmail }: MemberRow): ReleasedCommit['member'] {
  return userId === null ? null : { userId, name: userName ?? '', email: userEmail ?? '' }
}

function projectsOf(
  db: Connection,
  scope: ReadScope,
  { id, version }: { readonly id: number; readonly version: string },
): readonly ReleaseInProject[] {
  // issues_by_first_release
  const sql = `${READABLE} SELECT p.id AS projectId, p.slug, p.name, rp.first_event_ms AS firstEventMs,
      rp.last_event_ms AS lastEventMs, rp.event_count AS eventCount,
      (SELECT count(*) FROM issues i WHERE i.project_id = p.id AND i.first_release = :version AND i.substatus IS NOT 'waiting') AS newIssues
    FROM release_projects rp JOIN projects p ON p.id = rp.project_id
    WHERE rp.release_id = :id AND p.id IN (SELECT id FROM readable) ORDER BY p.slug`
  return db.all<ReleaseInProject>(sql, { ...readableParams(scope), id, version })
}

function times(
  db: Connection,
  scope: ReadScope,
  projects: readonly ProjectId[] | null,
): readonly TimedRelease[] {
  const sql = `${READABLE} SELECT r.version, ${RELEASED_MS} AS atMs ${FROM_VISIBLE}
    ORDER BY atMs DESC, r.id DESC LIMIT :limit`
  return db.all<TimedRelease>(sql, { ...readableParams(scope, projects), limit: max('releasesPerOrgMax') })
}

export function ofProjects(
  db: Connection,
  scope: ProjectScope,
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

interface ReleasedRow extends CommitRow, MemberRow {
  readonly release: string
}

export function commitsOf(
  db: Connection,
  scope: ProjectScope,
  versions: readonly string[],
): readonly ReleasedCommit[] {
  const sql = `${READABLE} SELECT r.version AS release, ${COMMIT}, u.id AS userId, u.name AS userName,
      u.email AS userEmail
    FROM json_each(:versions) v JOIN releases r ON r.version = v.value
    JOIN release_commits c ON c.release_id = r.id ${MEMBER}
    WHERE ${VISIBLE} ORDER BY v.key, c.position`
  const params = { ...readableParams(scope), versions: JSON.stringify(versions) }
  return db.all<ReleasedRow>(sql, params).map(({ release, userId, userName, userEmail, ...row }) => ({
    ...commitOf(row),
    release,
    member: memberOf({ userId, userName, userEmail }),
  }))
}

const DEPLOY = `d.id, d.environment, d.name, d.url, d.started_ms AS startedMs, d.finished_ms AS finishedMs`

function deploysOf(db: Connection, scope: ReadScope, version: string): readonly Deploy[] {
  const sql = `${READABLE} SELECT ${DEPLOY} FROM releases r JOIN deploys d ON d.release_id = r.id
    WHERE ${VISIBLE} AND r.version = :version ORDER BY d.id DESC`
  return db.all<Deploy>(sql, { ...readableParams(scope), version })
}

function revisionOf(db: Connection, scope: ReadScope, version: string): ReleaseRevision | null {
  const release = db.get<{ id: number; ref: string | null }>(
    `${READABLE} SELECT r.id, r.ref FROM releases r WHERE ${VISIBLE} AND r.version = :version`,
    { ...readableParams(scope), version },
  )
  if (release === undefined) return null
  const sql = `SELECT repository, commit_id AS "commit", min(position) AS position FROM release_commits
    WHERE release_id = ? GROUP BY repository ORDER BY position`
  const heads = db.all<ReleaseRevision['heads'][number] & { readonly position: number }>(sql, [release.id])
  return { ref: release.ref, heads: heads.map(({ repository, commit }) => ({ repository, commit })) }
}

function environmentNames(db: Connection, scope: ReadScope, limit: number): readonly string[] {
  // release_environments_by_project, and the unique index of health_series
  const sql = `${READABLE} SELECT e.environment AS name FROM release_environments e
      WHERE e.project_id IN (SELECT id FROM readable)
    UNION SELECT h.environment FROM health_series h
      WHERE h.project_id IN (SELECT id FROM readable) AND h.environment <> ''
    UNION SELECT d.environment FROM releases r JOIN deploys d ON d.release_id = r.id WHERE ${VISIBLE}
    ORDER BY name LIMIT :limit`
  return db.all<{ name: string }>(sql, { ...readableParams(scope), limit }).map(({ name }) => name)
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
        `${READABLE} SELECT i.id FROM issues i WHERE ${where}
          ORDER BY i.last_seen_ms DESC, i.id DESC LIMIT :limit`,
        params,
      )
      .map(({ id }) => id)
  return {
    // issues_by_first_release
    begun: ids(`${IS_READABLE} AND i.first_release = :version AND i.substatus IS NOT 'waiting'`),
    regressed: ids(REGRESSED(':version')),
    resolved: ids(RESOLVED(':version')),
  }
}
