/** The channel of a team, where comments that name the team are sent. */
import type { TeamId } from '#base/ids.ts'
import { ok, refuse } from '#base/result.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import { CHANNELS } from '#model/tables/channels.ts'
import { TEAMS } from '#model/tables/organisations.ts'
import { writeAudit } from './audit-entry.ts'
import { command } from './command.ts'

export const setTeamChannel = command({
  permission: 'team.write',
  about: ({ team }: { readonly team: TeamId; readonly channel: number | null }) => ({ team }),
  input: (given: { readonly team: TeamId; readonly channel: number | null }) => ok(given),
  change: async (tx, { team: id, channel: channelId }, { scope: { orgId }, actor }) => {
    const team = await tx.rows(TEAMS).one({ id, orgId })
    if (team === null) return ACCOUNT_REFUSALS.noTeam()
    const channel = channelId === null ? null : await tx.rows(CHANNELS).one({ id: channelId, orgId })
    if (channelId !== null && channel === null) return refuse('not_found', 'There is no such channel.')
    await tx.rows(TEAMS).update([{ id, channelId }])
    const detail = { channel: channel?.name ?? null }
    await writeAudit(tx, orgId, actor, { action: 'team.changed', target: team.name, detail })
    return ok(null)
  },
})
