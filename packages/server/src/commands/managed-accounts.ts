/** Accounts that an organisation makes for people whom its provider or directory names, and their membership. */
import { type OrgId, type UserId, userId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { foldEmail, refuseLastOwner, refuseMembers } from '#model/account-rules.ts'
import { SESSIONS, USERS } from '#model/tables/accounts.ts'
import { INVITATIONS, MEMBERSHIPS, TEAM_MEMBERS } from '#model/tables/organisations.ts'
import type { GivenRole } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { countOwners, defaultTeam, emailOf, readRole } from './account-entry.ts'
import { writeAudit } from './audit-entry.ts'

interface NewMember {
  readonly orgId: OrgId
  /** `null`: an account is made. */
  readonly user: UserId | null
  readonly email: string
  readonly name: string
  readonly role: GivenRole
}

/** Makes the account where there is none, and its membership. */
export async function joinManaged(tx: Tx, who: NewMember, actor: Actor): Promise<Result<UserId>> {
  const { orgId, email, name, role } = who
  const tooMany = refuseMembers(await tx.rows(MEMBERSHIPS).count({ orgId }))
  if (tooMany !== null) return tooMany
  const id = who.user ?? (await makeManaged(tx, { orgId, email, name }, actor))
  await tx.rows(MEMBERSHIPS).insert([{ orgId, userId: id, role, joinedMs: actor.atMs }])
  const teams = await defaultTeam(tx, orgId)
  await tx.rows(TEAM_MEMBERS).merge(teams.map((teamId) => ({ teamId, userId: id })))
  await tx.rows(USERS).change({ id, orgIdLast: null }, { orgIdLast: orgId })
  await tx.rows(INVITATIONS).remove({ orgId, emailFolded: foldEmail(email) })
  await writeAudit(tx, orgId, actor, {
    action: 'member.joined',
    target: await emailOf(tx, id),
    detail: { role },
  })
  return ok(id)
}

/** Makes an account. Until somebody signs in to it by themselves it is the organisation's. */
export async function makeManaged(
  tx: Tx,
  { orgId, email, name }: Pick<NewMember, 'orgId' | 'email' | 'name'>,
  { atMs: createdMs }: Actor,
): Promise<UserId> {
  const named = { email: email.trim(), emailFolded: foldEmail(email), name }
  // No password has this hash.
  const account = { ...named, passwordHash: '', createdMs, orgIdManaging: orgId }
  const [id = 0] = await tx.rows(USERS).insert([account])
  return userId(id)
}

/** Ends a membership and the sessions that the organisation's provider began; whoever is no member has none. */
export async function leaveManaged(
  tx: Tx,
  {
    orgId,
    user,
    by,
  }: { readonly orgId: OrgId; readonly user: UserId; readonly by: 'removed' | 'deactivated' },
  actor: Actor,
): Promise<Result<null>> {
  const role = await readRole(tx, { orgId, userId: user })
  if (role === null) return ok(null)
  const last = refuseLastOwner('removed', { role, owners: await countOwners(tx, orgId) })
  if (last !== null) return last
  await tx.accounts.leave(orgId, user)
  await tx.rows(SESSIONS).remove({ userId: user, orgId })
  const action = by === 'removed' ? 'member.removed' : 'member.deactivated'
  const target = await emailOf(tx, user)
  await writeAudit(tx, orgId, actor, { action, target, detail: { before: role } })
  return ok(null)
}
