/** Consequences of a comment. */
import type { IssueId } from '#base/ids.ts'
import type { NewComment } from '#ports/issue-people.ts'
import type { IssueChanged } from '#ports/issue-rows.ts'
import type { Actor } from '#ports/scope.ts'
import { commentDetail } from '../issue-people.ts'

export function whatFollowsCommenting(id: IssueId, comment: NewComment, actor: Actor): IssueChanged {
  const { atMs } = actor
  const { mentions } = comment
  return {
    id,
    note: { kind: 'commented', atMs, actor, detail: commentDetail(comment) },
    follows: [{ user: actor.userId, reason: 'comment' }, ...followsOfMentions(mentions)],
    tells: { to: 'followers', mentions, by: actor },
    moment: { of: 'comment', atMs },
  }
}

/** Returns what follows from the edit of a comment. `mentions`: those that it did not name before. */
export function whatFollowsEditing(
  id: IssueId,
  { activity, mentions }: { readonly activity: number; readonly mentions: NewComment['mentions'] },
  actor: Actor,
): IssueChanged {
  return {
    id,
    follows: followsOfMentions(mentions),
    tells: { to: 'mentioned', mentions, activity, by: actor },
  }
}

function followsOfMentions(mentions: NewComment['mentions']): NonNullable<IssueChanged['follows']> {
  return mentions.map((user) => ({ user, reason: 'mentioned' }))
}
