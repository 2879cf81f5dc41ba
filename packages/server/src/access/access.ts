/** Answers who asks, and what they may read and do. The only place where a `ReadScope` is built. */
import type { Clock } from '#base/clock.ts'
import type { ProjectId, SessionId, TokenId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AccountsRead, Led, Membership, Organisation, Role, Session, User } from '#ports/accounts.ts'
import type { AgentClientsRead } from '#ports/agent-clients.ts'
import type { SharedIssue } from '#ports/issue-shares.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SecondFactorsRead } from '#ports/second-factors.ts'
import { LED_PERMISSIONS, PERMISSIONS, type Permission, type PermissionEntry } from './permissions.ts'
import { isTokenShaped, secretHash } from './secrets.ts'
import type { About, Access, PersonViewer, TokenViewer, Viewer } from './viewer.ts'

interface AccessParts {
  readonly accounts: Pick<AccountsRead, 'session' | 'memberships' | 'token' | 'user'>
  readonly secondFactors: Pick<SecondFactorsRead, 'hasSecondFactor'>
  readonly agentClients: Pick<AgentClientsRead, 'agentToken'>
  /** Keeps when something was used last. */
  readonly noteUse: (used: Used) => Promise<void>
  readonly clock: Clock
}

type Used = { readonly nowMs: number } & (
  | { readonly of: 'session'; readonly id: SessionId }
  | { readonly of: 'token'; readonly id: TokenId }
)

const USE_NOTED_EVERY_MS = 60_000

export function createAccess(parts: AccessParts): Access {
  const { accounts, secondFactors, agentClients, clock } = parts
  const noteUse = createUseNotes(clock)
  async function authenticate(
    bearer: string,
    nowMs: number,
    find: (hash: string) => Promise<FoundToken | null>,
  ): Promise<TokenViewer | null> {
    if (!isTokenShaped(bearer)) return null
    const found = await find(secretHash(bearer))
    if (found === null) return null
    const viewer = await personalViewer({ accounts, secondFactors }, found)
    if (viewer === null) return null
    const { id, usedMs } = found.token
    await noteUse(`token:${id}`, usedMs ?? 0, () => parts.noteUse({ of: 'token', id, nowMs }))
    return viewer
  }
  return {
    async authenticateSession(cookie, nowMs) {
      if (cookie === null) return null
      const found = await accounts.session(secretHash(cookie), nowMs)
      if (found === null) return null
      const { session, user } = found
      const { id, seenMs } = session
      await noteUse(`session:${id}`, seenMs, () => parts.noteUse({ of: 'session', id, nowMs }))
      const { memberships, closed } = await membershipsOf({ accounts, secondFactors }, session)
      return { ...personViewer(user, session, memberships), closed }
    },
    authenticateToken: (bearer, nowMs) => authenticate(bearer, nowMs, (hash) => accounts.token(hash, nowMs)),
    authenticateAgent: (bearer, nowMs) =>
      authenticate(bearer, nowMs, (hash) => agentClients.agentToken(hash, nowMs)),
    scope: (viewer, organisation) =>
      everyScope(viewer).find(
        ({ orgId, orgSlug }) => orgSlug === organisation || String(orgId) === organisation,
      ) ?? null,
    scopes: readScopes,
    ownScope,
    can,
    canSomewhere,
  }
}

/**
 * Returns memberships; an organisation that requires a second factor is closed to people without one, as if
 * they did not belong to it.
 */
async function membershipsOf(
  { accounts, secondFactors }: PersonalParts,
  { userId: user, orgId }: Pick<Session, 'userId' | 'orgId'>,
): Promise<Pick<PersonViewer, 'memberships' | 'closed'>> {
  const all = await accounts.memberships(user)
  // Whoever runs an organisation's provider says there what signing in takes.
  if (orgId !== undefined) return { memberships: all, closed: [] }
  const isRequired = all.some(({ requiresSecondFactor }) => requiresSecondFactor)
  if (!isRequired || (await secondFactors.hasSecondFactor(user))) return { memberships: all, closed: [] }
  return {
    memberships: all.filter(({ requiresSecondFactor }) => !requiresSecondFactor),
    closed: all.flatMap((one) => (one.requiresSecondFactor ? [one.organisation] : [])),
  }
}

/**
 * An organisation's provider can name anybody: what it opens is that organisation alone, and never the installation.
 * The other way round, an organisation may ask that its people come by its provider.
 */
function personViewer(
  user: User,
  session: Session,
  memberships: readonly Membership[],
): Omit<PersonViewer, 'closed'> {
  const { orgId } = session
  const opened = memberships.filter(({ organisation, needsProvider = false, isOwn }) =>
    isOwn === true ? false : orgId === undefined ? !needsProvider : organisation.id === orgId,
  )
  const isOperator = user.isOperator && orgId === undefined
  const own = isOperator ? memberships.find(({ isOwn }) => isOwn === true) : undefined
  const person = { kind: 'person' as const, user: { ...user, isOperator }, session, memberships: opened }
  return own === undefined ? person : { ...person, own }
}

type FoundToken = NonNullable<Awaited<ReturnType<AccountsRead['token']>>>

/** A personal token ends with its person's membership and never reads more than they do. The second factor counts. */
interface PersonalParts {
  readonly accounts: Pick<AccountsRead, 'memberships' | 'user'>
  readonly secondFactors: Pick<SecondFactorsRead, 'hasSecondFactor'>
}

export async function personalViewer(
  parts: PersonalParts,
  { token, organisation, projects: all }: FoundToken,
): Promise<TokenViewer | null> {
  if (token.userId === null) {
    const nobody = { user: null, role: null, leads: LEADS_NOTHING }
    return { kind: 'token', token, organisation, projects: all, ...nobody }
  }
  const [user, { memberships }] = await Promise.all([
    parts.accounts.user(token.userId),
    membershipsOf(parts, { userId: token.userId }),
  ])
  const membership = memberships.find((each) => each.organisation.id === organisation.id)
  if (user === null || membership === undefined || (membership.isOwn === true && !user.isOperator))
    return null
  const { projects, role, leads } = membership
  return { kind: 'token', token, organisation, projects, user, role, leads }
}

const LEADS_NOTHING: Led = { teams: [], projects: [] }

/** Returns one scope per organisation of the viewer, without Errata's own. */
export function readScopes(viewer: Viewer): readonly ReadScope[] {
  if (viewer.kind === 'token') {
    const { organisation, projects, user, role } = viewer
    return [buildReadScope(organisation, { projects, role }, user?.id ?? null)]
  }
  return viewer.memberships.map((membership) => scopeOfMember(membership, viewer))
}

/**
 * Returns the scopes of `readScopes`, and for an operator that of Errata's own project. Used to find one thing by its name, whichever organisation has it.
 */
export function everyScope(viewer: Viewer): readonly ReadScope[] {
  const own = ownScope(viewer)
  return own === null ? readScopes(viewer) : [...readScopes(viewer), own]
}

function ownScope(viewer: Viewer): ReadScope | null {
  return viewer.kind === 'token' || viewer.own === undefined ? null : scopeOfMember(viewer.own, viewer)
}

function scopeOfMember({ organisation, ...membership }: Membership, { user }: PersonViewer): ReadScope {
  return buildReadScope(organisation, membership, user.id)
}

/** Whoever has the link of an issue reads its project as far as it concerns the issue: callers ask for nothing else. */
export function scopeOfShare({ organisation, projectId }: SharedIssue): ReadScope {
  return buildReadScope(organisation, { projects: [projectId], role: null }, null)
}

function buildReadScope(
  organisation: Pick<Organisation, 'id' | 'slug'>,
  { projects, role }: { readonly projects: readonly ProjectId[]; readonly role: Role | null },
  userId: UserId | null,
): ReadScope {
  const guest = role === 'guest' ? { isGuest: true } : {}
  const scope = { orgId: organisation.id, orgSlug: organisation.slug, projects, ...guest }
  return (userId === null ? scope : { ...scope, userId }) as ReadScope // the one builder of the brand
}

/**
 * A role has what the table says; a token what its scopes say; a personal token what both say. A team admin has more
 * than the role, of what the team holds.
 */
export function can(viewer: Viewer, scope: ReadScope, permission: Permission, about: About = {}): boolean {
  return mayWith(viewer, scope, permission, ({ teams, projects }) => {
    const { team, project } = about
    const isLed = LED_PERMISSIONS[permission]
    if (isLed === 'team') return team !== undefined && teams.includes(team)
    return isLed === 'project' && project !== undefined && projects.includes(project)
  })
}

/**
 * True if the viewer has the permission for any team or project of the organisation; the command asks again, for the
 * one.
 */
export function canSomewhere(viewer: Viewer, scope: ReadScope, permission: Permission): boolean {
  return mayWith(viewer, scope, permission, ({ teams, projects }) => {
    const isLed = LED_PERMISSIONS[permission]
    return isLed === 'team' ? teams.length > 0 : isLed === 'project' && projects.length > 0
  })
}

/** Errata's own organisation is its operators' and has its one project: nobody is invited to it and nothing added. */
const NOT_OF_OWN: ReadonlySet<Permission> = new Set([
  ...(['org.write', 'project.create', 'member.write', 'team.write', 'token.write'] as const),
  ...(['provider.write', 'scim.write'] as const),
])

function mayWith(
  viewer: Viewer,
  scope: ReadScope,
  permission: Permission,
  isLed: (leads: Led) => boolean,
): boolean {
  const entry: PermissionEntry = PERMISSIONS[permission]
  if (NOT_OF_OWN.has(permission) && membershipIn(viewer, scope)?.isOwn === true) return false
  const role = roleIn(viewer, scope)
  const hasRole = role !== null && (entry.roles.includes(role) || isLed(ledIn(viewer, scope)))
  if (viewer.kind === 'person') return hasRole
  if (viewer.organisation.id !== scope.orgId) return false
  const hasScope = entry.scopes.some((each) => viewer.token.scopes.includes(each))
  return hasScope && (viewer.token.userId === null || hasRole)
}

function ledIn(viewer: Viewer, scope: ReadScope): Led {
  return (viewer.kind === 'token' ? viewer.leads : membershipIn(viewer, scope)?.leads) ?? LEADS_NOTHING
}

/** The viewer's role in the scope's organisation; `null` for an organisation token, which has none. */
export function roleIn(viewer: Viewer, scope: ReadScope): Role | null {
  if (viewer.kind === 'token') return viewer.organisation.id === scope.orgId ? viewer.role : null
  return membershipIn(viewer, scope)?.role ?? null
}

export function isOperator(viewer: Viewer): boolean {
  return viewer.kind === 'person' && viewer.user.isOperator
}

function membershipIn(viewer: Viewer, scope: ReadScope): Membership | null {
  if (viewer.kind === 'token') return null
  const all = viewer.own === undefined ? viewer.memberships : [...viewer.memberships, viewer.own]
  return all.find(({ organisation }) => organisation.id === scope.orgId) ?? null
}

/** Writes a use at most once a minute per session or token. */
function createUseNotes(clock: Clock) {
  const noted = new Map<string, number>()
  return async (key: string, seenMs: number, write: () => Promise<void>): Promise<void> => {
    const nowMs = clock.now()
    const lastMs = Math.max(seenMs, noted.get(key) ?? 0)
    if (Math.abs(nowMs - lastMs) < USE_NOTED_EVERY_MS) return
    noted.delete(key)
    noted.set(key, nowMs)
    if (noted.size > max('signInKeysMax')) noted.delete(noted.keys().next().value ?? key)
    try {
      await write()
    } catch {
      // A full disk must not lock people out of the page that says so: the use then counts from an earlier time.
    }
  }
}
