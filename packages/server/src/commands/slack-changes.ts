/** Changes of who people are in Slack, and of what a channel answered: no permission of an organisation is asked for. */
import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { CHANNELS, SLACK_PEOPLE } from '#model/tables/channels.ts'
import { CHANNEL_REFUSALS, refuseSlackLinks } from '#notices/rules/channels.ts'
import type { LastAnswer, SlackLink } from '#ports/channels.ts'
import type { Tx } from '#ports/control.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAudit } from './audit-entry.ts'

interface Linking {
  readonly link: Omit<SlackLink, 'id' | 'linkedMs'>
  readonly actor: Actor
}

/** Notes whoever said that they are this one; the last one counts. Refused beyond `slackLinksPerPersonMax`. */
export async function linkSlack(tx: Tx, { link, actor }: Linking): Promise<Result<null>> {
  const { orgId, app, slackUser, slackName, userId } = link
  const rows = tx.rows(SLACK_PEOPLE)
  const refused = refuseSlackLinks(await rows.count({ userId }))
  if (refused !== null) return refused
  await rows.remove({ orgId, app, slackUser })
  await rows.insert([{ ...link, linkedMs: actor.atMs }])
  await writeAudit(tx, orgId, actor, { action: 'slack.linked', target: slackName, detail: { slackUser } })
  return ok(null)
}

interface Unlinking {
  readonly user: UserId
  readonly id: number
  readonly actor: Actor
}

export async function unlinkSlack(tx: Tx, { user, id, actor }: Unlinking): Promise<Result<null>> {
  const rows = tx.rows(SLACK_PEOPLE)
  const known = await rows.one({ id, userId: user })
  if (known === null) return CHANNEL_REFUSALS.noSlackLink()
  await rows.remove({ id })
  const { orgId, slackName: target, slackUser } = known
  await writeAudit(tx, orgId, actor, { action: 'slack.unlinked', target, detail: { slackUser } })
  return ok(null)
}

interface Answered {
  readonly orgId: OrgId
  readonly id: number
  readonly answer: LastAnswer
}

/** Notes the answer to a test. Nothing where the channel is gone. */
export async function noteAnswer(tx: Tx, { orgId, id, answer }: Answered): Promise<null> {
  const { isDelivered: lastDelivered, says, atMs: lastMs } = answer
  const lastSays = says.slice(0, max('noticeSaysCharsMax'))
  await tx.rows(CHANNELS).change({ id, orgId }, { lastDelivered, lastSays, lastMs })
  return null
}
