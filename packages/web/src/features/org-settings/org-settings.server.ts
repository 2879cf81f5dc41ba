import { SCOPE_GROUPS } from '@errata/server/access'
import { SLUG_RULE } from '@errata/server/commands'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { seenMember, seenOrganisation, seenTeam } from './seen.server.ts'
import { presetsOf } from './token-presets.server.ts'

export async function loadOrganisation(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const [{ slug, name, createdMs }, roleDefault] = await Promise.all([
    engine.queries.organisation(scope),
    engine.queries.roleDefault(scope),
  ])
  return {
    org: scope.orgSlug,
    slug,
    name,
    createdMs,
    seen: seenOrganisation({ name, slug }),
    roleDefault,
    slugRule: SLUG_RULE,
    requiresSecondFactor: viewer.memberships.some(
      ({ organisation, requiresSecondFactor }) => organisation.id === scope.orgId && requiresSecondFactor,
    ),
    isOperator: viewer.user.isOperator,
  }
}

export async function loadMembers(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const mayWrite = engine.access.can(viewer, scope, 'member.write')
  const [members, teams, projects, roleDefault, invitations, expired, tokens] = await Promise.all([
    engine.queries.members(scope),
    engine.queries.teams(scope),
    engine.queries.projects(scope),
    engine.queries.roleDefault(scope),
    mayWrite ? engine.queries.invitations(scope) : [],
    mayWrite ? engine.queries.expiredInvitations(scope) : [],
    mayWrite ? engine.queries.tokens(scope) : [],
  ])
  return {
    org: scope.orgSlug,
    userId: viewer.user.id,
    members: members.map(({ userId, email, name, role, joinedMs, teams: own, projects: chosen }) => ({
      userId,
      email,
      name,
      role,
      joinedMs,
      teams: teams.filter(({ id }) => own.includes(id)).map((team) => team.name),
      /** Of a guest. */
      projects: chosen,
      /** Names of the organisation’s tokens that they made. */
      tokens: tokens.filter(({ createdBy }) => createdBy?.userId === userId).map((token) => token.name),
      seen: seenMember({ role, projects: chosen }),
    })),
    projects: projects.map(({ id, name }) => ({ id, name })),
    roleDefault,
    sendsMail: engine.queries.sendsMail(),
    teams: teams.map(({ id, name }) => ({ id, name })),
    /** Takes in whoever is given no team. */
    teamDefault: oldestOf(teams)?.name ?? null,
    invitations: invitations.map(shownInvitation),
    expired: expired.map(shownInvitation),
  }
}

function shownInvitation({ codeHash, email, role, expiresMs, letter }: Invited) {
  return { codeHash, email, role, expiresMs, letter }
}

type Invited = Awaited<ReturnType<LoaderContext['engine']['queries']['invitations']>>[number]

function oldestOf<T extends { readonly id: number }>(teams: readonly T[]): T | undefined {
  return teams.toSorted((a, b) => a.id - b.id)[0]
}

export async function loadTeams(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const [teams, members, projects] = await Promise.all([
    engine.queries.teams(scope),
    engine.queries.members(scope),
    engine.queries.projects(scope),
  ])
  return {
    org: scope.orgSlug,
    mayWriteAll: engine.access.can(viewer, scope, 'team.write'),
    slugRule: SLUG_RULE,
    teams: teams.map(({ id, slug, name, members: inTeam, admins, projects: opened }) => ({
      id,
      slug,
      name,
      members: inTeam,
      admins,
      projects: opened,
      mayWrite: engine.access.can(viewer, scope, 'team.write', { team: id }),
      seen: seenTeam({ name, members: inTeam, admins, projects: opened }),
    })),
    // A guest is in no team.
    members: members
      .filter(({ role }) => role !== 'guest')
      .map(({ userId, name, email }) => ({ id: userId, name: name === '' ? email : name })),
    projects: projects.map(({ id, name }) => ({ id, name })),
  }
}

export async function loadTokens(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const [tokens, members] = await Promise.all([engine.queries.tokens(scope), engine.queries.members(scope)])
  const isMember = (user: number | null) => members.some(({ userId }) => userId === user)
  return {
    org: scope.orgSlug,
    url: engine.publicAddress.url,
    groups: SCOPE_GROUPS,
    presets: presetsOf({ viewer, scope }),
    nowMs: ctx.nowMs,
    mayWriteOrg: engine.access.can(viewer, scope, 'token.write'),
    tokens: tokens
      .filter(({ userId }) => (userId === null ? scope.isGuest !== true : userId === viewer.user.id))
      .map(({ id, name, scopes, tail, createdMs, usedMs, expiresMs, userId, createdBy, address }) => ({
        id,
        name,
        scopes,
        tail,
        createdMs,
        usedMs,
        expiresMs,
        isPersonal: userId !== null,
        /** Where tools go that read it, if that is elsewhere. */
        otherAddress: address === engine.publicAddress.url ? null : address,
        /** Of an organisation token. `hasLeft`: it outlived them here. */
        createdBy:
          createdBy === null
            ? null
            : { name: createdBy.name, hasLeft: createdBy.userId !== null && !isMember(createdBy.userId) },
      })),
  }
}
