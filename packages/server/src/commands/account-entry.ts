/** Reads that changes of people and organisations share: addresses as the audit log has them, and rows that others name. */
import type { OrgId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { rolesNotInvited } from '#model/account-rules.ts'
import { USERS } from '#model/tables/accounts.ts'
import { INVITATIONS, MEMBERSHIPS, TEAMS } from '#model/tables/organisations.ts'
import { PROJECTS } from '#model/tables/projects.ts'
import type { Role } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'

interface OfMember {
  readonly orgId: OrgId
  readonly userId: UserId
}

/** Returns the address of an account. */
export async function emailOf(tx: Tx, id: UserId): Promise<string> {
  return (await tx.rows(USERS).one({ id }))?.email ?? `user ${id}`
}

export async function readRole(tx: Tx, { orgId, userId }: OfMember): Promise<Role | null> {
  return (await tx.rows(MEMBERSHIPS).one({ orgId, userId }))?.role ?? null
}

export function countOwners(tx: Tx, orgId: OrgId): Promise<number> {
  return tx.rows(MEMBERSHIPS).count({ orgId, role: 'owner' })
}

/** Ends invitations that whoever sent them could not send any more; `null`: of somebody who left. */
export async function endInvitations(
  tx: Tx,
  { orgId, userId: invitedBy }: OfMember,
  role: Role | null,
): Promise<void> {
  await tx.rows(INVITATIONS).remove({ orgId, invitedBy, role: rolesNotInvited(role) })
}

/** Returns the ids that are teams of the organisation. */
export async function teamsWithin(tx: Tx, orgId: OrgId, ids: readonly TeamId[]): Promise<readonly TeamId[]> {
  if (ids.length === 0) return []
  return (await tx.rows(TEAMS).find({ orgId, id: ids }, max('teamsPerOrgMax'))).map(({ id }) => id)
}

/** Returns the ids that are projects of the organisation. */
export async function projectsWithin(
  tx: Tx,
  orgId: OrgId,
  ids: readonly ProjectId[],
): Promise<readonly ProjectId[]> {
  if (ids.length === 0) return []
  return (await tx.rows(PROJECTS).find({ orgId, id: ids }, max('projectsPerOrgMax'))).map(({ id }) => id)
}

/** Returns the oldest team, which takes in whoever and whatever is given no team. */
export async function defaultTeam(tx: Tx, orgId: OrgId): Promise<readonly TeamId[]> {
  return (await tx.rows(TEAMS).find({ orgId }, 1)).map(({ id }) => id)
}
