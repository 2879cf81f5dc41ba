/** Issues that a change names, and one that takes another in. */
import type { IssueId } from '#base/ids.ts'
import type { ChosenIssue } from '#issues/issue-changes.ts'
import { mergedWindow } from '#issues/issue-merging.ts'
import { shortId } from '#issues/issue-names.ts'
import { countUsers } from '#issues/user-set.ts'
import type { IssueRow } from '../issue-tables.ts'
import { deleteIssueRows } from '../rows/issue-rows.ts'
import { groupsOf, ownGroupsOf, usersOfIssue } from '../rows/issue-view.ts'
import { moveMarks } from '../rows/marks.ts'
import { moveLinks } from '../rows/tracker-rows.ts'
import type { Tables } from '../tables.ts'

export function chosenIssue(of: Tables, issue: IssueRow): ChosenIssue {
  const { id, projectId, number } = issue
  const [newest] = ownGroupsOf(groupsOf(of, id))
  return {
    ...issue,
    shortId: shortId(of.projects.get(projectId)?.slug ?? '', number),
    title: newest?.facts.title ?? '',
    userCount: countUsers(usersOfIssue(of, id)),
  }
}

export function absorb(to: Tables, { from, into }: { readonly from: IssueId; readonly into: IssueId }): void {
  const [issue, target] = [to.issues.get(from), to.issues.get(into)]
  if (issue === undefined || target === undefined) throw new Error(`no issue ${from} or ${into} to merge`)
  to.issues.change(into, { window: mergedWindow(target.window, issue.window) })
  for (const { id } of groupsOf(to, from)) to.groups.change(id, { issueId: into })
  const isComment = ({ issueId, kind }: { readonly issueId: IssueId; readonly kind: string }) =>
    issueId === from && (kind === 'commented' || kind === 'comment_deleted')
  for (const { id } of to.activities.where(isComment)) to.activities.change(id, { issueId: into })
  for (const { id } of to.redirects.where(({ issueId }) => issueId === from))
    to.redirects.change(id, { issueId: into })
  for (const { id } of to.messages.where(({ issueId, channelId }) => issueId === from && channelId !== null))
    to.messages.change(id, { issueId: into })
  const { projectId, number } = issue
  to.redirects.put(from, { id: from, projectId, number, issueId: into })
  moveMarks(to, { from, into })
  moveLinks(to, { from, into })
  deleteIssueRows(to, from)
}
