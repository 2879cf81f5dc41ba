import { object } from 'valibot'
import { choiceField, textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction } from '#wire/define-action.ts'

/** Archives a release, or takes it back among those that are listed. */
export const setReleaseStatus = defineAction(
  'release.status',
  'release.write',
  object({ version: textField, status: choiceField(['open', 'archived']) }),
  async (ctx, { version, status }) => {
    const change = { version, projects: [], body: { status } }
    const done = await ctx.engine.commands.run('changeRelease', ctx, change)
    return done.ok ? { result: status } : done
  },
)

/** Deletes a release with its artifacts. */
export const deleteRelease = defineAction(
  'release.delete',
  'release.write',
  object({ version: textField }),
  async (ctx, { version }) => {
    const done = await ctx.engine.commands.run('deleteRelease', ctx, version)
    return done.ok ? { redirect: paths.releases(ctx.scope.orgSlug) } : done
  },
)
