/** Changes of organisations, their teams and members, whose preparation found nothing wrong. */
import type { OrgId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import { createChanges } from '#commands/changes.ts'
import type { OwnGiven } from '#commands/own-changes.ts'
import type { CommandName, GivenOf, PreparedOf } from '#commands/table.ts'
import type { GivenRole, Role } from '#ports/accounts.ts'
import type { Control } from '#ports/control.ts'
import type { SeenSettings } from '#ports/projects.ts'
import type { Actor } from '#ports/scope.ts'
import { scopeForTest } from './builders/scope.ts'
import { changesOf } from './changes.ts'

export type MemberChanges = ReturnType<typeof memberChanges>

interface Seeing {
  readonly seen?: SeenSettings | undefined
}
interface KnownMember {
  readonly user: UserId
  readonly role?: Role
}
interface NewInvitation {
  readonly orgId: OrgId
  readonly email: string
  readonly role: Role
  readonly teams: readonly TeamId[]
  readonly projects?: readonly ProjectId[]
  readonly codeHash: string
  readonly expiresMs: number
  readonly letterKey?: string
}

export function memberChanges(control: Control) {
  const change = changesOf(control)
  const { own } = createChanges(control)
  const of = <N extends CommandName>(name: N, orgId: OrgId, prepared: PreparedOf<N>, actor: Actor) =>
    change(name, prepared, { scope: scopeForTest({ orgId, projects: [] }), actor })
  const before = ({ role }: KnownMember) => (role === undefined ? {} : { before: role })
  return {
    renameOrganisation: (org: OrgId, given: GivenOf<'renameOrganisation'>, actor: Actor) =>
      of('renameOrganisation', org, given, actor),
    setRoleDefault: (org: OrgId, role: GivenRole, actor: Actor) => of('setRoleDefault', org, { role }, actor),
    createTeam: async (org: OrgId, slug: string, name: string, actor: Actor) => {
      const made = await of('createTeam', org, { slug, name }, actor)
      return made.ok ? ok(made.value.id) : made
    },
    setTeam: (
      org: OrgId,
      team: TeamId,
      { seen, ...given }: GivenOf<'setTeam'>['change'] & Seeing,
      actor: Actor,
    ) => of('setTeam', org, { team, change: given, seen }, actor),
    deleteTeam: (org: OrgId, team: TeamId, actor: Actor) => of('deleteTeam', org, { team }, actor),
    putDirectoryGroup: (org: OrgId, group: PreparedOf<'putDirectoryGroup'>, actor: Actor) =>
      of('putDirectoryGroup', org, group, actor),
    setRole: (org: OrgId, known: KnownMember, role: Exclude<Role, 'guest'>, actor: Actor) =>
      of('setRole', org, { user: known.user, role, projects: [], ...before(known) }, actor),
    setGuest: (org: OrgId, known: KnownMember, projects: readonly ProjectId[], actor: Actor) =>
      of('setRole', org, { user: known.user, role: 'guest', projects, ...before(known) }, actor),
    removeMember: (org: OrgId, known: KnownMember, actor: Actor) =>
      of('removeMember', org, { ...known, revokesTokens: false }, actor),
    createInvitation: async ({ orgId, projects = [], ...invitation }: NewInvitation, actor: Actor) => {
      const prepared = { invitation: { ...invitation, projects }, link: { code: '', url: '' } }
      const made = await of('invite', orgId, prepared, actor)
      return made.ok ? ok(null) : made
    },
    revokeInvitation: (org: OrgId, codeHash: string, actor: Actor) =>
      of('revokeInvitation', org, { codeHash }, actor),
    changeInvitation: (
      { orgId, ...given }: GivenOf<'changeInvitation'> & { readonly orgId: OrgId },
      actor: Actor,
    ) => of('changeInvitation', orgId, given, actor),
    acceptInvitation: (codeHash: string, account: OwnGiven<'acceptInvitation'>['account'], actor: Actor) =>
      own('acceptInvitation', { codeHash, account, actor }),
  }
}
