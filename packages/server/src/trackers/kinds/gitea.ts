/**
 * Gitea and Forgejo, whose API and webhooks are the same but for the header's name.
 * https://docs.gitea.com/api/next/, https://forgejo.org/docs/latest/user/webhooks/
 */
import { isObject } from '#base/json.ts'
import { secretField, serverOf } from '#notices/channels/channel-type.ts'
import type { RemoteIssue, TrackerValues } from '#ports/trackers.ts'
import {
  foundReply,
  isMissing,
  isReply,
  MISSING,
  numberOf,
  readTitle,
  readTrackerAnswer,
  textOf,
  timeOf,
} from '../replies.ts'
import { isHmacOf } from '../signatures.ts'
import type { TrackerAsked, TrackerCall, TrackerType } from '../tracker-type.ts'
import { pathBelow, REPOSITORY_PATTERN, readRef, repositoryField, signingField } from './repositories.ts'

const ISSUE_PATH = new RegExp(
  `(?:^|/)(${REPOSITORY_PATTERN.replace('$', '/')})/(?:issues|pulls)/(\\d{1,12})/?$`,
)

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
  async create(asked, { place, title, markdown }) {
    const url = `${apiOf(asked.values)}/repos/${place}/issues`
    return issueOf(asked, { method: 'POST', url, body: { title, body: markdown } }, 'Created.')
  },
  async read(asked, ref) {
    return issueOf(asked, { method: 'GET', url: urlOf(asked.values, ref) }, 'Read.')
  },
  async close(asked, ref) {
    return issueOf(
      asked,
      { method: 'PATCH', url: urlOf(asked.values, ref), body: { state: 'closed' } },
      'Closed.',
    )
  },
  refOf: (values, url) => {
    const path = pathBelow(serverOf(values, ''), url)
    return path === null ? null : refOfPath(path)
  },
  isSigned: ({ header, body }, secret) =>
    isHmacOf(body, { signature: header('x-forgejo-signature') ?? header('x-gitea-signature'), secret }),
  newsOf(values, body) {
    if (!isObject(body) || !isObject(body.issue) || !isObject(body.repository)) return null
    const remote = remoteOf(values, body.issue)
    return remote !== null && body.action === 'deleted' ? { ...remote, state: 'missing' } : remote
  },
}

function apiOf(values: TrackerValues): string {
  return `${serverOf(values, '')}/api/v1`
}

function urlOf(values: TrackerValues, ref: string): string {
  const { repository, number } = readRef(ref)
  return `${apiOf(values)}/repos/${repository}/issues/${number}`
}

async function issueOf({ values, call }: TrackerAsked, asking: Omit<TrackerCall, 'headers'>, says: string) {
  const headers = { accept: 'application/json', authorization: `token ${values.token ?? ''}` }
  const answer = await call({ ...asking, headers })
  if (asking.method === 'GET' && isMissing(answer)) return MISSING
  const body = readTrackerAnswer(answer)
  return isReply(body) ? body : foundReply(remoteOf(values, body), says)
}

/** Its own address may differ from the one it is called at: only the end counts. */
function remoteOf(values: TrackerValues, issue: Readonly<Record<string, unknown>>): RemoteIssue | null {
  const address = textOf(issue.html_url)
  const ref = URL.canParse(address) ? refOfPath(new URL(address).pathname) : null
  if (ref === null || numberOf(issue.number) === null) return null
  const { repository, number } = readRef(ref)
  return {
    ref,
    url: `${serverOf(values, '')}/${repository}/issues/${number}`,
    title: readTitle(issue.title),
    state: issue.state === 'closed' ? 'closed' : 'open',
    changedMs: timeOf(issue.updated_at),
  }
}

function refOfPath(path: string): string | null {
  const [, repository, number] = ISSUE_PATH.exec(path) ?? []
  return repository === undefined ? null : `${repository}#${Number(number)}`
}
