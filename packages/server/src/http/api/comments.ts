/** Comments on an issue. */
import * as v from 'valibot'
import type { UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { ACTIVITY } from './answers/issue.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { badField, existing, grantedOrThrow, notFound } from './refusals.ts'
import { activityShape } from './shape/issue.ts'

const COMMENT = v.object({
  text: v.string('A comment must be text.'),
  /** `user:5`, `5` or `team:2`, beside those that the text names. */
  mentions: v.optional(
    v.pipe(
      v.array(v.string('user:ID or team:ID.')),
      v.maxLength(max('mentionsPerCommentMax'), `At most ${max('mentionsPerCommentMax')}.`),
    ),
  ),
  /** Tools that copy comments send it; it says nothing here. */
  external_id: v.optional(v.nullable(v.string())),
})

const ALL = '/organizations/{org}/issues/{issue}/comments/'
const ONE = `${ALL}{comment}/`
/** Older name that some tools use for comments. */
const NOTES = '/organizations/{org}/issues/{issue}/notes/'

const OWN_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: ALL,
    permission: 'issue.read',
    what: 'comments',
    query: PAGE,
    answer: v.array(ACTIVITY),
    async run(call) {
      const { rows, page } = pageOf(await commentsOf(call), readPage(call.url))
      return answerOk(rows.map(activityShape), page)
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: ALL,
    permission: 'issue.write',
    body: COMMENT,
    what: 'adds a comment',
    answer: ACTIVITY,
    async run(call) {
      grantedOrThrow(await call.commands.run('commentIssue', call, await readComment(call)))
      const newest = (await commentsOf(call)).toSorted((a, b) => b.id - a.id)[0]
      return answerCreated(activityShape(existing(newest)))
    },
  }),
  orgRoute({
    method: 'PUT',
    pattern: ONE,
    permission: 'issue.write',
    what: 'changes one’s own comment',
    body: COMMENT,
    answer: ACTIVITY,
    async run(call) {
      const commentId = idOf(call)
      grantedOrThrow(
        await call.commands.run('editComment', call, { ...(await readComment(call)), commentId }),
      )
      return answerOk(activityShape(existing((await commentsOf(call)).find(({ id }) => id === commentId))))
    },
  }),
  {
    method: 'DELETE',
    pattern: ONE,
    permission: 'issue.write',
    what: 'deletes one’s own comment, or anybody’s with the right to delete issues',
    async run(call) {
      const comment = { ref: call.params.issue ?? '', commentId: idOf(call) }
      grantedOrThrow(await call.commands.run('deleteComment', call, comment))
      return gone
    },
  },
]

export const COMMENT_ROUTES: readonly ApiRoute[] = [
  ...OWN_ROUTES,
  ...OWN_ROUTES.map((route) => ({ ...route, pattern: route.pattern.replace(ALL, NOTES) })),
]

async function commentsOf({ queries, scope, params }: OrgCall) {
  return existing(await queries.issueComments(scope, params.issue ?? ''))
}

function idOf({ params }: OrgCall): number {
  if (!/^\d{1,15}$/.test(params.comment ?? '')) throw notFound()
  return Number(params.comment)
}

async function readComment(call: OrgCall) {
  const { text, mentions = [] } = readBody(COMMENT, await call.json())
  return { ref: call.params.issue ?? '', text, mentions: await findMentioned(call, mentions) }
}

async function findMentioned(
  { queries, scope }: OrgCall,
  mentions: readonly string[],
): Promise<readonly UserId[]> {
  if (mentions.length === 0) return []
  const [members, teams] = await Promise.all([queries.members(scope), queries.teams(scope)])
  return mentions.flatMap((mention) => {
    const team = teams.find(({ id }) => mention === `team:${id}`)
    if (team !== undefined) return team.members
    const member = members.find(({ userId }) => mention === `user:${userId}` || mention === String(userId))
    if (member === undefined) throw badField('mentions', 'No member or team has this ID.')
    return [member.userId]
  })
}
