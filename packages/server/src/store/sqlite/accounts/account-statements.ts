/** Rows of people within a transaction: statements, which decide nothing. */
import type { OrgId, UserId } from '#base/ids.ts'
import type { AccountRows } from '#ports/account-rows.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import type { Statements } from '../statements.ts'
import { invitationByCode } from './invitation-row.ts'
import { lettersWaiting } from './letters.ts'

export function accountStatements(db: Connection): Statements<AccountRows> {
  return {
    membersAndInvited(org, { emailFolded: folded, by, nowMs: now }) {
      const sql = `SELECT (SELECT count(*) FROM memberships WHERE org_id = :org) AS members, count(*) AS invited,
          count(*) FILTER (WHERE invited_by IS :by) AS own
        FROM invitations WHERE org_id = :org AND email_folded <> :folded AND expires_ms > :now`
      type Row = Awaited<ReturnType<AccountRows['membersAndInvited']>>
      return db.get<Row>(sql, { org, folded, by, now }) ?? { members: 0, invited: 0, own: 0 }
    },
    invitation: (codeHash) => invitationByCode(db, codeHash),
    lettersWaiting: (org) => lettersWaiting(db, org),
    leaveTeams: (org, user) => leaveTeams(db, org, user),
    leave: (org, user) => leave(db, org, user),
    // sessions_by_user
    endSessions: (user, but) =>
      void db.run('DELETE FROM sessions WHERE user_id = ? AND id IS NOT ?', [user, but]),
    endProviderSessions: (org) => void db.run('DELETE FROM sessions WHERE org_id = ?', [org]),
    revokeTokens: (user) => db.run('DELETE FROM tokens WHERE user_id = ?', [user]).changes,
  }
}

function leaveTeams(db: Connection, org: OrgId, user: UserId): void {
  db.run(
    'DELETE FROM team_members WHERE user_id = ? AND team_id IN (SELECT id FROM teams WHERE org_id = ?)',
    [user, org],
  )
}

export function leave(db: Connection, org: OrgId, user: UserId): void {
  db.run('DELETE FROM memberships WHERE org_id = ? AND user_id = ?', [org, user])
  leaveTeams(db, org, user)
  db.run('DELETE FROM tokens WHERE org_id = ? AND user_id = ?', [org, user])
  db.run('DELETE FROM slack_people WHERE org_id = ? AND user_id = ?', [org, user])
  db.run('DELETE FROM invitations WHERE org_id = ? AND invited_by = ?', [org, user])
  db.run('UPDATE users SET org_id_last = NULL WHERE id = ? AND org_id_last = ?', [user, org])
  // issues_by_assignee
  db.run(
    `UPDATE issues SET assignee_id = NULL
      WHERE assignee_id = ? AND project_id IN (SELECT id FROM projects WHERE org_id = ?)`,
    [user, org],
  )
}

export function ownersOf(db: Connection, org: OrgId): number {
  const sql = 'SELECT count(*) AS count FROM memberships WHERE org_id = ? AND role = ?'
  return countOf(db, sql, [org, 'owner'])
}
