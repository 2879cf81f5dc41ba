/** Who belongs to what, and which projects that opens. */
import type { OrgId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { foldEmail, opensEveryProject } from '#model/account-rules.ts'
import type { Led, Role, User } from '#ports/accounts.ts'
import { byId } from '../order.ts'
import type { Tables, UserRow } from '../tables.ts'

export function membershipKey(org: OrgId, user: UserId): string {
  return `${org}:${user}`
}

export function roleOf(of: Tables, org: OrgId, user: UserId): Role | null {
  return of.memberships.get(membershipKey(org, user))?.role ?? null
}

export function userOf({ passwordHash: _, ...user }: UserRow): User {
  return user
}

export function userByEmail(of: Tables, email: string): UserRow | undefined {
  const folded = foldEmail(email)
  return of.users.find((user) => foldEmail(user.email) === folded)
}

export function emailOf(of: Tables, user: UserId): string {
  return of.users.get(user)?.email ?? `user ${user}`
}

export function projectsOfOrganisation(of: Tables, org: OrgId): readonly ProjectId[] {
  return of.projects
    .where(({ orgId }) => orgId === org)
    .sort(byId)
    .map(({ id }) => id)
}

export function projectsOpenTo(of: Tables, org: OrgId, user: UserId): readonly ProjectId[] {
  const role = roleOf(of, org, user)
  if (role === null) return []
  const all = projectsOfOrganisation(of, org)
  if (opensEveryProject(role)) return all
  if (role === 'guest') return guestProjects(of, org, user)
  const open = new Set(teamsOfMember(of, org, user).flatMap((team) => of.teams.get(team)?.projects ?? []))
  return all.filter((id) => open.has(id))
}

/** Those that still exist. */
export function guestProjects(of: Tables, org: OrgId, user: UserId): readonly ProjectId[] {
  const chosen = of.memberships.get(membershipKey(org, user))?.projects ?? []
  return projectsOfOrganisation(of, org).filter((id) => chosen.includes(id))
}

export function ledBy(of: Tables, org: OrgId, user: UserId): Led {
  const teams = of.teams.where(({ orgId, admins }) => orgId === org && admins.includes(user)).sort(byId)
  const projects = new Set(teams.flatMap((team) => team.projects))
  return { teams: teams.map(({ id }) => id), projects: [...projects].sort((a, b) => a - b) }
}

/** Those of the ids that are projects of the organisation. */
export function projectsWithin(of: Tables, org: OrgId, ids: readonly ProjectId[]): readonly ProjectId[] {
  return projectsOfOrganisation(of, org).filter((id) => ids.includes(id))
}

export function teamsOfMember(of: Tables, org: OrgId, user: UserId): readonly TeamId[] {
  return of.teams
    .where(({ orgId, members }) => orgId === org && members.includes(user))
    .sort(byId)
    .map(({ id }) => id)
}

/** The oldest team takes in whoever and whatever is given no team. */
export function defaultTeam(of: Tables, org: OrgId): readonly TeamId[] {
  return of.teams
    .where(({ orgId }) => orgId === org)
    .sort(byId)
    .slice(0, 1)
    .map(({ id }) => id)
}

/** Those of the ids that are teams of the organisation. */
export function teamsWithin(of: Tables, org: OrgId, ids: readonly TeamId[]): readonly TeamId[] {
  return [...new Set(ids)].filter((id) => of.teams.get(id)?.orgId === org).sort((a, b) => a - b)
}

export function joinTeam(to: Tables, team: TeamId, user: UserId): void {
  const members = to.teams.get(team)?.members
  if (members !== undefined && !members.includes(user))
    to.teams.change(team, { members: [...members, user].sort((a, b) => a - b) })
}
