import { SCOPE_GROUPS } from '@errata/server/access'
import { SLUG_RULE } from '@errata/server/commands'
import { max } from '@errata/server/limits'
import { type AddressTable, readAddress } from '#parts/address.ts'
import { choicesOf, chosenNames, namesOfProjects } from '#parts/choices.server.ts'
import type { Choice } from '#parts/choices.ts'
import { PAGED, pageOf } from '#parts/paging.server.ts'
import type { Picked } from '#parts/pick-list.tsx'
import { serviceOf } from '#parts/service-name.server.ts'
import { fitsText } from '#parts/text-match.ts'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { seenMember, seenOrganisation, seenTeam } from './seen.server.ts'
import { presetsOf } from './token-presets.server.ts'

export async function loadOrganisation(ctx: LoaderContext) {
  const { engine, scope, viewer } = requireScope(ctx)
  const [{ slug, name, createdMs }, roleDefault, { quota, isDefault, used }] = await Promise.all([
    engine.queries.organisation(scope),
    engine.queries.roleDefault(scope),
    engine.queries.artifactQuota(scope),
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
    artifacts: { quota, isDefault, used },
  }
}

/** A page of them, found by name or email. */
export async function loadMembers(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, viewer } = org
  const mayWrite = engine.access.can(viewer, scope, 'member.write')
  const { query, page } = readAddress(PAGED, org.url.searchParams)
  const [found, teams, roleDefault, invitations, expired, tokens] = await Promise.all([
    engine.queries.members(scope, { text: query }),
    engine.queries.teamNames(scope),
    engine.queries.roleDefault(scope),
    mayWrite ? engine.queries.invitations(scope) : [],
    mayWrite ? engine.queries.expiredInvitations(scope) : [],
    mayWrite ? engine.queries.tokens(scope) : [],
  ])
  const { rows, ...paging } = pageOf(found, page)
  const [projects, choices, teamChoices] = await Promise.all([
    namesOfProjects(
      org,
      rows.flatMap(({ projects: chosen }) => chosen.slice(0, max('choicesMax'))),
    ),
    mayWrite ? choicesOf(org, { of: 'projects' }) : null,
    mayWrite ? choicesOf(org, { of: 'teams' }) : null,
  ])
  const sent = { open: invitations.filter(isFound(query)), expired: expired.filter(isFound(query)) }
  return {
    ...{ org: scope.orgSlug, userId: viewer.user.id, query, ...paging },
    members: rows.map(({ teams: own, projects: chosen, ...member }) => ({
      ...member,
      teams: teams.filter(({ id }) => own.includes(id)).map((team) => team.name),
      /** Projects of a guest. */
      projects: {
        shown: chosen.slice(0, max('choicesMax')).flatMap((id) => projects.get(id) ?? []),
        total: chosen.length,
      },
      /** Names of the organisation’s tokens that they made. */
      tokens: tokens
        .filter(({ createdBy }) => createdBy?.userId === member.userId)
        .map((token) => token.name),
      seen: seenMember({ role: member.role, projects: chosen }),
    })),
    ...{ choices, teamChoices, roleDefault, sendsMail: engine.queries.sendsMail() },
    /** Takes in whoever is given no team. */
    teamDefault: oldestOf(teams)?.name ?? null,
    invitations: sent.open.slice(0, INVITATIONS_SHOWN).map(shownInvitation),
    moreInvitations: Math.max(0, sent.open.length - INVITATIONS_SHOWN),
    expired: sent.expired.slice(0, INVITATIONS_SHOWN).map(shownInvitation),
  }
}

const INVITATIONS_SHOWN = 50

function isFound(query: string) {
  const fits = fitsText(query)
  return ({ email }: Invited) => fits(email)
}

function shownInvitation({ codeHash, email, role, expiresMs, letter }: Invited) {
  return { codeHash, email, role, expiresMs, letter }
}

type Invited = Awaited<ReturnType<LoaderContext['engine']['queries']['invitations']>>[number]

function oldestOf<T extends { readonly id: number }>(teams: readonly T[]): T | undefined {
  return teams.toSorted((a, b) => a.id - b.id)[0]
}

const TEAMS = {
  ...PAGED,
  /** The one that was changed: its page is shown. */
  team: { ...PAGED.query },
} as const satisfies AddressTable

/** A page of them, found by name; of one that is named in the address what may be changed. */
export async function loadTeams(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, viewer } = org
  const { query, page, team: changed } = readAddress(TEAMS, org.url.searchParams)
  const names = await engine.queries.teamNames(scope, { text: query })
  const at = names.findIndex(({ slug }) => slug === changed)
  const { rows, ...paging } = pageOf(names, at < 0 ? page : Math.floor(at / max('pageRowsDefault')) + 1)
  const ids = rows.map(({ id }) => id)
  const teams = ids.length === 0 ? [] : await engine.queries.teams(scope, { ids })
  const [people, projects, channels] = await Promise.all([
    namesOfPeople(
      org,
      teams.flatMap(({ members }) => members.slice(0, max('choicesMax'))),
    ),
    namesOfProjects(
      org,
      teams.flatMap((team) => team.projects.slice(0, max('choicesMax'))),
    ),
    engine.access.can(viewer, scope, 'channel.read') ? engine.queries.channels(scope) : [],
  ])
  const mayWriteAll = engine.access.can(viewer, scope, 'team.write')
  const isChanged = teams.some(({ slug }) => slug === changed)
  return {
    ...{ org: scope.orgSlug, query, ...paging, mayWriteAll, slugRule: SLUG_RULE },
    teams: teams.map((team) => ({
      ...{ id: team.id, slug: team.slug, name: team.name, admins: team.admins.map(Number) },
      members: pickedOf(team.members, people),
      projects: pickedOf(team.projects, projects),
      channel: team.channelId,
      mayWrite: engine.access.can(viewer, scope, 'team.write', { team: team.id }),
      seen: team.slug === changed ? seenTeam(team) : null,
    })),
    channels: channels.map(({ id, kind, name }) => ({ id, name: `${serviceOf(kind)} · ${name}` })),
    people: isChanged ? await choicesOf(org, { of: 'members' }) : null,
    projects: isChanged && mayWriteAll ? await choicesOf(org, { of: 'projects' }) : null,
  }
}

function pickedOf(ids: readonly number[], names: ReadonlyMap<number, Choice>): Picked {
  const shown = ids.slice(0, max('choicesMax')).flatMap((id) => names.get(id) ?? [])
  return { shown: shown.toSorted((a, b) => a.name.localeCompare(b.name)), total: ids.length }
}

async function namesOfPeople(org: OrgContext, ids: readonly number[]) {
  const named = await chosenNames(org, 'people', [...new Set(ids)])
  return new Map(named.map((each) => [each.id, each]))
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
        /** Address where tools go that read it, if that is elsewhere. */
        otherAddress: address === engine.publicAddress.url ? null : address,
        /** Author of an organisation token. `hasLeft`: it outlived them here. */
        createdBy:
          createdBy === null
            ? null
            : { name: createdBy.name, hasLeft: createdBy.userId !== null && !isMember(createdBy.userId) },
      })),
  }
}
