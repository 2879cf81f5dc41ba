/** The last merge into an issue, and taking it back. */
import type { IssueId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import type { ChosenIssue } from '#issues/issue-changes.ts'
import { windowAfterUndo } from '#issues/issue-merging.ts'
import { partedDetail } from '#issues/unmerging.ts'
import { max } from '#limits/limits.ts'
import type { IssueChange } from '#ports/issue-change.ts'
import type { Actor } from '#ports/scope.ts'
import type { IssueRow, MergeRow } from '../issue-tables.ts'
import { writeActivity } from '../rows/issue-rows.ts'
import { groupsOf } from '../rows/issue-view.ts'
import type { Tables } from '../tables.ts'
import { choose } from './choose.ts'
import { chosenIssue } from './merging.ts'

/** Call it before anything is merged; what it answers keeps it. */
export function keptMerge(
  to: Tables,
  { chosen, into }: { readonly chosen: readonly ChosenIssue[]; readonly into: IssueId },
  { userId, atMs }: Actor,
): () => void {
  const target = to.issues.get(into)
  const isOf = (id: IssueId) => (row: { readonly issueId: IssueId }) => row.issueId === id
  const issues = chosen.flatMap(({ id }) => {
    const row = id === into ? undefined : to.issues.get(id)
    return row === undefined ? [] : [keptIssue(to, row)]
  })
  const marks = to.marks.where(isOf(into))
  return () => {
    to.merges.delete(into)
    if (userId === null || target === undefined) return
    to.merges.put(into, { issueId: into, userId, atMs, issues, marks, windowBefore: target.window })
  }
}

function keptIssue(of: Tables, row: IssueRow): MergeRow['issues'][number] {
  const { id } = row
  const isOfIt = ({ issueId }: { readonly issueId: IssueId }) => issueId === id
  const activities = of.activities.where(isOfIt)
  const isComment = ({ kind }: { readonly kind: string }) =>
    kind === 'commented' || kind === 'comment_deleted'
  return {
    row,
    groups: groupsOf(of, id).map((group) => group.id),
    redirects: of.redirects.where(isOfIt).map((redirect) => redirect.id),
    comments: activities.filter(isComment).map((activity) => activity.id),
    activities: activities.filter((activity) => !isComment(activity)),
    links: of.trackerLinks.where(isOfIt),
    marks: of.marks.where(isOfIt),
    owners: of.owners.get(id)?.owners ?? null,
    share: of.issueShares.get(id) ?? null,
  }
}

export function undoMerges(to: Tables, change: IssueChange, actor: Actor): Result<readonly IssueId[]> {
  const chosen = choose(to, change)
  if (!chosen.ok) return chosen
  return ok(chosen.value.flatMap(({ id }) => undoMerge(to, id, actor)))
}

function undoMerge(to: Tables, into: IssueId, actor: Actor): readonly IssueId[] {
  const merge = to.merges.get(into)
  const oldestMs = actor.atMs - max('mergeUndoMs')
  if (merge === undefined || merge.userId !== actor.userId || merge.atMs < oldestMs) return []
  const came = new Set(merge.issues.flatMap(({ groups }) => groups))
  const owned = groupsOf(to, into)
  const others = owned.filter(
    ({ id, foldedInto }) => !came.has(id) && !(foldedInto !== null && came.has(foldedInto)),
  )
  if (others.length === 0 || owned.filter(({ id }) => came.has(id)).length < came.size) return []
  to.merges.delete(into)
  for (const issue of merge.issues) bringBack(to, issue, into)
  putTargetBack(to, merge)
  return merge.issues.map(({ row, groups }) => {
    const detail = partedDetail(chosenIssue(to, row), { groups: groups.length, reason: null })
    writeActivity(to, into, { kind: 'unmerged', atMs: actor.atMs, actor, detail })
    return row.id
  })
}

function bringBack(to: Tables, kept: MergeRow['issues'][number], into: IssueId): void {
  const { id } = kept.row
  to.redirects.delete(id)
  to.issues.put(id, kept.row)
  const groups = new Set(kept.groups)
  for (const group of groupsOf(to, into))
    if (groups.has(group.id) || (group.foldedInto !== null && groups.has(group.foldedInto)))
      to.groups.change(group.id, { issueId: id })
  for (const redirect of kept.redirects) to.redirects.change(redirect, { issueId: id })
  for (const comment of kept.comments)
    if (to.activities.has(comment)) to.activities.change(comment, { issueId: id })
  for (const activity of kept.activities) to.activities.put(activity.id, activity)
  for (const link of kept.links) to.trackerLinks.put(link.id, link)
  const links = new Set(kept.links.map((link) => link.id))
  for (const work of to.trackerWork.where(({ linkId, issueId }) => links.has(linkId) && issueId === into))
    to.trackerWork.change(work.id, { issueId: id })
  for (const mark of kept.marks) to.marks.put(`${id}:${mark.userId}`, mark)
  if (kept.owners !== null) to.owners.put(id, { issueId: id, owners: kept.owners })
  if (kept.share !== null) to.issueShares.put(id, kept.share)
}

function putTargetBack(to: Tables, { issueId: into, issues, marks, windowBefore }: MergeRow): void {
  const moved = new Set(issues.flatMap((issue) => issue.marks.map(({ userId }) => userId)))
  to.marks.deleteWhere(({ issueId, userId }) => issueId === into && moved.has(userId))
  for (const mark of marks) if (moved.has(mark.userId)) to.marks.put(`${into}:${mark.userId}`, mark)
  const now = to.issues.get(into)?.window ?? windowBefore
  const others = issues.map(({ row }) => row.window)
  to.issues.change(into, { window: windowAfterUndo(now, { before: windowBefore, others }) })
}
