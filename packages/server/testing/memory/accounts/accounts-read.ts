/** Reads of accounts. */
import { ErrataError } from '#base/errors.ts'
import type { TeamId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { foldAscii, isKnownTo, sessionLimits } from '#model/account-rules.ts'
import { needsProvider } from '#model/provider-rules.ts'
import type {
  AccountsRead,
  AuditEntry,
  AuditFilter,
  AuditWord,
  Invitation,
  Membership,
  Organisation,
  Session,
  Token,
} from '#ports/accounts.ts'
import type { ReadScope } from '#ports/scope.ts'
import { ascending, byName, descending, inOrder } from '../order.ts'
import {
  emailOf,
  guestProjects,
  ledBy,
  projectsOfOrganisation,
  projectsOpenTo,
  roleOf,
  teamsOfMember,
  userByEmail,
  userOf,
} from '../rows/members.ts'
import { readableProjects } from '../rows/readable.ts'
import { searchesRead } from '../searches/searches.ts'
import type { InvitationRow, SessionRow, Tables, TokenRow } from '../tables.ts'
import { progressOf } from './letters.ts'
import { providersOf } from './single-sign-on.ts'

export function accountsRead(of: Tables): AccountsRead {
  return { ...beforeScope(of), ...secrets(of), ...withinScope(of), ...searchesRead(of) }
}

export function needsSetup(of: Tables): boolean {
  return of.memberships.find(({ role }) => role === 'owner') === undefined
}

type BeforeScope =
  | 'needsSetup'
  | 'publicUrl'
  | 'userByEmail'
  | 'user'
  | 'passwordHash'
  | 'memberships'
  | 'organisations'
  | 'artifactQuotas'
  | 'sessions'

function beforeScope(of: Tables): Pick<AccountsRead, BeforeScope> {
  return {
    needsSetup: async () => needsSetup(of),
    publicUrl: async () => of.publicUrl(),
    userByEmail: async (email) => userByEmail(of, email) ?? null,
    user: async (id) => {
      const user = of.users.get(id)
      return user === undefined ? null : userOf(user)
    },
    passwordHash: async (id) => of.users.get(id)?.passwordHash ?? null,
    memberships: async (id) => memberships(of, id),
    organisations: async () => of.organisations.all().sort(byName),
    artifactQuotas: async () => of.artifactQuotas.all(),
    sessions: async (id, nowMs) =>
      of.sessions
        .where((session) => session.userId === id && isAlive(session, nowMs))
        .map(sessionOf)
        .sort(
          inOrder(
            descending(({ seenMs }) => seenMs),
            descending((session) => session.id),
          ),
        ),
  }
}

type Secrets = 'session' | 'token' | 'invitation' | 'expiredInvitation' | 'passwordReset'

function secrets(of: Tables): Pick<AccountsRead, Secrets> {
  return {
    session: async (tokenHash, nowMs) => {
      const session = of.sessions.find((row) => row.tokenHash === tokenHash)
      if (session === undefined || !isAlive(session, nowMs)) return null
      const user = of.users.get(session.userId)
      return user === undefined ? null : { session: sessionOf(session), user: userOf(user) }
    },
    token: async (tokenHash, nowMs) => foundToken(of, { tokenHash, nowMs, ofClient: false }),
    invitation: async (codeHash, nowMs) => openInvitation(of, codeHash, nowMs),
    expiredInvitation: async (codeHash, nowMs) => {
      const row = invitationByCode(of, codeHash)
      return row === undefined || row.expiresMs > nowMs ? null : invitationOf(of, row)
    },
    passwordReset: async (codeHash, nowMs) => {
      const reset = of.passwordResets.get(codeHash)
      const user = reset === undefined ? undefined : of.users.get(reset.userId)
      return reset === undefined || user === undefined || reset.expiresMs <= nowMs ? null : userOf(user)
    },
  }
}

/** `ofClient`: of what people connected; otherwise of what they made by hand. */
export function foundToken(
  of: Tables,
  {
    tokenHash,
    nowMs,
    ofClient,
  }: { readonly tokenHash: string; readonly nowMs: number; readonly ofClient: boolean },
) {
  const token = of.tokens.find((row) => row.tokenHash === tokenHash)
  const organisation = token === undefined ? undefined : of.organisations.get(token.orgId)
  if (token === undefined || organisation === undefined) return null
  const { orgId, userId, expiresMs, client } = token
  if ((client !== undefined) !== ofClient || (expiresMs !== null && expiresMs <= nowMs)) return null
  // A personal token acts for a member: it is worth nothing once its user has left.
  if (userId !== null && roleOf(of, orgId, userId) === null) return null
  const projects = userId === null ? projectsOfOrganisation(of, orgId) : projectsOpenTo(of, orgId, userId)
  return { token: tokenOf(token), organisation, projects }
}

type WithinScope =
  | 'organisation'
  | 'roleDefault'
  | 'members'
  | 'teams'
  | 'invitations'
  | 'expiredInvitations'
  | 'tokens'
  | 'audit'

function withinScope(of: Tables): Pick<AccountsRead, WithinScope> {
  return {
    organisation: async ({ orgId }) => {
      const found = of.organisations.get(orgId)
      if (found === undefined) throw new ErrataError('not_found', 'the organisation does not exist any more')
      return found
    },
    roleDefault: async (org) => of.roleDefaults.get(org)?.role ?? 'member',
    members: async (scope) => members(of, scope),
    teams: async (scope) =>
      of.teams
        .where(({ orgId }) => orgId === scope.orgId)
        .sort(byName)
        .map(({ orgId: _, ...team }) => {
          const readable = readableProjects(of, scope)
          return { ...team, projects: team.projects.filter((id) => readable.has(id)) }
        })
        .filter(({ projects }) => scope.isGuest !== true || projects.length > 0),
    invitations: async ({ orgId }, nowMs) =>
      of.invitations
        .where((row) => row.orgId === orgId && row.expiresMs > nowMs)
        .sort(
          inOrder(
            descending((row) => row.createdMs),
            ascending((row) => row.codeHash),
          ),
        )
        .flatMap((row) => {
          const invitation = invitationOf(of, row)
          return invitation === null ? [] : [{ ...invitation, letter: progressOf(of, row.codeHash) }]
        }),
    expiredInvitations: async ({ orgId }, nowMs) =>
      of.invitations
        .where((row) => row.orgId === orgId && row.expiresMs <= nowMs)
        .sort(
          inOrder(
            descending((row) => row.expiresMs),
            ascending((row) => row.codeHash),
          ),
        )
        .slice(0, max('expiredInvitationsShownMax'))
        .flatMap((row) => {
          const invitation = invitationOf(of, row)
          return invitation === null ? [] : [{ ...invitation, letter: progressOf(of, row.codeHash) }]
        }),
    tokens: async ({ orgId }) =>
      of.tokens
        .where((token) => token.orgId === orgId && token.client === undefined)
        .sort(descending(({ id }) => id))
        .map(tokenOf),
    audit: async ({ orgId: org }, { limit, before, ...filter }) =>
      of.audit
        .where(({ id, orgId }) => orgId === org && (before === null || id < before))
        .filter((entry) => isAsked(entry, filter))
        .sort(descending(({ id }) => id))
        .slice(0, limit)
        .map(({ orgId: _, ...entry }) => entry),
  }
}

function isAsked(
  { userId, action, target, atMs, ...entry }: AuditEntry,
  { userId: user = null, subjects = null, fromMs = null, untilMs = null, ...asked }: AuditFilter,
): boolean {
  if (user !== null && userId !== user) return false
  if ((asked.action ?? action) !== action || (asked.target ?? target) !== target) return false
  const text = foldAscii([action, target, entry.actor, entry.address, JSON.stringify(entry.detail)].join(' '))
  const isMet = (word: AuditWord) => text.includes(foldAscii(word.text)) || word.actions.includes(action)
  if (!(asked.words ?? []).every(isMet)) return false
  if (subjects !== null && !subjects.includes(action.slice(0, action.indexOf('.')))) return false
  return (fromMs === null || atMs >= fromMs) && (untilMs === null || atMs < untilMs)
}

export function openInvitation(of: Tables, codeHash: string, nowMs: number): Invitation | null {
  const row = invitationByCode(of, codeHash)
  return row === undefined || row.expiresMs <= nowMs ? null : invitationOf(of, row)
}

/** By the code that was shown, or the one that was emailed. */
function invitationByCode(of: Tables, codeHash: string): InvitationRow | undefined {
  const emailed = of.letters.find((letter) => letter.codeHash === codeHash)
  return of.invitations.get(emailed?.invitation ?? codeHash)
}

function invitationOf(of: Tables, { invitedBy: _, ...row }: InvitationRow): Invitation | null {
  const organisation = of.organisations.get(row.orgId)
  return organisation === undefined ? null : { ...row, orgName: organisation.name }
}

function isAlive({ createdMs, seenMs }: Session, nowMs: number): boolean {
  const { bornAfter, seenAfter } = sessionLimits(nowMs)
  return createdMs > bornAfter && seenMs > seenAfter
}

function sessionOf({ tokenHash: _, ...session }: SessionRow): Session {
  return session
}

function tokenOf({ tokenHash: _, client: __, ...token }: TokenRow): Token {
  return token
}

function memberships(of: Tables, user: UserId): readonly Membership[] {
  return of.memberships
    .where(({ userId }) => userId === user)
    .flatMap(({ orgId, role }) => {
      const organisation: Organisation | undefined = of.organisations.get(orgId)
      return organisation === undefined ? [] : [{ organisation, role }]
    })
    .sort((a, b) => byName(a.organisation, b.organisation))
    .map(({ organisation, role }) => ({
      organisation,
      role,
      requiresSecondFactor: of.secondFactorRequired.get(organisation.id)?.isRequired === true,
      teams: teamsOfMember(of, organisation.id, user),
      projects: projectsOpenTo(of, organisation.id, user),
      leads: ledBy(of, organisation.id, user),
      ...(needsProvider(providersOf(of, organisation.id), { email: emailOf(of, user), role }) && {
        needsProvider: true as const,
      }),
    }))
}

function members(of: Tables, scope: ReadScope) {
  const { orgId: org } = scope
  const readable = readableProjects(of, scope)
  const isShown = (team: TeamId) =>
    scope.isGuest !== true || (of.teams.get(team)?.projects ?? []).some((id) => readable.has(id))
  return of.memberships
    .where(({ orgId }) => orgId === org)
    .flatMap(({ userId, role, joinedMs }) => {
      const user = of.users.get(userId)
      if (user === undefined) return []
      const { email, name } = user
      return [
        {
          ...{ userId, email, name, role, joinedMs },
          teams: teamsOfMember(of, org, userId).filter(isShown),
          projects: guestProjects(of, org, userId).filter((id) => readable.has(id)),
        },
      ]
    })
    .filter((member) => isKnownTo(scope, member))
    .sort(
      inOrder(
        ascending(({ name }) => name.toLowerCase()),
        ascending(({ email }) => email),
        ascending(({ userId }) => userId),
      ),
    )
}
