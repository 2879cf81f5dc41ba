/** Groups that an identity provider provisions over SCIM: they are teams here. */
import type { TeamId, UserId } from '#base/ids.ts'
import { ok } from '#base/result.ts'
import { DIRECTORY_GROUPS } from '#model/tables/single-sign-on.ts'
import { command, preparedCommand } from './command.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'
import { freeSlug, slugFrom } from './slugs.ts'
import { changedTeam, createdTeam, removedTeam } from './teams.ts'

type GroupChange = {
  /** `null`: a new one. */
  readonly team: TeamId | null
  readonly name: string
  readonly externalId: string | null
  readonly members: readonly UserId[]
}
type NamedGroup = GroupChange & { readonly slug: string }

/** A group of strangers is none at all. */
export const putDirectoryGroup = preparedCommand({
  permission: 'scim.write',
  input: (change: GroupChange) => {
    const checked = readInput(SCHEMAS.organisation, { name: change.name })
    return checked.ok ? ok({ ...change, name: checked.value.name }) : checked
  },
  prepare: async (parts: Pick<CommandParts, 'accounts'>, { scope }, change: GroupChange) => {
    const teams = await parts.accounts.teams(scope)
    const isTaken = (each: string) => teams.some((team) => team.slug === each)
    return ok({ ...change, slug: freeSlug(slugFrom(change.name, 'team'), isTaken) })
  },
  change: async (tx, { team, name, slug, externalId, members: named }: NamedGroup, by) => {
    const made = team === null ? await createdTeam(tx, { name, slug }, by) : ok(team)
    if (!made.ok) return made
    const members = [...new Set(named)]
    const set = await changedTeam(tx, { team: made.value, change: { name, members } }, by)
    if (!set.ok) return set
    const groups = tx.rows(DIRECTORY_GROUPS)
    if (externalId === null) await groups.remove({ teamId: made.value })
    else await groups.merge([{ teamId: made.value, externalId }])
    return made
  },
})

export const removeDirectoryGroup = command({
  permission: 'scim.write',
  input: (team: TeamId) => ok({ team }),
  change: (tx, { team }: { readonly team: TeamId }, by) => removedTeam(tx, team, by),
})
