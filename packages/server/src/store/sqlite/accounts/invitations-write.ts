/** Invitations: a link that makes somebody a member. */

import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, foldEmail, refuseInvitations, refuseMembers } from '#model/account-rules.ts'
import type { AccountsWrite, Invitation } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import {
  countOf,
  defaultTeam,
  insertGuestProjects,
  projectsWithin,
  roleOf,
  teamsWithin,
} from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'
import { invitationByCode } from './invitation-row.ts'
import { insertLetter, tooManyLetters } from './letters.ts'
import { insertUser } from './organisations-write.ts'
import { emailOf } from './sessions-write.ts'

type InvitationsWrite = Pick<
  AccountsWrite,
  'createInvitation' | 'revokeInvitation' | 'changeInvitation' | 'acceptInvitation'
>
type Account = Parameters<AccountsWrite['acceptInvitation']>[1]

export function invitationsWrite(db: Connection): InvitationsWrite {
  return {
    createInvitation: async (invitation, actor) =>
      db.transaction(() => createInvitation(db, invitation, actor)),
    revokeInvitation: async (org, codeHash, actor) =>
      db.transaction(() => {
        const sql = 'DELETE FROM invitations WHERE code_hash = ? AND org_id = ? RETURNING email'
        const revoked = db.get<{ email: string }>(sql, [codeHash, org])
        if (revoked === undefined) return ACCOUNT_REFUSALS.invitationGone()
        writeAudit(db, org, actor, { action: 'invitation.revoked', target: revoked.email })
        return ok(null)
      }),
    changeInvitation: async (change, actor) => db.transaction(() => changeInvitation(db, change, actor)),
    acceptInvitation: async (codeHash, account, actor) =>
      db.transaction(() => acceptInvitation(db, { codeHash, account }, actor)),
  }
}

function createInvitation(
  db: Connection,
  invitation: Parameters<AccountsWrite['createInvitation']>[0],
  actor: Actor,
): Result<null> {
  const { orgId, codeHash, role, expiresMs, letterKey, projects: chosen = [] } = invitation
  const email = invitation.email.trim()
  const folded = foldEmail(email)
  const member = `SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id
    WHERE u.email_folded = ? AND m.org_id = ?`
  if (db.get(member, [folded, orgId]) !== undefined) {
    return ACCOUNT_REFUSALS.memberAlready(email)
  }
  const tooMany =
    tooManyInvited(db, { orgId, folded }, actor) ??
    (letterKey === undefined ? null : tooManyLetters(db, orgId))
  if (tooMany !== null) return tooMany
  const teams = teamsWithin(db, orgId, invitation.teams)
  if (teams.length !== new Set(invitation.teams).size) return ACCOUNT_REFUSALS.teamUnknown()
  const projects = projectsWithin(db, orgId, chosen)
  if (projects.length !== new Set(chosen).size) return ACCOUNT_REFUSALS.projectUnknown()
  // A second invitation of an address replaces the first: one link works.
  db.run('DELETE FROM invitations WHERE org_id = ? AND email_folded = ?', [orgId, folded])
  const sql = `INSERT INTO invitations
      (code_hash, org_id, email, email_folded, role, teams, invited_by, created_ms, expires_ms, projects)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  const params = [codeHash, orgId, email, folded, role, JSON.stringify(teams), actor.userId]
  db.run(sql, [...params, actor.atMs, expiresMs, JSON.stringify(projects)])
  if (letterKey !== undefined) {
    insertLetter(db, { email, key: letterKey, expiresMs, invitation: codeHash }, actor)
  }
  const detail = { role, emailed: letterKey !== undefined }
  writeAudit(db, orgId, actor, { action: 'invitation.created', target: email, detail })
  return ok(null)
}

function changeInvitation(
  db: Connection,
  change: Parameters<AccountsWrite['changeInvitation']>[0],
  actor: Actor,
): Result<null> {
  const { orgId, codeHash, role } = change
  const found = db.get<{ email: string; role: string }>(
    'SELECT email, role FROM invitations WHERE code_hash = ? AND org_id = ? AND expires_ms > ?',
    [codeHash, orgId, actor.atMs],
  )
  if (found === undefined) return ACCOUNT_REFUSALS.invitationGone()
  const teams = teamsWithin(db, orgId, change.teams)
  if (teams.length !== new Set(change.teams).size) return ACCOUNT_REFUSALS.teamUnknown()
  const projects = projectsWithin(db, orgId, change.projects)
  if (projects.length !== new Set(change.projects).size) return ACCOUNT_REFUSALS.projectUnknown()
  const sql = 'UPDATE invitations SET role = ?, teams = ?, projects = ? WHERE code_hash = ? AND org_id = ?'
  db.run(sql, [role, JSON.stringify(teams), JSON.stringify(projects), codeHash, orgId])
  const detail = { from: found.role, to: role }
  writeAudit(db, orgId, actor, { action: 'invitation.changed', target: found.email, detail })
  return ok(null)
}

/** Refuses too many invitations; expired ones, and one that the new one replaces, do not count. */
function tooManyInvited(
  db: Connection,
  { orgId, folded }: { readonly orgId: OrgId; readonly folded: string },
  { userId, atMs }: Actor,
): Refusal | null {
  const open = 'FROM invitations WHERE org_id = :org AND email_folded <> :folded AND expires_ms > :now'
  const count = `SELECT (SELECT count(*) FROM memberships WHERE org_id = :org)
    + (SELECT count(*) ${open}) AS count`
  const within = { org: orgId, folded, now: atMs }
  const own = `SELECT count(*) AS count ${open} AND invited_by IS :by`
  return (
    refuseMembers(countOf(db, count, within)) ??
    refuseInvitations(countOf(db, own, { ...within, by: userId }))
  )
}

function acceptInvitation(
  db: Connection,
  { codeHash, account }: { readonly codeHash: string; readonly account: Account },
  actor: Actor,
): Result<UserId> {
  const invitation = invitationByCode(db, codeHash)
  if (invitation === null || invitation.expiresMs <= actor.atMs) return ACCOUNT_REFUSALS.invitationLink()
  const user = accountFor(db, { invitation, account, atMs: actor.atMs })
  if (typeof user !== 'number') return user
  db.run('DELETE FROM invitations WHERE code_hash = ?', [invitation.codeHash])
  if (roleOf(db, invitation.orgId, user) !== null) return ok(user)
  join(db, { invitation, user, atMs: actor.atMs })
  writeAudit(
    db,
    invitation.orgId,
    { ...actor, userId: user },
    { action: 'member.joined', target: emailOf(db, user), detail: { role: invitation.role } },
  )
  return ok(user)
}

/**
 * Whoever holds the link may make a new account, but not act for one that exists: whoever sent the invitation knows
 * the link too. The owner of an existing account signs in and opens it then.
 */
function accountFor(
  db: Connection,
  { invitation, account, atMs }: { invitation: Invitation; account: Account; atMs: number },
): UserId | Refusal {
  if ('userId' in account) {
    const known = db.get('SELECT 1 FROM users WHERE id = ?', [account.userId]) !== undefined
    return known ? account.userId : ACCOUNT_REFUSALS.accountGone()
  }
  const sql = 'SELECT 1 FROM users WHERE email_folded = ?'
  if (db.get(sql, [foldEmail(invitation.email)]) !== undefined) {
    return ACCOUNT_REFUSALS.accountKnown(invitation.email)
  }
  return insertUser(db, { ...account, email: invitation.email, isOperator: false }, atMs)
}

function join(
  db: Connection,
  { invitation, user, atMs }: { invitation: Invitation; user: UserId; atMs: number },
): void {
  const { orgId, role } = invitation
  const sql = 'INSERT INTO memberships (org_id, user_id, role, joined_ms) VALUES (?, ?, ?, ?)'
  db.run(sql, [orgId, user, role, atMs])
  insertGuestProjects(db, { org: orgId, user }, projectsWithin(db, orgId, invitation.projects))
  for (const team of joinedTeams(db, orgId, invitation)) {
    db.run('INSERT OR IGNORE INTO team_members (team_id, user_id) VALUES (?, ?)', [team, user])
  }
  db.run('UPDATE users SET org_id_last = coalesce(org_id_last, ?) WHERE id = ?', [orgId, user])
}

/** A guest is in no team: it would open more than was chosen. */
function joinedTeams(db: Connection, org: OrgId, { role, teams }: Invitation): readonly number[] {
  if (role === 'guest') return []
  const left = teamsWithin(db, org, teams)
  if (left.length > 0) return left
  const fallback = defaultTeam(db, org)
  return fallback === null ? [] : [fallback]
}
