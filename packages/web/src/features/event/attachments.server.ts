/** Attachments of the shown event, and deleting one of them. */
import type { EventView } from '@errata/server/queries'
import { object, string } from 'valibot'
import { defineAction } from '#wire/define-action.ts'
import { notFound } from '#wire/loader.ts'
import type { OrgContext } from '#wire/types.ts'

export async function attachmentsOf({ engine, scope }: OrgContext, { row }: EventView) {
  return (await engine.queries.attachments(scope, String(row.projectId), row.eventId)) ?? []
}

export const deleteAttachment = defineAction(
  'issue.attachment-delete',
  'issue.delete',
  object({ project: string(), event: string(), attachment: string() }),
  async (ctx, { project, event: eventId, attachment: id }) => {
    const file = (await ctx.engine.queries.attachment(ctx.scope, project, { eventId, id })) ?? notFound()
    const { view } = file
    const done = await ctx.engine.commands.run('deleteAttachment', ctx, {
      project: view.projectId,
      id: view.id,
    })
    return done.ok ? { result: null } : done
  },
)
