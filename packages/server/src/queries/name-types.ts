/** Names of projects, teams and people, a few at a time, to choose from. */
import type { TeamId, UserId } from '#base/ids.ts'
import type { Member, Team, TeamName } from '#ports/accounts.ts'
import type { NamesAsked } from '#ports/names.ts'
import type { ProjectName, ProjectNamesAsked } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'

export interface NameQueries {
  /** Returns matching people and teams that an issue of the project may be assigned to. */
  assignableMembers(
    scope: ReadScope,
    project: string,
    text: string,
  ): Promise<readonly (Member & { readonly mention: string })[]>
  assignableTeams(scope: ReadScope, project: string, text: string): Promise<readonly TeamName[]>
  /** Returns matching project names, a few at a time. */
  projectNames(
    scope: ReadScope,
    asked: ProjectNamesAsked,
  ): Promise<{ readonly rows: readonly ProjectName[]; readonly total: number }>
  members(scope: ReadScope, asked?: NamesAsked<UserId>): Promise<readonly Member[]>
  teams(scope: ReadScope, asked?: NamesAsked<TeamId>): Promise<readonly Team[]>
  /** Teams without who is in them and what they open. */
  teamNames(scope: ReadScope, asked?: NamesAsked<TeamId>): Promise<readonly TeamName[]>
}
