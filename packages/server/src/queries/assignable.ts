/** Finds people and teams that an issue of a project may be assigned to. */
import { mentionNamesAmong } from '#issues/mentions.ts'
import type { AccountsRead, Member } from '#ports/accounts.ts'
import type { Project } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'

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

/** Finds people and teams by text, with the shortest name that is theirs alone in a comment. */
export async function mentionable(
  accounts: Pick<AccountsRead, 'members'>,
  scope: ReadScope,
  { project, text }: { readonly project: Project; readonly text: string },
): Promise<readonly (Member & { readonly mention: string })[]> {
  const all = await accounts.members(scope)
  const found = text === '' ? all : await accounts.members(scope, { text })
  const mentionOf = mentionNamesAmong(all)
  return assignable(found, project).map((member) => ({ ...member, mention: mentionOf(member) }))
}
