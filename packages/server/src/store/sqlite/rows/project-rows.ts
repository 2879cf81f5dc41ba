/** Rows of projects and keys, as reads and writes share them. */
import type { KeyId, OrgId, ProjectId, TeamId } from '#base/ids.ts'
import { completeOptions, type OptionsChange, type Project, type ProjectKey } from '#ports/projects.ts'
import type { Connection } from '../connection.ts'

export const PROJECT_COLUMNS = `p.id, p.org_id AS orgId, p.slug, p.name, p.platform, p.options, p.is_self AS isSelf,
  p.created_ms AS createdMs, p.first_event_ms AS firstEventMs,
  (SELECT json_group_array(tp.team_id) FROM team_projects tp WHERE tp.project_id = p.id) AS teams,
  (SELECT json_group_array(f.slug) FROM former_slugs f WHERE f.project_id = p.id) AS formerSlugs`

export interface ProjectRow {
  readonly id: ProjectId
  readonly orgId: OrgId
  readonly slug: string
  readonly name: string
  readonly platform: string | null
  readonly options: string
  readonly isSelf: number
  readonly createdMs: number
  readonly firstEventMs: number | null
  readonly teams: string
  readonly formerSlugs: string
}

export function readProjectRow(row: ProjectRow): Project {
  const options = readOptions(row.options)
  const teams = JSON.parse(row.teams) as TeamId[] // json_group_array of integers
  const formerSlugs: readonly string[] = JSON.parse(row.formerSlugs) // json_group_array of texts
  return { ...row, options, teams, formerSlugs, isSelf: row.isSelf === 1 }
}

export function readOptions(column: string): Project['options'] {
  return completeOptions(JSON.parse(column) as OptionsChange) // written by insertProject and updateProject
}

export function projectById(db: Connection, org: OrgId, id: ProjectId): Project | null {
  const sql = `SELECT ${PROJECT_COLUMNS} FROM projects p WHERE p.id = ? AND p.org_id = ?`
  const row = db.get<ProjectRow>(sql, [id, org])
  return row === undefined ? null : readProjectRow(row)
}

export const KEY_COLUMNS = `k.id, k.project_id AS projectId, k.public, k.name, k.is_active AS isActive,
  k.rate_limit AS rateLimit, k.created_ms AS createdMs, k.used_ms AS usedMs`

export interface KeyRow {
  readonly id: KeyId
  readonly projectId: ProjectId
  readonly public: string
  readonly name: string
  readonly isActive: number
  readonly rateLimit: string | null
  readonly createdMs: number
  readonly usedMs: number | null
}

export function readProjectKey(row: KeyRow): ProjectKey {
  const rateLimit = row.rateLimit === null ? null : (JSON.parse(row.rateLimit) as ProjectKey['rateLimit']) // own column
  return { ...row, isActive: row.isActive === 1, rateLimit }
}
