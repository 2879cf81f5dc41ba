/** Identity providers of organisations, and whom SCIM knows. */
import type { OrgId, TeamId, UserId } from '#base/ids.ts'
import type {
  DirectoryUser,
  KnownProvider,
  NamedDomain,
  SignInProvider,
  SingleSignOnRead,
} from '#ports/single-sign-on.ts'
import type { Connection } from '../connection.ts'

export function singleSignOnRead(db: Connection): SingleSignOnRead {
  return {
    signInProviders: async (org) => providersOf(db, org),
    signInDomains: async (org) => readDomains(db, org),
    clientSecret: async (org, kind) => {
      const sql = 'SELECT client_secret AS secret FROM sign_in_providers WHERE org_id = ? AND kind = ?'
      return db.get<{ secret: string }>(sql, [org, kind])?.secret ?? null
    },
    identity: async ({ orgId, issuer, subject }) => {
      // The primary key.
      const sql = `SELECT user_id AS id FROM sign_in_identities WHERE org_id = ? AND issuer = ? AND subject = ?`
      return db.get<{ id: UserId }>(sql, [orgId, issuer, subject])?.id ?? null
    },
    directoryUsers: async ({ orgId }) => directoryUsers(db, orgId),
    directoryGroups: async ({ orgId }) => {
      const sql = `SELECT g.team_id AS teamId, g.external_id AS externalId FROM directory_groups g
        JOIN teams t ON t.id = g.team_id WHERE t.org_id = ? ORDER BY g.team_id`
      return db.all<{ teamId: TeamId; externalId: string }>(sql, [orgId])
    },
  }
}

export function providersOf(db: Connection, org: OrgId): readonly KnownProvider[] {
  // The primary key.
  const sql = 'SELECT settings FROM sign_in_providers WHERE org_id = ? ORDER BY kind'
  const rows = db.all<{ settings: string }>(sql, [org])
  if (rows.length === 0) return []
  const proved = readDomains(db, org).flatMap(({ domain, provedMs }) => (provedMs === null ? [] : [domain]))
  return rows.map(({ settings }) => {
    const provider: SignInProvider = JSON.parse(settings)
    return { ...provider, proved: provider.domains.filter((domain) => proved.includes(domain)) }
  })
}

function readDomains(db: Connection, org: OrgId): readonly NamedDomain[] {
  // The primary key.
  const sql = `SELECT domain, token, proved_ms AS provedMs, told_ms AS missingToldMs FROM sign_in_domains
    WHERE org_id = ? ORDER BY domain`
  return db.all<NamedDomain>(sql, [org])
}

interface DirectoryRow {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly externalId: string | null
  readonly told: string | null
  readonly isActive: number
  readonly createdMs: number
}

function directoryUsers(db: Connection, org: OrgId): readonly DirectoryUser[] {
  const sql = `SELECT u.id AS userId, u.email, iif(d.is_waiting = 1 AND m.user_id IS NULL, d.name, u.name) AS name,
      d.external_id AS externalId, d.told,
      m.user_id IS NOT NULL OR (d.is_waiting = 1 AND d.is_active = 1) AS isActive,
      coalesce(m.joined_ms, u.created_ms) AS createdMs
    FROM users u LEFT JOIN memberships m ON m.user_id = u.id AND m.org_id = :org
      LEFT JOIN directory_users d ON d.user_id = u.id AND d.org_id = :org
    WHERE u.id IN (SELECT user_id FROM memberships WHERE org_id = :org
      UNION SELECT user_id FROM directory_users WHERE org_id = :org)
    ORDER BY u.id`
  return db.all<DirectoryRow>(sql, { org }).map(({ isActive, told, ...row }) => {
    return { ...row, isActive: isActive === 1, told: told === null ? null : JSON.parse(told) }
  })
}
