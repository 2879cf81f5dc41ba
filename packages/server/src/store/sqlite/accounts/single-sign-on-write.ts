/** Identity providers, who signs in by them, and what SCIM changes. */
import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result } from '#base/result.ts'
import {
  foldEmail,
  refuseDirectoryUsers,
  refuseLastOwner,
  refuseMembers,
  rolesNotInvited,
} from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import {
  changesRole,
  NO_PROVIDER,
  ownsAccount,
  PROVIDER_REFUSALS,
  refuseUnjoined,
} from '#model/provider-rules.ts'
import type { GivenRole } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Arrival, DirectoryChange, SingleSignOnWrite } from '#ports/single-sign-on.ts'
import type { Connection } from '../connection.ts'
import { countOf, defaultTeam, roleOf } from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'
import { ownersOf, leave as removeTraces } from './account-statements.ts'
import { insertUser } from './organisations-write.ts'
import { providersOf } from './providers-read.ts'
import { createSession, emailOf } from './sessions-write.ts'

export function singleSignOnWrite(db: Connection): SingleSignOnWrite {
  return {
    setSignInProvider: async (org, provider, actor) =>
      db.transaction(() => setProvider(db, { org, provider }, actor)),
    removeSignInProvider: async (org, kind, actor) =>
      db.transaction(() => {
        const sql = 'DELETE FROM sign_in_providers WHERE org_id = ? AND kind = ?'
        if (db.run(sql, [org, kind]).changes === 0) return PROVIDER_REFUSALS.noProvider()
        db.run('DELETE FROM sessions WHERE org_id = ?', [org])
        writeAudit(db, org, actor, { action: 'sign_in.removed', target: kind })
        return ok(null)
      }),
    proveDomain: async (org, domain, actor) =>
      db.transaction(() => {
        const sql = `UPDATE sign_in_domains SET proved_ms = ?, missing_ms = NULL, told_ms = NULL
          WHERE org_id = ? AND domain = ?`
        if (db.run(sql, [actor.atMs, org, domain]).changes === 0) return PROVIDER_REFUSALS.noDomain()
        writeAudit(db, org, actor, { action: 'sign_in.domain_proved', target: domain })
        return ok(null)
      }),
    arrive: async (arrival, actor) => db.transaction(() => arrive(db, arrival, actor)),
    putDirectoryUser: async (change, actor) => db.transaction(() => putUser(db, change, actor)),
    removeDirectoryUser: async (org, user, actor) =>
      db.transaction(() => {
        const known = db.run('DELETE FROM directory_users WHERE org_id = ? AND user_id = ?', [org, user])
        if (known.changes === 0 && roleOf(db, org, user) === null) return PROVIDER_REFUSALS.userUnknown()
        return leave(db, { org, user, by: 'removed' }, actor) ?? ok(null)
      }),
  }
}

function setProvider(
  db: Connection,
  { org, provider }: { org: OrgId; provider: Parameters<SingleSignOnWrite['setSignInProvider']>[1] },
  actor: Actor,
): Result<null> {
  const { clientSecret, seen, domainToken, ...settings } = provider
  const { kind, name, issuer, isRequired, domains } = settings
  const before = providersOf(db, org).find((one) => one.kind === kind) ?? NO_PROVIDER
  const unseen = refuseUnseen(before, seen)
  if (unseen !== null) return unseen
  const kept = `SELECT client_secret AS secret FROM sign_in_providers
    WHERE org_id = ? AND kind = ? AND settings ->> 'issuer' = ?`
  const secret = clientSecret ?? db.get<{ secret: string }>(kept, [org, kind, issuer])?.secret
  if (secret === undefined) return PROVIDER_REFUSALS.secretMissing()
  const sql = `INSERT OR REPLACE INTO sign_in_providers (org_id, kind, settings, client_secret)
    VALUES (?, ?, ?, ?)`
  db.run(sql, [org, kind, JSON.stringify(settings), secret])
  const named = 'INSERT OR IGNORE INTO sign_in_domains (org_id, domain, token) VALUES (?, ?, ?)'
  for (const domain of domains) db.run(named, [org, domain, domainToken])
  writeAudit(db, org, actor, {
    action: 'sign_in.changed',
    target: name,
    detail: { issuer, required: isRequired, secretReplaced: clientSecret !== null },
  })
  return ok(null)
}

function arrive(db: Connection, arrival: Arrival, actor: Actor): Result<UserId> {
  const { orgId: org, issuer, subject, email, role, session } = arrival
  const known = whom(db, arrival)
  if (known !== null && isInactive(db, org, known.id)) return PROVIDER_REFUSALS.inactive(email)
  const present = known === null ? null : roleOf(db, org, known.id)
  const mayJoin = arrival.mayJoin || (known !== null && isListed(db, org, known.id))
  if (present === null && !mayJoin) return PROVIDER_REFUSALS.notInvited(email)
  const refused = known === null ? null : refuseUnjoined(known, arrival)
  if (refused !== null) return refused
  const user = present === null ? join(db, { ...arrival, user: known?.id ?? null }, actor) : known?.id
  if (user === undefined) return PROVIDER_REFUSALS.notInvited(email)
  if (typeof user !== 'number') return user
  const by: Actor = { ...actor, userId: user, label: labelOf(db, user) }
  if (present !== null && changesRole(present, arrival)) {
    db.run('UPDATE memberships SET role = ? WHERE org_id = ? AND user_id = ?', [role, org, user])
    const ended = `DELETE FROM invitations WHERE org_id = ? AND invited_by = ?
      AND role IN (SELECT value FROM json_each(?))`
    db.run(ended, [org, user, JSON.stringify(rolesNotInvited(role))])
    const detail = { before: present, after: role }
    writeAudit(db, org, by, { action: 'member.role_changed', target: emailOf(db, user), detail })
  }
  db.run('INSERT OR REPLACE INTO sign_in_identities VALUES (?, ?, ?, ?)', [org, issuer, subject, user])
  db.run('UPDATE directory_users SET is_waiting = 0 WHERE org_id = ? AND user_id = ?', [org, user])
  createSession(db, { user, ...session, org }, by)
  return ok(user)
}

/** Returns the account of the subject, or else of the address. */
function whom(db: Connection, { orgId: org, issuer, subject, email }: Arrival) {
  const bySubject = `SELECT user_id AS id FROM sign_in_identities
    WHERE org_id = ? AND issuer = ? AND subject = ?`
  const joined = db.get<{ id: UserId }>(bySubject, [org, issuer, subject])
  if (joined !== undefined) return { id: joined.id, isJoined: true, isManaged: false, hasOther: false }
  const byEmail = 'SELECT id, org_id_managing IS ? AS isManaged FROM users WHERE email_folded = ?'
  const known = db.get<{ id: UserId; isManaged: number }>(byEmail, [org, foldEmail(email)])
  if (known === undefined) return null
  // sign_in_identities_by_user
  const other = 'SELECT 1 FROM sign_in_identities WHERE user_id = ? AND org_id = ? AND issuer = ?'
  const hasOther = db.get(other, [known.id, org, issuer]) !== undefined
  return { id: known.id, isJoined: false, isManaged: known.isManaged === 1, hasOther }
}

function isInactive(db: Connection, org: OrgId, user: UserId): boolean {
  const sql = 'SELECT 1 FROM directory_users WHERE org_id = ? AND user_id = ? AND is_active = 0'
  return db.get(sql, [org, user]) !== undefined
}

function labelOf(db: Connection, user: UserId): string {
  const name = db.get<{ name: string }>('SELECT name FROM users WHERE id = ?', [user])?.name ?? ''
  return name === '' ? emailOf(db, user) : name
}

/** Makes the account where there is none, and its membership. */
function join(
  db: Connection,
  who: {
    readonly orgId: OrgId
    readonly user: UserId | null
    readonly email: string
    readonly name: string
    readonly role: GivenRole
  },
  actor: Actor,
): UserId | Refusal {
  const { orgId: org, email, name, role } = who
  const tooMany = refuseMembers(
    countOf(db, 'SELECT count(*) AS count FROM memberships WHERE org_id = ?', [org]),
  )
  if (tooMany !== null) return tooMany
  // No password has this hash.
  const account = { email, name, passwordHash: '', isOperator: false }
  const user = who.user ?? insertManaged(db, { ...account, org }, actor.atMs)
  const sql = 'INSERT INTO memberships (org_id, user_id, role, joined_ms) VALUES (?, ?, ?, ?)'
  db.run(sql, [org, user, role, actor.atMs])
  const team = defaultTeam(db, org)
  if (team !== null)
    db.run('INSERT OR IGNORE INTO team_members (team_id, user_id) VALUES (?, ?)', [team, user])
  db.run('UPDATE users SET org_id_last = coalesce(org_id_last, ?) WHERE id = ?', [org, user])
  db.run('DELETE FROM invitations WHERE org_id = ? AND email_folded = ?', [org, foldEmail(email)])
  writeAudit(db, org, actor, { action: 'member.joined', target: emailOf(db, user), detail: { role } })
  return user
}

/** Until somebody signs in to it by themselves the account is the organisation's. */
function insertManaged(
  db: Connection,
  { org, ...account }: { readonly org: OrgId } & Parameters<typeof insertUser>[1],
  atMs: number,
): UserId {
  const user = insertUser(db, account, atMs)
  db.run('UPDATE users SET org_id_managing = ? WHERE id = ?', [org, user])
  return user
}

function leave(
  db: Connection,
  { org, user, by }: { readonly org: OrgId; readonly user: UserId; readonly by: 'removed' | 'deactivated' },
  actor: Actor,
): Refusal | null {
  const role = roleOf(db, org, user)
  if (role === null) return null
  const last = refuseLastOwner('removed', { role, owners: ownersOf(db, org) })
  if (last !== null) return last
  removeTraces(db, org, user)
  db.run('DELETE FROM sessions WHERE org_id = ? AND user_id = ?', [org, user])
  const action = by === 'removed' ? 'member.removed' : 'member.deactivated'
  writeAudit(db, org, actor, { action, target: emailOf(db, user), detail: { before: role } })
  return null
}

function putUser(db: Connection, change: DirectoryChange, actor: Actor): Result<UserId> {
  const { orgId: org, externalId, isActive } = change
  const found = change.userId === null ? createdUser(db, change, actor) : knownUser(db, change)
  if (typeof found !== 'number') return found
  if (change.userId !== null) {
    const refused = isActive
      ? activate(db, { ...change, user: found }, actor)
      : leave(db, { org, user: found, by: 'deactivated' }, actor)
    if (refused !== null) return refused
  }
  const isWaiting = roleOf(db, org, found) === null && !mayBeTaken(db, org, found)
  const sql = `INSERT OR REPLACE INTO directory_users
      (org_id, user_id, external_id, is_active, name, is_waiting, told)
    VALUES (?, ?, ?, ?, ?, ?, ?)`
  const told = JSON.stringify(change.told)
  db.run(sql, [org, found, externalId, isActive ? 1 : 0, change.name, isWaiting ? 1 : 0, told])
  return ok(found)
}

/**
 * Whether the organisation may make a member of the account without asking: it manages the account, or whoever has it
 * was here before.
 */
function mayBeTaken(db: Connection, org: OrgId, user: UserId): boolean {
  const managed = 'SELECT 1 FROM users WHERE id = ? AND org_id_managing = ?'
  const agreed = 'SELECT 1 FROM directory_users WHERE user_id = ? AND org_id = ? AND is_waiting = 0'
  return db.get(managed, [user, org]) !== undefined || db.get(agreed, [user, org]) !== undefined
}

function activate(db: Connection, change: DirectoryChange & { user: UserId }, actor: Actor): Refusal | null {
  if (roleOf(db, change.orgId, change.user) !== null) return null
  if (!mayBeTaken(db, change.orgId, change.user)) return null
  const joined = join(db, change, actor)
  return typeof joined === 'number' ? null : joined
}

function createdUser(db: Connection, change: DirectoryChange, actor: Actor): UserId | Refusal {
  const { orgId: org, email, name, isActive } = change
  const known = db.get<{ id: UserId }>('SELECT id FROM users WHERE email_folded = ?', [foldEmail(email)])
  const isHere = known !== undefined && (roleOf(db, org, known.id) !== null || isListed(db, org, known.id))
  if (isHere) return PROVIDER_REFUSALS.userKnown(email)
  const listed = 'SELECT count(*) AS count FROM directory_users WHERE org_id = ?'
  const tooMany = refuseDirectoryUsers(countOf(db, listed, [org]))
  if (tooMany !== null) return tooMany
  if (known !== undefined && !mayBeTaken(db, org, known.id)) return known.id
  if (isActive) return join(db, { ...change, user: known?.id ?? null }, actor)
  const account = { email, name, passwordHash: '', isOperator: false }
  return known?.id ?? insertManaged(db, { ...account, org }, actor.atMs)
}

function isListed(db: Connection, org: OrgId, user: UserId): boolean {
  const sql = 'SELECT 1 FROM directory_users WHERE org_id = ? AND user_id = ?'
  return db.get(sql, [org, user]) !== undefined
}

/** Renamed where the organisation manages the account. */
function knownUser(db: Connection, change: DirectoryChange): UserId | Refusal {
  const { orgId: org, userId: user, email, name } = change
  if (user === null) return PROVIDER_REFUSALS.userUnknown()
  const role = roleOf(db, org, user)
  if (role === null && !isListed(db, org, user)) return PROVIDER_REFUSALS.userUnknown()
  const elsewhere = `SELECT count(*) AS count FROM memberships WHERE user_id = ? AND org_id <> ?`
  const sql = 'SELECT 1 FROM users WHERE id = ? AND is_operator = 0 AND org_id_managing = ?'
  const isManaged = db.get(sql, [user, org]) !== undefined
  const isOwn = ownsAccount({ isManaged, role, others: countOf(db, elsewhere, [user, org]) })
  if (isOwn) db.run('UPDATE users SET name = ? WHERE id = ?', [name, user])
  const folded = foldEmail(email)
  if (foldEmail(emailOf(db, user)) === folded) return user
  if (!isOwn) return PROVIDER_REFUSALS.emailFixed()
  if (db.get('SELECT 1 FROM users WHERE email_folded = ?', [folded]) !== undefined)
    return PROVIDER_REFUSALS.userKnown(email)
  db.run('UPDATE users SET email = ?, email_folded = ? WHERE id = ?', [email.trim(), folded, user])
  return user
}
