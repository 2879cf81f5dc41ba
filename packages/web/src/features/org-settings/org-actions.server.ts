import { projectId, teamId, tokenId, userId } from '@errata/server/ids'
import { array, object, optional, string } from 'valibot'
import { choiceField, idField, idListField, textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'

const roleField = choiceField(['owner', 'manager', 'member', 'viewer'])

export const renameOrganisation = defineAction(
  'org.rename',
  'org.write',
  object({ name: textField, slug: textField }),
  async (ctx, change) => {
    const done = await ctx.engine.commands.renameOrganisation(ctx, change)
    return done.ok ? { redirect: paths.orgSettings(done.value.slug) } : done
  },
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
    object({ email: textField, role: roleField, teams: idListField }),
    async (ctx, { email, role, teams }) => {
      const input = { email, role, teams: teams.map(teamId) }
      const done = await ctx.engine.commands.invite(ctx, input)
      return done.ok ? { result: { email, url: done.value.url } } : done
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
  object({ team: idField, name: textField, members: idListField, projects: idListField }),
  (ctx, { team, name, members, projects }) => {
    const change = { name, members: members.map(userId), projects: projects.map(projectId) }
    return ctx.engine.commands.setTeam(ctx, { team: teamId(team), change })
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
      scopes: optional(array(string()), []),
    }),
    async (ctx, { name, kind, scopes }) => {
      const input = { name, scopes, personal: kind === 'personal' }
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
