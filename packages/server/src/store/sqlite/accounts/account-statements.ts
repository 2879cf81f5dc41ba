/** Rows of people within a transaction: statements, which decide nothing. */
import type { OrgId, UserId } from '#base/ids.ts'
import type { AccountRows } from '#ports/account-rows.ts'
import type { Connection } from '../connection.ts'
import { markInboxEntries } from '../inbox/inbox.ts'
import { countOf } from '../rows/account-rows.ts'
import type { Statements } from '../statements.ts'
import { invitationByCode } from './invitation-row.ts'
import { lettersWaiting } from './letters.ts'
import { needsSetup } from './setup-state.ts'

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
    leave: (org, user) => leaveOrganisation(db, org, user),
    // sessions_by_user
    endSessions: (user, but) =>
      void db.run('DELETE FROM sessions WHERE user_id = ? AND id IS NOT ?', [user, but]),
    endProviderSessions: (org) => void db.run('DELETE FROM sessions WHERE org_id = ?', [org]),
    markInbox: (mark, nowMs) => markInboxEntries(db, mark, nowMs),
    hasOwner: () => !needsSetup(db),
    countOrganisations: () => countOf(db, 'SELECT count(*) AS count FROM organisations WHERE is_own = 0', []),
    ...clientStatements(db),
    revokeTokens: (user) => db.run('DELETE FROM tokens WHERE user_id = ?', [user]).changes,
  }
}

type ClientRows = Pick<AccountRows, 'forgetAgentClients' | 'countAgentClients' | 'keepNewestWaitingClients'>

function clientStatements(db: Connection): Statements<ClientRows> {
  return {
    forgetAgentClients({ nowMs: now, ...old }) {
      const connected =
        'SELECT 1 FROM tokens t WHERE t.client_id = agent_clients.id AND t.refresh_expires_ms > :now'
      // tokens_by_client
      const sql = `DELETE FROM agent_clients WHERE NOT EXISTS (${connected})
        AND coalesce(connected_ms < :connectedBefore, created_ms < :registeredBefore)`
      db.run(sql, { now, ...old })
    },
    countAgentClients() {
      const sql =
        'SELECT count(connected_ms) AS connected, count(*) - count(connected_ms) AS waiting FROM agent_clients'
      return db.get<{ connected: number; waiting: number }>(sql) ?? { connected: 0, waiting: 0 }
    },
    keepNewestWaitingClients(most) {
      const sql = `DELETE FROM agent_clients WHERE id IN (SELECT id FROM agent_clients WHERE connected_ms IS NULL
        ORDER BY created_ms DESC, id DESC LIMIT -1 OFFSET ?)`
      db.run(sql, [most])
    },
  }
}

function leaveTeams(db: Connection, org: OrgId, user: UserId): void {
  db.run(
    'DELETE FROM team_members WHERE user_id = ? AND team_id IN (SELECT id FROM teams WHERE org_id = ?)',
    [user, org],
  )
}

function leaveOrganisation(db: Connection, org: OrgId, user: UserId): void {
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
