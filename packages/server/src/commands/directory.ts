/** Commands of an identity provider over SCIM: people, and groups, which are teams here. */
import type { TeamId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import type { DirectoryChange } from '#ports/single-sign-on.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import type { CommandParts } from './parts.ts'
import { read, SCHEMAS } from './schemas.ts'
import { freeSlug, slugFrom } from './slugs.ts'

export interface DirectoryCommands {
  /** `userId` null: somebody new. */
  putDirectoryUser(asking: Asking, change: PersonChange): Promise<Result<UserId>>
  removeDirectoryUser(asking: Asking, user: UserId): Promise<Result<null>>
  /** `team` null: a new one. */
  putDirectoryGroup(asking: Asking, change: GroupChange): Promise<Result<TeamId>>
  removeDirectoryGroup(asking: Asking, team: TeamId): Promise<Result<null>>
}

type PersonChange = Omit<DirectoryChange, 'orgId' | 'role'>

interface GroupChange {
  readonly team: TeamId | null
  readonly name: string
  readonly externalId: string | null
  readonly members: readonly UserId[]
}

type Parts = Pick<CommandParts, 'accounts' | 'accountsWrite' | 'clock' | 'singleSignOn'>

export function directoryCommands(parts: Parts): DirectoryCommands {
  return {
    putDirectoryUser: (asking, change) => putUser(parts, asking, change),
    removeDirectoryUser: async (asking, user) =>
      refusalOf(asking, 'scim.write') ??
      storeOf(parts).write.removeDirectoryUser(asking.scope.orgId, user, actorOf(parts, asking)),
    putDirectoryGroup: (asking, change) => putGroup(parts, asking, change),
    removeDirectoryGroup: async (asking, team) =>
      refusalOf(asking, 'scim.write') ??
      parts.accountsWrite.deleteTeam(asking.scope.orgId, team, actorOf(parts, asking)),
  }
}

function storeOf({ singleSignOn }: Parts) {
  if (singleSignOn === undefined) throw new Error('the command line provisions nobody')
  return singleSignOn
}

async function putUser(parts: Parts, asking: Asking, change: PersonChange): Promise<Result<UserId>> {
  const refusal = refusalOf(asking, 'scim.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.resetRequest, { email: change.email })
  if (!checked.ok) return checked
  const { orgId } = asking.scope
  const { read: reads, write } = storeOf(parts)
  const [method] = await reads.signInProviders(orgId)
  const role = method?.roleDefault ?? (await parts.accounts.roleDefault(orgId))
  return write.putDirectoryUser(
    { ...change, email: checked.value.email, orgId, role },
    actorOf(parts, asking),
  )
}

async function putGroup(parts: Parts, asking: Asking, change: GroupChange): Promise<Result<TeamId>> {
  const refusal = refusalOf(asking, 'scim.write')
  if (refusal !== null) return refusal
  const checked = read(SCHEMAS.organisation, { name: change.name })
  if (!checked.ok) return checked
  const { name } = checked.value
  const { scope } = asking
  const actor = actorOf(parts, asking)
  const teams = await parts.accounts.teams(scope)
  const slug = freeSlug(slugFrom(name, 'team'), (each) => teams.some((team) => team.slug === each))
  const made =
    change.team === null
      ? await parts.accountsWrite.createTeam(scope.orgId, slug, name, actor)
      : ok(change.team)
  if (!made.ok) return made
  const members = [...new Set(change.members)]
  const set = await parts.accountsWrite.setTeam(scope.orgId, made.value, { name, members }, actor)
  if (!set.ok) {
    // A group of strangers is none at all.
    if (change.team === null) await parts.accountsWrite.deleteTeam(scope.orgId, made.value, actor)
    return set
  }
  const known = await storeOf(parts).write.setGroupExternalId(scope.orgId, made.value, change.externalId)
  return known.ok ? made : known
}
