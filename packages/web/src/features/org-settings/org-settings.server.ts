import { SCOPE_GROUPS } from '@errata/server/access'
import { SLUG_RULE } from '@errata/server/commands'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { seenOrganisation, seenTeam } from './seen.server.ts'
import { presetsOf } from './token-presets.server.ts'

export async function loadOrganisation(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const { slug, name, createdMs } = await engine.queries.organisation(scope)
  return {
    org: scope.orgSlug,
    slug,
    name,
    createdMs,
    seen: seenOrganisation({ name, slug }),
    slugRule: SLUG_RULE,
    isOperator: viewer.user.isOperator,
  }
}

export async function loadMembers(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const mayWrite = engine.access.can(viewer, scope, 'member.write')
  const [members, teams, invitations] = await Promise.all([
    engine.queries.members(scope),
    engine.queries.teams(scope),
    mayWrite ? engine.queries.invitations(scope) : [],
  ])
  return {
    org: scope.orgSlug,
    userId: viewer.user.id,
    members: members.map(({ userId, email, name, role, joinedMs, teams: own }) => ({
      userId,
      email,
      name,
      role,
      joinedMs,
      teams: teams.filter(({ id }) => own.includes(id)).map((team) => team.name),
    })),
    sendsMail: engine.queries.sendsMail(),
    teams: teams.map(({ id, name }) => ({ id, name })),
    /** Takes in whoever is given no team. */
    teamDefault: oldestOf(teams)?.name ?? null,
    invitations: invitations.map(({ codeHash, email, role, expiresMs, letter }) => ({
      codeHash,
      email,
      role,
      expiresMs,
      letter,
    })),
  }
}

function oldestOf<T extends { readonly id: number }>(teams: readonly T[]): T | undefined {
  return teams.toSorted((a, b) => a.id - b.id)[0]
}

export async function loadTeams(ctx: LoaderContext) {
  const { engine, scope } = requireScope(ctx)
  const [teams, members, projects] = await Promise.all([
    engine.queries.teams(scope),
    engine.queries.members(scope),
    engine.queries.projects(scope),
  ])
  return {
    org: scope.orgSlug,
    teams: teams.map(({ id, slug, name, members: inTeam, projects: opened }) => ({
      id,
      slug,
      name,
      members: inTeam,
      projects: opened,
      seen: seenTeam({ name, members: inTeam, projects: opened }),
    })),
    members: members.map(({ userId, name, email }) => ({ id: userId, name: name === '' ? email : name })),
    projects: projects.map(({ id, name }) => ({ id, name })),
  }
}

export async function loadTokens(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const tokens = await engine.queries.tokens(scope)
  return {
    org: scope.orgSlug,
    url: engine.publicAddress.url,
    groups: SCOPE_GROUPS,
    presets: presetsOf({ viewer, scope }),
    nowMs: ctx.nowMs,
    mayWriteOrg: engine.access.can(viewer, scope, 'token.write'),
    tokens: tokens
      .filter(({ userId }) => userId === null || userId === viewer.user.id)
      .map(({ id, name, scopes, tail, createdMs, usedMs, expiresMs, userId }) => ({
        id,
        name,
        scopes,
        tail,
        createdMs,
        usedMs,
        expiresMs,
        isPersonal: userId !== null,
      })),
  }
}

/** Fewer rows than the query answers at most mean that there are no older ones. */
const AUDIT_ROWS = 50

export async function loadAudit(ctx: LoaderContext) {
  const { engine, scope, url } = requireScope(ctx)
  const before = Number(url.searchParams.get('before'))
  const isPage = Number.isSafeInteger(before) && before > 0
  const entries = await engine.queries.audit(scope, isPage ? before : null)
  return { org: scope.orgSlug, entries, isFirst: !isPage, rowsMax: AUDIT_ROWS }
}
