/** Comments, subscriptions and bookmarks. */

import { can } from '#access/access.ts'
import type { IssueId, UserId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { whatFollowsCommenting, whatFollowsEditing } from '#issues/follows/commenting.ts'
import { refuseComment, refuseComments } from '#issues/issue-changes.ts'
import {
  commentDetail,
  deletedDetail,
  mentionedAnew,
  refuseCommentChange,
  subscriptionAsked,
} from '#issues/issue-people.ts'
import { mentionedIn, teamsNamedIn } from '#issues/mentions.ts'
import { max } from '#limits/limits.ts'
import { LETTERS } from '#model/tables/accounts.ts'
import { INBOX } from '#model/tables/inbox.ts'
import { ACTIVITIES, ISSUE_PEOPLE, ISSUES } from '#model/tables/issues.ts'
import type { TableRow } from '#model/tables/table.ts'
import type { Tx } from '#ports/control.ts'
import type { IssueMark, NewComment } from '#ports/issue-people.ts'
import type { ChosenIssue } from '#ports/issue-rows.ts'
import type { Asking } from './asking.ts'
import { type By, preparedCommand } from './command.ts'
import {
  chosenIssues,
  type FoundIssue,
  foundIssues,
  type IssueIds,
  type IssueSelection,
  type SelectionParts,
  wakeSenders,
} from './issue-selection.ts'
import type { CommandParts } from './parts.ts'
import { readInput, SCHEMAS } from './schemas.ts'
import { queueIssue, refuseSending } from './sent-issues.ts'

type Comment = {
  readonly ref: string
  readonly text: string
  /** Beside those that the text names. */
  readonly mentions?: readonly UserId[]
}
type Edit = Comment & { readonly commentId: number }
type Commenting = IssueIds & { readonly comment: NewComment }
type CommentParts = SelectionParts & Pick<CommandParts, 'accounts'>
/** Channels of teams that the comment names. */
type ToChannels = { readonly channels: readonly number[] }
type Editing = Commenting & { readonly commentId: number }

export const commentIssue = preparedCommand({
  permission: 'issue.write',
  input: checkedComment<Comment>,
  prepare: async (
    parts: CommentParts & Pick<CommandParts, 'alerts' | 'channelTestLimits'>,
    asking,
    given: Comment,
  ): Promise<Result<Commenting & ToChannels>> => {
    const found = await foundIssues(parts, asking, { refs: [given.ref] })
    if (!found.ok) return found
    const prepared = await preparedComment(parts, asking, given)
    if (!prepared.ok) return prepared
    const { text } = given
    return ok({
      ...prepared.value,
      channels: await teamChannels(parts, asking, { text, found: found.value }),
    })
  },
  change: async (tx, { ids, comment, channels }: Commenting & ToChannels, by) => {
    const chosen = refuseComment(comment.text) ?? (await chosenIssues(tx, by, ids))
    if (!chosen.ok) return chosen
    const there = chosen.value.map(({ id }) => id)
    const counted = await commentCounts(tx, there)
    const refused = refuseComments(Math.max(0, ...counted.map(({ commentCount }) => commentCount)))
    if (refused !== null) return refused
    await tx.issues.save(there.map((id) => whatFollowsCommenting(id, comment, by.actor)))
    await countComments(tx, counted, 1)
    for (const issue of chosen.value) await tellChannels(tx, { issue, channels, text: comment.text }, by)
    return ok(null)
  },
  after: (parts) => {
    wakeSenders(parts)
    parts.alerts?.wake()
  },
})

/** By its author alone. The text is replaced and the time noted; those mentioned anew are told. */
export const editComment = preparedCommand({
  permission: 'issue.write',
  input: checkedComment<Edit>,
  prepare: preparedComment<Edit>,
  change: async (tx, { ids, commentId, comment }: Editing, by) => {
    const refused = refuseComment(comment.text)
    if (refused !== null) return refused
    const found = await findComment(tx, { ids, commentId }, by)
    const refusal = refuseCommentChange(found, { by: by.actor.userId, isAnyones: false })
    if (refusal !== null || found === null) return refusal ?? ok(null)
    if (found.detail.text === comment.text) return ok(null)
    const detail = commentDetail(comment)
    await tx.rows(ACTIVITIES).update([{ id: found.id, detail, editedMs: Math.floor(by.actor.atMs) }])
    const mentions = mentionedAnew(found.detail, comment)
    const told = { activity: found.id, mentions }
    await tx.issues.save([whatFollowsEditing(found.issueId, told, by.actor)])
    return ok(null)
  },
  after: wakeSenders,
})

type Deleting = IssueIds & { readonly commentId: number; readonly isAnyones: boolean }

/** Deletes one's own comment, or anybody's for people who may delete issues. That there was one stays in the activity. */
export const deleteComment = preparedCommand({
  permission: 'issue.write',
  input: (comment: { readonly ref: string; readonly commentId: number }) => ok(comment),
  prepare: async (parts: SelectionParts, asking, { ref, commentId }): Promise<Result<Deleting>> => {
    const found = await foundIssues(parts, asking, { refs: [ref] })
    if (!found.ok) return found
    const isAnyones = can(asking.viewer, asking.scope, 'issue.delete')
    return ok({ ids: found.value.map(({ id }) => id), commentId, isAnyones })
  },
  change: async (tx, { ids, commentId, isAnyones }: Deleting, by) => {
    const found = await findComment(tx, { ids, commentId }, by)
    const refusal = refuseCommentChange(found, { by: by.actor.userId, isAnyones })
    if (refusal !== null || found === null) return refusal ?? ok(null)
    const gone = { kind: 'comment_deleted', detail: deletedDetail(found, by.actor) }
    await tx.rows(ACTIVITIES).update([{ id: found.id, ...gone, editedMs: Math.floor(by.actor.atMs) }])
    await countComments(tx, await commentCounts(tx, [found.issueId]), -1)
    await tx.rows(INBOX).remove({ activityId: found.id })
    // Nobody is emailed what is gone.
    await tx.rows(LETTERS).remove({ activityId: found.id })
    return ok(null)
  },
  after: wakeSenders,
})

type Marking = { readonly selection: IssueSelection }
type Marked = IssueIds & { readonly user: UserId }

/** Subscribes the person who asks; answers the issues that it named. */
export const subscribeToIssues = preparedCommand({
  permission: 'issue.read',
  input: (asked: Marking & { readonly isSubscribed: boolean }) => ok(asked),
  prepare: preparedMark<{ readonly isSubscribed: boolean }>,
  change: (tx, { isSubscribed, ...marked }: Marked & { readonly isSubscribed: boolean }, by) =>
    markIssues(tx, { ...marked, by }, ({ subscription, ...before }) => ({
      ...before,
      subscription: subscriptionAsked(subscription, isSubscribed),
    })),
})

export const bookmarkIssues = preparedCommand({
  permission: 'issue.read',
  input: (asked: Marking & { readonly isBookmarked: boolean }) => ok(asked),
  prepare: preparedMark<{ readonly isBookmarked: boolean }>,
  change: (tx, { isBookmarked, ...marked }: Marked & { readonly isBookmarked: boolean }, by) =>
    markIssues(tx, { ...marked, by }, (before) => ({ ...before, isBookmarked })),
})

/** Nothing about a muted issue is told to this person, by whatever way. Its other half is `unmuteIssue` of `email-choices.ts`. */
export const muteIssue = preparedCommand({
  permission: 'issue.read',
  input: ({ ref, isMuted }: { readonly ref: string; readonly isMuted: boolean }) =>
    ok({ selection: { refs: [ref] }, isMuted }),
  prepare: preparedMark<{ readonly isMuted: boolean }>,
  change: async (tx, { isMuted, ...marked }: Marked & { readonly isMuted: boolean }, by) => {
    const done = await markIssues(tx, { ...marked, by }, (before) => ({ ...before, isMuted }))
    return done.ok ? ok(null) : done
  },
})

function checkedComment<Given extends Comment>(given: Given): Result<Given> {
  const checked = readInput(SCHEMAS.comment, { text: given.text })
  return checked.ok ? ok({ ...given, text: checked.value.text }) : checked
}

async function preparedComment<Given extends Comment>(
  parts: CommentParts,
  asking: Asking,
  { ref, text, mentions = [], ...rest }: Given,
): Promise<Result<Omit<Given, keyof Comment> & Commenting>> {
  const found = await foundIssues(parts, asking, { refs: [ref] })
  if (!found.ok) return found
  const [people, teams] = await Promise.all([
    parts.accounts.members(asking.scope),
    parts.accounts.teams(asking.scope),
  ])
  const named = [...new Set([...mentions, ...mentionedIn(text, { people, teams })])]
  const open = await Promise.all(named.map((user) => canRead(parts, asking, { user, found: found.value })))
  const readers = named.filter((_, index) => open[index] === true)
  return ok({ ...rest, ids: found.value.map(({ id }) => id), comment: { text, mentions: readers } })
}

/** Finds the channels of the teams that a comment names, as far as the person may send to some. */
async function teamChannels(
  parts: Pick<CommandParts, 'accounts' | 'alerts' | 'channelTestLimits'>,
  asking: Asking,
  { text, found }: { readonly text: string; readonly found: readonly FoundIssue[] },
): Promise<readonly number[]> {
  const slugs = teamsNamedIn(text)
  const [issue] = found
  if (parts.alerts === undefined || slugs.length === 0 || issue === undefined) return []
  const teams = await parts.accounts.teams(asking.scope)
  // Nobody is told of what they may not read: a channel is its team's.
  const named = teams.filter(
    ({ slug, projects }) => slugs.includes(slug.toLowerCase()) && projects.includes(issue.projectId),
  )
  const channels = new Set(named.flatMap(({ channelId }) => channelId ?? []))
  return [...channels].filter(() => refuseSending(parts, asking) === null)
}

/** Sends the issue, with the comment, to channels; one that is gone by now is told nothing. */
async function tellChannels(
  tx: Tx,
  {
    issue,
    channels,
    text,
  }: { readonly issue: ChosenIssue; readonly channels: readonly number[]; readonly text: string },
  by: By,
): Promise<void> {
  const note = text.trim().slice(0, max('reasonCharsMax'))
  for (const channel of channels) await queueIssue(tx, { issue, channel, note }, by)
}

/** Nobody is told of what they may not read. */
async function canRead(
  { accounts }: Pick<CommandParts, 'accounts'>,
  { scope }: Asking,
  { user, found }: { readonly user: UserId; readonly found: readonly FoundIssue[] },
): Promise<boolean> {
  const memberships = await accounts.memberships(user)
  const own = memberships.find(({ organisation }) => organisation.id === scope.orgId)
  return found.every(({ projectId }) => own?.projects.some((id) => id === projectId) === true)
}

type FoundComment = Pick<TableRow<typeof ACTIVITIES>, 'id' | 'issueId' | 'kind' | 'userId' | 'detail'>

/** The comment that the change names, on one of its issues; `null` where it has none such. */
async function findComment(
  tx: Tx,
  { ids, commentId }: IssueIds & { readonly commentId: number },
  by: By,
): Promise<FoundComment | null> {
  const chosen = await chosenIssues(tx, by, ids)
  if (!chosen.ok) return null
  const issues = chosen.value.map(({ id }) => id)
  return tx.rows(ACTIVITIES).one({ id: commentId, issueId: issues })
}

interface CommentCount {
  readonly id: IssueId
  readonly commentCount: number
}

async function commentCounts(tx: Tx, ids: readonly IssueId[]): Promise<readonly CommentCount[]> {
  return tx.rows(ISSUES).find({ id: ids }, max('issuesPerChangeMax'))
}

async function countComments(tx: Tx, counted: readonly CommentCount[], more: 1 | -1): Promise<void> {
  await tx
    .rows(ISSUES)
    .update(counted.map(({ id, commentCount }) => ({ id, commentCount: commentCount + more })))
}

async function preparedMark<Rest extends object>(
  parts: SelectionParts,
  asking: Asking,
  { selection, ...rest }: Rest & Marking,
): Promise<Result<Omit<Rest, 'selection'> & Marked>> {
  const found = await foundIssues(parts, asking, selection)
  if (!found.ok) return found
  const user = asking.scope.userId
  if (user === undefined)
    return refuse('bad_request', 'An organisation token isn’t a person. Use a personal token.')
  return ok({ ...rest, ids: found.value.map(({ id }) => id), user })
}

type Mark = Omit<IssueMark, 'issueId'>
const UNMARKED: Mark = { subscription: null, isBookmarked: false, isMuted: false }

async function markIssues(
  tx: Tx,
  { ids, user: userId, by }: Marked & { readonly by: By },
  after: (before: Mark) => Mark,
): Promise<Result<readonly IssueId[]>> {
  const chosen = await chosenIssues(tx, by, ids)
  if (!chosen.ok) return chosen
  const issues = chosen.value.map(({ id }) => id)
  const rows = tx.rows(ISSUE_PEOPLE)
  const known = await rows.find({ issueId: issues, userId }, issues.length)
  const before = new Map(known.map((row) => [row.issueId, row]))
  await rows.merge(
    issues.map((issueId) => {
      const { subscription, isBookmarked, isMuted } = after(before.get(issueId) ?? UNMARKED)
      return { issueId, userId, subscription, isBookmarked, isMuted }
    }),
  )
  return ok(issues)
}
