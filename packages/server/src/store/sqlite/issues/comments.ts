/** Comments: written, changed and deleted by people, each told to the issue's followers. */
import type { IssueId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { refuseComment, refuseComments } from '#issues/issue-changes.ts'
import { commentDetail, deletedDetail, mentionedAnew, refuseCommentChange } from '#issues/issue-people.ts'
import type { CommentChange, IssuePeopleWrite, NewComment } from '#ports/issue-people.ts'
import type { Activity } from '#ports/issues.ts'
import type { Actor, IssueChange } from '#ports/scope.ts'
import { addPersonsCandidate } from '../alerts/alert-rows.ts'
import type { Connection } from '../connection.ts'
import { removeEntries } from '../inbox/inbox-rows.ts'
import { queueTellings, type Tellable } from '../notices/tellings.ts'
import { countOf } from '../rows/account-rows.ts'
import { writeActivity } from '../rows/activity.ts'
import { follow, followersOf } from '../rows/issue-marks.ts'
import { choose } from './chosen-issues.ts'

export function commentsWrite(
  db: Connection,
): Pick<IssuePeopleWrite, 'comment' | 'editComment' | 'deleteComment'> {
  return {
    comment: async (change, comment, actor) => db.transaction(() => add(db, { change, comment }, actor)),
    editComment: async (change, comment, actor) => db.transaction(() => edit(db, { change, comment }, actor)),
    deleteComment: async (change, { isAnyones }, actor) =>
      db.transaction(() => remove(db, { change, isAnyones }, actor)),
  }
}

function add(
  db: Connection,
  { change, comment }: { readonly change: IssueChange; readonly comment: NewComment },
  actor: Actor,
): Result<readonly IssueId[]> {
  const refusal = refuseComment(comment.text)
  if (refusal !== null) return refusal
  const chosen = choose(db, change)
  if (!chosen.ok) return chosen
  const most = `SELECT coalesce(max(comment_count), 0) AS count FROM issues
    WHERE id IN (SELECT value FROM json_each(?))`
  const tooMany = refuseComments(countOf(db, most, [JSON.stringify(chosen.value.map(({ id }) => id))]))
  if (tooMany !== null) return tooMany
  for (const { id } of chosen.value) {
    const detail = commentDetail(comment)
    const activity = writeActivity(db, id, { kind: 'commented', atMs: actor.atMs, actor, detail })
    addPersonsCandidate(db, id, { moment: 'comment', atMs: actor.atMs })
    db.run('UPDATE issues SET comment_count = comment_count + 1 WHERE id = ?', [id])
    follow(db, id, { user: actor.userId, reason: 'comment' })
    tell(db, { issue: id, activity, followers: followersOf(db, id), mentions: comment.mentions }, actor)
  }
  return ok(chosen.value.map(({ id }) => id))
}

function tell(db: Connection, told: Tellable & { readonly issue: IssueId }, actor: Actor): void {
  for (const user of told.mentions) follow(db, told.issue, { user, reason: 'mentioned' })
  queueTellings(db, told, actor)
}

function edit(
  db: Connection,
  { change, comment }: { readonly change: CommentChange; readonly comment: NewComment },
  actor: Actor,
): Result<readonly IssueId[]> {
  const refused = refuseComment(comment.text)
  if (refused !== null) return refused
  const found = commentOf(db, change)
  const refusal = refuseCommentChange(found, { by: actor.userId, isAnyones: false })
  if (refusal !== null || found === null) return refusal ?? ok([])
  if (found.detail.text === comment.text) return ok([found.issueId])
  const sql = 'UPDATE activities SET detail = ?, edited_ms = ? WHERE id = ?'
  db.run(sql, [JSON.stringify(commentDetail(comment)), Math.floor(actor.atMs), found.id])
  const mentions = mentionedAnew(found.detail, comment)
  tell(db, { issue: found.issueId, activity: found.id, followers: [], mentions }, actor)
  return ok([found.issueId])
}

function remove(
  db: Connection,
  { change, isAnyones }: { readonly change: CommentChange; readonly isAnyones: boolean },
  actor: Actor,
): Result<readonly IssueId[]> {
  const found = commentOf(db, change)
  const refusal = refuseCommentChange(found, { by: actor.userId, isAnyones })
  if (refusal !== null || found === null) return refusal ?? ok([])
  const detail = JSON.stringify(deletedDetail(found, actor))
  const sql = `UPDATE activities SET kind = 'comment_deleted', detail = ?, edited_ms = ? WHERE id = ?`
  db.run(sql, [detail, Math.floor(actor.atMs), found.id])
  db.run('UPDATE issues SET comment_count = comment_count - 1 WHERE id = ?', [found.issueId])
  removeEntries(db, found.id)
  // Nobody is emailed what is gone.
  db.run('DELETE FROM letters WHERE activity_id = ?', [found.id])
  return ok([found.issueId])
}

interface CommentRow extends Pick<Activity, 'id' | 'kind' | 'userId' | 'detail'> {
  readonly issueId: IssueId
}

/** The comment that the change names, on one of its issues; `null` where it has none such. */
function commentOf(db: Connection, change: CommentChange): CommentRow | null {
  const chosen = choose(db, change)
  if (!chosen.ok) return null
  const sql = `SELECT id, issue_id AS issueId, kind, user_id AS userId, detail FROM activities
    WHERE id = :id AND issue_id IN (SELECT value FROM json_each(:issues))`
  const issues = JSON.stringify(chosen.value.map(({ id }) => id))
  const row = db.get<Omit<CommentRow, 'detail'> & { readonly detail: string }>(sql, {
    id: change.commentId,
    issues,
  })
  if (row === undefined) return null
  const detail: Activity['detail'] = JSON.parse(row.detail)
  return { ...row, detail }
}
