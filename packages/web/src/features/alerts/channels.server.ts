import { CHANNEL_FORMS } from '@errata/server/commands'
import { type AlertRuleView, CHANNEL_KINDS, type Channel, type ChannelKind } from '@errata/server/queries'
import { chosenKind, formOf, kindsOf, storedService } from '#parts/services.server.ts'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { frameOf } from './alerts.server.ts'
import type { Picture } from './picture.ts'
import { pictureOf } from './pictures.server.ts'
import { seenChannel } from './seen.server.ts'

export async function loadChannels(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, viewer } = org
  const { views, channels, counts } = await frameOf(org)
  return {
    ...{ org: scope.orgSlug, counts, mayWrite: engine.access.can(viewer, scope, 'alert.write') },
    rows: channels.map((channel) => ({
      ...{ id: channel.id, name: channel.name, last: channel.last, createdBy: channel.createdBy },
      service: formOf(CHANNEL_FORMS, channel.kind).label,
      rules: rulesOf(views, channel),
    })),
  }
}

function rulesOf(views: readonly AlertRuleView[], { id }: Pick<Channel, 'id'>) {
  return views.flatMap(({ rule }) =>
    rule.notify.some(({ target }) => target.to === 'channel' && target.channelId === id)
      ? [{ id: rule.id, name: rule.name }]
      : [],
  )
}

/** Loads one channel, or a new one's form; without a kind, the kinds to choose from. */
export async function loadChannel(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, params, url, viewer } = org
  const channel = params.channel === undefined ? null : await channelOf(org, params.channel)
  const kind = channel?.kind ?? chosenKind(CHANNEL_KINDS, url)
  const mayWrite = engine.access.can(viewer, scope, 'alert.write')
  return {
    ...{ org: scope.orgSlug, mayWrite, kinds: kindsOf(CHANNEL_FORMS) },
    form: kind === null ? null : formOf(CHANNEL_FORMS, kind),
    channel:
      channel === null ? null : { ...channel, ...(await usesOf(org, channel)), seen: seenChannel(channel) },
    picture: kind === null || !mayWrite ? null : await pictureNow(org, kind, channel),
    /** Address to which Slack must send what people press. */
    callback:
      channel?.kind === 'slack-bot'
        ? `${engine.publicAddress.url}/api/0/alert-channels/${channel.id}/slack/`
        : null,
  }
}

export function channelOf({ engine, scope }: OrgContext, ref: string): Promise<Channel> {
  return storedService(ref, (id) => engine.queries.channel(scope, id))
}

/** Returns what is deleted with the channel. */
async function usesOf({ engine, scope }: OrgContext, channel: Channel) {
  const [views, { counts }] = await Promise.all([
    engine.queries.alertRules(scope),
    engine.queries.deliveryLog(scope, { channel: String(channel.id), days: '90' }),
  ])
  const { waiting, sending, sent, failed } = counts
  return { rules: rulesOf(views, channel), waiting: waiting + sending, sent, failed }
}

async function pictureNow(
  org: OrgContext,
  kind: ChannelKind,
  channel: Channel | null,
): Promise<Picture | null> {
  const rendered = await org.engine.commands.previewChannel(org, { kind, values: channel?.settings ?? {} })
  return rendered.ok ? pictureOf(kind, rendered.value.body) : null
}
