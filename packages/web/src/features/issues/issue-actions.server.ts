/** What people change about issues. One action for what can be undone, one for what cannot, one for comments. */

import { userId } from '@errata/server/ids'
import type { ResolveIn } from '@errata/server/queries'
import { array, minLength, object, optional, pipe, regex, string, transform, union } from 'valibot'
import { textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import type { ChangeIssues } from '#parts/use-issue-change.ts'
import { defineAction } from '#wire/define-action.ts'
import type { OrgContext } from '#wire/types.ts'

const REFS = pipe(
  union([
    array(string()),
    pipe(
      string(),
      transform((one) => [one]),
    ),
  ]),
  minLength(1, 'Select at least one issue.'),
)

/** `resolve`, `resolve:latest`, `resolve:next`, `unresolve`, `undo`, `archive:forever`, `archive:escalating`, `archive:events-100`, `archive:minutes-60`, `assign:12`, `assign:none`, `merge`. */
const CHANGE = pipe(
  string(),
  regex(
    /^(?:resolve(?::latest|:next)?|unresolve|undo|merge|archive:(?:forever|escalating|(?:events|users|minutes)-[1-9]\d{0,8})|assign:(?:none|\d{1,15}))$/,
    'Unknown change.',
  ),
)

/** Resolves, archives, assigns or merges issues. Answers how many were changed, and into which they were merged. */
export const changeIssues: ChangeIssues = defineAction(
  'issue.change',
  'issue.write',
  object({ refs: REFS, change: CHANGE }),
  async (ctx, { refs, change }) => {
    const [verb = '', argument = ''] = change.split(':')
    if (verb === 'merge') return mergeInto(ctx, refs)
    const changed = await runChange(ctx, refs, { verb, argument })
    if (!changed.ok) return changed
    return { result: { change, refs, changed: changed.value.length } }
  },
)

/** Deletes issues with their events. From an issue's own page it leads back to the list. */
export const deleteIssues = defineAction(
  'issue.delete',
  'issue.delete',
  object({ refs: REFS, to: optional(string()) }),
  async (ctx, { refs, to }) => {
    const deleted = await ctx.engine.commands.deleteIssues(ctx, { refs })
    if (!deleted.ok) return deleted
    if (to === 'list') return { redirect: paths.issues(ctx.scope.orgSlug) }
    return { result: { deleted: deleted.value.length } }
  },
)

/** Adds a comment to an issue's activity. */
export const commentIssue = defineAction(
  'issue.comment',
  'issue.write',
  object({
    ref: string(),
    text: textField,
  }),
  (ctx, { ref, text }) => ctx.engine.commands.commentIssue(ctx, { ref, text }),
)

async function mergeInto(ctx: OrgContext, refs: readonly string[]) {
  const merged = await ctx.engine.commands.mergeIssues(ctx, { refs })
  if (!merged.ok) return merged
  return { result: { change: 'merge', refs, changed: refs.length } }
}

/** Nothing: now. */
const RESOLVE_IN: Readonly<Record<string, ResolveIn>> = {
  latest: { how: 'release', release: 'latest' },
  next: { how: 'next' },
}

function runChange(
  ctx: OrgContext,
  refs: readonly string[],
  { verb, argument }: { readonly verb: string; readonly argument: string },
) {
  const { commands } = ctx.engine
  const selection = { refs }
  switch (verb) {
    case 'resolve':
      return commands.resolveIssues(ctx, selection, RESOLVE_IN[argument] ?? null)
    case 'unresolve':
      return commands.unresolveIssues(ctx, selection)
    case 'undo':
      return commands.undoIssues(ctx, selection)
    case 'archive': {
      const [unit, value] = argument.split('-')
      const end = (name: string) => (unit === name ? Number(value) : null)
      const until = { eventsMore: end('events'), usersMore: end('users'), minutes: end('minutes') }
      const escalating = argument === 'escalating'
      return commands.archiveIssues(ctx, { selection, until: { ...until, escalating } })
    }
    default: {
      const assignee = argument === 'none' ? null : userId(Number(argument))
      return commands.assignIssues(ctx, { selection, assignee })
    }
  }
}
