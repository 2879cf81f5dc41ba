/**
 * Consequences of merging issues, by a person and where source maps say that two are one, and from parting them again.
 * Groups, comments, people and links change hands with it (`IssueRows.takeIn`, `part`).
 */
import type { IssueId } from '#base/ids.ts'
import type { ChosenIssue, IssueChanged } from '#ports/issue-rows.ts'
import type { Actor } from '#ports/scope.ts'
import { joinedDetail } from '../issue-joining.ts'
import { mergedDetail } from '../issue-merging.ts'
import { partedDetail } from '../unmerging.ts'

type Named = Pick<ChosenIssue, 'id' | 'shortId' | 'title'>

/** Nothing where nothing was merged. */
export function whatFollowsMerging(
  into: IssueId,
  { merged, reason }: { readonly merged: readonly ChosenIssue[]; readonly reason: string | null },
  actor: Actor,
): readonly IssueChanged[] {
  if (merged.length === 0) return []
  const detail = mergedDetail(merged, reason)
  return [{ id: into, note: { kind: 'merged', atMs: actor.atMs, actor, detail } }]
}

/** The same where source maps say it. */
export function whatFollowsBeingOne(into: IssueId, from: ChosenIssue, atMs: number): IssueChanged {
  return { id: into, note: { kind: 'merged', atMs, actor: null, detail: joinedDetail(from) } }
}

/** Each of two issues has a record of the other. */
export function whatFollowsParting(
  { from, own }: { readonly from: Named; readonly own: Named },
  of: { readonly groups: number; readonly reason: string | null },
  actor: Actor,
): readonly IssueChanged[] {
  const note = { atMs: actor.atMs, actor }
  return [
    { id: from.id, note: { ...note, kind: 'unmerged', detail: partedDetail(own, of) } },
    { id: own.id, note: { ...note, kind: 'split_off', detail: partedDetail(from, of) } },
  ]
}

/** An issue that was merged is back: with its own records, so that only the other one has another. */
export function whatFollowsUnmerging(
  into: IssueId,
  { own, groups }: { readonly own: Named; readonly groups: number },
  actor: Actor,
): IssueChanged {
  const detail = partedDetail(own, { groups, reason: null })
  return { id: into, note: { kind: 'unmerged', atMs: actor.atMs, actor, detail } }
}

/** A browser's copy is another failure, for good. */
export function whatFollowsKeepingApart(
  { from, own }: { readonly from: Named; readonly own: Named },
  actor: Actor,
): readonly IssueChanged[] {
  const note = { kind: 'kept_apart', atMs: actor.atMs, actor } as const
  return [
    { id: from.id, note: { ...note, detail: { issue: own.shortId, title: own.title } } },
    { id: own.id, note: { ...note, detail: { issue: from.shortId, title: from.title } } },
  ]
}
