/** Reads of releases. A release is there for whoever may read one of its projects. */
import { foldLetters } from '#base/fold-letters.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import {
  type FoundSuspects,
  type SuspectCommit,
  type TouchingCommit,
  touchingCommits,
} from '#issues/suspect-commits.ts'
import { max } from '#limits/limits.ts'
import type { RecentEvents } from '#model/recent-events.ts'
import { orderReleases, type PlacedRelease, placeBehind, type TimedRelease } from '#model/release-order.ts'
import { commitBeginning } from '#model/release-rules.ts'
import { StepBudget } from '#model/step-budget.ts'
import type { FlagsRead } from '#ports/flags.ts'
import type {
  CommitFile,
  Deploy,
  ReleasedCommit,
  ReleaseFilter,
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
import { RELEASED_MS, STANDING, type StandingRow } from './release-rows.ts'
import {
  COMMIT_COLUMNS,
  COMMIT_MEMBER,
  type CommitRow,
  commitMember,
  deploysOfParts,
  IS_READABLE,
  type MemberRow,
  REGRESSED,
  RESOLVED,
  readCommitRow,
  readWholeReleases,
  VISIBLE,
} from './whole-releases.ts'

type Answered = 'releasesMeant' | 'suggestedReleases' | 'latestReleases' | 'versionsThatBrought'

export function releasesRead(db: Connection): Omit<ReleasesRead, Answered | keyof FlagsRead> {
  return {
    releases: async (scope, filter, page) =>
      db.snapshot(() => listReleases(db, scope, { ...filter, ...page })),
    release: async (scope, version) => db.snapshot(() => readWholeReleases(db, scope, [version])[0] ?? null),
    releaseTimes: async (scope, projects) => times(db, scope, projects),
    releasesLetGo: async (scope, projects, limit) =>
      db.snapshot(() => releasesLetGo(db, { ...readableParams(scope, projects), limit })),
    commits: async (scope, version) => readCommits(db, scope, version),
    suspects: async (scope, asked) => findSuspectCommits(db, scope, asked),
    revision: async (scope, version) => db.snapshot(() => revisionOf(db, scope, version)),
    releaseEnvironments: async (scope, limit) => environmentNames(db, scope, limit),
    deploys: async (scope, version) => readDeploys(db, scope, version),
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
      db.snapshot(() => readReleaseIssues(db, scope, { version, limit })),
  }
}

function releasesLetGo(
  db: Connection,
  { limit, ...readable }: ReturnType<typeof readableParams> & { readonly limit: number },
): Awaited<ReturnType<ReleasesRead['releasesLetGo']>> {
  const of = 'FROM releases_let_go l WHERE l.project_id IN (SELECT id FROM readable)'
  const rows = db.all<{ projectId: ProjectId; count: number; lastMs: number }>(
    `${READABLE} SELECT l.project_id AS projectId, l.count, l.last_ms AS lastMs ${of}
      ORDER BY l.count DESC, l.project_id LIMIT :limit`,
    { ...readable, limit },
  )
  const total = db.get<{ total: number }>(`${READABLE} SELECT count(*) AS total ${of}`, readable)?.total ?? 0
  return { rows, total }
}

/** The same `releases r` where many are read: release_projects_by_project, once, instead of a search for each release. */
const FROM_VISIBLE = `FROM (SELECT rp.release_id, min(rp.project_id) AS place FROM readable
    CROSS JOIN release_projects rp ON rp.project_id = readable.id GROUP BY rp.release_id) seen
  CROSS JOIN releases r ON r.id = seen.release_id AND r.org_id = :org`

function listReleases(
  db: Connection,
  scope: ReadScope,
  asked: ReleaseFilter & Parameters<ReleasesRead['releases']>[2],
): ReleasePage {
  const { projects, status, text, environments, limit, after = null } = asked
  const filter = {
    ...readableParams(scope, projects),
    ...{ status, text: text === '' ? null : foldLetters(text), commit: commitBeginning(text) },
    environments: environments.length === 0 ? null : JSON.stringify(environments),
  }
  const found = db.all<PlacedRelease & { readonly id: number }>(
    `${READABLE} SELECT r.id, r.version, ${RELEASED_MS} AS atMs, seen.place ${FROM_VISIBLE}
      WHERE (:status IS NULL OR r.status = :status)
      AND (:text IS NULL OR instr(folded(r.folded), :text) > 0 OR r.id IN ${WITH_COMMIT})
      AND (:environments IS NULL OR ${RAN_IN})
      ORDER BY ${ORDER[asked.sort]}atMs DESC, r.id DESC`,
    filter,
  )
  const ordered = eachVersionOnce(asked.sort === 'semver' ? orderReleases(found) : found)
  const offset = after === null ? asked.offset : placeBehind(ordered, after, asked.offset)
  const shown = ordered.slice(offset, offset + limit)
  const rows = readWholeReleases(
    db,
    scope,
    shown.map(({ version }) => version),
  )
  return { rows, total: ordered.length, offset, lastId: shown.at(-1)?.id ?? null }
}

/** A version has a part for each set of projects that it is spoken of together with: whoever reads several sees one. */
function eachVersionOnce<T extends { readonly version: string }>(rows: readonly T[]): readonly T[] {
  const seen = new Set<string>()
  return rows.filter(({ version }) => !seen.has(version) && seen.add(version))
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

/** First keys of an order, before the time. */
const ORDER: Readonly<Record<ReleaseSort, string>> = {
  date: '',
  semver: '',
  // issues_by_first_release
  new: `(SELECT count(*) FROM issues i WHERE ${IS_READABLE} AND i.first_release = r.version AND i.substatus IS NOT 'waiting') DESC, `,
  events: `(SELECT sum(rp.event_count) FROM release_projects rp WHERE rp.release_id = r.id
    AND rp.project_id IN (SELECT id FROM readable)) DESC, `,
}

function times(
  db: Connection,
  scope: ReadScope,
  projects: readonly ProjectId[] | null,
): readonly TimedRelease[] {
  const sql = `${READABLE} SELECT r.version, max(${RELEASED_MS}) AS atMs ${FROM_VISIBLE}
    GROUP BY r.version ORDER BY atMs DESC, max(r.id) DESC LIMIT :limit`
  return db.all<TimedRelease>(sql, { ...readableParams(scope, projects), limit: max('releasesPerOrgMax') })
}

/** Each project’s, the newest first. */
export function readReleasesOfProjects(
  db: Connection,
  scope: ProjectScope,
  projects: readonly ProjectId[] | null,
): readonly ReleaseOfProject[] {
  const params = readableParams(scope, projects)
  const most = max('releasesOfProjectsMax')
  // release_projects_by_project; a release may be of every project.
  const from = `FROM readable CROSS JOIN release_projects rp ON rp.project_id = readable.id
      CROSS JOIN releases r ON r.id = rp.release_id`
  const columns = `rp.project_id AS projectId, r.version, ${RELEASED_MS} AS atMs, ${STANDING}, r.id AS id,
      rp.event_count AS eventCount, rp.recent_day AS day, rp.recent_events AS events, rp.recent_before AS before`
  const all = db.get<{ count: number }>(`${READABLE} SELECT count(*) AS count ${from}`, params)?.count ?? 0
  // Of more, each project's newest come first: one that releases all day takes no other's latest away.
  const sql =
    all <= most
      ? `${READABLE} SELECT ${columns} ${from} ORDER BY atMs DESC, r.id DESC, rp.project_id`
      : `${READABLE} SELECT * FROM (SELECT ${columns},
          row_number() OVER (PARTITION BY rp.project_id ORDER BY ${RELEASED_MS} DESC, r.id DESC) AS place
        ${from} ORDER BY place, atMs DESC LIMIT ${most}) ORDER BY atMs DESC, id DESC, projectId`
  type Row = Omit<ReleaseOfProject, 'recent' | 'isArchived' | 'isDeployed'> &
    StandingRow & { readonly day: number | null } & Omit<RecentEvents, 'day'>
  return db
    .all<Row>(sql, params)
    .map(({ projectId, version, atMs, eventCount, day, events, before, isArchived, isDeployed }) => ({
      ...{ projectId, version, atMs, eventCount },
      isArchived: isArchived === 1,
      isDeployed: isDeployed === 1,
      recent: day === null ? null : { day, events, before },
    }))
}

interface ReleasedRow extends CommitRow, MemberRow {
  readonly release: string
}

function readCommits(db: Connection, scope: ProjectScope, version: string): readonly ReleasedCommit[] {
  const params = { ...readableParams(scope), version }
  return releasedCommits(db, 'r.version = :version', params)
}

function releasedCommits(
  db: Connection,
  where: string,
  params: Readonly<Record<string, string | number | bigint | null>>,
): readonly ReleasedCommit[] {
  const sql = `${READABLE} SELECT r.version AS release, ${COMMIT_COLUMNS}, u.id AS userId, u.name AS userName,
      u.email AS userEmail
    FROM releases r JOIN release_commits c ON c.release_id = r.id ${COMMIT_MEMBER}
    WHERE ${where} AND ${VISIBLE} ORDER BY c.position`
  // A version may have several parts, and a commit may be told of in each.
  const seen = new Set<string>()
  const rows = db.all<ReleasedRow>(sql, params).filter(({ release, id }) => {
    const name = JSON.stringify([release, id])
    return !seen.has(name) && seen.add(name)
  })
  return rows.map(({ release, userId, userName, userEmail, ...row }) => ({
    ...readCommitRow(row),
    release,
    member: commitMember({ userId, userName, userEmail }),
  }))
}

export interface PlacedCommit extends TouchingCommit {
  readonly releaseId: number
  readonly position: number
}

/** Commits whose files are in memory at a time: as long as they may be, 13 MB. */
const COMMITS_AT_ONCE = 50

/** The files of each commit of the releases, in their order, read as they are asked for. */
export function* touchingCommitsOf(
  db: Connection,
  scope: ProjectScope,
  versions: readonly string[],
): Generator<PlacedCommit> {
  const parts = `${READABLE} SELECT r.id FROM releases r WHERE r.version = :version AND ${VISIBLE} ORDER BY r.id`
  const some = `SELECT position, commit_id AS id, at_ms AS atMs, files FROM release_commits
    WHERE release_id = ? AND position > ? ORDER BY position LIMIT ?`
  type Row = Pick<CommitRow, 'id' | 'atMs' | 'files'> & { readonly position: number }
  for (const version of versions) {
    const seen = new Set<string>()
    for (const { id: releaseId } of db.all<{ readonly id: number }>(parts, {
      ...readableParams(scope),
      version,
    })) {
      let rows: readonly Row[] = []
      do {
        rows = db.all<Row>(some, [releaseId, rows.at(-1)?.position ?? -1, COMMITS_AT_ONCE])
        for (const { files, ...row } of rows) {
          if (seen.has(row.id)) continue
          seen.add(row.id)
          const pairs: readonly (readonly [string, CommitFile['type']])[] = JSON.parse(files)
          yield { ...row, releaseId, paths: pairs.map(([path]) => path) }
        }
      } while (rows.length === COMMITS_AT_ONCE)
    }
  }
}

/** Returns suspects over several files, nearest to the failure first. */
function findSuspectCommits(
  db: Connection,
  scope: ProjectScope,
  { versions, files }: { readonly versions: readonly string[]; readonly files: readonly string[] },
): FoundSuspects<SuspectCommit> {
  const commits = touchingCommitsOf(db, scope, versions.slice(0, max('releasesComparedMax')))
  const { suspects, isCut } = touchingCommits(files, commits, new StepBudget(max('suspectFilesMax')))
  return { suspects: suspects.flatMap((found) => wholeSuspect(db, scope, found) ?? []), isCut }
}

/** Returns a suspect as it is shown; `null` if it is gone. */
export function wholeSuspect(
  db: Connection,
  scope: ProjectScope,
  { commit, path }: { readonly commit: PlacedCommit; readonly path: string },
): SuspectCommit | null {
  const params = { ...readableParams(scope), id: commit.releaseId, position: commit.position }
  const [whole] = releasedCommits(db, 'r.id = :id AND c.position = :position', params)
  return whole === undefined ? null : { commit: whole, path }
}

function readDeploys(db: Connection, scope: ReadScope, version: string): readonly Deploy[] {
  const sql = `${READABLE} SELECT r.id FROM releases r WHERE ${VISIBLE} AND r.version = :version`
  const parts = db.all<{ id: number }>(sql, { ...readableParams(scope), version })
  return deploysOfParts(
    db,
    parts.map(({ id }) => ({ id, version })),
  ).map(({ version: _, ...deploy }) => deploy)
}

function revisionOf(db: Connection, scope: ReadScope, version: string): ReleaseRevision | null {
  const parts = db.all<{ id: number; ref: string | null }>(
    `${READABLE} SELECT r.id, r.ref FROM releases r WHERE ${VISIBLE} AND r.version = :version ORDER BY r.id`,
    { ...readableParams(scope), version },
  )
  if (parts.length === 0) return null
  const sql = `SELECT repository, commit_id AS "commit", min(position) AS position FROM release_commits
    WHERE release_id IN (SELECT value FROM json_each(:ids)) GROUP BY repository ORDER BY position`
  const ids = JSON.stringify(parts.map(({ id }) => id))
  const heads = db.all<ReleaseRevision['heads'][number] & { readonly position: number }>(sql, { ids })
  return {
    ref: parts.find(({ ref }) => ref !== null)?.ref ?? null,
    heads: heads.map(({ repository, commit }) => ({ repository, commit })),
  }
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

function readReleaseIssues(
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
