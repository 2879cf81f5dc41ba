/** Whom an issue of a project may be assigned to. */
import type { Member } from '#ports/accounts.ts'
import type { Project } from '#ports/projects.ts'

/** Members who can read the project: owners and managers read all, guests what was chosen, others what their teams open. */
export function assignable(members: readonly Member[], project: Project): readonly Member[] {
  return members.filter(
    ({ role, teams, projects }) =>
      role === 'owner' ||
      role === 'manager' ||
      projects.includes(project.id) ||
      teams.some((team) => project.teams.includes(team)),
  )
}
