/**
 * Gitea and Forgejo, whose API and webhooks are the same but for the header's name.
 * https://docs.gitea.com/api/next/, https://forgejo.org/docs/latest/user/webhooks/
 */
import { isObject } from '#base/json.ts'
import { secretField, serverOf } from '#notices/channels/channel-type.ts'
import { isHmacOf } from '../signatures.ts'
import type { TrackerType } from '../tracker-type.ts'
import { issueCalls, REPOSITORY_PATTERN, repositoryField, signingField } from './repositories.ts'

const { remoteOf, ...CALLS } = issueCalls({
  serverUsual: '',
  apiOf: (values) => `${serverOf(values, '')}/api/v1`,
  headersOf: (token) => ({ accept: 'application/json', authorization: `token ${token}` }),
  issuePath: new RegExp(`(?:^|/)(${REPOSITORY_PATTERN.replace('$', '/')})/(?:issues|pulls)/(\\d{1,12})/?$`),
  closed: { state: 'closed' },
})

export const GITEA: TrackerType = {
  kind: 'gitea',
  label: 'Gitea or Forgejo',
  about: 'Issues of a repository on your own server',
  fields: [
    {
      ...{ name: 'server', label: 'Server', isSecret: false, isRequired: true, check: 'url' },
      hint: 'Its address, such as https://git.example.com.',
    },
    repositoryField('Issues are created here, such as acme/shop.', REPOSITORY_PATTERN),
    secretField('token', 'Token', 'An access token with “issue: read and write”.'),
    signingField('The same text as in the repository’s webhook.'),
  ],
  ...CALLS,
  isSigned: ({ header, body }, secret) =>
    isHmacOf(body, { signature: header('x-forgejo-signature') ?? header('x-gitea-signature'), secret }),
  newsOf(values, body) {
    if (!isObject(body) || !isObject(body.issue) || !isObject(body.repository)) return null
    const remote = remoteOf(values, body.issue)
    return remote !== null && body.action === 'deleted' ? { ...remote, state: 'missing' } : remote
  },
}
