/** Signing in whom an organisation's provider named. */
import type { UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { foldEmail } from '#model/account-rules.ts'
import { changesRole, PROVIDER_REFUSALS, refuseUnjoined } from '#model/provider-rules.ts'
import { USERS } from '#model/tables/accounts.ts'
import { MEMBERSHIPS } from '#model/tables/organisations.ts'
import { DIRECTORY_USERS, SIGN_IN_IDENTITIES } from '#model/tables/single-sign-on.ts'
import type { Role } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import type { NamedArrival } from '#ports/single-sign-on.ts'
import { emailOf, endInvitations, readRole } from './account-entry.ts'
import { writeAudit } from './audit-entry.ts'
import { joinManaged } from './managed-accounts.ts'
import { createSession } from './session-changes.ts'

/**
 * Signs in who is known by subject, else a new account without a password. An account that has the address is opened
 * where the organisation made it, or whoever has it confirmed that; refused with `account_unjoined` else, and for good
 * where another subject of the issuer is joined to it. Refused for whoever is deactivated, or neither a member nor may join.
 */
export async function arrive(
  tx: Tx,
  { arrival, actor }: { readonly arrival: NamedArrival; readonly actor: Actor },
): Promise<Result<UserId>> {
  const { orgId, issuer, subject, email, session } = arrival
  const known = await whom(tx, arrival)
  const listed = known === null ? null : await tx.rows(DIRECTORY_USERS).one({ orgId, userId: known.id })
  if (listed?.isActive === false) return PROVIDER_REFUSALS.inactive(email)
  const present = known === null ? null : await readRole(tx, { orgId, userId: known.id })
  if (present === null && !arrival.mayJoin && listed === null) return PROVIDER_REFUSALS.notInvited(email)
  const refused = known === null ? null : refuseUnjoined(known, arrival)
  if (refused !== null) return refused
  const joined =
    known === null || present === null
      ? await joinManaged(tx, { ...arrival, user: known?.id ?? null }, actor)
      : ok(known.id)
  if (!joined.ok) return joined
  const userId = joined.value
  const by = { ...actor, userId, label: await labelOf(tx, userId) }
  if (present !== null) await changeRole(tx, { userId, present, arrival }, by)
  await tx.rows(SIGN_IN_IDENTITIES).merge([{ orgId, issuer, subject, userId }])
  await tx.rows(DIRECTORY_USERS).change({ orgId, userId }, { isWaiting: false })
  await createSession(tx, { ...session, user: userId, org: orgId, actor: by })
  return ok(userId)
}

/** Returns the account of the subject, or else of the address. */
async function whom(tx: Tx, { orgId, issuer, subject, email }: NamedArrival) {
  const identities = tx.rows(SIGN_IN_IDENTITIES)
  const joined = await identities.one({ orgId, issuer, subject })
  if (joined !== null) return { id: joined.userId, isJoined: true, isManaged: false, hasOther: false }
  const known = await tx.rows(USERS).one({ emailFolded: foldEmail(email) })
  if (known === null) return null
  const hasOther = (await identities.one({ userId: known.id, orgId, issuer })) !== null
  return { id: known.id, isJoined: false, isManaged: known.orgIdManaging === orgId, hasOther }
}

async function labelOf(tx: Tx, id: UserId): Promise<string> {
  const name = (await tx.rows(USERS).one({ id }))?.name ?? ''
  return name === '' ? emailOf(tx, id) : name
}

async function changeRole(
  tx: Tx,
  {
    userId,
    present,
    arrival,
  }: { readonly userId: UserId; readonly present: Role; readonly arrival: NamedArrival },
  by: Actor,
): Promise<void> {
  const { orgId, role } = arrival
  if (!changesRole(present, arrival)) return
  await tx.rows(MEMBERSHIPS).update([{ orgId, userId, role }])
  await endInvitations(tx, { orgId, userId }, role)
  const detail = { before: present, after: role }
  await writeAudit(tx, orgId, by, {
    action: 'member.role_changed',
    target: await emailOf(tx, userId),
    detail,
  })
}
