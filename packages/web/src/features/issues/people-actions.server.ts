/** Comments, subscriptions and bookmarks. */
import { object, picklist, pipe, regex, string, transform } from 'valibot'
import { textField } from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'

const COMMENT_ID = pipe(string(), regex(/^\d{1,15}$/, 'There is no such comment.'), transform(Number))

/** Adds a comment to an issue's activity. */
export const commentIssue = defineAction(
  'issue.comment',
  'issue.write',
  object({ ref: string(), text: textField }),
  (ctx, { ref, text }) => ctx.engine.commands.run('commentIssue', ctx, { ref, text }),
)

export const editComment = defineAction(
  'issue.comment.edit',
  'issue.write',
  object({ ref: string(), comment: COMMENT_ID, text: textField }),
  (ctx, { ref, comment, text }) =>
    ctx.engine.commands.run('editComment', ctx, { ref, commentId: comment, text }),
)

export const deleteComment = defineAction(
  'issue.comment.delete',
  'issue.write',
  object({ ref: string(), comment: COMMENT_ID }),
  (ctx, { ref, comment }) => ctx.engine.commands.run('deleteComment', ctx, { ref, commentId: comment }),
)

/** Marks an issue for the viewer: subscribed, bookmarked, or muted. */
export const markIssue = defineAction(
  'issue.mark',
  'issue.read',
  object({
    ref: string(),
    mark: picklist(['subscribe', 'unsubscribe', 'bookmark', 'unbookmark', 'mute', 'unmute']),
  }),
  (ctx, { ref, mark }) => {
    const { commands } = ctx.engine
    if (mark === 'mute' || mark === 'unmute')
      return commands.run('muteIssue', ctx, { ref, isMuted: mark === 'mute' })
    const selection = { refs: [ref] }
    return mark === 'subscribe' || mark === 'unsubscribe'
      ? commands.run('subscribeToIssues', ctx, { selection, isSubscribed: mark === 'subscribe' })
      : commands.run('bookmarkIssues', ctx, { selection, isBookmarked: mark === 'bookmark' })
  },
)
