/** How many releases there may be: of a project, and a fair share of those of its organisation. The oldest make room. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'

export interface ReleaseBounds {
  readonly ofProject: number
  readonly ofOrganisation: number
}

const BOUNDS: ReleaseBounds = {
  ofProject: max('releasesPerProjectMax'),
  ofOrganisation: max('releasesPerOrgMax'),
}

/**
 * Counts that whoever makes releases remembers, each with those that were made room for: a client that names a new one
 * with every event would have thousands counted for each. Forgotten when any goes.
 */
export interface ReleaseCounts extends Pick<ReadonlyMap<string, number>, 'get' | 'has'> {
  set(of: string, count: number): unknown
  clear(): void
}

/** Counts at once what is not known of those that room will be asked for. */
export function countReleases(
  db: Connection,
  places: readonly Pick<Place, 'projectId'>[],
  counts: ReleaseCounts,
): void {
  const asked = new Set(places.map(({ projectId }) => projectId).filter((id) => !counts.has(`project ${id}`)))
  if (asked.size === 0) return
  // release_projects_by_project
  const sql = `SELECT p.value AS project, (SELECT count(*) FROM release_projects WHERE project_id = p.value) AS count
    FROM json_each(?) p`
  const rows = db.all<{ project: ProjectId; count: number }>(sql, [JSON.stringify([...asked])])
  for (const { project, count } of rows) counts.set(`project ${project}`, count)
}

/** With the one that room is asked for. */
function countWithAsked(counts: ReleaseCounts, of: string, read: () => number): number {
  const count = counts.get(of) ?? read()
  counts.set(of, count + 1)
  return count
}

/** At a time, so that a client that names a new one with every event does not have each of them looked for. */
const SHARE_LET_GO = 20

interface Place {
  readonly orgId: OrgId
  readonly projectId: ProjectId
  readonly atMs: number
}

interface InUse {
  readonly inUse: readonly number[]
}

/** Whether there is room for one more, and which of them went for it. */
export function makeRoom(
  db: Connection,
  { orgId, projectId, atMs }: Place,
  {
    bounds = BOUNDS,
    counts = new Map<string, number>(),
    inUse = [],
  }: {
    readonly bounds?: ReleaseBounds
    readonly counts?: ReleaseCounts
    /** Releases that stay, since something of them is counted next. */
    readonly inUse?: readonly number[]
  } = {},
): { readonly isThere: boolean; readonly gone: readonly number[] } {
  // release_projects_by_project
  const ofProject = 'SELECT count(*) AS count FROM release_projects WHERE project_id = ?'
  const own = countWithAsked(counts, `project ${projectId}`, () => countOf(db, ofProject, [projectId]))
  const ofOwn =
    own < bounds.ofProject
      ? []
      : letGo(db, { projectId, atMs, inUse }, Math.ceil(bounds.ofProject / SHARE_LET_GO))
  if (ofOwn.length > 0) counts.clear()
  if (own - ofOwn.length >= bounds.ofProject) return { isThere: false, gone: ofOwn }
  // releases_by_version
  const ofOrganisation = 'SELECT count(*) AS count FROM releases WHERE org_id = ?'
  const all = countWithAsked(counts, `organisation ${orgId}`, () => countOf(db, ofOrganisation, [orgId]))
  if (all < bounds.ofOrganisation) return { isThere: true, gone: ofOwn }
  const gone = releasesOfLargest(db, { orgId, atMs, inUse })
  counts.clear()
  return { isThere: gone.length > 0, gone: [...ofOwn, ...gone] }
}

/** Returns releases of the project that has most of them; one release, where all have about as many. */
function releasesOfLargest(
  db: Connection,
  { orgId, atMs, inUse }: Pick<Place, 'orgId' | 'atMs'> & InUse,
): readonly number[] {
  const sql = `SELECT rp.project_id AS projectId, count(*) AS count FROM releases r
    JOIN release_projects rp ON rp.release_id = r.id WHERE r.org_id = ?
    GROUP BY rp.project_id ORDER BY count(*) DESC, rp.project_id LIMIT ?`
  const largest = db.all<{ projectId: ProjectId; count: number }>(sql, [orgId, PROJECTS_TRIED])
  for (const [index, { projectId, count }] of largest.entries()) {
    const excess = count - (largest[index + 1]?.count ?? 0)
    const most = Math.min(Math.ceil(count / SHARE_LET_GO), Math.max(1, excess))
    const gone = letGo(db, { projectId, atMs, inUse }, most)
    if (gone.length > 0) return gone
  }
  return []
}

/** Number of projects that are tried: one whose releases were all announced by tools has none to give. */
const PROJECTS_TRIED = 10

/** True for a release that only events named: nobody said anything about it, and no other project has it. */
const BARE = `r.ref IS NULL AND r.url IS NULL AND r.started_ms IS NULL AND r.released_ms IS NULL AND r.status = 'open'
  AND NOT EXISTS (SELECT 1 FROM release_commits c WHERE c.release_id = r.id)
  AND NOT EXISTS (SELECT 1 FROM deploys d WHERE d.release_id = r.id)
  AND NOT EXISTS (SELECT 1 FROM release_projects o WHERE o.release_id = r.id AND o.project_id <> rp.project_id)`

function letGo(
  db: Connection,
  { projectId, atMs, inUse }: Pick<Place, 'projectId' | 'atMs'> & InUse,
  most: number,
): readonly number[] {
  // release_projects_by_project
  const sql = `SELECT r.id FROM release_projects rp JOIN releases r ON r.id = rp.release_id
    WHERE rp.project_id = ? AND ${BARE} AND r.id NOT IN (SELECT value FROM json_each(?))
    ORDER BY coalesce(rp.last_event_ms, r.created_ms), r.id LIMIT ?`
  const ids = db.all<{ id: number }>(sql, [projectId, JSON.stringify(inUse), most]).map(({ id }) => id)
  if (ids.length === 0) return ids
  db.run('DELETE FROM releases WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)])
  const told = `INSERT INTO releases_let_go (project_id, count, last_ms) VALUES (:project, :count, :at)
    ON CONFLICT (project_id) DO UPDATE SET count = count + :count, last_ms = max(last_ms, :at)`
  db.run(told, { project: projectId, count: ids.length, at: Math.floor(atMs) })
  return ids
}
