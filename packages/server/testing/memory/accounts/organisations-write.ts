/** Organisations, their first owner, and the roles of members. */
import { type OrgId, orgId, type UserId, userId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import {
  ACCOUNT_REFUSALS,
  refuseLastOwner,
  refuseOrganisations,
  refuseOtherRole,
} from '#model/account-rules.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { AccountsWrite, FirstOwner, User } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import { insertPresets } from '../alerts/alerts.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { endInvitations } from '../rows/invitations.ts'
import { emailOf, joinTeam, membershipKey, projectsWithin, roleOf } from '../rows/members.ts'
import { insertProject } from '../rows/project-rows.ts'
import type { Tables } from '../tables.ts'
import { needsSetup } from './accounts-read.ts'
import { insertTeam } from './teams-write.ts'

type OrganisationsWrite = Pick<
  AccountsWrite,
  | 'createFirstOwner'
  | 'setPublicUrl'
  | 'createOrganisation'
  | 'renameOrganisation'
  | 'setArtifactQuota'
  | 'setRole'
  | 'setGuest'
  | 'setRoleDefault'
  | 'removeMember'
>

export function organisationsWrite(to: Tables): OrganisationsWrite {
  return {
    createFirstOwner: async (owner, actor) => to.transaction(() => createFirstOwner(to, owner, actor)),
    setPublicUrl: async (url, user, actor) =>
      to.transaction(() => {
        const detail = { before: to.publicUrl() }
        to.installation.put('public_url', { value: url })
        writeAccountAudit(to, user, actor, { action: 'installation.address_changed', target: url, detail })
      }),
    createOrganisation: async (slug, name, owner, actor) =>
      to.transaction(() => {
        if (isSlugTaken(to, slug, null)) return ACCOUNT_REFUSALS.organisationSlug(slug)
        const tooMany = refuseOrganisations(to.organisations.all().length)
        if (tooMany !== null) return tooMany
        if (!to.users.has(owner)) return ACCOUNT_REFUSALS.ownerUnknown()
        return ok(insertOrganisation(to, { slug, name, owner }, actor))
      }),
    renameOrganisation: async (org, change, actor) =>
      to.transaction(() => {
        const before = to.organisations.get(org)
        if (before === undefined) return ACCOUNT_REFUSALS.organisationGone()
        const stale = refuseUnseen(before, change.seen)
        if (stale !== null) return stale
        if (isSlugTaken(to, change.slug, org)) return ACCOUNT_REFUSALS.organisationSlug(change.slug)
        const { seen: _, ...given } = change
        const { slug, name } = to.organisations.change(org, given)
        const detail = { nameBefore: before.name, slugBefore: before.slug, slug }
        writeAudit(to, org, actor, { action: 'organisation.renamed', target: name, detail })
        return ok(null)
      }),
    setArtifactQuota: async (org, quota, actor) =>
      to.transaction(() => {
        const organisation = to.organisations.get(org)
        if (organisation === undefined) return ACCOUNT_REFUSALS.organisationGone()
        if (quota === null) to.artifactQuotas.delete(org)
        else to.artifactQuotas.put(org, { orgId: org, quota })
        writeAudit(to, org, actor, {
          action: 'organisation.artifact_quota_changed',
          target: organisation.name,
          detail: quota === null ? { isDefault: true } : { ...quota },
        })
        return ok(null)
      }),
    setRole: async (org, of, role, actor) =>
      to.transaction(() => {
        const { user } = of
        const before = roleOf(to, org, user)
        if (before === null) return ACCOUNT_REFUSALS.noMember()
        const other = refuseOtherRole(before, of)
        if (other !== null) return other
        if (before === role) return ok(null)
        const last = refuseLastOwner('demoted', { role: before, owners: ownersOf(to, org) })
        if (last !== null) return last
        to.memberships.change(membershipKey(org, user), { role, projects: [] })
        endInvitations(to, { org, user, role })
        const detail = { before, after: role }
        writeAudit(to, org, actor, { action: 'member.role_changed', target: emailOf(to, user), detail })
        return ok(null)
      }),
    setGuest: async (org, of, projects, actor) =>
      to.transaction(() => {
        const { user } = of
        const before = roleOf(to, org, user)
        if (before === null) return ACCOUNT_REFUSALS.noMember()
        const refusal =
          refuseOtherRole(before, of) ??
          refuseLastOwner('demoted', { role: before, owners: ownersOf(to, org) })
        if (refusal !== null) return refusal
        const chosen = projectsWithin(to, org, projects)
        if (chosen.length === 0 || chosen.length !== new Set(projects).size)
          return ACCOUNT_REFUSALS.projectUnknown()
        to.memberships.change(membershipKey(org, user), { role: 'guest', projects: chosen })
        leaveTeams(to, org, user)
        endInvitations(to, { org, user, role: 'guest' })
        const detail = { before, after: 'guest', projects: chosen.length }
        writeAudit(to, org, actor, { action: 'member.role_changed', target: emailOf(to, user), detail })
        return ok(null)
      }),
    setRoleDefault: async (org, role, actor) =>
      to.transaction(() => {
        const target = to.organisations.get(org)?.name
        if (target === undefined) return ACCOUNT_REFUSALS.organisationGone()
        const before = to.roleDefaults.get(org)?.role ?? 'member'
        to.roleDefaults.put(org, { role })
        const detail = { before, after: role }
        writeAudit(to, org, actor, { action: 'organisation.role_default_changed', target, detail })
        return ok(null)
      }),
    removeMember: async (org, of, actor) =>
      to.transaction(() => {
        const { user } = of
        const before = roleOf(to, org, user)
        if (before === null) return ACCOUNT_REFUSALS.noMember()
        const refusal =
          refuseOtherRole(before, of) ??
          refuseLastOwner('removed', { role: before, owners: ownersOf(to, org) })
        if (refusal !== null) return refusal
        removeTraces(to, org, user)
        writeAudit(to, org, actor, {
          action: 'member.removed',
          target: emailOf(to, user),
          detail: { before },
        })
        return ok(null)
      }),
  }
}

function createFirstOwner(
  to: Tables,
  owner: FirstOwner,
  actor: Actor,
): ReturnTypeOf<AccountsWrite['createFirstOwner']> {
  if (!needsSetup(to)) return ACCOUNT_REFUSALS.setUpAlready()
  const { organisation, project, selfProject, keyPublic } = owner
  if (isSlugTaken(to, organisation.slug, null)) return ACCOUNT_REFUSALS.organisationSlug(organisation.slug)
  const user = insertUser(to, { ...owner, isOperator: true }, actor.atMs)
  const by: Actor = { ...actor, userId: user, label: owner.name === '' ? owner.email : owner.name }
  const org = insertOrganisation(to, { ...organisation, owner: user }, by)
  const inside = { orgId: org, teams: [] }
  const id = insertProject(to, { ...project, ...inside, keyPublic, isSelf: false }, by)
  insertProject(to, { ...selfProject, ...inside, platform: 'node', isSelf: true }, by)
  to.users.change(user, { orgIdLast: org })
  if (owner.publicUrl !== null) to.installation.put('public_url', { value: owner.publicUrl })
  writeAudit(to, org, by, { action: 'installation.set_up', target: organisation.name })
  return ok({ userId: user, orgId: org, projectId: id })
}

type ReturnTypeOf<Method extends (...of: never[]) => unknown> = Awaited<ReturnType<Method>>

export function insertUser(
  to: Tables,
  user: Pick<User, 'email' | 'name' | 'isOperator'> & { readonly passwordHash: string },
  atMs: number,
): UserId {
  const id = userId(to.users.nextId())
  const { name, isOperator, passwordHash } = user
  const account = { id, email: user.email.trim(), name, isOperator, passwordHash }
  to.users.put(id, { ...account, theme: 'system', orgIdLast: null, createdMs: atMs })
  return id
}

/** With its default team, named like it, and its owner in both. */
function insertOrganisation(
  to: Tables,
  { slug, name, owner }: { readonly slug: string; readonly name: string; readonly owner: UserId },
  actor: Actor,
): OrgId {
  const id = orgId(to.organisations.nextId())
  to.organisations.put(id, { id, slug, name, createdMs: actor.atMs })
  const member = { orgId: id, userId: owner, role: 'owner', joinedMs: actor.atMs } as const
  to.memberships.put(membershipKey(id, owner), member)
  joinTeam(to, insertTeam(to, { orgId: id, slug, name, createdMs: actor.atMs }), owner)
  insertPresets(to, id, actor.atMs)
  writeAudit(to, id, actor, { action: 'organisation.created', target: name, detail: { slug } })
  return id
}

function isSlugTaken(of: Tables, slug: string, but: OrgId | null): boolean {
  return of.organisations.find((other) => other.slug === slug && other.id !== but) !== undefined
}

function ownersOf(of: Tables, org: OrgId): number {
  return of.memberships.where(({ orgId, role }) => orgId === org && role === 'owner').length
}

function leaveTeams(to: Tables, org: OrgId, user: UserId): void {
  for (const team of to.teams.where(({ orgId }) => orgId === org)) {
    const [members, admins] = [team.members, team.admins].map((ids) => ids.filter((id) => id !== user))
    to.teams.change(team.id, { members: members ?? [], admins: admins ?? [] })
  }
}

/** Everything that let the user act in the organisation, or stands there in their name. */
export function removeTraces(to: Tables, org: OrgId, user: UserId): void {
  to.memberships.delete(membershipKey(org, user))
  leaveTeams(to, org, user)
  endInvitations(to, { org, user, role: null })
  to.tokens.deleteWhere((token) => token.orgId === org && token.userId === user)
  to.slackPeople.deleteWhere((one) => one.orgId === org && one.userId === user)
  if (to.users.get(user)?.orgIdLast === org) to.users.change(user, { orgIdLast: null })
  for (const { id, projectId } of to.issues.where(({ assigneeId }) => assigneeId === user))
    if (to.projects.get(projectId)?.orgId === org) to.issues.change(id, { assigneeId: null })
}
