/** Keeps who people are in Slack. */
import type { UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { CHANNEL_REFUSALS, refuseSlackLinks } from '#notices/rules/channels.ts'
import type { ChannelsRead, ChannelsWrite, SlackLink } from '#ports/channels.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { writeAudit } from '../rows/audit.ts'

interface LinkRow extends Omit<SlackLink, 'byProvider'> {
  readonly byProvider: number
}

const LINK = `SELECT id, org_id AS orgId, app, slack_user AS slackUser, slack_name AS slackName, user_id AS userId,
  by_provider AS byProvider, linked_ms AS linkedMs FROM slack_people`

export function slackPeopleRead(db: Connection): Pick<ChannelsRead, 'slackLinks'> {
  return {
    slackLinks: async (user) =>
      // slack_people_by_user
      db.all<LinkRow>(`${LINK} WHERE user_id = ? ORDER BY id DESC`, [user]).map(linkOf),
  }
}

export function slackPeopleWrite(
  db: Connection,
): Pick<ChannelsWrite, 'linkSlack' | 'unlinkSlack' | 'slackPerson'> {
  return {
    linkSlack: async (link, actor) => db.transaction(() => write(db, link, actor)),
    unlinkSlack: async (user, id, actor) => db.transaction(() => remove(db, { user, id }, actor)),
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

function write(db: Connection, link: Parameters<ChannelsWrite['linkSlack']>[0], actor: Actor): Result<null> {
  const { orgId, app, slackUser, slackName, userId, byProvider } = link
  const refused = refuseSlackLinks(
    countOf(db, 'SELECT count(*) AS count FROM slack_people WHERE user_id = ?', [userId]),
  )
  if (refused !== null) return refused
  const sql = `INSERT OR REPLACE INTO slack_people
      (org_id, app, slack_user, slack_name, user_id, by_provider, linked_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)`
  db.run(sql, [orgId, app, slackUser, slackName, userId, byProvider ? 1 : 0, actor.atMs])
  writeAudit(db, orgId, actor, { action: 'slack.linked', target: slackName, detail: { slackUser } })
  return ok(null)
}

function remove(
  db: Connection,
  { user, id }: { readonly user: UserId; readonly id: number },
  actor: Actor,
): Result<null> {
  const row = db.get<LinkRow>(`${LINK} WHERE id = ? AND user_id = ?`, [id, user])
  if (row === undefined) return CHANNEL_REFUSALS.noSlackLink()
  db.run('DELETE FROM slack_people WHERE id = ?', [id])
  const detail = { slackUser: row.slackUser }
  writeAudit(db, row.orgId, actor, { action: 'slack.unlinked', target: row.slackName, detail })
  return ok(null)
}
