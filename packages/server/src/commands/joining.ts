/** Joining an organisation by an invitation, which is used up. */
import { type UserId, userId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { ACCOUNT_REFUSALS, foldEmail } from '#model/account-rules.ts'
import { USERS } from '#model/tables/accounts.ts'
import { GUEST_PROJECTS, INVITATIONS, MEMBERSHIPS, TEAM_MEMBERS } from '#model/tables/organisations.ts'
import type { Invitation } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { defaultTeam, projectsWithin, readRole, teamsWithin } from './account-entry.ts'
import { writeAudit } from './audit-entry.ts'

/** Somebody new, or an account that is signed in. */
type Joining = { readonly name: string; readonly passwordHash: string } | { readonly userId: UserId }

/** Makes the account where the address has none. An existing one keeps its password. */
export async function acceptInvitation(
  tx: Tx,
  {
    codeHash,
    account,
    actor,
  }: { readonly codeHash: string; readonly account: Joining; readonly actor: Actor },
): Promise<Result<UserId>> {
  const invitation = await tx.accounts.invitation(codeHash)
  if (invitation === null || invitation.expiresMs <= actor.atMs) return ACCOUNT_REFUSALS.invitationLink()
  const found = await accountFor(tx, { invitation, account, atMs: actor.atMs })
  if (!found.ok) return found
  const { id: user, email } = found.value
  const { orgId, role } = invitation
  await tx.rows(INVITATIONS).remove({ codeHash: invitation.codeHash })
  if ((await readRole(tx, { orgId, userId: user })) !== null) return ok(user)
  await join(tx, { invitation, account: found.value, atMs: actor.atMs })
  const note = { action: 'member.joined', target: email, detail: { role } }
  await writeAudit(tx, orgId, { ...actor, userId: user }, note)
  return ok(user)
}

interface Account {
  readonly id: UserId
  readonly email: string
  readonly orgIdLast: number | null
}

/**
 * Finds or makes the account. Whoever holds the link may make a new one, but not act for one that exists: whoever
 * sent the invitation knows the link too. The owner of an existing account signs in and opens it then.
 */
async function accountFor(
  tx: Tx,
  {
    invitation,
    account,
    atMs,
  }: { readonly invitation: Invitation; readonly account: Joining; readonly atMs: number },
): Promise<Result<Account>> {
  const rows = tx.rows(USERS)
  if ('userId' in account) {
    const known = await rows.one({ id: account.userId })
    return known === null ? ACCOUNT_REFUSALS.accountGone() : ok(known)
  }
  const email = invitation.email.trim()
  const emailFolded = foldEmail(email)
  if ((await rows.one({ emailFolded })) !== null) return ACCOUNT_REFUSALS.accountKnown(invitation.email)
  const { name, passwordHash } = account
  const [id = 0] = await rows.insert([{ email, emailFolded, name, passwordHash, createdMs: atMs }])
  return ok({ id: userId(id), email, orgIdLast: null })
}

async function join(
  tx: Tx,
  {
    invitation,
    account,
    atMs,
  }: { readonly invitation: Invitation; readonly account: Account; readonly atMs: number },
): Promise<void> {
  const { orgId, role } = invitation
  const member = { orgId, userId: account.id }
  await tx.rows(MEMBERSHIPS).insert([{ ...member, role, joinedMs: atMs }])
  const opened = await projectsWithin(tx, orgId, invitation.projects)
  await tx.rows(GUEST_PROJECTS).insert(opened.map((projectId) => ({ ...member, projectId })))
  // A guest is in no team: it would open more than was chosen.
  const left = role === 'guest' ? [] : await teamsWithin(tx, orgId, invitation.teams)
  const teams = left.length > 0 || role === 'guest' ? left : await defaultTeam(tx, orgId)
  await tx.rows(TEAM_MEMBERS).insert(teams.map((teamId) => ({ teamId, userId: account.id })))
  if (account.orgIdLast === null) await tx.rows(USERS).update([{ id: account.id, orgIdLast: orgId }])
}
