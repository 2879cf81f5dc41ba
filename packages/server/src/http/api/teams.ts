/** Teams: who is in them, and which projects they open. */

import * as v from 'valibot'
import { type ProjectId, type TeamId, type UserId, userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Team } from '#ports/accounts.ts'
import type { ReadScope } from '#ports/scope.ts'
import { PROJECT, TEAM, TEAM_DETAIL, TEAM_MEMBER, TEAM_MEMBERSHIP } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { isNamed, NAMED_PARAMETER } from './params.ts'
import { requireProject } from './projects.ts'
import { apiRefusal, badField, existing, grantedOrThrow } from './refusals.ts'
import { memberShape, organisationShape, projectShape, teamRoleOf, teamShape } from './shape/organisation.ts'

const teamText = (what: string) => v.string(`${what} must be text.`)
/** The commands' own schemas have the rules; here only the names of the fields are decided. */
const NEW_TEAM = v.object({
  name: v.optional(v.nullable(teamText('The name'))),
  slug: v.optional(v.nullable(teamText('The slug'))),
})
const TEAM_CHANGE = v.object({
  name: v.optional(teamText('The name')),
  slug: v.optional(teamText('The slug')),
})
const TEAM_ROLES = ['admin', 'contributor'] as const
export const teamRole = v.picklist(TEAM_ROLES, `One of ${TEAM_ROLES.join(', ')}.`)
const ROLE_CHANGE = v.object({ teamRole })

const ALL = '/organizations/{org}/teams/'
const ONE = '/teams/{org}/{team}/'
const MEMBERSHIP = '/organizations/{org}/members/{member}/teams/{team}/'
const OPENED = '/projects/{org}/{project}/teams/{team}/'

export const TEAM_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: ALL,
    permission: 'team.read',
    what: 'teams of the organisation',
    query: [NAMED_PARAMETER, ...PAGE],
    answer: v.array(TEAM),
    async run({ queries, scope, url }) {
      const query = NAMED_PARAMETER.read(url)
      const named = (await queries.teams(scope)).filter((team) => isNamed(team, query))
      const { rows, page } = pageOf(named, readPage(url))
      return answerOk(
        rows.map((team) => teamShape(team, scope.userId ?? null)),
        page,
      )
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: ALL,
    permission: 'team.write',
    what: 'creates a team',
    body: NEW_TEAM,
    answer: TEAM,
    run: createTeam,
  }),
  orgRoute({
    method: 'GET',
    pattern: ONE,
    permission: 'team.read',
    what: 'one team with the projects it opens, the first hundred of them; its list of projects has all',
    answer: TEAM_DETAIL,
    run: async (call) => answerOk(await detailedTeam(call, await teamOf(call))),
  }),
  orgRoute({
    method: 'PUT',
    pattern: ONE,
    permission: 'team.write',
    what: 'renames a team',
    body: TEAM_CHANGE,
    answer: TEAM_DETAIL,
    run: renameTeam,
  }),
  {
    method: 'DELETE',
    pattern: ONE,
    permission: 'team.write',
    what: 'deletes a team; its projects stay',
    async run(call) {
      grantedOrThrow(await call.commands.run('deleteTeam', call, (await teamOf(call)).id))
      return gone
    },
  },
  orgRoute({
    method: 'GET',
    pattern: `${ONE}members/`,
    permission: 'member.read',
    what: 'who is in a team, with `teamRole`',
    query: PAGE,
    answer: v.array(TEAM_MEMBER),
    run: membersOfTeam,
  }),
]

/** By the team that the address names. */
export const TEAM_MEMBER_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'POST',
    pattern: MEMBERSHIP,
    permission: 'team.write',
    what: 'adds a member to a team; 204 where they are in it',
    answer: v.nullable(TEAM),
    async run(call) {
      const user = await teamPersonOf(call)
      const { id, members } = await teamOf(call)
      if (members.includes(user)) return gone
      const change = await changeTeam(call, id, (team) => ({ members: [...team.members, user] }))
      return answerCreated(teamShape(change, call.scope.userId ?? null))
    },
  }),
  orgRoute({
    method: 'PUT',
    pattern: MEMBERSHIP,
    permission: 'team.write',
    what: 'makes a member of a team its admin or a contributor',
    body: ROLE_CHANGE,
    answer: TEAM_MEMBERSHIP,
    async run(call) {
      const user = await teamPersonOf(call)
      const { id, members } = await teamOf(call)
      existing(members.find((each) => each === user))
      const { teamRole: role } = readBody(ROLE_CHANGE, await call.json())
      const changed = await changeTeam(call, id, (team) => ({ admins: adminsWith(team, user, role) }))
      return answerOk({ isActive: true, teamRole: teamRoleOf(changed, user) })
    },
  }),
  orgRoute({
    method: 'DELETE',
    pattern: MEMBERSHIP,
    permission: 'team.write',
    what: 'takes a member out of a team',
    answer: TEAM,
    async run(call) {
      const user = await teamPersonOf(call)
      const { id, members } = await teamOf(call)
      existing(members.find((each) => each === user))
      const without = (team: Team) => ({ members: team.members.filter((each) => each !== user) })
      return answerOk(teamShape(await changeTeam(call, id, without), call.scope.userId ?? null))
    },
  }),
]

export const TEAM_PROJECT_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/teams/',
    permission: 'team.read',
    what: 'teams that open the project',
    query: PAGE,
    answer: v.array(TEAM),
    async run(call) {
      const { id } = await requireProject(call)
      const teams = await call.queries.teams(call.scope)
      const own = teams.filter(({ projects }) => projects.includes(id))
      const { rows, page } = pageOf(own, readPage(call.url))
      return answerOk(
        rows.map((team) => teamShape(team, call.scope.userId ?? null)),
        page,
      )
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: OPENED,
    permission: 'team.write',
    what: 'gives a team access to the project',
    answer: PROJECT,
    run: async (call) =>
      answerCreated(await openedWith(call, (projects, project) => [...new Set([...projects, project])])),
  }),
  orgRoute({
    method: 'DELETE',
    pattern: OPENED,
    permission: 'team.write',
    what: 'removes a team’s access to the project',
    answer: PROJECT,
    run: async (call) =>
      answerOk(await openedWith(call, (projects, project) => projects.filter((each) => each !== project))),
  }),
]

/** The team of the address, by slug or id. */
async function teamOf({ queries, scope, params }: OrgCall): Promise<Team> {
  const { team: ref } = params
  return existing((await queries.teams(scope)).find(({ id, slug }) => slug === ref || String(id) === ref))
}

async function createTeam(call: OrgCall) {
  const { name, slug } = readBody(NEW_TEAM, await call.json())
  const called = name || slug
  if (!called) throw badField('name', 'A name or a slug is needed.')
  const { id } = grantedOrThrow(
    await call.commands.run('createTeam', call, { name: called, slug: slug || undefined, numbered: true }),
  )
  return answerCreated(teamShape(await teamById(call, id), call.scope.userId ?? null))
}

async function renameTeam(call: OrgCall) {
  const { id, slug: present } = await teamOf(call)
  const { name, slug = present } = readBody(TEAM_CHANGE, await call.json())
  // Ownership rules, searches and links go by it.
  if (slug !== present) throw badField('slug', 'The slug of a team stays as it is.')
  if (name !== undefined)
    grantedOrThrow(await call.commands.run('setTeam', call, { team: id, change: { name } }))
  return answerOk(await detailedTeam(call, await teamById(call, id)))
}

async function detailedTeam({ queries, scope, askedAt }: OrgCall, team: Team) {
  const [organisation, projects, teams] = await Promise.all([
    queries.organisation(scope),
    queries.projects(scope),
    queries.teams(scope),
  ])
  const open = new Set(team.projects)
  // A team may open all of thousands, four megabytes of them.
  const opened = projects.filter(({ id }) => open.has(id)).slice(0, max('pageRowsMax'))
  return {
    ...teamShape(team, scope.userId ?? null),
    organization: organisationShape(organisation, askedAt),
    projects: opened.map((project) => projectShape(project, teams)),
  }
}

async function membersOfTeam(call: OrgCall) {
  const { queries, scope, url } = call
  const team = await teamOf(call)
  const [members, teams, projects] = await Promise.all([
    queries.members(scope),
    queries.teams(scope),
    queries.projects(scope),
  ])
  const ofTeam = new Set(team.members)
  const own = members.filter(({ userId }) => ofTeam.has(userId))
  const { rows, page } = pageOf(own, readPage(url))
  return answerOk(
    rows.map((member) => ({
      ...memberShape(member, { teams, projects }),
      teamSlug: team.slug,
      teamRole: teamRoleOf(team, member.userId),
    })),
    page,
  )
}

/** Returns the person in the address. Guests are in no team, and invited people not yet. */
async function teamPersonOf({ queries, scope, params }: OrgCall): Promise<UserId> {
  const id = userIdOf(params.member, scope)
  const member = existing(id === null ? undefined : (await queries.members(scope, { ids: [id] }))[0])
  if (member.role === 'guest') throw badField('member', 'A guest is in no team.')
  return member.userId
}

/** Returns the id of the member that an address names. `me` is whoever asks; `null` where nobody can be meant. */
export function userIdOf(ref: string | undefined, scope: ReadScope): UserId | null {
  if (ref === 'me') return scope.userId ?? null
  return ref !== undefined && /^\d{1,15}$/.test(ref) ? userId(Number(ref)) : null
}

export function adminsWith({ admins }: Team, user: UserId, role: 'admin' | 'contributor'): readonly UserId[] {
  const others = admins.filter((each) => each !== user)
  return role === 'admin' ? [...others, user] : others
}

const TRIES = 5

interface TeamLists {
  readonly members?: readonly UserId[]
  readonly admins?: readonly UserId[]
  readonly projects?: readonly ProjectId[]
}

/**
 * Lists are written whole: what somebody else wrote between reading and writing is read again, so that of two calls at
 * once neither undoes the other. Answers the team as it is then.
 */
export async function changeTeam(
  call: OrgCall,
  id: TeamId,
  change: (team: Team) => TeamLists,
): Promise<Team> {
  for (let tries = 1; ; tries++) {
    const team = await teamById(call, id)
    const seen = {
      members: ascending(team.members),
      admins: ascending(team.admins),
      projects: ascending(team.projects),
    }
    const done = await call.commands.run('setTeam', call, { team: id, change: change(team), seen })
    if (done.ok) return teamById(call, id)
    if (done.code !== 'conflict' || tries === TRIES) throw apiRefusal(done.code, done.message, done.fields)
  }
}

function ascending<Id extends number>(ids: readonly Id[]): readonly Id[] {
  return ids.toSorted((a, b) => a - b)
}

async function teamById({ queries, scope }: OrgCall, team: TeamId): Promise<Team> {
  return existing((await queries.teams(scope)).find(({ id }) => id === team))
}

async function openedWith(
  call: OrgCall,
  opens: (projects: readonly ProjectId[], project: ProjectId) => readonly ProjectId[],
) {
  const { id } = await requireProject(call)
  const team = await teamOf(call)
  await changeTeam(call, team.id, ({ projects }) => ({ projects: opens(projects, id) }))
  return projectShape(await requireProject(call), await call.queries.teams(call.scope))
}
