/** Writes the audit log, in the transaction of the change itself. */
import type { OrgId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { AUDIT } from '#model/tables/accounts.ts'
import { MEMBERSHIPS } from '#model/tables/organisations.ts'
import type { AuditNote } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'

/**
 * Writes one entry of an organisation's audit log. `orgId` null: of an account that belongs to no organisation; no
 * organisation's log shows it.
 */
export async function writeAudit(tx: Tx, orgId: OrgId | null, actor: Actor, note: AuditNote): Promise<void> {
  await writeEntries(tx, [orgId], actor, note)
}

/** Writes what concerns an account (a sign-in, a password) to the log of every organisation it belongs to. */
export async function writeAccountAudit(
  tx: Tx,
  userId: UserId,
  actor: Actor,
  note: AuditNote,
): Promise<void> {
  const memberships = await tx.rows(MEMBERSHIPS).find({ userId }, max('organisationsMax') + 1)
  const orgs = memberships.length === 0 ? [null] : memberships.map(({ orgId }) => orgId)
  await writeEntries(tx, orgs, actor, note)
}

async function writeEntries(
  tx: Tx,
  orgs: readonly (OrgId | null)[],
  ...[{ userId, tokenId, label, address, atMs }, { action, target, detail = {} }]: readonly [Actor, AuditNote]
): Promise<void> {
  const entry = { atMs, actor: label, userId, tokenId, action, target, address, detail }
  await tx.rows(AUDIT).insert(orgs.map((orgId) => ({ orgId, ...entry })))
}
