/** Reads what accept and process know of projects: all of it, or what changed since. */
import { inChunks } from '#base/chunks.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import type { Connection } from '../connection.ts'
import {
  KEY_COLUMNS,
  type KeyRow,
  PROJECT_COLUMNS,
  type ProjectRow,
  readProjectKey,
  readProjectRow,
} from '../rows/project-rows.ts'

/** Returns the number of the newest change: triggers write one for each, in the transaction that makes it. */
export function directoryVersion(db: Connection): number {
  const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'directory_changes'"
  return db.get<{ seq: number }>(sql)?.seq ?? 0
}

export function ingestDirectory(db: Connection): IngestDirectory & { readonly version: number } {
  return readIngestDirectory(db, null)
}

export function directoryChange(db: Connection, from: number): DirectoryChange | null {
  // The primary key.
  const rows = db.all<{ id: number; projectId: ProjectId | null }>(
    'SELECT id, project_id AS projectId FROM directory_changes WHERE id > ? ORDER BY id LIMIT ?',
    [from, max('directoryChangesMax') + 1],
  )
  // Each of them has a row: where one is missing, what it changed is not known.
  const isWhole = rows.length === directoryVersion(db) - from && (rows[0]?.id ?? from + 1) === from + 1
  if (!isWhole || rows.length > max('directoryChangesMax')) return null
  const projects = [...new Set(rows.flatMap(({ projectId }) => projectId ?? []))]
  return { from, projects, now: readIngestDirectory(db, projects) }
}

function readIngestDirectory(
  db: Connection,
  projects: readonly ProjectId[] | null,
): IngestDirectory & { readonly version: number } {
  const asked = projects === null ? null : JSON.stringify(projects)
  const of = (column: string) => `(:asked IS NULL OR ${column} IN (SELECT value FROM json_each(:asked)))`
  const read = <Row>(sql: string) => (projects?.length === 0 ? [] : db.all<Row>(sql, { asked }))
  const rows = read<ProjectRow>(`SELECT ${PROJECT_COLUMNS} FROM projects p WHERE ${of('p.id')} ORDER BY p.id`)
  return {
    version: directoryVersion(db),
    organisations: db.all<IngestDirectory['organisations'][number]>(
      'SELECT id, slug FROM organisations ORDER BY is_own, id',
    ),
    projects: rows.map(readProjectRow),
    // project_keys_by_project
    keys: read<KeyRow>(
      `SELECT ${KEY_COLUMNS} FROM project_keys k WHERE ${of('k.project_id')} ORDER BY k.id`,
    ).map(readProjectKey),
    // The unique index of known_routes.
    routes: read<NonNullable<IngestDirectory['routes']>[number]>(
      `SELECT project_id AS projectId, sort AS "of", route FROM known_routes
        WHERE ${of('project_id')} ORDER BY id`,
    ),
    builds: inChunks(
      rows.map(({ id }) => id),
      PROJECTS_AT_ONCE,
    ).flatMap((some) => readBuilds(db, some)),
  }
}

type Build = NonNullable<IngestDirectory['builds']>[number]

/** A release of a project, and an environment in which it ran; `''`: in none that is known. */
interface Ran extends Build {
  readonly releaseId: number
}

/** Newest builds of an environment that a tab may be of. */
const BUILDS_OF_ENVIRONMENT = 2

/** Projects whose releases are held at once: each may have a hundred, in many environments. */
const PROJECTS_AT_ONCE = 100

/** By sets: a release that is new in a thousand projects at once has all of them read. */
function readBuilds(db: Connection, projects: readonly ProjectId[]): readonly Build[] {
  const named = db.all<Omit<Ran, 'environment'> & { readonly environment: string | null }>(NEWEST, [
    JSON.stringify(projects),
  ])
  const releases = JSON.stringify([...new Set(named.map(({ releaseId }) => releaseId))])
  const deployed = Map.groupBy(
    db.all<{ releaseId: number; environment: string }>(DEPLOYED, [releases]),
    ({ releaseId }) => releaseId,
  )
  const ran = named.flatMap(({ environment, ...of }): Ran[] => [
    { ...of, environment: environment ?? '' },
    ...(deployed.get(of.releaseId) ?? []).map((deploy) => ({ ...of, environment: deploy.environment })),
  ])
  return [...Map.groupBy(ran, ({ projectId }) => projectId).values()].flatMap(newestBuilds)
}

/** Returns the newest builds of each environment of a project. */
function newestBuilds(ran: readonly Ran[]): readonly Build[] {
  const kept = new Map<string, Map<number, Build>>()
  for (const { releaseId, ...build } of ran.toSorted((a, b) => b.releaseId - a.releaseId)) {
    const of = kept.get(build.environment) ?? new Map<number, Build>()
    kept.set(build.environment, of)
    if (of.size < BUILDS_OF_ENVIRONMENT || of.has(releaseId)) of.set(releaseId, build)
  }
  return [...kept.values()].flatMap((of) => [...of.values()])
}

/** Builds of a project's newest releases alone: a tab is no older. release_projects_by_project, then all by their release. */
const NEWEST = `SELECT rp.project_id AS projectId, rp.release_id AS releaseId, r.version AS release, e.environment
  FROM json_each(?) p CROSS JOIN release_projects rp ON rp.project_id = p.value AND rp.release_id >= coalesce(
    (SELECT release_id FROM release_projects WHERE project_id = p.value
      ORDER BY release_id DESC LIMIT 1 OFFSET ${max('skewBuildsOfProjectMax') - 1}), 0)
  CROSS JOIN releases r ON r.id = rp.release_id
  LEFT JOIN release_environments e ON e.release_id = rp.release_id AND e.project_id = rp.project_id`

/** deploys_by_release */
const DEPLOYED = `SELECT DISTINCT release_id AS releaseId, environment FROM deploys
  WHERE release_id IN (SELECT value FROM json_each(?))`
