/** Keeps who people are in Slack. */
import type { ChannelsRead, SlackLink } from '#ports/channels.ts'
import type { Connection } from '../connection.ts'

interface LinkRow extends Omit<SlackLink, 'byProvider'> {
  readonly byProvider: number
}

const LINK = `SELECT id, org_id AS orgId, app, slack_user AS slackUser, slack_name AS slackName, user_id AS userId,
  by_provider AS byProvider, linked_ms AS linkedMs FROM slack_people`

export function slackPeopleRead(db: Connection): Pick<ChannelsRead, 'slackLinks' | 'slackPerson'> {
  return {
    slackLinks: async (user) =>
      // slack_people_by_user
      db.all<LinkRow>(`${LINK} WHERE user_id = ? ORDER BY id DESC`, [user]).map(linkOf),
    slackPerson: async ({ orgId, app, slackUser }) => {
      // The unique key.
      const sql = `${LINK} WHERE org_id = ? AND app = ? AND slack_user = ?`
      const row = db.get<LinkRow>(sql, [orgId, app, slackUser])
      return row === undefined ? null : linkOf(row)
    },
  }
}

function linkOf({ byProvider, ...row }: LinkRow): SlackLink {
  return { ...row, byProvider: byProvider === 1 }
}
