/** Channels of an organisation. */
import { withoutChannel } from '#alerts/rules/rule-changes.ts'
import type { OrgId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { CHANNEL_REFUSALS, refuseChannels, refuseSlackLinks } from '#notices/rules/channels.ts'
import { CHANNEL_DELETED } from '#notices/rules/messages.ts'
import type { Channel, ChannelsRead, ChannelsWrite, ChannelTarget, SlackIdentity } from '#ports/channels.ts'
import type { ChannelRow } from '../alert-tables.ts'
import { ascending, descending, inOrder } from '../order.ts'
import { writeAudit } from '../rows/audit.ts'
import type { Tables } from '../tables.ts'

export function channelsRead(of: Tables): ChannelsRead {
  return {
    channels: async ({ orgId }) =>
      of.channels
        .where((row) => row.orgId === orgId)
        .sort(
          inOrder(
            ascending(({ name }) => name),
            ascending(({ kind }) => kind),
          ),
        )
        .map(shown),
    channel: async ({ orgId }, id) => {
      const row = channelOf(of, orgId, id)
      return row === null ? null : shown(row)
    },
    slackLinks: async (user) =>
      of.slackPeople.where(({ userId }) => userId === user).sort(descending(({ id }) => id)),
  }
}

export function channelsWrite(to: Tables): ChannelsWrite {
  return {
    createChannel: async (org, channel, actor) =>
      to.transaction(() => {
        const refused = refuseChannels(to.channels.where(({ orgId }) => orgId === org).length)
        if (refused !== null) return refused
        const { kind, name } = channel
        if (isTaken(to, { orgId: org, kind, name, id: 0 })) return CHANNEL_REFUSALS.nameTaken()
        const id = to.channels.nextId()
        const made = { createdBy: actor.label, createdMs: actor.atMs, changedMs: actor.atMs }
        to.channels.put(id, { id, orgId: org, ...channel, ...made, last: null })
        writeAudit(to, org, actor, { action: 'channel.created', target: name, detail: { kind } })
        return ok({ id })
      }),
    changeChannel: async (org, id, { seen, ...change }, actor) =>
      to.transaction(() => {
        const before = channelOf(to, org, id)
        if (before === null) return CHANNEL_REFUSALS.noChannel()
        const unseen = refuseUnseen(before, seen)
        if (unseen !== null) return unseen
        const { kind } = before
        const name = change.name ?? before.name
        if (isTaken(to, { orgId: org, kind, name, id })) return CHANNEL_REFUSALS.nameTaken()
        const secrets = { ...before.secrets, ...change.secrets }
        const settings = change.settings ?? before.settings
        to.channels.change(id, { name, secrets, settings, changedMs: actor.atMs })
        const detail = { kind, changed: Object.keys(change).join(', ') }
        writeAudit(to, org, actor, { action: 'channel.changed', target: name, detail })
        return ok(null)
      }),
    deleteChannel: async (org, id, actor) =>
      to.transaction(() => {
        const before = channelOf(to, org, id)
        return before === null ? CHANNEL_REFUSALS.noChannel() : remove(to, before, actor)
      }),
    noteAnswer: async (org, id, last) =>
      to.transaction(() => {
        if (channelOf(to, org, id) !== null) to.channels.change(id, { last })
      }),
    channelTarget: async (org, id) => {
      const row = channelOf(to, org, id)
      return row === null ? null : targetOf(row)
    },
    channelForCallback: async (id) => {
      const row = to.channels.get(id)
      return row === undefined ? null : { ...targetOf(row), orgId: row.orgId }
    },
    linkSlack: async (link, actor) =>
      to.transaction(() => {
        const refused = refuseSlackLinks(to.slackPeople.where((one) => one.userId === link.userId).length)
        if (refused !== null) return refused
        to.slackPeople.deleteWhere((one) => isSlackPerson(one, link))
        const id = to.slackPeople.nextId()
        to.slackPeople.put(id, { ...link, id, linkedMs: actor.atMs })
        const detail = { slackUser: link.slackUser }
        writeAudit(to, link.orgId, actor, { action: 'slack.linked', target: link.slackName, detail })
        return ok(null)
      }),
    unlinkSlack: async (user, id, actor) =>
      to.transaction(() => {
        const link = to.slackPeople.get(id)
        if (link === undefined || link.userId !== user) return CHANNEL_REFUSALS.noSlackLink()
        to.slackPeople.delete(id)
        const detail = { slackUser: link.slackUser }
        writeAudit(to, link.orgId, actor, { action: 'slack.unlinked', target: link.slackName, detail })
        return ok(null)
      }),
    slackPerson: async (wanted) => to.slackPeople.find((one) => isSlackPerson(one, wanted)) ?? null,
  }
}

function isSlackPerson(one: SlackIdentity, other: SlackIdentity): boolean {
  return one.orgId === other.orgId && one.app === other.app && one.slackUser === other.slackUser
}

export function targetOf({ id, kind, name, settings, secrets }: ChannelRow): ChannelTarget {
  return { id, kind, name, values: { ...settings, ...secrets } }
}

function remove(
  to: Tables,
  { id, orgId, name, kind }: ChannelRow,
  actor: Parameters<ChannelsWrite['deleteChannel']>[2],
): Result<null> {
  const underWay = to.messages.where(
    ({ channelId, state }) => channelId === id && (state === 'waiting' || state === 'sending'),
  )
  const ended = { state: 'cancelled', says: CHANNEL_DELETED, dueMs: null, lease: null } as const
  for (const message of underWay) to.messages.change(message.id, { ...ended, settledMs: actor.atMs })
  to.channels.delete(id)
  for (const rule of to.alertRules.where((one) => one.orgId === orgId)) {
    const left = withoutChannel(rule, id)
    if (left !== null) to.alertRules.put(rule.id, left)
  }
  to.threads.deleteWhere(({ channelId }) => channelId === id)
  writeAudit(to, orgId, actor, { action: 'channel.deleted', target: name, detail: { kind } })
  return ok(null)
}

function channelOf(of: Tables, org: OrgId, id: number): ChannelRow | null {
  const row = of.channels.get(id)
  return row === undefined || row.orgId !== org ? null : row
}

function isTaken(of: Tables, one: Pick<ChannelRow, 'orgId' | 'kind' | 'name' | 'id'>): boolean {
  return (
    of.channels.find(
      ({ orgId, kind, name, id }) =>
        orgId === one.orgId && kind === one.kind && name === one.name && id !== one.id,
    ) !== undefined
  )
}

function shown({ orgId: _, secrets, ...row }: ChannelRow): Channel {
  return { ...row, secretsSet: Object.keys(secrets) }
}
