/** Organisations, teams, members, projects and keys as JSON. */
import type { Member, Organisation, Team, User } from '#ports/accounts.ts'
import type { Project, ProjectKey } from '#ports/projects.ts'
import { time, timeOrNull } from './times.ts'

export function userShape(user: User) {
  return { id: String(user.id), name: user.name, username: user.email, email: user.email }
}

export function organisationShape({ id, slug, name, createdMs }: Organisation, url: string) {
  return {
    id: String(id),
    slug,
    name,
    dateCreated: time(createdMs),
    status: { id: 'active', name: 'active' },
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    features: [],
    links: { organizationUrl: `${url}/${slug}`, regionUrl: url },
  }
}

export function teamShape(team: Team, viewerId: number | null) {
  const isMember = viewerId !== null && team.members.some((member) => member === viewerId)
  return {
    id: String(team.id),
    slug: team.slug,
    name: team.name,
    dateCreated: time(team.createdMs),
    memberCount: team.members.length,
    isMember,
    teamRole: isMember ? teamRoleOf(team, viewerId) : null,
  }
}

function teamRoleOf({ admins }: Pick<Team, 'admins'>, user: number): 'admin' | 'contributor' {
  return admins.some((admin) => admin === user) ? 'admin' : 'contributor'
}

export function memberShape(member: Member, teams: readonly Team[]) {
  const { userId, email, name, role, joinedMs } = member
  const own = teams.filter(({ id }) => member.teams.includes(id))
  return {
    id: String(userId),
    email,
    name,
    role,
    orgRole: role,
    pending: false,
    dateCreated: time(joinedMs),
    teams: own.map(({ slug }) => slug),
    teamRoles: own.map((team) => ({ teamSlug: team.slug, role: teamRoleOf(team, userId) })),
    user: { id: String(userId), name, username: email, email },
  }
}

export function projectShape(project: Project, teams: readonly Team[]) {
  const own = teams
    .filter(({ id }) => project.teams.includes(id))
    .map(({ id, slug, name }) => ({ id: String(id), slug, name }))
  return {
    id: String(project.id),
    slug: project.slug,
    name: project.name,
    platform: project.platform,
    dateCreated: time(project.createdMs),
    firstEvent: timeOrNull(project.firstEventMs),
    status: 'active',
    features: [],
    team: own[0] ?? null,
    teams: own,
  }
}

/** What an issue or event says of its project. */
export function projectRefShape({ id, slug, name, platform }: Project) {
  return { id: String(id), slug, name, platform }
}

/** As in Sentry, a key goes by its public half. */
export function keyShape(key: ProjectKey, dsn: string) {
  return {
    id: key.public,
    name: key.name,
    label: key.name,
    public: key.public,
    secret: '',
    projectId: key.projectId,
    isActive: key.isActive,
    rateLimit: key.rateLimit,
    dsn: { public: dsn, secret: null, csp: null, security: null, minidump: null, cdn: null },
    dateCreated: time(key.createdMs),
  }
}
