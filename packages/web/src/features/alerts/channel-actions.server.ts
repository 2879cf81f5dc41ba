/** Channels: added, changed, tried out, deleted. */
import { CHANNEL_FORMS } from '@errata/server/commands'
import { CHANNEL_KINDS } from '@errata/server/queries'
import { ok, refuse } from '@errata/server/result'
import { object } from 'valibot'
import { idField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { serviceValues, withFieldNames } from '#parts/service-fields.ts'
import { saveService, serviceSchema } from '#parts/services.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { channelOf } from './channels.server.ts'
import type { Picture } from './picture.ts'
import { pictureOf } from './pictures.server.ts'
import { seenChannel } from './seen.server.ts'

const FORM = serviceSchema({})

export const saveChannel = defineAction('channel.save', 'alert.write', FORM, (ctx, form) => {
  const { kind, name, seen, ...typed } = form
  const values = serviceValues(typed)
  const { commands } = ctx.engine
  return saveService({
    forms: CHANNEL_FORMS,
    ref: ctx.params.channel,
    create: () => commands.run('createChannel', ctx, { kind, name, values }),
    change: (id) => commands.run('changeChannel', ctx, { id, name, values, seen }),
    seen: async (ref) => seenChannel(await channelOf(ctx, ref)),
    path: (id) => paths.alertChannel(ctx.scope.orgSlug, id),
  })
})

/** Changes nothing: the form as it stands is too long for an address. */
export const previewChannel = defineAction('channel.preview', 'alert.write', FORM, async (ctx, form) => {
  const { kind, name: _, seen: __, ...typed } = form
  const known = CHANNEL_KINDS.find((each) => each === kind)
  const rendered = await ctx.engine.commands.previewChannel(ctx, { kind, values: serviceValues(typed) })
  if (!rendered.ok) return withFieldNames<Picture>(rendered, CHANNEL_FORMS)
  // The command knows the kind, or it would have refused.
  return known === undefined
    ? refuse('invalid_input', 'Choose a kind.')
    : ok(pictureOf(known, rendered.value.body))
})

const CHANNEL = object({ channel: idField })

export const testChannel = defineAction('channel.test', 'alert.write', CHANNEL, async (ctx, { channel }) =>
  ctx.engine.commands.testChannel(ctx, channel),
)

export const deleteChannel = defineAction(
  'channel.delete',
  'alert.write',
  CHANNEL,
  async (ctx, { channel }) => {
    const done = await ctx.engine.commands.run('deleteChannel', ctx, channel)
    return done.ok ? { redirect: paths.alertChannels(ctx.scope.orgSlug) } : done
  },
)
