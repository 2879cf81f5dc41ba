/** What was changed, by whom: written in the transaction of the change itself. */
import type { OrgId, UserId } from '#base/ids.ts'
import type { AuditEntry } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import type { Tables } from '../tables.ts'

interface AuditNote extends Pick<AuditEntry, 'action' | 'target'> {
  readonly detail?: AuditEntry['detail']
}

/** `org` null: of an account that belongs to no organisation; no organisation's log shows it. */
export function writeAudit(to: Tables, org: OrgId | null, actor: Actor, note: AuditNote): void {
  const id = to.audit.nextId()
  const { action, target, detail = {} } = note
  const { atMs, label, address } = actor
  const userId = actor.userId as UserId | null // an actor's number is of a user
  to.audit.put(id, { id, orgId: org, atMs, actor: label, userId, action, target, address, detail })
}

/** What concerns an account (a sign-in, a password) stands in the log of every organisation it belongs to. */
export function writeAccountAudit(to: Tables, user: UserId, actor: Actor, note: AuditNote): void {
  const memberships = to.memberships.where(({ userId }) => userId === user)
  for (const { orgId } of memberships) writeAudit(to, orgId, actor, note)
  if (memberships.length === 0) writeAudit(to, null, actor, note)
}
