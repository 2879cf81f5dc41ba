import type { OrgId, ProjectId, TeamId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Invitation, OpenInvitation, Role } from '#ports/accounts.ts'
import type { DeliveryState } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'

/** Columns of `invitations i JOIN organisations o`. */
const INVITATION_COLUMNS = `i.code_hash AS codeHash, i.org_id AS orgId, o.name AS orgName, i.email, i.role,
  i.teams, i.projects, i.created_ms AS createdMs, i.expires_ms AS expiresMs`

interface InvitationRow {
  readonly codeHash: string
  readonly orgId: OrgId
  readonly orgName: string
  readonly email: string
  readonly role: Role
  readonly teams: string
  readonly projects: string
  readonly createdMs: number
  readonly expiresMs: number
}

function readInvitationRow({ teams, projects, ...row }: InvitationRow): Invitation {
  return { ...row, teams: readInvitedIds<TeamId>(teams), projects: readInvitedIds<ProjectId>(projects) }
}

function readInvitedIds<Id extends number>(json: string): readonly Id[] {
  return JSON.parse(json) // written by createInvitation
}

/** By the code that was shown, or the one that was emailed. */
export function invitationByCode(db: Connection, codeHash: string): Invitation | null {
  // The primary key, and the unique index on letters' codes.
  const sql = `SELECT ${INVITATION_COLUMNS} FROM invitations i JOIN organisations o ON o.id = i.org_id
    WHERE i.code_hash IN (:code, (SELECT invitation FROM letters WHERE code_hash = :code))`
  const row = db.get<InvitationRow>(sql, { code: codeHash })
  return row === undefined ? null : readInvitationRow(row)
}

interface OpenInvitationRow extends InvitationRow {
  readonly state: DeliveryState | null
  readonly tries: number
  readonly says: string | null
  readonly dueMs: number | null
  readonly settledMs: number | null
}

/** Newest first. */
export function openInvitations(db: Connection, org: OrgId, nowMs: number): readonly OpenInvitation[] {
  const which = 'i.expires_ms > :now ORDER BY i.created_ms DESC, i.code_hash'
  return readInvitations(db, which, { org, now: nowMs })
}

/** Latest end first. */
export function expiredInvitations(db: Connection, org: OrgId, nowMs: number): readonly OpenInvitation[] {
  const which = 'i.expires_ms <= :now ORDER BY i.expires_ms DESC, i.code_hash LIMIT :most'
  return readInvitations(db, which, { org, now: nowMs, most: max('expiredInvitationsShownMax') })
}

function readInvitations(
  db: Connection,
  which: string,
  params: Readonly<Record<string, number>>,
): readonly OpenInvitation[] {
  const sql = `SELECT ${INVITATION_COLUMNS}, l.state, l.tries, l.says, l.due_ms AS dueMs, l.settled_ms AS settledMs
    FROM invitations i JOIN organisations o ON o.id = i.org_id LEFT JOIN letters l ON l.invitation = i.code_hash
    WHERE i.org_id = :org AND ${which}`
  return db
    .all<OpenInvitationRow>(sql, params)
    .map(({ state, tries, says, dueMs, settledMs, ...invitation }) => ({
      ...readInvitationRow(invitation),
      letter:
        state === null ? null : { state, tries, says, settledMs, nextMs: state === 'waiting' ? dueMs : null },
    }))
}
