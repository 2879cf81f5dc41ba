/** Organisations, teams, members, projects and keys as JSON. */
import {
  type Invitation,
  type Member,
  type Organisation,
  ROLES,
  type Role,
  type Team,
  type User,
} from '#ports/accounts.ts'
import type { Project, ProjectKey } from '#ports/projects.ts'
import { KEY_SCHEMA, PROJECT_REF, USER } from '../answers/organisation.ts'
import { picks } from '../pick.ts'
import { isoTimeText, isoTimeTextOrNull } from './times.ts'

export const userShape = picks(USER).from<User>({
  id: ({ id }) => String(id),
  username: ({ email }) => email,
})

export function organisationShape({ id, slug, name, createdMs }: Organisation, url: string) {
  return {
    id: String(id),
    slug,
    name,
    dateCreated: isoTimeText(createdMs),
    status: { id: 'active', name: 'active' },
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    features: [],
    avatar: AVATAR,
    orgRoleList: ROLES.map(orgRoleShape),
    teamRoleList: TEAM_ROLES,
    links: { organizationUrl: `${url}/${slug}`, regionUrl: url },
  }
}

/** Letters of the name: nobody uploads pictures here. */
const AVATAR = { avatarType: 'letter_avatar', avatarUuid: null } as const

const ROLE_NAMES: Readonly<Record<Role, readonly [name: string, description: string]>> = {
  owner: ['Owner', 'May do everything, and decide who owns the organisation.'],
  manager: ['Manager', 'Manages members, teams, projects and settings.'],
  member: ['Member', 'Works on issues, alerts and releases of their teams’ projects.'],
  viewer: ['Viewer', 'Reads what their teams’ projects have.'],
  guest: ['Guest', 'Reads chosen projects alone.'],
}

/** Roles as Sentry lists them; what each may do is in the specification. */
function orgRoleShape(id: Role) {
  const [name, desc] = ROLE_NAMES[id]
  return {
    ...{ id, name, desc, scopes: [], isAllowed: true, isRetired: false },
    isGlobal: id === 'owner' || id === 'manager',
    minimumTeamRole: 'contributor',
  }
}

const TEAM_ROLES = [
  {
    ...{ id: 'contributor', name: 'Contributor', desc: 'Works on what the team’s projects have.' },
    ...{ scopes: [], isAllowed: true, isRetired: false, isMinimumRoleFor: null },
  },
  {
    ...{ id: 'admin', name: 'Team Admin', desc: 'Manages the team and its projects.' },
    ...{ scopes: [], isAllowed: true, isRetired: false, isMinimumRoleFor: null },
  },
] as const

/** Shapes roles for one member's answer. */
export function roleLists() {
  return { orgRoleList: ROLES.map(orgRoleShape), teamRoleList: TEAM_ROLES }
}

export function teamShape(team: Team, viewerId: number | null) {
  const isMember = viewerId !== null && team.members.some((member) => member === viewerId)
  return {
    id: String(team.id),
    slug: team.slug,
    name: team.name,
    dateCreated: isoTimeText(team.createdMs),
    memberCount: team.members.length,
    isMember,
    ...{ hasAccess: true, isPending: false, avatar: AVATAR },
    teamRole: isMember ? teamRoleOf(team, viewerId) : null,
  }
}

export function teamRoleOf({ admins }: Pick<Team, 'admins'>, user: number): 'admin' | 'contributor' {
  return admins.some((admin) => admin === user) ? 'admin' : 'contributor'
}

/** Slugs that a member's fields are looked up in. */
export interface MemberSlugs {
  readonly teams: readonly Team[]
  readonly projects: readonly Project[]
}

export function memberShape(member: Member, slugs: MemberSlugs) {
  const { userId, email, name, role, joinedMs } = member
  const own = slugs.teams.filter(({ id }) => member.teams.includes(id))
  return {
    id: String(userId),
    email,
    name,
    role,
    orgRole: role,
    pending: false,
    expired: false,
    inviteStatus: 'approved' as const,
    dateCreated: isoTimeText(joinedMs),
    teams: own.map(({ slug }) => slug),
    teamRoles: own.map((team) => ({ teamSlug: team.slug, role: teamRoleOf(team, userId) })),
    projects: projectSlugs(member, slugs),
    user: { id: String(userId), name, username: email, email },
  }
}

/** Somebody invited, in the list of members before they have joined: its id says so. */
export function invitationShape(invitation: Invitation, slugs: MemberSlugs) {
  const { email, role, createdMs } = invitation
  const teams = slugs.teams.filter(({ id }) => invitation.teams.includes(id)).map(({ slug }) => slug)
  return {
    id: invitationId(invitation),
    email,
    name: email,
    role,
    orgRole: role,
    pending: true,
    expired: false,
    inviteStatus: 'approved' as const,
    dateCreated: isoTimeText(createdMs),
    teams,
    teamRoles: teams.map((teamSlug) => ({ teamSlug, role: 'contributor' as const })),
    projects: projectSlugs(invitation, slugs),
    user: null,
  }
}

const INVITATION_ID_CHARS = 16

/** Enough of the hash to tell it from any other; what is hashed, the link's code, does not follow from it. */
export function invitationId({ codeHash }: Pick<Invitation, 'codeHash'>): string {
  return `invitation-${codeHash.slice(0, INVITATION_ID_CHARS)}`
}

function projectSlugs(of: Pick<Member, 'projects'>, { projects }: MemberSlugs): readonly string[] {
  return projects.filter(({ id }) => of.projects.includes(id)).map(({ slug }) => slug)
}

export function projectShape(project: Project, teams: readonly Team[], viewerId: number | null = null) {
  const own = teams
    .filter(({ id }) => project.teams.includes(id))
    .map(({ id, slug, name }) => ({ id: String(id), slug, name }))
  return {
    id: String(project.id),
    slug: project.slug,
    name: project.name,
    platform: project.platform,
    dateCreated: isoTimeText(project.createdMs),
    firstEvent: isoTimeTextOrNull(project.firstEventMs),
    status: 'active',
    features: [],
    ...{ isBookmarked: false, isPublic: false, isInternal: project.isSelf, hasAccess: true },
    isMember: teams.some(
      ({ id, members }) => project.teams.includes(id) && members.some((member) => member === viewerId),
    ),
    ...{ color: COLOR, avatar: AVATAR },
    team: own[0] ?? null,
    teams: own,
  }
}

/** Projects have no colours of their own here. */
const COLOR = '#3b6ecc'

/**
 * Shapes a project's settings: Errata's options, and Sentry's names for the same. Settings that Errata lacks
 * are off: tools expect them to be there.
 */
export function projectSettingsShape({ options }: Project) {
  const { filters, scrub } = options
  return {
    options: {
      ...options,
      'filters:blacklisted_ips': filters.addresses.join('\n'),
      'filters:releases': filters.releases.join('\n'),
      'filters:error_messages': filters.messages.join('\n'),
    },
    ...{ allowedDomains: options.allowedDomains, fingerprintingRules: options.fingerprintingRules },
    ...{ sensitiveFields: scrub.extraKeys, safeFields: scrub.allowedKeys },
    ...{ dataScrubber: true, dataScrubberDefaults: true, scrubIPAddresses: scrub.clientAddress === 'drop' },
    ...{ groupingEnhancements: '', digestsMinDelay: 0, digestsMaxDelay: 0, resolveAge: 0 },
    ...{ scrapeJavaScript: false, verifySSL: false, securityToken: '', securityTokenHeader: null },
    ...{ subjectPrefix: '', subjectTemplate: '', highlightTags: [] },
  }
}

/** Shapes a project as an issue or event refers to it. */
export const projectRefShape = picks(PROJECT_REF).from<Project>({ id: ({ id }) => String(id) })

/** Shapes a key; it is named by its public half, as in Sentry. */
export const keyShape = picks(KEY_SCHEMA).from<ProjectKey, string>({
  id: (key) => key.public,
  label: ({ name }) => name,
  secret: () => '',
  dsn: (_, dsn) => ({ public: dsn, secret: null, csp: null, security: null, minidump: null, cdn: null }),
  dateCreated: ({ createdMs }) => isoTimeText(createdMs),
  browserSdkVersion: () => '',
  dynamicSdkLoaderOptions: () => ({ hasReplay: false, hasPerformance: false, hasDebug: false }),
})
