/**
 * Jira Cloud, and Jira Data Center. Version 2 of the API is the one that both have; its texts are in Jira's own markup.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-issues/,
 * https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks
 */
import { isObject } from '#base/json.ts'
import { secretField, serverOf } from '#notices/channels/channel-type.ts'
import type { RemoteIssue, TrackerValues } from '#ports/trackers.ts'
import { isWithin } from '../places.ts'
import {
  foundReply,
  isMissing,
  isReply,
  MISSING,
  readTitle,
  readTrackerAnswer,
  textOf,
  timeOf,
} from '../replies.ts'
import { isHmacOf } from '../signatures.ts'
import type { TrackerAsked, TrackerCall, TrackerReply, TrackerType } from '../tracker-type.ts'
import { jiraMarkup } from './jira-markup.ts'
import { pathBelow, signingField } from './repositories.ts'

const KEY = '[A-Z][A-Z0-9_]{1,30}-[1-9]\\d{0,11}'

export const JIRA: TrackerType = {
  kind: 'jira',
  label: 'Jira',
  about: 'Work items of a project',
  fields: [
    {
      ...{ name: 'server', label: 'Site', isSecret: false, isRequired: true, check: 'url' },
      hint: 'Its address, such as https://acme.atlassian.net.',
    },
    {
      ...{ name: 'place', label: 'Project key', isSecret: false, isRequired: true, check: 'text' },
      hint: 'Work items are created here, such as SHOP.',
      pattern: { source: '[A-Z][A-Z0-9_]{1,30}', rule: 'Capital letters and digits, such as SHOP.' },
    },
    {
      ...{ name: 'type', label: 'Work type', isSecret: false, isRequired: false, check: 'text' },
      hint: 'Leave empty for Bug.',
    },
    {
      ...{ name: 'email', label: 'Email', isSecret: false, isRequired: false, check: 'email' },
      hint: 'Of the account that owns the API token. Leave empty for a personal access token of Data Center.',
    },
    secretField('token', 'Token', 'An API token of Jira Cloud, or a personal access token of Data Center.'),
    signingField('The same text as “Secret” of the webhook in Jira’s system settings.'),
  ],
  async create(asked, { place, title, markdown }) {
    const fields = {
      project: { key: place },
      issuetype: { name: typeOf(asked.values) },
      summary: title,
      description: jiraMarkup(markdown),
    }
    const body = readTrackerAnswer(await ask(asked, { method: 'POST', path: 'issue', body: { fields } }))
    if (isReply(body)) return body
    return foundReply(remoteOf(asked.values, { key: body.key, fields: { summary: title } }), 'Created.')
  },
  read,
  close,
  refOf(values, url) {
    const path = pathBelow(serverOf(values, ''), url) ?? ''
    // Boards name the chosen one beside the address.
    const chosen = url.searchParams.get('selectedIssue') ?? ''
    const [, key] = new RegExp(`/(?:browse|issues)/(${KEY})/?$`).exec(path) ?? []
    if (path === '') return null
    return key ?? (new RegExp(`^${KEY}$`).test(chosen) ? chosen : null)
  },
  isSigned: ({ header, body }, secret) =>
    isHmacOf(body, { signature: header('x-hub-signature'), secret, prefix: 'sha256=' }),
  newsOf(values, body) {
    if (!isObject(body) || !isObject(body.issue)) return null
    const remote = remoteOf(values, body.issue)
    return remote !== null && body.webhookEvent === 'jira:issue_deleted'
      ? { ...remote, state: 'missing' }
      : remote
  },
}

function typeOf({ type = '' }: TrackerValues): string {
  return type === '' ? 'Bug' : type
}

function ask(
  { values, call }: TrackerAsked,
  { path, ...asking }: Pick<TrackerCall, 'method' | 'body'> & { readonly path: string },
) {
  const { email = '', token = '' } = values
  const basic = Buffer.from(`${email}:${token}`).toString('base64')
  const authorization = email === '' ? `Bearer ${token}` : `Basic ${basic}`
  const url = `${serverOf(values, '')}/rest/api/2/${path}`
  return call({ ...asking, url, headers: { accept: 'application/json', authorization } })
}

async function read(asked: TrackerAsked, ref: string): Promise<TrackerReply> {
  const path = `issue/${ref}?fields=summary,status,updated`
  const answer = await ask(asked, { method: 'GET', path })
  if (isMissing(answer)) return MISSING
  const body = readTrackerAnswer(answer)
  return isReply(body) ? body : foundReply(remoteOf(asked.values, body), 'Read.')
}

/** By the first transition of its workflow that leads to a status of the category “done”. */
async function close(asked: TrackerAsked, ref: string): Promise<TrackerReply> {
  const before = await read(asked, ref)
  if (before.remote === undefined || before.remote === 'missing') return before
  // Moved to a project that this isn't set up for: its old key leads there.
  if (!isWithin(asked.values, before.remote.ref)) return MISSING
  if (before.remote.state === 'closed')
    return { ...before, attempt: { outcome: 'sent', says: 'It was already done.' } }
  const path = `issue/${ref}/transitions`
  const offered = readTrackerAnswer(await ask(asked, { method: 'GET', path }))
  if (isReply(offered)) return offered
  const transitions: readonly unknown[] = Array.isArray(offered.transitions) ? offered.transitions : []
  const done = transitions.filter(isObject).find(({ to }) => isObject(to) && isDone(to))
  if (done === undefined)
    return {
      attempt: {
        outcome: 'refused',
        says: 'Its workflow has no transition from its current status to done.',
      },
    }
  const answer = await ask(asked, { method: 'POST', path, body: { transition: { id: done.id } } })
  // It answers 204, without a body.
  if (!answer.isAnswered || answer.status !== 204) {
    const refused = readTrackerAnswer(answer)
    if (isReply(refused)) return refused
  }
  return { attempt: { outcome: 'sent', says: 'Closed.' }, remote: { ...before.remote, state: 'closed' } }
}

function isDone({ statusCategory }: Readonly<Record<string, unknown>>): boolean {
  return isObject(statusCategory) && statusCategory.key === 'done'
}

function remoteOf(values: TrackerValues, issue: Readonly<Record<string, unknown>>): RemoteIssue | null {
  const key = textOf(issue.key)
  if (!new RegExp(`^${KEY}$`).test(key) || !isObject(issue.fields)) return null
  const { summary, status, updated } = issue.fields
  return {
    ref: key,
    url: `${serverOf(values, '')}/browse/${key}`,
    title: readTitle(summary),
    state: isObject(status) && isDone(status) ? 'closed' : 'open',
    changedMs: timeOf(updated),
  }
}
