/** Whom issues are assigned to: a person or a team. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { assigneeIds } from '#issues/issue-changes.ts'
import type { Assignee } from '#ports/issues.ts'
import type { Tables } from '../tables.ts'
import { projectsOpenTo } from './members.ts'

export function writeAssignee(to: Tables, issue: IssueId, assignee: Assignee | null): void {
  const { userId, teamId } = assigneeIds(assignee)
  to.issues.change(issue, { assigneeId: userId, assigneeTeamId: teamId })
}

/** As a record keeps it. */
export function assigneeName(of: Tables, assignee: Assignee | null): string | null {
  const { userId, teamId } = assigneeIds(assignee)
  const team = teamId === null ? undefined : of.teams.get(teamId)
  if (team !== undefined) return `#${team.slug}`
  const user = userId === null ? undefined : of.users.get(userId)
  if (user === undefined) return null
  return user.name === '' ? user.email : user.name
}

/** Projects that the person may read, or the team opens. */
export function projectsOfAssignee(of: Tables, org: OrgId, assignee: Assignee): readonly ProjectId[] {
  if (typeof assignee !== 'object') return projectsOpenTo(of, org, assignee)
  const team = of.teams.get(assignee.team)
  return team?.orgId === org ? team.projects : []
}

/** The person, or everybody of the team. */
export function peopleOfAssignee(of: Tables, assignee: Assignee | null): readonly UserId[] {
  if (assignee === null) return []
  return typeof assignee === 'object' ? (of.teams.get(assignee.team)?.members ?? []) : [assignee]
}
