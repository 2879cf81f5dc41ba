/** People whom an identity provider provisions over SCIM. */
import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { foldEmail, refuseDirectoryUsers } from '#model/account-rules.ts'
import { ownsAccount, PROVIDER_REFUSALS } from '#model/provider-rules.ts'
import { USERS } from '#model/tables/accounts.ts'
import { MEMBERSHIPS } from '#model/tables/organisations.ts'
import { DIRECTORY_USERS } from '#model/tables/single-sign-on.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import type { ProvisionedChange } from '#ports/single-sign-on.ts'
import { emailOf, readRole } from './account-entry.ts'
import { command, preparedCommand } from './command.ts'
import { joinManaged, leaveManaged, makeManaged } from './managed-accounts.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'

type PersonChange = Omit<ProvisionedChange, 'orgId' | 'role'>
type PutPerson = Omit<ProvisionedChange, 'orgId'>

/**
 * Makes, changes, deactivates or activates. The last owner stays; an email is changed where the organisation made the
 * account. Whoever has an account of their own is asked at their first sign-in, and no member until then.
 */
export const putDirectoryUser = preparedCommand({
  permission: 'scim.write',
  input: (change: PersonChange) => {
    const checked = readInput(SCHEMAS.resetRequest, { email: change.email })
    return checked.ok ? ok({ ...change, email: checked.value.email }) : checked
  },
  prepare: async (
    parts: Pick<CommandParts, 'accounts' | 'singleSignOn'>,
    { scope: { orgId } },
    change: PersonChange,
  ): Promise<Result<PutPerson>> => {
    const [method] = (await parts.singleSignOn?.read.signInProviders(orgId)) ?? []
    return ok({ ...change, role: method?.roleDefault ?? (await parts.accounts.roleDefault(orgId)) })
  },
  change: (tx, change: PutPerson, { scope: { orgId }, actor }) => putPerson(tx, { ...change, orgId }, actor),
})

/** Ends membership, and what the directory knows. */
export const removeDirectoryUser = command({
  permission: 'scim.write',
  input: (user: UserId) => ok({ user }),
  change: async (tx, { user }: { readonly user: UserId }, { scope: { orgId }, actor }) => {
    const known = await tx.rows(DIRECTORY_USERS).remove({ orgId, userId: user })
    if (known === 0 && (await readRole(tx, { orgId, userId: user })) === null)
      return PROVIDER_REFUSALS.userUnknown()
    return leaveManaged(tx, { orgId, user, by: 'removed' }, actor)
  },
})

async function putPerson(tx: Tx, change: ProvisionedChange, actor: Actor): Promise<Result<UserId>> {
  const { orgId, externalId, isActive, name } = change
  const found =
    change.userId === null ? await createPerson(tx, change, actor) : await renamePerson(tx, change)
  if (!found.ok) return found
  const userId = found.value
  if (change.userId !== null) {
    const refused = isActive
      ? await activate(tx, { ...change, user: userId }, actor)
      : await leaveManaged(tx, { orgId, user: userId, by: 'deactivated' }, actor)
    if (!refused.ok) return refused
  }
  const isWaiting =
    (await readRole(tx, { orgId, userId })) === null && !(await mayBeTaken(tx, { orgId, userId }))
  const told = JSON.stringify(change.told)
  await tx.rows(DIRECTORY_USERS).merge([{ orgId, userId, externalId, isActive, name, isWaiting, told }])
  return found
}

interface OfPerson {
  readonly orgId: OrgId
  readonly userId: UserId
}

/**
 * Answers whether the organisation may make a member of the account without asking: it manages the account, or whoever has
 * it was here before.
 */
async function mayBeTaken(tx: Tx, { orgId, userId: id }: OfPerson): Promise<boolean> {
  if ((await tx.rows(USERS).one({ id }))?.orgIdManaging === orgId) return true
  return (await tx.rows(DIRECTORY_USERS).one({ orgId, userId: id }))?.isWaiting === false
}

async function activate(
  tx: Tx,
  change: ProvisionedChange & { readonly user: UserId },
  actor: Actor,
): Promise<Result<unknown>> {
  const who = { orgId: change.orgId, userId: change.user }
  if ((await readRole(tx, who)) !== null || !(await mayBeTaken(tx, who))) return ok(null)
  return joinManaged(tx, change, actor)
}

/** Somebody new here, whose address may have an account. */
async function createPerson(tx: Tx, change: ProvisionedChange, actor: Actor): Promise<Result<UserId>> {
  const { orgId, email, isActive } = change
  const known = await tx.rows(USERS).one({ emailFolded: foldEmail(email) })
  if (known !== null && (await isHere(tx, { orgId, userId: known.id })))
    return PROVIDER_REFUSALS.userKnown(email)
  const tooMany = refuseDirectoryUsers(await tx.rows(DIRECTORY_USERS).count({ orgId }))
  if (tooMany !== null) return tooMany
  if (known !== null && !(await mayBeTaken(tx, { orgId, userId: known.id }))) return ok(known.id)
  if (isActive) return joinManaged(tx, { ...change, user: known?.id ?? null }, actor)
  return ok(known?.id ?? (await makeManaged(tx, change, actor)))
}

/** True of members, and of whom the directory lists. */
async function isHere(tx: Tx, of: OfPerson): Promise<boolean> {
  return (await readRole(tx, of)) !== null || (await tx.rows(DIRECTORY_USERS).one({ ...of })) !== null
}

/** Renames somebody where the organisation manages the account. */
async function renamePerson(tx: Tx, change: ProvisionedChange): Promise<Result<UserId>> {
  const { orgId, userId: id, email, name } = change
  if (id === null || !(await isHere(tx, { orgId, userId: id }))) return PROVIDER_REFUSALS.userUnknown()
  const users = tx.rows(USERS)
  const account = await users.one({ id })
  const role = await readRole(tx, { orgId, userId: id })
  const memberships = await tx.rows(MEMBERSHIPS).count({ userId: id })
  const isManaged = account !== null && !account.isOperator && account.orgIdManaging === orgId
  const isOwn = ownsAccount({ isManaged, role, others: memberships - (role === null ? 0 : 1) })
  const emailFolded = foldEmail(email)
  const isMoved = foldEmail(await emailOf(tx, id)) !== emailFolded
  if (isMoved && !isOwn) return PROVIDER_REFUSALS.emailFixed()
  if (isMoved && (await users.one({ emailFolded })) !== null) return PROVIDER_REFUSALS.userKnown(email)
  if (isOwn) await users.update([{ id, name }])
  if (isMoved) await users.update([{ id, email: email.trim(), emailFolded }])
  return ok(id)
}
