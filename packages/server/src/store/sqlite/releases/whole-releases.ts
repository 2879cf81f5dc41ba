/** Releases with everything that is known of them, read by sets: as many statements for twenty as for one. */
import type { UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type {
  CommitFile,
  Deploy,
  Release,
  ReleaseAuthor,
  ReleaseCommit,
  ReleasedCommit,
  ReleaseInProject,
} from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export const IS_READABLE = 'i.project_id IN (SELECT id FROM readable)'
/** Issues `i` that came back with a release: activities_regressed. */
export const REGRESSED = (
  version: string,
  when = '',
) => `${IS_READABLE} AND i.id IN (SELECT a.issue_id FROM activities a
  WHERE a.kind = 'regressed' AND json_extract(a.detail, '$.release') = ${version} ${when})`
const RESOLVED_RELEASE = "json_extract(i.resolved_in, '$.release')"
const IS_RESOLVED = `${IS_READABLE} AND i.resolved_in IS NOT NULL AND json_extract(i.resolved_in, '$.how') = 'release'`
/** And those that are resolved in it: issues_resolved_in. */
export const RESOLVED = (version: string) => `${IS_RESOLVED} AND ${RESOLVED_RELEASE} = ${version}`

/**
 * `releases r` that the viewer may see. The plus keeps SQLite from looking for each readable project by the primary key:
 * of 905 parts in 905 projects that is 60 ms instead of one (2 vCPU, 2026-11).
 */
export const VISIBLE = `r.org_id = :org AND EXISTS (SELECT 1 FROM release_projects rp WHERE rp.release_id = r.id
  AND +rp.project_id IN (SELECT id FROM readable))`

type Gathered = 'projects' | 'lastCommit' | 'lastDeploy' | 'authors' | 'environments'
type Counted = 'commitCount' | 'deployCount' | 'regressedIssues' | 'resolvedIssues'
type ReleaseRow = Omit<Release, Gathered | Counted>

const COLUMNS = `r.id, r.version, r.status, r.ref, r.url, r.created_ms AS createdMs, r.started_ms AS startedMs,
  r.released_ms AS releasedMs`

/** Returns the releases of these versions that may be read, in their order. */
export function readWholeReleases(
  db: Connection,
  scope: ReadScope,
  versions: readonly string[],
): readonly Release[] {
  if (versions.length === 0) return []
  // releases_by_version
  const rows = db.all<ReleaseRow>(
    `${READABLE} SELECT ${COLUMNS} FROM releases r WHERE ${VISIBLE}
      AND r.version IN (SELECT value FROM json_each(:versions)) ORDER BY r.id`,
    { ...readableParams(scope), versions: JSON.stringify(versions) },
  )
  const known = gatherReleases(db, scope, rows)
  const parts = Map.groupBy(rows, ({ version }) => version)
  return versions.flatMap((version) => {
    const [first, ...others] = parts.get(version) ?? []
    return first === undefined ? [] : [joinReleaseRows([first, ...others], known)]
  })
}

/** Part of a version: what a set of projects was told of it. */
type Part = Pick<ReleaseRow, 'id' | 'version'>
type OfVersion<T> = T & { readonly version: string }
type Known = ReturnType<typeof gatherReleases>

function gatherReleases(db: Connection, scope: ReadScope, parts: readonly Part[]) {
  const byVersion = <T extends { readonly version: string }>(rows: readonly T[]) =>
    Map.groupBy(rows, ({ version }) => version)
  return {
    lastCommits: byVersion(lastCommits(db, parts)),
    commitCounts: byVersion(commitCounts(db, parts)),
    deploys: byVersion(deploysOfParts(db, parts)),
    issues: byVersion(countReleaseIssues(db, scope, parts)),
    projects: byVersion(projectsOfParts(db, scope, parts)),
    authors: byVersion(authorsOf(db, parts)),
    environments: byVersion(environmentsOf(db, scope, parts)),
  }
}

/** Builds a release from all its parts; where they differ, the oldest counts. */
function joinReleaseRows(rows: readonly [ReleaseRow, ...(readonly ReleaseRow[])], known: Known): Release {
  const [row] = rows
  const { version } = row
  const said = <Key extends 'ref' | 'url' | 'startedMs' | 'releasedMs'>(key: Key) =>
    rows.find((each) => each[key] !== null)?.[key] ?? null
  const deploys = known.deploys.get(version) ?? []
  const [issues] = known.issues.get(version) ?? []
  const [lastCommit] = known.lastCommits.get(version) ?? []
  return {
    ...row,
    status: rows.some(({ status }) => status === 'open') ? 'open' : 'archived',
    ...{ ref: said('ref'), url: said('url'), startedMs: said('startedMs'), releasedMs: said('releasedMs') },
    createdMs: Math.min(...rows.map(({ createdMs }) => createdMs)),
    commitCount: known.commitCounts.get(version)?.[0]?.commitCount ?? 0,
    deployCount: deploys.length,
    regressedIssues: issues?.regressedIssues ?? 0,
    resolvedIssues: issues?.resolvedIssues ?? 0,
    projects: (known.projects.get(version) ?? []).map(withoutVersion),
    lastCommit: lastCommit === undefined ? null : readCommitRow(withoutVersion(lastCommit)),
    lastDeploy: deploys[0] === undefined ? null : withoutVersion(deploys[0]),
    authors: (known.authors.get(version) ?? []).slice(0, max('releaseAuthorsShownMax')).map(withoutVersion),
    environments: (known.environments.get(version) ?? []).map(withoutVersion),
  }
}

function withoutVersion<T extends { readonly version: string }>({ version: _, ...rest }: T) {
  return rest
}

/** Parts `p` of versions, then what belongs to each. */
const FROM_PARTS = 'FROM json_each(:parts) p CROSS JOIN'
const VERSION = 'p.value ->> 0 AS version'
const PART = 'p.value ->> 1'

function partsParams(parts: readonly Part[]): { readonly parts: string } {
  return { parts: JSON.stringify(parts.map(({ id, version }) => [version, id])) }
}

/** The first of a version is that of its oldest part. */
function lastCommits(db: Connection, parts: readonly Part[]): readonly OfVersion<CommitRow>[] {
  const sql = `SELECT ${VERSION}, ${COMMIT_COLUMNS} ${FROM_PARTS} release_commits c ON c.release_id = ${PART}
    WHERE c.position = 0 ORDER BY c.release_id`
  return db.all<OfVersion<CommitRow>>(sql, partsParams(parts))
}

/** Commits that were noted for several parts are one. */
function commitCounts(
  db: Connection,
  parts: readonly Part[],
): readonly OfVersion<Pick<Release, 'commitCount'>>[] {
  const sql = `SELECT ${VERSION}, count(DISTINCT c.commit_id) AS commitCount
    ${FROM_PARTS} release_commits c ON c.release_id = ${PART} GROUP BY 1`
  return db.all<OfVersion<Pick<Release, 'commitCount'>>>(sql, partsParams(parts))
}

const DEPLOY = `d.environment, d.name, d.url, d.started_ms AS startedMs, d.finished_ms AS finishedMs`

/** Deploys of versions, newest first; one that was noted for several parts of a version is one. */
export function deploysOfParts(db: Connection, parts: readonly Part[]): readonly OfVersion<Deploy>[] {
  // deploys_by_release
  const sql = `SELECT ${VERSION}, min(d.id) AS id, ${DEPLOY} ${FROM_PARTS} deploys d ON d.release_id = ${PART}
    GROUP BY 1, d.environment, d.name, d.url, d.started_ms, d.finished_ms,
      (SELECT count(*) FROM deploys o WHERE o.release_id = d.release_id AND o.id < d.id
        AND o.environment = d.environment AND o.name IS d.name AND o.url IS d.url
        AND o.started_ms IS d.started_ms AND o.finished_ms = d.finished_ms)
    ORDER BY min(d.id) DESC`
  return db.all<OfVersion<Deploy>>(sql, partsParams(parts))
}

/** Issues are told of by the version: the same for all of its parts. */
function countReleaseIssues(
  db: Connection,
  scope: ReadScope,
  parts: readonly Part[],
): readonly OfVersion<Pick<Release, 'regressedIssues' | 'resolvedIssues'>>[] {
  const sql = `${READABLE}, resolved (version, count) AS MATERIALIZED (
    SELECT ${RESOLVED_RELEASE}, count(*) FROM issues i
    WHERE ${IS_RESOLVED} AND ${RESOLVED_RELEASE} IN (SELECT value FROM json_each(:versions)) GROUP BY 1)
  SELECT v.value AS version, (SELECT count(*) FROM issues i WHERE ${REGRESSED('v.value')}) AS regressedIssues,
    coalesce((SELECT count FROM resolved WHERE resolved.version = v.value), 0) AS resolvedIssues
  FROM json_each(:versions) v`
  const versions = JSON.stringify([...new Set(parts.map(({ version }) => version))])
  return db.all(sql, { ...readableParams(scope), versions })
}

function projectsOfParts(
  db: Connection,
  scope: ReadScope,
  parts: readonly Part[],
): readonly OfVersion<ReleaseInProject>[] {
  // issues_by_first_release; the plus as in VISIBLE.
  const sql = `${READABLE} SELECT ${VERSION}, pr.id AS projectId, pr.slug, pr.name, rp.first_event_ms AS firstEventMs,
      rp.last_event_ms AS lastEventMs, rp.event_count AS eventCount,
      (SELECT count(*) FROM issues i WHERE i.project_id = pr.id AND i.first_release = p.value ->> 0
        AND i.substatus IS NOT 'waiting') AS newIssues
    ${FROM_PARTS} release_projects rp ON rp.release_id = ${PART} CROSS JOIN projects pr ON pr.id = rp.project_id
    WHERE +rp.project_id IN (SELECT id FROM readable) ORDER BY pr.slug, p.key`
  return db.all<OfVersion<ReleaseInProject>>(sql, { ...readableParams(scope), ...partsParams(parts) })
}

/** Returns a version's in the order in which they come first in it. */
function authorsOf(db: Connection, parts: readonly Part[]): readonly OfVersion<ReleaseAuthor>[] {
  const sql = `SELECT ${VERSION}, c.author_name AS name, c.author_email AS email, u.id AS userId, u.name AS userName,
      u.email AS userEmail, min(c.position)
    ${FROM_PARTS} release_commits c ON c.release_id = ${PART} JOIN releases r ON r.id = c.release_id ${COMMIT_MEMBER}
    WHERE c.author_name IS NOT NULL OR c.author_email IS NOT NULL
    GROUP BY 1, coalesce(c.email_folded, c.author_name) ORDER BY min(c.position)`
  type Row = OfVersion<Pick<ReleaseAuthor, 'name' | 'email'> & MemberRow>
  return db
    .all<Row>(sql, partsParams(parts))
    .map(({ version, name, email, ...user }) => ({ version, name, email, member: commitMember(user) }))
}

function environmentsOf(
  db: Connection,
  scope: ReadScope,
  parts: readonly Part[],
): readonly OfVersion<Release['environments'][number]>[] {
  // As in VISIBLE.
  const sql = `${READABLE} SELECT ${VERSION}, e.environment AS name, sum(e.event_count) AS eventCount
    ${FROM_PARTS} release_environments e ON e.release_id = ${PART}
    WHERE +e.project_id IN (SELECT id FROM readable) GROUP BY 1, e.environment ORDER BY eventCount DESC, name`
  return db.all(sql, { ...readableParams(scope), ...partsParams(parts) })
}

export const COMMIT_COLUMNS = `c.commit_id AS id, c.repository, c.message, c.author_name AS authorName,
  c.author_email AS authorEmail, c.at_ms AS atMs, c.files`

export interface CommitRow extends Omit<ReleaseCommit, 'files'> {
  readonly files: string
}

export function readCommitRow({ files, ...row }: CommitRow): ReleaseCommit {
  const pairs: readonly (readonly [string, CommitFile['type']])[] = JSON.parse(files)
  return { ...row, files: pairs.map(([path, type]) => ({ path, type })) }
}

/** The member `u` with the address of the author of commit `c` of release `r`. */
export const COMMIT_MEMBER = `LEFT JOIN users u ON u.email_folded = c.email_folded
  AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.org_id = r.org_id)`

export interface MemberRow {
  readonly userId: UserId | null
  readonly userName: string | null
  readonly userEmail: string | null
}

export function commitMember({ userId, userName, userEmail }: MemberRow): ReleasedCommit['member'] {
  return userId === null ? null : { userId, name: userName ?? '', email: userEmail ?? '' }
}
