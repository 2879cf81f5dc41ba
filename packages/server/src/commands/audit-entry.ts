/** Writes the audit log, in the transaction of the change itself. */
import type { OrgId } from '#base/ids.ts'
import { AUDIT } from '#model/tables/accounts.ts'
import type { AuditNote } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'

export async function writeAudit(tx: Tx, orgId: OrgId, actor: Actor, note: AuditNote): Promise<void> {
  const { userId, tokenId, label, address, atMs } = actor
  const { action, target, detail = {} } = note
  await tx
    .rows(AUDIT)
    .insert([{ orgId, atMs, actor: label, userId, tokenId, action, target, address, detail }])
}
