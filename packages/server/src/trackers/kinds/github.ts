/**
 * GitHub, and GitHub Enterprise Server. A fine-grained token with “Issues: read and write” is enough.
 * https://docs.github.com/en/rest/issues/issues, https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
import { isObject } from '#base/json.ts'
import { secretField, serverField, serverOf } from '#notices/channels/channel-type.ts'
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

const USUAL = 'https://github.com'
/** An issue's own address; pull requests are issues too. */
const ISSUE_PATH = new RegExp(`^/(${REPOSITORY_PATTERN.replace('$', '/')})/(?:issues|pull)/(\\d{1,12})/?$`)

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
  async create(asked, { place, title, markdown }) {
    const url = `${apiOf(asked.values)}/repos/${place}/issues`
    return issueOf(asked, { method: 'POST', url, body: { title, body: markdown } }, 'Created.')
  },
  async read(asked, ref) {
    return issueOf(asked, { method: 'GET', url: urlOf(asked.values, ref) }, 'Read.')
  },
  async close(asked, ref) {
    const body = { state: 'closed', state_reason: 'completed' }
    return issueOf(asked, { method: 'PATCH', url: urlOf(asked.values, ref), body }, 'Closed.')
  },
  refOf: (values, url) => refOfPath(pathBelow(serverOf(values, USUAL), url)),
  isSigned: ({ header, body }, secret) =>
    isHmacOf(body, { signature: header('x-hub-signature-256'), secret, prefix: 'sha256=' }),
  newsOf(values, body) {
    if (!isObject(body) || !isObject(body.issue) || !isObject(body.repository)) return null
    const remote = remoteOf(values, body.issue)
    const isGone = body.action === 'deleted' || body.action === 'transferred'
    return remote !== null && isGone ? { ...remote, state: 'missing' } : remote
  },
}

function apiOf(values: TrackerValues): string {
  const server = serverOf(values, USUAL)
  return server === USUAL ? 'https://api.github.com' : `${server}/api/v3`
}

function urlOf(values: TrackerValues, ref: string): string {
  const { repository, number } = readRef(ref)
  return `${apiOf(values)}/repos/${repository}/issues/${number}`
}

async function issueOf({ values, call }: TrackerAsked, asking: Omit<TrackerCall, 'headers'>, says: string) {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${values.token ?? ''}`,
    'x-github-api-version': '2022-11-28',
  }
  const answer = await call({ ...asking, headers })
  if (asking.method === 'GET' && isMissing(answer)) return MISSING
  const body = readTrackerAnswer(answer)
  return isReply(body) ? body : foundReply(remoteOf(values, body), says)
}

function remoteOf(values: TrackerValues, issue: Readonly<Record<string, unknown>>): RemoteIssue | null {
  const address = textOf(issue.html_url)
  const ref = URL.canParse(address) ? refOfPath(new URL(address).pathname) : null
  if (ref === null || numberOf(issue.number) === null) return null
  const { repository, number } = readRef(ref)
  return {
    ref,
    url: `${serverOf(values, USUAL)}/${repository}/issues/${number}`,
    title: readTitle(issue.title),
    state: issue.state === 'closed' ? 'closed' : 'open',
    changedMs: timeOf(issue.updated_at),
  }
}

function refOfPath(path: string | null): string | null {
  const [, repository, number] = ISSUE_PATH.exec(path ?? '') ?? []
  return repository === undefined ? null : `${repository}#${Number(number)}`
}
