/** Data and actions of the tabs *Merged* and *Similar*. */
import { max } from '@errata/server/limits'
import { array, maxLength, minLength, object, optional, pipe, string, transform, trim, union } from 'valibot'
import { paths } from '#parts/paths.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { loadShared } from './issue.server.ts'

/** The groups that the issue owns, one by one. */
export async function loadIssueMerged(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const [shared, merged] = await Promise.all([
    loadShared(org),
    org.engine.queries.mergedGroups(org.scope, org.params.id ?? ''),
  ])
  return merged === null ? notFound() : { ...shared, merged, reasonCharsMax: max('reasonCharsMax') }
}

/** Issues that may be the same failure. */
export async function loadIssueSimilar(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const [shared, similar] = await Promise.all([
    loadShared(org),
    org.engine.queries.similarIssues(org.scope, org.params.id ?? ''),
  ])
  return similar === null ? notFound() : { ...shared, similar }
}

export type MergedRow = Awaited<ReturnType<typeof loadIssueMerged>>['merged'][number]
export type SimilarRow = Awaited<ReturnType<typeof loadIssueSimilar>>['similar'][number]

const REASON = pipe(
  string(),
  trim(),
  maxLength(max('reasonCharsMax'), `At most ${max('reasonCharsMax')} characters.`),
)
const HASHES = pipe(
  union([
    array(string()),
    pipe(
      string(),
      transform((one) => [one]),
    ),
  ]),
  minLength(1, 'Select at least one group.'),
)

/** Two issues are one; leads to it. */
export const mergeIssue = defineAction(
  'issue.merge',
  'issue.write',
  object({ ref: string(), other: string(), reason: REASON }),
  async (ctx, { ref, other, reason }) => {
    const merged = await ctx.engine.commands.run('mergeIssues', ctx, {
      selection: { refs: [ref, other] },
      reason,
    })
    return merged.ok ? { redirect: paths.issueMerged(ctx.scope.orgSlug, merged.value.into) } : merged
  },
)

/** The chosen groups get an issue of their own, or go to one that is there; leads to it. */
export const unmergeIssue = defineAction(
  'issue.unmerge',
  'issue.write',
  object({ ref: string(), hash: HASHES, reason: REASON, into: optional(pipe(string(), trim())) }),
  async (ctx, { ref, hash, reason, into = '' }) => {
    const own = await ctx.engine.commands.run('unmergeIssue', ctx, {
      ...{ ref, groups: hash, reason },
      into: into === '' ? null : into,
    })
    return own.ok ? { redirect: paths.issue(ctx.scope.orgSlug, own.value) } : own
  },
)
