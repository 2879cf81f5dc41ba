import type { OrgId, UserId } from '#base/ids.ts'
import { rolesNotInvited } from '#model/account-rules.ts'
import type { Role } from '#ports/accounts.ts'
import type { Tables } from '../tables.ts'

export function deleteInvitation(to: Tables, codeHash: string): void {
  to.invitations.delete(codeHash)
  to.letters.deleteWhere(({ invitation }) => invitation === codeHash)
}

/** Nobody comes in by a link that who sent it could not send any more. */
export function endInvitations(
  to: Tables,
  { org, user, role }: { readonly org: OrgId; readonly user: UserId; readonly role: Role | null },
): void {
  const lost = rolesNotInvited(role)
  for (const invitation of to.invitations.where((one) => one.orgId === org && one.invitedBy === user))
    if (lost.includes(invitation.role)) deleteInvitation(to, invitation.codeHash)
}
