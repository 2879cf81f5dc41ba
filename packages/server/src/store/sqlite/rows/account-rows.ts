/** Rows of people and organisations, as reads and writes share them. */
import type { OrgId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { opensEveryProject, ROLES_OF_EVERY_PROJECT } from '#model/account-rules.ts'
import type { GivenRole, Landing, Led, Organisation, Role, Theme, User } from '#ports/accounts.ts'
import type { Connection, SqlParams } from '../connection.ts'

export const USER_COLUMNS = `u.id, u.email, u.name, u.is_operator AS isOperator, u.theme, u.landing, u.org_id_last AS orgIdLast,
  u.created_ms AS createdMs, u.org_id_managing AS orgIdManaging`

export interface UserRow {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly isOperator: number
  readonly theme: Theme
  readonly landing: Landing
  readonly orgIdLast: OrgId | null
  readonly createdMs: number
  readonly orgIdManaging: OrgId | null
}

export function readUserRow(row: UserRow): User {
  const { id, email, name, isOperator, theme, landing, orgIdLast, createdMs, orgIdManaging } = row
  const user = { id, email, name, isOperator: isOperator === 1, theme, landing, orgIdLast, createdMs }
  return orgIdManaging === null ? user : { ...user, orgIdManaging }
}

export function organisationById(db: Connection, org: OrgId): Organisation | null {
  const sql = 'SELECT id, slug, name, created_ms AS createdMs FROM organisations WHERE id = ?'
  return db.get<Organisation>(sql, [org]) ?? null
}

export function storedRole(db: Connection, org: OrgId, user: UserId): Role | null {
  const sql = 'SELECT role FROM memberships WHERE org_id = ? AND user_id = ?'
  return db.get<{ role: Role }>(sql, [org, user])?.role ?? null
}

/** Projects that a role and the teams open: owners and managers have all of the organisation, guests the chosen ones. */
export function projectsOpenTo(db: Connection, org: OrgId, user: UserId): readonly ProjectId[] {
  const role = storedRole(db, org, user)
  if (role === null) return []
  if (opensEveryProject(role)) return projectsOfOrganisation(db, org)
  if (role === 'guest') return projectsOfGuest(db, org, user)
  // team_members_by_user, then the primary key of team_projects
  const sql = `SELECT DISTINCT tp.project_id AS id
    FROM team_members tm
    JOIN teams t ON t.id = tm.team_id AND t.org_id = :org
    JOIN team_projects tp ON tp.team_id = tm.team_id
    WHERE tm.user_id = :user ORDER BY 1`
  return db.all<{ id: ProjectId }>(sql, { org, user }).map(({ id }) => id)
}

/** People to whom role or teams open a project, as `projectsOpenTo` says it of one person. */
const READERS_OF_PROJECT = `SELECT m.user_id FROM projects p JOIN memberships m ON m.org_id = p.org_id
    AND m.role IN (SELECT value FROM json_each(:every)) WHERE p.id = :project
  UNION SELECT m.user_id FROM projects p JOIN team_projects tp ON tp.project_id = p.id
    JOIN teams t ON t.id = tp.team_id AND t.org_id = p.org_id JOIN team_members tm ON tm.team_id = t.id
    JOIN memberships m ON m.org_id = p.org_id AND m.user_id = tm.user_id AND m.role <> 'guest' WHERE p.id = :project
  UNION SELECT m.user_id FROM projects p JOIN guest_projects gp ON gp.org_id = p.org_id AND gp.project_id = p.id
    JOIN memberships m ON m.org_id = p.org_id AND m.user_id = gp.user_id AND m.role = 'guest' WHERE p.id = :project`

/** Somebody who reads a project. */
export interface ProjectReader {
  readonly userId: UserId
  readonly name: string
  readonly email: string
}

/** Returns the people to whom each project is open, by their ids: nobody else's rows are read into memory. */
export function readersOfProjects(
  db: Connection,
  projects: readonly ProjectId[],
): readonly (readonly ProjectReader[])[] {
  const every = JSON.stringify(ROLES_OF_EVERY_PROJECT)
  return db.allEach<ProjectReader>(
    `SELECT u.id AS userId, u.name, u.email FROM users u WHERE u.id IN (${READERS_OF_PROJECT}) ORDER BY u.id`,
    projects.map((project) => ({ project, every })),
  )
}

function projectsOfGuest(db: Connection, org: OrgId, user: UserId): readonly ProjectId[] {
  const sql =
    'SELECT project_id AS id FROM guest_projects WHERE org_id = ? AND user_id = ? ORDER BY project_id'
  return db.all<{ id: ProjectId }>(sql, [org, user]).map(({ id }) => id)
}

/** Returns the teams that somebody is admin of, and their projects. */
export function ledBy(db: Connection, org: OrgId, user: UserId): Led {
  // team_members_by_user
  const teams = `SELECT t.id FROM team_members tm JOIN teams t ON t.id = tm.team_id AND t.org_id = :org
    WHERE tm.user_id = :user AND tm.role = 'admin'`
  const projects = `SELECT DISTINCT project_id AS id FROM team_projects WHERE team_id IN (${teams}) ORDER BY 1`
  return {
    teams: db.all<{ id: TeamId }>(`${teams} ORDER BY t.id`, { org, user }).map(({ id }) => id),
    projects: db.all<{ id: ProjectId }>(projects, { org, user }).map(({ id }) => id),
  }
}

export function roleDefault(db: Connection, org: OrgId): GivenRole {
  const sql = 'SELECT role_default AS role FROM organisations WHERE id = ?'
  return db.get<{ role: GivenRole }>(sql, [org])?.role ?? 'member'
}

export function projectsOfOrganisation(db: Connection, org: OrgId): readonly ProjectId[] {
  const sql = 'SELECT id FROM projects WHERE org_id = ? ORDER BY id'
  return db.all<{ id: ProjectId }>(sql, [org]).map(({ id }) => id)
}

/** Counts rows of a query whose one column is `count(*) AS count`. */
export function countOf(db: Connection, sql: string, params: SqlParams): number {
  return db.get<{ count: number }>(sql, params)?.count ?? 0
}
