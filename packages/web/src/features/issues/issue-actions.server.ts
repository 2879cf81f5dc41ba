/** Actions of people on issues. One action for what can be undone, one for what cannot. */

import type { IssueSelection } from '@errata/server/commands'
import { groupHash, projectId, teamId, userId } from '@errata/server/ids'
import type { ResolveIn } from '@errata/server/queries'
import { refuse } from '@errata/server/result'
import { array, minLength, object, optional, pipe, regex, string, transform, union } from 'valibot'
import { optionalNumberField } from '#parts/fields.server.ts'
import { listPlace } from '#parts/list-address.server.ts'
import { readListAddress } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import type { ChangeIssues } from '#parts/use-issue-change.ts'
import { byWord } from '#ui/by-word.ts'
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

/** `resolve`, `resolve:latest`, `resolve:next`, `unresolve`, `undo`, `undo:assignee`, `undo:merge`, `archive:forever`, `archive:escalating`, `archive:events-100`, `archive:minutes-60`, `assign:12`, `assign:team-3`, `assign:none`, `priority:high`, `merge`. */
const CHANGE = pipe(
  string(),
  regex(
    /^(?:resolve(?::latest|:next)?|unresolve|undo(?::assignee|:priority|:merge)?|merge|archive:(?:forever|escalating|(?:events|users|minutes)-[1-9]\d{0,8})|assign:(?:none|(?:team-)?\d{1,15})|priority:(?:high|medium|low))$/,
    'Unknown change.',
  ),
)

/** Resolves, archives, assigns or merges issues. Answers how many were changed, and into which they were merged. */
export const changeIssues: ChangeIssues = defineAction(
  'issue.change',
  'issue.write',
  object({ refs: optional(REFS), all: optional(string()), change: CHANGE, reason: optional(string()) }),
  async (ctx, { refs = [], all, change, reason }) => {
    const [verb = '', argument = ''] = change.split(':')
    if (verb === 'merge') return mergeInto(ctx, refs, reason ?? null)
    const selection = all === undefined ? { refs } : searchedBy(ctx, all)
    if (all === undefined && refs.length === 0) return refuse('invalid_input', 'Select at least one issue.')
    const changed = await runChange(ctx, selection, { verb, argument })
    if (!changed.ok) return changed
    const told = all === undefined ? refs : changed.value.map(String)
    return { result: { change, refs: told, changed: changed.value.length } }
  },
)

/** Deletes issues with their events. From an issue's own page it leads back to the list. */
export const deleteIssues = defineAction(
  'issue.delete',
  'issue.delete',
  object({ refs: REFS, to: optional(string()) }),
  async (ctx, { refs, to }) => {
    const deleted = await ctx.engine.commands.run('deleteIssues', ctx, { refs })
    if (!deleted.ok) return deleted
    if (to === 'list') return { redirect: paths.issues(ctx.scope.orgSlug) }
    return { result: { deleted: deleted.value.length } }
  },
)

/** Splits a browser's copy off as a failure of its own, for good. */
export const keepMirrorsApart = defineAction(
  'issue.mirrors.keep_apart',
  'issue.write',
  object({
    ref: string(),
    project: pipe(string(), regex(/^\d{1,15}$/, 'Unknown project.')),
    hash: pipe(string(), regex(/^[0-9a-f]{32}$/, 'Unknown browser copy.')),
  }),
  async (ctx, { ref, project, hash }) => {
    const groups = [{ projectId: projectId(Number(project)), hash: groupHash(hash) }]
    const apart = await ctx.engine.commands.run('keepMirrorsApart', ctx, { ref, groups })
    if (!apart.ok) return apart
    return { result: { issues: apart.value.length } }
  },
)

async function mergeInto(ctx: OrgContext, refs: readonly string[], reason: string | null) {
  const merged = await ctx.engine.commands.run('mergeIssues', ctx, { selection: { refs }, reason })
  if (!merged.ok) return merged
  return { result: { change: 'merge', refs: [String(merged.value.into)], changed: refs.length } }
}

const PRIORITIES = ['high', 'medium', 'low'] as const

/** `none`, a person's id or `team-` and a team's. */
function assigneeOf(argument: string) {
  if (argument === 'none') return null
  const team = /^team-(\d+)$/.exec(argument)?.[1]
  return team === undefined ? userId(Number(argument)) : { team: teamId(Number(team)) }
}

/** Everything that the list of an address finds, beyond its page too. */
function searchedBy({ nowMs }: OrgContext, list: string): IssueSelection {
  const { sort: _, ...searched } = listPlace(readListAddress(new URLSearchParams(list)), nowMs)
  return searched
}

/** Makes the link of an issue that needs no account. */
export const shareIssue = defineAction(
  'issue.share',
  'issue.write',
  object({ ref: string(), expires: optional(optionalNumberField) }),
  async (ctx, { ref, expires }) => {
    const shared = await ctx.engine.commands.run('shareIssue', ctx, { ref, expiresDays: expires })
    return shared.ok ? { result: null } : shared
  },
)

export const unshareIssue = defineAction(
  'issue.unshare',
  'issue.write',
  object({ ref: string() }),
  (ctx, { ref }) => ctx.engine.commands.run('unshareIssue', ctx, ref),
)

/** Nothing: now. */
const RESOLVE_IN: Readonly<Record<string, ResolveIn>> = byWord({
  latest: { how: 'release', release: 'latest' },
  next: { how: 'next' },
})

function runChange(
  ctx: OrgContext,
  selection: IssueSelection,
  { verb, argument }: { readonly verb: string; readonly argument: string },
) {
  const { commands } = ctx.engine
  switch (verb) {
    case 'resolve':
      return commands.run('resolveIssues', ctx, { selection, within: RESOLVE_IN[argument] ?? null })
    case 'unresolve':
      return commands.run('unresolveIssues', ctx, selection)
    case 'undo':
      if (argument === 'merge') return commands.run('undoMerges', ctx, selection)
      return argument === 'assignee' || argument === 'priority'
        ? commands.run('undoChoices', ctx, { selection, of: argument })
        : commands.run('undoIssues', ctx, selection)
    case 'archive': {
      const [unit, value] = argument.split('-')
      const end = (name: string) => (unit === name ? Number(value) : null)
      const until = { eventsMore: end('events'), usersMore: end('users'), minutes: end('minutes') }
      const escalating = argument === 'escalating'
      return commands.run('archiveIssues', ctx, { selection, until: { ...until, escalating } })
    }
    case 'priority': {
      const priority = PRIORITIES.find((each) => each === argument)
      if (priority === undefined) throw new Error(`no priority ${argument}: the schema let it through`)
      return commands.run('prioritiseIssues', ctx, { selection, priority })
    }
    default: {
      return commands.run('assignIssues', ctx, { selection, assignee: assigneeOf(argument) })
    }
  }
}
