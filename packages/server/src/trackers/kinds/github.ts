/**
 * GitHub, and GitHub Enterprise Server. A fine-grained token with “Issues: read and write” is enough.
 * https://docs.github.com/en/rest/issues/issues, https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
import { isObject } from '#base/json.ts'
import { secretField, serverField, serverOf } from '#notices/channels/channel-type.ts'
import { isHmacOf } from '../signatures.ts'
import type { TrackerType } from '../tracker-type.ts'
import { issueCalls, REPOSITORY_PATTERN, repositoryField, signingField } from './repositories.ts'

const USUAL = 'https://github.com'

const { remoteOf, ...CALLS } = issueCalls({
  serverUsual: USUAL,
  apiOf(values) {
    const server = serverOf(values, USUAL)
    return server === USUAL ? 'https://api.github.com' : `${server}/api/v3`
  },
  headersOf: (token) => ({
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  }),
  // Pull requests are issues too.
  issuePath: new RegExp(`^/(${REPOSITORY_PATTERN.replace('$', '/')})/(?:issues|pull)/(\\d{1,12})/?$`),
  closed: { state: 'closed', state_reason: 'completed' },
})

export const GITHUB: TrackerType = {
  kind: 'github',
  label: 'GitHub',
  about: 'Issues of a repository',
  fields: [
    serverField(USUAL),
    repositoryField('Issues are created here, such as acme/shop.', REPOSITORY_PATTERN),
    secretField(
      'token',
      'Token',
      'Fine-grained, with access to the repository and “Issues: read and write”.',
    ),
    signingField('The same text as in the repository’s webhook.'),
  ],
  ...CALLS,
  isSigned: ({ header, body }, secret) =>
    isHmacOf(body, { signature: header('x-hub-signature-256'), secret, prefix: 'sha256=' }),
  newsOf(values, body) {
    if (!isObject(body) || !isObject(body.issue) || !isObject(body.repository)) return null
    const remote = remoteOf(values, body.issue)
    const isGone = body.action === 'deleted' || body.action === 'transferred'
    return remote !== null && isGone ? { ...remote, state: 'missing' } : remote
  },
}
