/** Members and who is invited to become one: roles, teams, a guest's projects. */
import * as v from 'valibot'
import { can } from '#access/access.ts'
import { secretHash } from '#access/secrets.ts'
import type { ProjectId, TeamId } from '#base/ids.ts'
import { refusalOf } from '#commands/asking.ts'
import { type Invitation, type Member, ROLES, type Role, type Team } from '#ports/accounts.ts'
import { INVITED, MEMBER, MEMBER_DETAIL } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { isNamed, NAMED_PARAMETER } from './params.ts'
import { ApiRefusal, badField, existing, grantedOrThrow } from './refusals.ts'
import {
  invitationId,
  invitationShape,
  type MemberSlugs,
  memberShape,
  roleLists,
  teamRoleOf,
} from './shape/organisation.ts'
import { adminsWith, changeTeam, TEAM_MEMBER_ROUTES, teamRole, userIdOf } from './teams.ts'

const role = v.optional(v.picklist(ROLES, `A role is one of ${ROLES.join(', ')}.`))
const slugs = (what: string) =>
  v.optional(v.array(v.string(`${what}: slugs or ids.`), `${what} must be a list.`))
/** `role` and `teams` are what older clients send for `orgRole` and `teamRoles`. */
const GIVEN = {
  ...{ orgRole: role, role, teams: slugs('Teams'), projects: slugs('Projects') },
  teamRoles: v.optional(
    v.array(
      v.object({
        teamSlug: v.string('The slug of a team.'),
        role: v.optional(v.nullable(teamRole), 'contributor'),
      }),
      'Team roles must be a list.',
    ),
  ),
}
const INVITATION = v.object({
  email: v.string('An email must be text.'),
  ...GIVEN,
  sendInvite: v.optional(v.boolean('True or false.')),
})
const CHANGE = v.object(GIVEN)
type Given = v.InferOutput<typeof CHANGE>
type TeamRole = 'admin' | 'contributor'

const ALL = '/organizations/{org}/members/'
const ONE = `${ALL}{member}/`

export const MEMBER_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: ALL,
    permission: 'member.read',
    what: 'members with roles and teams, and to who manages them who is invited',
    query: [NAMED_PARAMETER, ...PAGE],
    answer: v.array(MEMBER),
    async run(call) {
      const query = NAMED_PARAMETER.read(call.url).replace(/^(?:email|user\.email):/, '')
      const [known, members, invited] = await Promise.all([
        readMemberSlugs(call),
        call.queries.members(call.scope),
        invitationsOf(call),
      ])
      const all = [
        ...members
          .filter(({ name, email }) => isNamed({ name, slug: email }, query))
          .map((each) => () => memberShape(each, known)),
        ...invited
          .filter(({ email }) => isNamed({ name: email, slug: email }, query))
          .map((each) => () => invitationShape(each, known)),
      ]
      const { rows, page } = pageOf(all, readPage(call.url))
      return answerOk(
        rows.map((shape) => shape()),
        page,
      )
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: ALL,
    permission: 'member.write',
    what: 'invites a person; a guest to `projects`',
    body: INVITATION,
    answer: INVITED,
    run: invite,
  }),
  orgRoute({
    method: 'GET',
    pattern: ONE,
    permission: 'member.read',
    what: 'one member, by id, or `me`; an invited person by the id in the list',
    answer: MEMBER_DETAIL,
    run: async (call) => answerOk({ ...(await memberAnswer(call)), ...roleLists() }),
  }),
  orgRoute({
    method: 'PUT',
    pattern: ONE,
    permission: 'member.write',
    what: 'changes the role of a member, their teams, or a guest’s projects',
    body: CHANGE,
    answer: MEMBER_DETAIL,
    run: changeMember,
  }),
  {
    method: 'DELETE',
    pattern: ONE,
    permission: 'member.write',
    what: 'removes a member, or revokes an invitation',
    async run(call) {
      const invitation = await findInvitation(call)
      if (invitation === null)
        grantedOrThrow(
          await call.commands.run('removeMember', call, { user: (await requireMember(call)).userId }),
        )
      else grantedOrThrow(await call.commands.run('revokeInvitation', call, invitation.codeHash))
      return gone
    },
  },
  ...TEAM_MEMBER_ROUTES,
]

async function readMemberSlugs({ queries, scope }: OrgCall): Promise<MemberSlugs> {
  const [teams, projects] = await Promise.all([queries.teams(scope), queries.projects(scope)])
  return { teams, projects }
}

/** Returns open invitations to people who may invite, as in the web app. */
async function invitationsOf({ queries, scope, viewer }: OrgCall): Promise<readonly Invitation[]> {
  return can(viewer, scope, 'member.write') ? queries.invitations(scope) : []
}

/** The one that the address names; `null` where it names none. */
async function findInvitation(call: OrgCall): Promise<Invitation | null> {
  const { member = '' } = call.params
  if (!member.startsWith('invitation-')) return null
  return existing((await invitationsOf(call)).find((each) => invitationId(each) === member))
}

async function requireMember({ queries, scope, params }: OrgCall): Promise<Member> {
  const id = userIdOf(params.member, scope)
  return existing(id === null ? undefined : (await queries.members(scope, { ids: [id] }))[0])
}

async function memberAnswer(call: OrgCall) {
  const [invitation, known] = [await findInvitation(call), await readMemberSlugs(call)]
  return invitation === null
    ? memberShape(await requireMember(call), known)
    : invitationShape(invitation, known)
}

async function invite(call: OrgCall) {
  const { queries, commands, scope } = call
  const body = readBody(INVITATION, await call.json())
  const known = await readMemberSlugs(call)
  const asked = body.orgRole ?? body.role ?? (await queries.roleDefault(scope))
  const teams = teamRolesOf(body, known) ?? new Map<TeamId, TeamRole | null>()
  refuseLists(body, asked, teams.size)
  if ([...teams.values()].includes('admin'))
    throw badField('teamRoles', 'Make somebody a team admin once they have joined.')
  const { email, sendInvite: byMail = queries.sendsMail() } = body
  const opens = { teams: [...teams.keys()], projects: givenProjects(body, known) ?? [] }
  const { code, url } = grantedOrThrow(
    await commands.run('invite', call, { email, role: asked, ...opens, byMail }),
  )
  const codeHash = secretHash(code)
  const made = existing((await queries.invitations(scope)).find((each) => each.codeHash === codeHash))
  return answerCreated({ ...invitationShape(made, known), invite_link: url })
}

async function changeMember(call: OrgCall) {
  const invitation = await findInvitation(call)
  if (invitation !== null) return changeInvitation(call, invitation)
  const member = await requireMember(call)
  const body = readBody(CHANGE, await call.json())
  const known = await readMemberSlugs(call)
  const asked = body.orgRole ?? body.role ?? member.role
  const wanted = teamRolesOf(body, known)
  const projects = givenProjects(body, known)
  refuseLists(body, asked, wanted?.size ?? 0)
  // Who becomes a guest leaves every team by it.
  const teams = asked === 'guest' || wanted === null ? [] : teamsDiffering(member, wanted, known.teams)
  // Before anything is changed: whoever may say roles alone changes nothing by halves.
  const refusal = teams.length === 0 ? null : refusalOf(call, 'team.write')
  if (refusal !== null) throw new ApiRefusal(refusal)
  if (asked !== member.role || (asked === 'guest' && projects !== null)) {
    const change = { user: member.userId, role: asked, projects: projects ?? [] }
    grantedOrThrow(await call.commands.run('setRole', call, change))
  }
  for (const { id } of teams) await putInTeam(call, { member, team: id, wanted: wanted?.get(id) })
  return answerOk({ ...(await memberAnswer(call)), ...roleLists() })
}

/** Before somebody has joined: what the link will make of them. */
async function changeInvitation(call: OrgCall, invitation: Invitation) {
  const body = readBody(CHANGE, await call.json())
  const known = await readMemberSlugs(call)
  const asked = body.orgRole ?? body.role ?? invitation.role
  const wanted = teamRolesOf(body, known)
  refuseLists(body, asked, wanted?.size ?? 0)
  if ([...(wanted?.values() ?? [])].includes('admin'))
    throw badField('teamRoles', 'Make somebody a team admin once they have joined.')
  const change = {
    ...{ codeHash: invitation.codeHash, role: asked },
    teams: wanted === null ? invitation.teams : [...wanted.keys()],
    projects: givenProjects(body, known) ?? invitation.projects,
  }
  grantedOrThrow(await call.commands.run('changeInvitation', call, change))
  return answerOk({ ...(await memberAnswer(call)), ...roleLists() })
}

function refuseLists(body: Given, asked: Role, teams: number): void {
  const field = body.teamRoles === undefined ? 'teams' : 'teamRoles'
  if (asked === 'guest' && teams > 0) throw badField(field, 'A guest is in no team.')
  if (asked !== 'guest' && (body.projects ?? []).length > 0)
    throw badField('projects', 'Only guests have projects of their own.')
}

/** Reads roles in teams; `null` if none are given. `teams` states no role: people keep theirs. */
function teamRolesOf(body: Given, { teams }: MemberSlugs): ReadonlyMap<TeamId, TeamRole | null> | null {
  const { teamRoles, teams: named } = body
  const field = teamRoles === undefined ? 'teams' : 'teamRoles'
  const asked = teamRoles ?? named?.map((teamSlug) => ({ teamSlug, role: null }))
  if (asked === undefined) return null
  return new Map(
    asked.map(({ teamSlug, role: each }) => {
      const team = teams.find(({ id, slug }) => slug === teamSlug || String(id) === teamSlug)
      if (team === undefined) throw badField(field, `There is no team “${teamSlug}”.`)
      return [team.id, each]
    }),
  )
}

function givenProjects({ projects: named }: Given, { projects }: MemberSlugs): readonly ProjectId[] | null {
  if (named === undefined) return null
  return named.map((ref) => {
    const project = projects.find(({ id, slug }) => slug === ref || String(id) === ref)
    if (project === undefined) throw badField('projects', `There is no project “${ref}”.`)
    return project.id
  })
}

function teamsDiffering(
  { userId }: Member,
  wanted: ReadonlyMap<TeamId, TeamRole | null>,
  teams: readonly Team[],
): readonly Team[] {
  return teams.filter((team) => {
    const isIn = team.members.includes(userId)
    const asked = wanted.get(team.id)
    if (asked === undefined || !isIn) return isIn !== (asked !== undefined)
    return asked !== null && asked !== teamRoleOf(team, userId)
  })
}

/** `wanted` undefined: out of it. `null`: into it, with the role they have there. */
function putInTeam(
  call: OrgCall,
  asked: { readonly member: Member; readonly team: TeamId; readonly wanted: TeamRole | null | undefined },
): Promise<Team> {
  const { userId } = asked.member
  return changeTeam(call, asked.team, (team) => {
    const others = team.members.filter((each) => each !== userId)
    if (asked.wanted === undefined) return { members: others }
    const admins = asked.wanted === null ? {} : { admins: adminsWith(team, userId, asked.wanted) }
    return { members: [...others, userId], ...admins }
  })
}
