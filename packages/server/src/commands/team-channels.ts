/** The channel of a team, where comments that name the team are sent. */
import type { TeamId } from '#base/ids.ts'
import { ok, refuse } from '#base/result.ts'
import { ACCOUNT_REFUSALS } from '#model/account-rules.ts'
import { CHANNELS } from '#model/tables/channels.ts'
import { TEAMS } from '#model/tables/organisations.ts'
import { changeFound } from './change-found.ts'
import { command } from './command.ts'

export const setTeamChannel = command({
  permission: 'team.write',
  about: ({ team }: { readonly team: TeamId; readonly channel: number | null }) => ({ team }),
  input: (given: { readonly team: TeamId; readonly channel: number | null }) => ok(given),
  change: (tx, { team: id, channel: channelId }, by) => {
    const { orgId } = by.scope
    return changeFound(tx, by, {
      find: tx.rows(TEAMS).one({ id, orgId }),
      missing: ACCOUNT_REFUSALS.noTeam,
      change: async ({ name: target }) => {
        const channel = channelId === null ? null : await tx.rows(CHANNELS).one({ id: channelId, orgId })
        if (channelId !== null && channel === null) return refuse('not_found', 'There is no such channel.')
        await tx.rows(TEAMS).update([{ id, channelId }])
        return { action: 'team.changed', target, detail: { channel: channel?.name ?? null } }
      },
    })
  },
})
