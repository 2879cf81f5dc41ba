/** Reads what accept and process know of projects: all of it, or what changed since. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import type { Connection } from '../connection.ts'
import {
  KEY_COLUMNS,
  type KeyRow,
  keyOf,
  PROJECT_COLUMNS,
  type ProjectRow,
  readProjectRow,
} from '../rows/project-rows.ts'

/** Returns the number of the newest change: triggers write one for each, in the transaction that makes it. */
export function directoryVersion(db: Connection): number {
  const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'directory_changes'"
  return db.get<{ seq: number }>(sql)?.seq ?? 0
}

export function ingestDirectory(db: Connection): IngestDirectory & { readonly version: number } {
  return directoryOf(db, null)
}

export function directoryChange(db: Connection, from: number): DirectoryChange | null {
  // The primary key.
  const rows = db.all<{ id: number; projectId: ProjectId | null }>(
    'SELECT id, project_id AS projectId FROM directory_changes WHERE id > ? ORDER BY id LIMIT ?',
    [from, max('directoryChangesMax') + 1],
  )
  // Each of them has a row: where the next one is missing, so may others be.
  const isWhole = rows.length <= max('directoryChangesMax') && (rows[0]?.id ?? from + 1) === from + 1
  if (!isWhole) return null
  const projects = [...new Set(rows.flatMap(({ projectId }) => projectId ?? []))]
  return { from, projects, now: directoryOf(db, projects) }
}

function directoryOf(
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
    ).map(keyOf),
    // The unique index of known_routes.
    routes: read<NonNullable<IngestDirectory['routes']>[number]>(
      `SELECT project_id AS projectId, sort AS "of", route FROM known_routes
        WHERE ${of('project_id')} ORDER BY id`,
    ),
    builds: rows.flatMap(({ id }) => buildsOf(db, id)),
  }
}

type Build = NonNullable<IngestDirectory['builds']>[number]

function buildsOf(db: Connection, project: ProjectId): readonly Build[] {
  return db.all<Build>(BUILDS, { project })
}

/** Builds of a project's newest releases alone: a tab is no older. release_projects_by_project, then all by their release. */
const BUILDS = `WITH newest AS (SELECT release_id AS id FROM release_projects
  WHERE project_id = :project ORDER BY release_id DESC LIMIT ${max('skewBuildsOfProjectMax')}),
ran AS (
  SELECT coalesce(e.environment, '') AS environment, n.id FROM newest n
    LEFT JOIN release_environments e ON e.release_id = n.id AND e.project_id = :project
  UNION
  SELECT d.environment, n.id FROM newest n JOIN deploys d ON d.release_id = n.id
),
placed AS (
  SELECT environment, id, row_number() OVER (PARTITION BY environment ORDER BY id DESC) AS place FROM ran
)
SELECT :project AS projectId, p.environment, r.version AS release
FROM placed p JOIN releases r ON r.id = p.id WHERE p.place <= 2`
