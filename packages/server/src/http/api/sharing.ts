/** Links to single issues, and issues as Markdown. */
import * as v from 'valibot'
import type { ShownShare } from '#queries/sharing-types.ts'
import { MARKDOWN, SHARE } from './answers/issue.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, orgRoute } from './call.ts'
import { picks } from './pick.ts'
import { choice } from './query.ts'
import { existing, grantedOrThrow } from './refusals.ts'
import { isoTimeText, isoTimeTextOrNull } from './shape/times.ts'

const READER = choice({
  ...{ name: 'for', what: 'Whom it is written for', fallback: 'report' },
  of: ['report', 'agent'],
})

/** Days are checked by the command. */
const NEW_SHARE = v.object({ expiresDays: v.optional(v.nullable(v.number('Days are a number.'))) })

export const SHARING_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/share/',
    permission: 'issue.read',
    what: 'the link of an issue that is shared',
    answer: SHARE,
    async run({ queries, scope, params, publicAddress }) {
      const share = existing(await queries.issueShare(scope, params.issue ?? ''))
      return answerOk(shareShape(share, publicAddress.url))
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: '/organizations/{org}/issues/{issue}/share/',
    permission: 'issue.write',
    what: 'shares an issue by a link that needs no account; one that is shared keeps its link',
    body: NEW_SHARE,
    answer: SHARE,
    async run(call) {
      const ref = call.params.issue ?? ''
      const asked = readBody(NEW_SHARE, await call.json())
      grantedOrThrow(await call.commands.run('shareIssue', call, { ref, ...asked }))
      const share = existing(await call.queries.issueShare(call.scope, ref))
      return answerCreated(shareShape(share, call.publicAddress.url))
    },
  }),
  {
    method: 'DELETE',
    pattern: '/organizations/{org}/issues/{issue}/share/',
    permission: 'issue.write',
    what: 'revokes the link of an issue',
    async run(call) {
      grantedOrThrow(await call.commands.run('unshareIssue', call, call.params.issue ?? ''))
      return gone
    },
  },
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/markdown/',
    permission: 'issue.read',
    what: 'the whole issue as Markdown; `for` is report or agent',
    query: [READER],
    answer: MARKDOWN,
    async run({ queries, scope, params, url }) {
      const reader = READER.read(url)
      return answerOk({ markdown: existing(await queries.issueMarkdown(scope, params.issue ?? '', reader)) })
    },
  }),
]

const shareShape = picks(SHARE).from<ShownShare, string>({
  isPublic: () => true,
  shareId: ({ token }) => token,
  url: ({ token }, url) => (token === null ? null : `${url}/share/${token}`),
  dateExpires: ({ expiresMs }) => isoTimeTextOrNull(expiresMs),
  dateCreated: ({ createdMs }) => isoTimeText(createdMs),
})
