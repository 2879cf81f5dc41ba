/** Roles of members. The last owner stays one. */
import { roleIn } from '#access/access.ts'
import type { Viewer } from '#access/viewer.ts'
import type { ProjectId, UserId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ACCOUNT_REFUSALS, refuseLastOwner, refuseOtherRole } from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { GUEST_PROJECTS, MEMBERSHIPS, TOKENS } from '#model/tables/organisations.ts'
import type { Role } from '#ports/accounts.ts'
import type { Tx } from '#ports/control.ts'
import type { SeenSettings } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { countOwners, emailOf, endInvitations, projectsWithin, readRole } from './account-entry.ts'
import { type Asking, refusalOf, refuseUnconfirmed } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { type By, preparedCommand } from './command.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'

type RoleChange = {
  readonly user: UserId
  readonly role: Role
  /** Projects of a guest, at least one. */
  readonly projects?: readonly ProjectId[]
  /** Role and projects that the form showed, ids ascending: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}
type Removal = {
  readonly user: UserId
  /** The role that whoever asks was found to be allowed to change: `conflict` where it is another one meanwhile. */
  readonly role?: Role
  readonly revokesTokens: boolean
}
type Judged = Pick<RoleChange, 'user' | 'role'> & {
  /** The role before, as of a removal. */
  readonly before?: Role
  readonly projects: readonly ProjectId[]
}

export const setRole = preparedCommand({
  permission: 'member.write',
  input: ({ user, seen, role, projects = [] }: RoleChange) => {
    const checked = readInput(SCHEMAS.role, { role, projects })
    return checked.ok ? ok({ ...checked.value, user, seen }) : checked
  },
  prepare: async (
    parts: Pick<CommandParts, 'accounts' | 'clock'>,
    asking,
    { user, seen, role, projects },
  ): Promise<Result<Judged>> => {
    const { scope } = asking
    const member = await findMember(parts, scope, user)
    if (member === null) return noMember()
    const { role: present } = member
    const shown = { role: present, projects: member.projects.toSorted((a, b) => a - b) }
    const isOfOwner = [present, role].includes('owner')
    return (
      refuseUnseen(shown, seen) ??
      refuseOwners(asking, [present, role]) ??
      (role === 'guest' ? refuseGuestProjects(scope, projects) : null) ??
      (isOfOwner ? refuseUnconfirmed(parts, asking) : null) ??
      ok({ user, role, projects, before: present })
    )
  },
  change: async (
    tx,
    { user: userId, role, projects, before: known }: Judged,
    { scope: { orgId }, actor },
  ) => {
    const member = { orgId, userId }
    const before = await readRole(tx, member)
    if (before === null) return ACCOUNT_REFUSALS.noMember()
    const other = refuseOtherRole(before, known === undefined ? {} : { role: known })
    if (other !== null) return other
    if (before === role && role !== 'guest') return ok(null)
    const last =
      before === 'owner'
        ? refuseLastOwner('demoted', { role: before, owners: await countOwners(tx, orgId) })
        : null
    if (last !== null) return last
    const opened = role === 'guest' ? await projectsWithin(tx, orgId, projects) : []
    if (role === 'guest' && (opened.length === 0 || opened.length !== new Set(projects).size))
      return ACCOUNT_REFUSALS.projectUnknown()
    await tx.rows(MEMBERSHIPS).update([{ ...member, role }])
    await tx.rows(GUEST_PROJECTS).remove(member)
    await tx.rows(GUEST_PROJECTS).insert(opened.map((projectId) => ({ ...member, projectId })))
    if (role === 'guest') await tx.accounts.leaveTeams(orgId, userId)
    await endInvitations(tx, member, role)
    await writeAudit(tx, orgId, actor, {
      action: 'member.role_changed',
      target: await emailOf(tx, userId),
      detail: { before, after: role, ...(role === 'guest' ? { projects: opened.length } : {}) },
    })
    return ok(null)
  },
})

/** `revokesTokens`: those of the organisation that they made, too; else these stay. */
export const removeMember = preparedCommand({
  permission: 'member.write',
  input: ({ user, revokesTokens = false }: Pick<Removal, 'user'> & Partial<Pick<Removal, 'revokesTokens'>>) =>
    ok({ user, revokesTokens }),
  prepare: async (
    parts: Pick<CommandParts, 'accounts' | 'clock'>,
    asking,
    { user, revokesTokens }: Removal,
  ): Promise<Result<Removal>> => {
    const refusal = revokesTokens ? refusalOf(asking, 'token.write') : null
    if (refusal !== null) return refusal
    const member = await findMember(parts, asking.scope, user)
    if (member === null) return noMember()
    const { role } = member
    return (
      refuseOwners(asking, [role]) ?? refuseUnconfirmed(parts, asking) ?? ok({ user, role, revokesTokens })
    )
  },
  change: async (tx, { user: userId, role, revokesTokens }: Removal, by) => {
    const { orgId } = by.scope
    const before = await readRole(tx, { orgId, userId })
    if (before === null) return ACCOUNT_REFUSALS.noMember()
    const refused =
      refuseOtherRole(before, role === undefined ? {} : { role }) ??
      (before === 'owner'
        ? refuseLastOwner('removed', { role: before, owners: await countOwners(tx, orgId) })
        : null)
    if (refused !== null) return refused
    await tx.accounts.leave(orgId, userId)
    await writeAudit(tx, orgId, by.actor, {
      action: 'member.removed',
      target: await emailOf(tx, userId),
      detail: { before },
    })
    if (revokesTokens) await revokeTokensOf(tx, userId, by)
    return ok(null)
  },
})

/** Revokes tokens of the organisation that somebody made. */
async function revokeTokensOf(tx: Tx, user: UserId, { scope: { orgId }, actor }: By): Promise<void> {
  const rows = tx.rows(TOKENS)
  const theirs = (await rows.find({ orgId, userId: null }, max('tokensPerOrgMax'))).filter(
    ({ createdById, clientId }) => createdById === user && clientId === null,
  )
  if (theirs.length === 0) return
  await rows.remove({ id: theirs.map(({ id }) => id) })
  for (const { name, tail } of theirs)
    await writeAudit(tx, orgId, actor, { action: 'token.revoked', target: name, detail: { tail } })
}

/** Managers manage everybody but owners. An organisation token is an owner's deed only with `org:admin`. */
function actsAsOwner(viewer: Viewer, scope: ReadScope): boolean {
  const role = roleIn(viewer, scope)
  if (viewer.kind === 'person') return role === 'owner'
  return viewer.token.scopes.includes('org:admin') && (viewer.token.userId === null || role === 'owner')
}

export function refuseOwners(
  { viewer, scope }: Asking,
  roles: readonly (Role | undefined)[],
): Refusal | null {
  if (!roles.includes('owner') || actsAsOwner(viewer, scope)) return null
  return refuse('forbidden', 'Only an owner can make, change or remove an owner.', {
    role: ['Only an owner can make, change or remove an owner.'],
  })
}

/** A guest sees the chosen projects alone: without one there is nothing to come for. */
export function refuseGuestProjects(scope: ReadScope, projects: readonly ProjectId[]): Refusal | null {
  if (projects.length === 0)
    return refuse('invalid_input', 'A guest needs at least one project.', {
      projects: ['Choose at least one project.'],
    })
  if (projects.every((id) => scope.projects.includes(id))) return null
  return refuse('invalid_input', 'One of the projects does not exist.', {
    projects: ['A project does not exist.'],
  })
}

async function findMember({ accounts }: Pick<CommandParts, 'accounts'>, scope: ReadScope, user: UserId) {
  return (await accounts.members(scope, { ids: [user] }))[0] ?? null
}

function noMember(): Refusal {
  return refuse('not_found', 'No member has this ID.')
}
