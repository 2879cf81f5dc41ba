/** Keeps assignees of issues: a person or a team. */
import type { OrgId, ProjectId, UserId } from '#base/ids.ts'
import { assigneeIds } from '#issues/issue-changes.ts'
import type { Assignee } from '#ports/issues.ts'
import type { Connection } from '../connection.ts'
import { projectsOpenTo } from './account-rows.ts'

/** Returns the assignee's name as a record keeps it. */
export function assigneeName(db: Connection, assignee: Assignee | null): string | null {
  const { userId, teamId } = assigneeIds(assignee)
  const sql = `SELECT iif(name = '', email, name) AS name FROM users WHERE id = :user
    UNION ALL SELECT '#' || slug FROM teams WHERE id = :team`
  return db.get<{ name: string }>(sql, { user: userId, team: teamId })?.name ?? null
}

/** Projects that the person may read, or the team opens. */
export function projectsOfAssignee(db: Connection, org: OrgId, assignee: Assignee): readonly ProjectId[] {
  if (typeof assignee !== 'object') return projectsOpenTo(db, org, assignee)
  const sql = `SELECT tp.project_id AS id FROM team_projects tp JOIN teams t ON t.id = tp.team_id
    WHERE tp.team_id = ? AND t.org_id = ?`
  return db.all<{ id: ProjectId }>(sql, [assignee.team, org]).map(({ id }) => id)
}

/** The person, or everybody of the team. */
export function peopleOfAssignee(db: Connection, assignee: Assignee | null): readonly UserId[] {
  if (assignee === null) return []
  if (typeof assignee !== 'object') return [assignee]
  const sql = 'SELECT user_id AS id FROM team_members WHERE team_id = ? ORDER BY user_id'
  return db.all<{ id: UserId }>(sql, [assignee.team]).map(({ id }) => id)
}
