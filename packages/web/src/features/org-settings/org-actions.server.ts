import { projectId, teamId, tokenId, userId } from '@errata/server/ids'
import { array, object, optional, string } from 'valibot'
import {
  choiceField,
  idField,
  idListField,
  optionalNumberField,
  seenField,
  textField,
  tickField,
} from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { seenTeam } from './seen.server.ts'
import { scopesOf } from './token-presets.server.ts'

const roleField = choiceField(['owner', 'manager', 'member', 'viewer'])

export const renameOrganisation = defineAction(
  'org.rename',
  'org.write',
  object({ name: textField, slug: textField, seen: seenField }),
  async (ctx, change) => {
    const done = await ctx.engine.commands.renameOrganisation(ctx, change)
    return done.ok ? { redirect: paths.orgSettings(done.value.slug) } : done
  },
)

export const requireSecondFactor = defineAction(
  'org.second-factor',
  'org.write',
  object({ required: tickField }),
  (ctx, { required }) => ctx.engine.commands.requireSecondFactor(ctx, required),
)

export const createOrganisation = defineAction(
  'org.create',
  'operator',
  object({ name: textField }),
  async (ctx, { name }) => {
    const done = await ctx.engine.commands.createOrganisation(ctx, name)
    return done.ok ? { redirect: paths.orgSettings(done.value.slug) } : done
  },
)

/** The link is shown once: only its hash is stored. */
export const invite = shownOnce(
  defineAction(
    'member.invite',
    'member.write',
    object({ email: textField, role: roleField, teams: idListField, byMail: tickField }),
    async (ctx, { email, role, teams, byMail }) => {
      const input = { email, role, teams: teams.map(teamId), byMail }
      const done = await ctx.engine.commands.invite(ctx, input)
      return done.ok ? { result: { email, url: done.value.url, byMail } } : done
    },
  ),
)

export const revokeInvitation = defineAction(
  'member.revoke-invitation',
  'member.write',
  object({ codeHash: string() }),
  (ctx, { codeHash }) => ctx.engine.commands.revokeInvitation(ctx, codeHash),
)

export const setRole = defineAction(
  'member.set-role',
  'member.write',
  object({ user: idField, role: roleField }),
  (ctx, { user, role }) => ctx.engine.commands.setRole(ctx, { user: userId(user), role }),
)

export const removeMember = defineAction(
  'member.remove',
  'member.write',
  object({ user: idField }),
  (ctx, { user }) => ctx.engine.commands.removeMember(ctx, userId(user)),
)

export const createTeam = defineAction(
  'team.create',
  'team.write',
  object({ name: textField }),
  async (ctx, { name }) => {
    const done = await ctx.engine.commands.createTeam(ctx, name)
    return done.ok ? { result: done.value.id } : done
  },
)

export const saveTeam = defineAction(
  'team.save',
  'team.write',
  object({
    team: idField,
    name: textField,
    members: idListField,
    projects: idListField,
    seen: seenField,
  }),
  async (ctx, { team, name, members, projects, seen }) => {
    const change = { name: name.trim(), members: members.map(userId), projects: projects.map(projectId) }
    const done = await ctx.engine.commands.setTeam(ctx, { team: teamId(team), change, seen })
    return done.ok ? { result: { seen: seenTeam(change) } } : done
  },
)

export const deleteTeam = defineAction(
  'team.delete',
  'team.write',
  object({ team: idField }),
  (ctx, { team }) => ctx.engine.commands.deleteTeam(ctx, teamId(team)),
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
