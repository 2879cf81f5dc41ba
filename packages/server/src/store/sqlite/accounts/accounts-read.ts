/** Reads of accounts that come before any scope exists: they take secrets' hashes or ids of whoever signed in. */

import type { OrgId, ProjectId, SessionId, TeamId, TokenId, UserId } from '#base/ids.ts'
import { foldEmail, opensEveryProject, sessionLimits } from '#model/account-rules.ts'
import { needsProvider } from '#model/provider-rules.ts'
import type { AccountsRead, Membership, Organisation, Role, Session, Token } from '#ports/accounts.ts'
import type { Connection } from '../connection.ts'
import {
  ledBy,
  organisationById,
  projectsOfOrganisation,
  projectsOpenTo,
  readUserRow,
  storedRole,
  USER_COLUMNS,
  type UserRow,
} from '../rows/account-rows.ts'
import { artifactQuotas } from './artifact-quotas.ts'
import { invitationByCode } from './invitation-row.ts'
import { providersOf } from './providers-read.ts'
import { needsSetup, publicUrl } from './setup-state.ts'

type BeforeScope =
  | 'needsSetup'
  | 'publicUrl'
  | 'userByEmail'
  | 'user'
  | 'passwordHash'
  | 'session'
  | 'sessions'
  | 'memberships'
  | 'token'
  | 'organisations'
  | 'artifactQuotas'
  | 'invitation'
  | 'passwordReset'

export function accountsRead(db: Connection): Pick<AccountsRead, BeforeScope> {
  return {
    needsSetup: async () => needsSetup(db),
    publicUrl: async () => publicUrl(db),
    userByEmail: async (email) => {
      const sql = `SELECT ${USER_COLUMNS}, u.password_hash AS passwordHash FROM users u WHERE u.email_folded = ?`
      const row = db.get<UserRow & { passwordHash: string }>(sql, [foldEmail(email)])
      return row === undefined ? null : { ...readUserRow(row), passwordHash: row.passwordHash }
    },
    user: async (id) => {
      const row = db.get<UserRow>(`SELECT ${USER_COLUMNS} FROM users u WHERE u.id = ?`, [id])
      return row === undefined ? null : readUserRow(row)
    },
    passwordHash: async (id) => {
      const sql = 'SELECT password_hash AS passwordHash FROM users WHERE id = ?'
      return db.get<{ passwordHash: string }>(sql, [id])?.passwordHash ?? null
    },
    session: async (tokenHash, nowMs) => session(db, tokenHash, nowMs),
    sessions: async (id, nowMs) => sessions(db, id, nowMs),
    memberships: async (id) => db.snapshot(() => memberships(db, id)),
    token: async (tokenHash, nowMs) =>
      db.snapshot(() => foundToken(db, { tokenHash, nowMs, ofClient: false })),
    organisations: async () =>
      db.all<Organisation>(
        `SELECT id, slug, name, created_ms AS createdMs FROM organisations WHERE is_own = 0
          ORDER BY name COLLATE NOCASE, id`,
      ),
    artifactQuotas: async () => artifactQuotas(db),
    invitation: async (codeHash, nowMs, state = 'open') => {
      const found = invitationByCode(db, codeHash)
      if (found === null) return null
      return found.expiresMs > nowMs === (state === 'open') ? found : null
    },
    passwordReset: async (codeHash, nowMs) => {
      const sql = `SELECT ${USER_COLUMNS} FROM password_resets r JOIN users u ON u.id = r.user_id
        WHERE r.code_hash = ? AND r.expires_ms > ?`
      const row = db.get<UserRow>(sql, [codeHash, nowMs])
      return row === undefined ? null : readUserRow(row)
    },
  }
}

const SESSION_COLUMNS = `s.id, s.user_id AS userId, s.created_ms AS createdMs, s.seen_ms AS seenMs,
  s.confirmed_ms AS confirmedMs, s.address, s.user_agent AS userAgent, s.org_id AS orgId`

interface SessionRow {
  readonly id: SessionId
  readonly userId: UserId
  readonly createdMs: number
  readonly seenMs: number
  readonly confirmedMs: number
  readonly address: string | null
  readonly userAgent: string | null
  readonly orgId: OrgId | null
}

/** Neither too old nor unused for too long. */
const SESSION_LIVES = 's.created_ms > :bornAfter AND s.seen_ms > :seenAfter'

function session(db: Connection, tokenHash: string, nowMs: number) {
  // The unique index on token_hash.
  const sql = `SELECT ${SESSION_COLUMNS}, u.email, u.name, u.is_operator AS isOperator, u.theme, u.landing,
      u.org_id_last AS orgIdLast, u.created_ms AS userCreatedMs, u.org_id_managing AS orgIdManaging
    FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = :tokenHash AND ${SESSION_LIVES}`
  const row = db.get<SessionRow & Omit<UserRow, 'id' | 'createdMs'> & { userCreatedMs: number }>(sql, {
    tokenHash,
    ...sessionLimits(nowMs),
  })
  if (row === undefined) return null
  return {
    session: readSession(row),
    user: readUserRow({ ...row, id: row.userId, createdMs: row.userCreatedMs }),
  }
}

function sessions(db: Connection, user: UserId, nowMs: number): readonly Session[] {
  // sessions_by_user
  const sql = `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.user_id = :user AND ${SESSION_LIVES}
    ORDER BY s.seen_ms DESC, s.id DESC`
  return db.all<SessionRow>(sql, { user, ...sessionLimits(nowMs) }).map(readSession)
}

function readSession(row: SessionRow): Session {
  const { id, userId, createdMs, seenMs, confirmedMs, address, userAgent, orgId } = row
  const session = { id, userId, createdMs, seenMs, confirmedMs, address, userAgent }
  return orgId === null ? session : { ...session, orgId }
}

interface MembershipRow extends Organisation {
  readonly role: Role
  readonly requires: number
  readonly isOwn: number
}

/** Asked with every request: a statement for all organisations of the person, however many they are. */
function memberships(db: Connection, user: UserId): readonly Membership[] {
  // memberships_by_user
  const sql = `SELECT o.id, o.slug, o.name, o.created_ms AS createdMs, m.role,
      o.requires_second_factor AS requires, o.is_own AS isOwn
    FROM memberships m JOIN organisations o ON o.id = m.org_id
    WHERE m.user_id = ? ORDER BY o.is_own, o.name COLLATE NOCASE, o.id`
  const rows = db.all<MembershipRow>(sql, [user])
  const teamsOf = teamsByOrganisation(db, user)
  const projectsOf = projectsByOrganisation(db, user, rows)
  const providing = withProviders(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ role, requires, id, isOwn, ...row }) => {
    const teams = teamsOf.get(id) ?? []
    const isLeading = teams.some(({ role: within }) => within === 'admin')
    const needs =
      providing.has(id) && needsProvider(providersOf(db, id), { email: readEmail(db, user), role })
    return {
      organisation: { id, slug: row.slug, name: row.name, createdMs: row.createdMs },
      role,
      requiresSecondFactor: requires === 1,
      teams: teams.map((team) => team.id),
      projects: projectsOf.get(id) ?? [],
      leads: isLeading ? ledBy(db, id, user) : { teams: [], projects: [] },
      ...(isOwn === 1 && { isOwn: true as const }),
      ...(needs && { needsProvider: true }),
    }
  })
}

interface TeamOf {
  readonly id: TeamId
  readonly orgId: OrgId
  readonly role: string
}

function teamsByOrganisation(db: Connection, user: UserId): ReadonlyMap<OrgId, readonly TeamOf[]> {
  // team_members_by_user
  const sql = `SELECT tm.team_id AS id, t.org_id AS orgId, tm.role FROM team_members tm JOIN teams t ON t.id = tm.team_id
    WHERE tm.user_id = ? ORDER BY tm.team_id`
  return Map.groupBy(db.all<TeamOf>(sql, [user]), ({ orgId }) => orgId)
}

/** Projects that role and teams open, in order; see `projectsOpenTo`, which says it of one. */
function projectsByOrganisation(
  db: Connection,
  user: UserId,
  rows: readonly Pick<MembershipRow, 'id' | 'role'>[],
): ReadonlyMap<OrgId, readonly ProjectId[]> {
  const all = rows.filter(({ role }) => opensEveryProject(role)).map(({ id }) => id)
  const others = rows.filter(({ role }) => !opensEveryProject(role))
  const found = new Map(others.map(({ id }) => [id, projectsOpenTo(db, id, user)] as const))
  // The unique index on (org_id, slug) has the projects of an organisation; a list of numbers is one value to read.
  const sql = `SELECT p.org_id AS orgId, json_group_array(p.id) AS ids FROM projects p
    WHERE p.org_id IN (SELECT value FROM json_each(?)) GROUP BY p.org_id`
  for (const { orgId, ids } of db.all<{ orgId: OrgId; ids: string }>(sql, [JSON.stringify(all)])) {
    const projects: ProjectId[] = JSON.parse(ids) // json_group_array of integers
    found.set(
      orgId,
      projects.sort((a, b) => a - b),
    )
  }
  return found
}

/** Most organisations have none. */
function withProviders(db: Connection, orgs: readonly OrgId[]): ReadonlySet<OrgId> {
  // The primary key.
  const sql = `SELECT DISTINCT org_id AS orgId FROM sign_in_providers
    WHERE org_id IN (SELECT value FROM json_each(?))`
  return new Set(db.all<{ orgId: OrgId }>(sql, [JSON.stringify(orgs)]).map(({ orgId }) => orgId))
}

export const TOKEN_COLUMNS = `t.id, t.org_id AS orgId, t.user_id AS userId, t.name, t.scopes, t.tail,
  t.created_ms AS createdMs, t.used_ms AS usedMs, t.expires_ms AS expiresMs,
  t.created_by_id AS createdById, t.created_by AS createdByName, t.address`

export interface TokenRow {
  readonly id: TokenId
  readonly orgId: OrgId
  readonly userId: UserId | null
  readonly name: string
  readonly scopes: string
  readonly tail: string
  readonly createdMs: number
  readonly usedMs: number | null
  readonly expiresMs: number | null
  readonly createdById: number | null
  readonly createdByName: string | null
  readonly address: string | null
}

export function readApiToken({ scopes, createdById, createdByName, ...row }: TokenRow): Token {
  const createdBy = createdByName === null ? null : { userId: createdById, name: createdByName }
  return { ...row, createdBy, scopes: JSON.parse(scopes) as string[] } // written by createToken
}

/** `ofClient`: of what people connected; otherwise of what they made by hand. Neither is taken for the other. */
export function foundToken(
  db: Connection,
  {
    tokenHash,
    nowMs,
    ofClient,
  }: { readonly tokenHash: string; readonly nowMs: number; readonly ofClient: boolean },
): { token: Token; organisation: Organisation; projects: readonly ProjectId[] } | null {
  // The unique index on token_hash.
  const sql = `SELECT ${TOKEN_COLUMNS} FROM tokens t
    WHERE t.token_hash = ? AND t.client_id IS ${ofClient ? 'NOT NULL' : 'NULL'}`
  const row = db.get<TokenRow>(sql, [tokenHash])
  if (row === undefined || (row.expiresMs !== null && row.expiresMs <= nowMs)) return null
  const organisation = organisationById(db, row.orgId)
  if (organisation === null) return null
  // A personal token acts for a member: it is worth nothing once its user has left.
  if (row.userId !== null && storedRole(db, row.orgId, row.userId) === null) return null
  const projects =
    row.userId === null ? projectsOfOrganisation(db, row.orgId) : projectsOpenTo(db, row.orgId, row.userId)
  return { token: readApiToken(row), organisation, projects }
}

function readEmail(db: Connection, user: UserId): string {
  return db.get<{ email: string }>('SELECT email FROM users WHERE id = ?', [user])?.email ?? `user ${user}`
}
