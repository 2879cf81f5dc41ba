import type { OrgId, TeamId } from '#base/ids.ts'
import type { Invitation, Role } from '#ports/accounts.ts'

/** Of `invitations i JOIN organisations o`. */
export const INVITATION_COLUMNS = `i.code_hash AS codeHash, i.org_id AS orgId, o.name AS orgName, i.email, i.role,
  i.teams, i.created_ms AS createdMs, i.expires_ms AS expiresMs`

export interface InvitationRow {
  readonly codeHash: string
  readonly orgId: OrgId
  readonly orgName: string
  readonly email: string
  readonly role: Role
  readonly teams: string
  readonly createdMs: number
  readonly expiresMs: number
}

export function invitationOf({ teams, ...row }: InvitationRow): Invitation {
  return { ...row, teams: JSON.parse(teams) as TeamId[] } // written by createInvitation
}
