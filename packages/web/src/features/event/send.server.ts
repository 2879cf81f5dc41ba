/** *Send to…* of an issue: a message to a channel, with a note. */
import { max } from '@errata/server/limits'
import { object, string } from 'valibot'
import { idField, textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { serviceOf } from '#parts/service-name.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export async function loadSendIssue(ctx: LoaderContext) {
  const { engine, scope, viewer, params, nowMs } = requireScope(ctx)
  const trend = { startMs: nowMs, endMs: nowMs + 1, stepMs: 1 }
  const found = (await engine.queries.issue(scope, params.id ?? '', trend)) ?? notFound()
  const maySee = engine.access.can(viewer, scope, 'alert.read')
  const channels = maySee ? await engine.queries.channels(scope) : []
  return {
    org: scope.orgSlug,
    issue: { shortId: found.issue.shortId, title: found.issue.title },
    channels: channels.map(({ id, kind, name }) => ({ id, name, service: serviceOf(kind) })),
    mayAdd: engine.access.can(viewer, scope, 'alert.write'),
    noteCharsMax: max('reasonCharsMax'),
  }
}

export const sendIssue = defineAction(
  'issue.send',
  'issue.write',
  object({ ref: string(), channel: idField, note: textField }),
  async (ctx, sent) => {
    const done = await ctx.engine.commands.run('sendIssue', ctx, sent)
    return done.ok ? { redirect: paths.issue(ctx.scope.orgSlug, sent.ref) } : done
  },
)
