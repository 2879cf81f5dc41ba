import { projectId, teamId, tokenId, userId } from '@errata/server/ids'
import { MIB } from '@errata/server/limits'
import { array, object, optional, string } from 'valibot'
import {
  choiceField,
  idField,
  idListField,
  listedField,
  numberField,
  optionalNumberField,
  optionalTextField,
  seenField,
  textField,
  tickField,
  withUnlisted,
} from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { GIVEN_ROLES, ROLES } from './roles.ts'
import { seenMember, seenTeam } from './seen.server.ts'
import { scopesOf } from './token-presets.server.ts'

const roleField = choiceField(ROLES.map(({ role }) => role))

export const renameOrganisation = defineAction(
  'org.rename',
  'org.write',
  object({ name: textField, slug: textField, seen: seenField }),
  async (ctx, change) => {
    const done = await ctx.engine.commands.run('renameOrganisation', ctx, change)
    return done.ok ? { redirect: paths.orgSettings(done.value.slug) } : done
  },
)

export const requireSecondFactor = defineAction(
  'org.second-factor',
  'org.write',
  object({ required: tickField }),
  (ctx, { required }) => ctx.engine.commands.run('requireSecondFactor', ctx, required),
)

export const setRoleDefault = defineAction(
  'org.role-default',
  'org.write',
  object({ role: choiceField(GIVEN_ROLES) }),
  (ctx, { role }) => ctx.engine.commands.run('setRoleDefault', ctx, role),
)

/** The size is typed in MiB. */
export const setArtifactQuota = defineAction(
  'org.artifact-quota',
  'quota.write',
  object({
    isDefault: tickField,
    bundlesMax: numberField,
    bytesMax: numberField,
    unusedDaysMax: numberField,
  }),
  (ctx, { isDefault, bytesMax, ...typed }) => {
    const quota = { ...typed, bytesMax: Math.round(bytesMax * MIB) }
    return ctx.engine.commands.run('setArtifactQuota', ctx, isDefault ? null : quota)
  },
)

export const createOrganisation = defineAction(
  'org.create',
  'operator',
  object({ name: textField }),
  async (ctx, { name }) => {
    const done = await ctx.engine.commands.createOrganisation(ctx, name)
    return done.ok ? { redirect: paths.overview(done.value.slug) } : done
  },
)

/** The link is shown once: only its hash is stored. */
export const invite = shownOnce(
  defineAction(
    'member.invite',
    'member.write',
    object({
      ...{ email: textField, role: roleField, teams: idListField, projects: idListField },
      byMail: tickField,
    }),
    async (ctx, { email, role, teams, projects, byMail }) => {
      const opens = { teams: teams.map(teamId), projects: projects.map(projectId) }
      const input = { email, role, ...opens, byMail }
      const done = await ctx.engine.commands.run('invite', ctx, input)
      return done.ok ? { result: { email, url: done.value.url, byMail } } : done
    },
  ),
)

export const revokeInvitation = defineAction(
  'member.revoke-invitation',
  'member.write',
  object({ codeHash: string() }),
  (ctx, { codeHash }) => ctx.engine.commands.run('revokeInvitation', ctx, codeHash),
)

/** Renews an invitation that has expired. */
export const renewInvitation = shownOnce(
  defineAction(
    'member.renew-invitation',
    'member.write',
    object({ codeHash: string() }),
    async (ctx, { codeHash }) => {
      const done = await ctx.engine.commands.run('renewInvitation', ctx, codeHash)
      return done.ok ? { result: done.value } : done
    },
  ),
)

export const setRole = defineAction(
  'member.set-role',
  'member.write',
  object({
    ...{ user: idField, role: roleField, projects: idListField, projectsListed: listedField },
    seen: seenField,
  }),
  async (ctx, { user, role, projects: ticked, projectsListed: listed, seen }) => {
    const { commands, queries } = ctx.engine
    const member = async () => (await queries.members(ctx.scope, { ids: [userId(user)] }))[0]
    const before = listed === undefined ? [] : ((await member())?.projects ?? [])
    const projects = withUnlisted(before, { ticked: ticked.map(projectId), listed })
    const done = await commands.run('setRole', ctx, { user: userId(user), role, projects, seen })
    if (!done.ok) return done
    const now = await member()
    return { result: { seen: now === undefined ? '' : seenMember(now) } }
  },
)

export const removeMember = defineAction(
  'member.remove',
  'member.write',
  object({ user: idField, revokesTokens: tickField }),
  (ctx, { user, revokesTokens }) =>
    ctx.engine.commands.run('removeMember', ctx, { user: userId(user), revokesTokens }),
)

export const createTeam = defineAction(
  'team.create',
  'team.write',
  object({ name: textField, slug: optionalTextField }),
  async (ctx, { name, slug }) => {
    const done = await ctx.engine.commands.run('createTeam', ctx, { name, slug })
    return done.ok ? { result: done.value.id } : done
  },
)

/** Sets the channel where comments that name the team are sent. */
export const setTeamChannel = defineAction(
  'team.channel',
  'team.write',
  object({ team: idField, channel: textField }),
  (ctx, { team, channel }) => {
    const id = channel === '' ? null : Number(channel)
    return ctx.engine.commands.run('setTeamChannel', ctx, { team: teamId(team), channel: id })
  },
)

export const saveTeam = defineAction(
  'team.save',
  'team.write',
  object({
    team: idField,
    name: textField,
    ...{ members: idListField, admins: idListField, membersListed: listedField },
    /** With no box ticked, none. Team admins are not asked: what the team opens is not theirs to say. */
    asksProjects: tickField,
    ...{ projects: idListField, projectsListed: listedField },
    seen: seenField,
  }),
  async (ctx, { team, name, asksProjects, seen, ...given }) => {
    const known = async () => (await ctx.engine.queries.teams(ctx.scope, { ids: [teamId(team)] }))[0]
    const isPart = given.membersListed !== undefined || given.projectsListed !== undefined
    const before = (isPart ? await known() : undefined) ?? { members: [], admins: [], projects: [] }
    const people = {
      members: withUnlisted(before.members, {
        ...{ ticked: given.members.map(userId), listed: given.membersListed },
      }),
      admins: withUnlisted(before.admins, {
        ...{ ticked: given.admins.map(userId), listed: given.membersListed },
      }),
    }
    const isAsked = asksProjects || given.projects.length > 0
    const projects = { ticked: given.projects.map(projectId), listed: given.projectsListed }
    const opened = isAsked ? { projects: withUnlisted(before.projects, projects) } : {}
    const change = { name: name.trim(), ...people, ...opened }
    const done = await ctx.engine.commands.run('setTeam', ctx, { team: teamId(team), change, seen })
    if (!done.ok) return done
    const now = await known()
    return { result: { seen: now === undefined ? '' : seenTeam(now) } }
  },
)

export const deleteTeam = defineAction(
  'team.delete',
  'team.write',
  object({ team: idField }),
  (ctx, { team }) => ctx.engine.commands.run('deleteTeam', ctx, teamId(team)),
)

/** The token is shown once: only its hash is stored. Organisation tokens need more than the page; the command checks. */
export const createToken = shownOnce(
  defineAction(
    'token.create',
    'org.read',
    object({
      name: textField,
      kind: choiceField(['organisation', 'personal']),
      preset: textField,
      scopes: optional(array(string()), []),
      expires: optionalNumberField,
    }),
    async (ctx, { name, kind, preset, scopes, expires }) => {
      const chosen = scopesOf(ctx, preset) ?? scopes
      const input = { name, scopes: chosen, personal: kind === 'personal', expiresDays: expires }
      const done = await ctx.engine.commands.createToken(ctx, input)
      return done.ok ? { result: { name, token: done.value.token } } : done
    },
  ),
)

export const revokeToken = defineAction(
  'token.revoke',
  'org.read',
  object({ token: idField }),
  (ctx, { token }) => ctx.engine.commands.revokeToken(ctx, tokenId(token)),
)
