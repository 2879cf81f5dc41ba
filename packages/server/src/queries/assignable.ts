/** Whom an issue of a project may be assigned to. */
import type { Member } from '#ports/accounts.ts'
import type { Project } from '#ports/projects.ts'

/** Members who can read the project: owners and managers read all, others what their teams open. */
export function assignable(members: readonly Member[], project: Project): readonly Member[] {
  return members.filter(
    ({ role, teams }) =>
      role === 'owner' || role === 'manager' || teams.some((team) => project.teams.includes(team)),
  )
}
