/** Channels: added, changed, tried out, deleted. */
import { CHANNEL_FORMS } from '@errata/server/commands'
import { ok, refuse } from '@errata/server/result'
import { object, objectWithRest, string } from 'valibot'
import { idField, seenField, textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { serviceValues, withFieldNames } from '#parts/service-fields.ts'
import { defineAction } from '#wire/define-action.ts'
import { channelOf, kindOf } from './channels.server.ts'
import type { Picture } from './picture.ts'
import { pictureOf } from './pictures.server.ts'
import { seenChannel } from './seen.server.ts'

const FORM = objectWithRest(
  { kind: textField, name: textField, seen: seenField },
  string('This must be text.'),
)

export const saveChannel = defineAction('channel.save', 'alert.write', FORM, async (ctx, form) => {
  const { kind, name, seen, ...typed } = form
  const values = serviceValues(typed)
  const { commands } = ctx.engine
  const id = ctx.params.channel
  if (id !== undefined) {
    const change = { id: Number(id), name, values, seen }
    const done = withFieldNames(await commands.run('changeChannel', ctx, change), CHANNEL_FORMS)
    return done.ok ? { result: { seen: seenChannel(await channelOf(ctx, id)) } } : done
  }
  const made = withFieldNames(await commands.run('createChannel', ctx, { kind, name, values }), CHANNEL_FORMS)
  return made.ok ? { redirect: paths.alertChannel(ctx.scope.orgSlug, made.value.id) } : made
})

/** Changes nothing: the form as it stands is too long for an address. */
export const previewChannel = defineAction('channel.preview', 'alert.write', FORM, async (ctx, form) => {
  const { kind, name: _, seen: __, ...typed } = form
  const known = kindOf(kind)
  const rendered = await ctx.engine.commands.previewChannel(ctx, { kind, values: serviceValues(typed) })
  if (!rendered.ok) return withFieldNames<Picture>(rendered, CHANNEL_FORMS)
  // The command knows the kind, or it would have refused.
  return known === null
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
