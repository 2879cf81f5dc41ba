/** Comments, who follows an issue and who bookmarked it, and the emails that followers are sent. */
import type { IssueId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { refuseComment, refuseComments } from '#issues/issue-changes.ts'
import {
  commentDetail,
  deletedDetail,
  mentionedAnew,
  refuseCommentChange,
  subscriptionAsked,
} from '#issues/issue-people.ts'
import type { CommentChange, IssuePeopleRead, IssuePeopleWrite, NewComment } from '#ports/issue-people.ts'
import type { Actor, IssueChange } from '#ports/scope.ts'
import { queueTellings } from '../notices/tellings.ts'
import { ascending, inOrder } from '../order.ts'
import { writeActivity } from '../rows/issue-rows.ts'
import { follow, followersOf, writeMark } from '../rows/marks.ts'
import { isReadable } from '../rows/readable-issues.ts'
import type { Tables } from '../tables.ts'
import { choose } from './choose.ts'

export function issuePeopleRead(of: Tables): IssuePeopleRead {
  return {
    marksOf: async (scope, user, ids) =>
      of.marks
        .where(
          ({ issueId, userId }) => userId === user && ids.includes(issueId) && isReadable(of, scope, issueId),
        )
        .map(({ userId: _, ...mark }) => mark),
    followers: async (scope, id) => {
      if (!isReadable(of, scope, id)) return []
      const people = followersOf(of, id).flatMap((user) => of.users.get(user) ?? [])
      return people
        .sort(
          inOrder(
            ascending(({ name }) => name),
            ascending(({ email }) => email),
          ),
        )
        .map((user) => ({ userId: user.id, name: user.name, email: user.email }))
    },
  }
}

export function issuePeopleWrite(to: Tables): IssuePeopleWrite {
  return {
    comment: async (change, comment, actor) => to.transaction(() => add(to, { change, comment }, actor)),
    editComment: async (change, comment, actor) => to.transaction(() => edit(to, { change, comment }, actor)),
    deleteComment: async (change, { isAnyones }, actor) =>
      to.transaction(() => {
        const found = commentOf(to, change)
        const refusal = refuseCommentChange(found, { by: actor.userId, isAnyones })
        if (refusal !== null || found === null) return refusal ?? ok([])
        const after = { detail: deletedDetail(found, actor), editedMs: Math.floor(actor.atMs) }
        to.activities.change(found.id, { kind: 'comment_deleted', ...after })
        to.letters.deleteWhere(({ telling }) => telling?.activityId === found.id)
        return ok([found.issueId])
      }),
    subscribe: async (change, { user, isSubscribed }) =>
      mark(to, change, (issue) =>
        writeMark(to, { issue, user }, ({ subscription }) => ({
          subscription: subscriptionAsked(subscription, isSubscribed),
        })),
      ),
    bookmark: async (change, { user, isBookmarked }) =>
      mark(to, change, (issue) => writeMark(to, { issue, user }, () => ({ isBookmarked }))),
  }
}

function add(
  to: Tables,
  { change, comment }: { readonly change: IssueChange; readonly comment: NewComment },
  actor: Actor,
): Result<readonly IssueId[]> {
  const chosen = refuseComment(comment.text) ?? choose(to, change)
  if (!chosen.ok) return chosen
  const tooMany = refuseComments(Math.max(0, ...chosen.value.map(({ id }) => commentsOn(to, id))))
  if (tooMany !== null) return tooMany
  const note = { kind: 'commented', atMs: actor.atMs, actor, detail: commentDetail(comment) } as const
  for (const { id } of chosen.value) {
    const activity = writeActivity(to, id, note)
    follow(to, id, { user: actor.userId, reason: 'comment' })
    const followers = followersOf(to, id)
    for (const user of comment.mentions) follow(to, id, { user, reason: 'mentioned' })
    queueTellings(to, { activity, followers, mentions: comment.mentions }, actor)
  }
  return ok(chosen.value.map(({ id }) => id))
}

function edit(
  to: Tables,
  { change, comment }: { readonly change: CommentChange; readonly comment: NewComment },
  actor: Actor,
): Result<readonly IssueId[]> {
  const refused = refuseComment(comment.text)
  if (refused !== null) return refused
  const found = commentOf(to, change)
  const refusal = refuseCommentChange(found, { by: actor.userId, isAnyones: false })
  if (refusal !== null || found === null) return refusal ?? ok([])
  if (found.detail.text === comment.text) return ok([found.issueId])
  to.activities.change(found.id, { detail: commentDetail(comment), editedMs: Math.floor(actor.atMs) })
  const mentions = mentionedAnew(found.detail, comment)
  for (const user of mentions) follow(to, found.issueId, { user, reason: 'mentioned' })
  queueTellings(to, { activity: found.id, followers: [], mentions }, actor)
  return ok([found.issueId])
}

function commentsOn(of: Tables, issue: IssueId): number {
  return of.activities.where(({ issueId, kind }) => issueId === issue && kind === 'commented').length
}

function commentOf(of: Tables, change: CommentChange) {
  const chosen = choose(of, change)
  const activity = of.activities.get(change.commentId)
  if (!chosen.ok || activity === undefined) return null
  return chosen.value.some(({ id }) => id === activity.issueId) ? activity : null
}

function mark(to: Tables, change: IssueChange, write: (issue: IssueId) => void): Result<readonly IssueId[]> {
  return to.transaction(() => {
    const chosen = choose(to, change)
    if (!chosen.ok) return chosen
    for (const { id } of chosen.value) write(id)
    return ok(chosen.value.map(({ id }) => id))
  })
}
