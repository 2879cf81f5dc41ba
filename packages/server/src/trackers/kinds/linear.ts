/**
 * Linear, whose API is GraphQL. https://linear.app/developers/graphql, https://linear.app/developers/webhooks
 */
import { MINUTE_MS } from '#base/durations.ts'
import { isObject, parseJsonOrNull } from '#base/json.ts'
import { secretField, serverField, serverOf } from '#notices/channels/channel-type.ts'
import type { RemoteIssue } from '#ports/trackers.ts'
import { isWithin } from '../places.ts'
import {
  foundReply,
  isReply,
  MISSING,
  readTitle,
  readTrackerAnswer,
  textOf,
  timeOf,
  UNREADABLE,
} from '../replies.ts'
import { isHmacOf } from '../signatures.ts'
import type { TrackerAsked, TrackerReply, TrackerType } from '../tracker-type.ts'
import { signingField } from './repositories.ts'

const USUAL = 'https://api.linear.app'
const APP = 'https://linear.app'
const REF = '[A-Z][A-Z0-9]{0,9}-[1-9]\\d{0,9}'
/** A call that is older may be somebody's copy. */
const AGE_MS_MAX = 5 * MINUTE_MS
const ENDED: ReadonlySet<unknown> = new Set(['completed', 'canceled', 'duplicate'])

const ISSUE_FIELDS = 'identifier title url updatedAt state { type }'
const TEAM = 'query Team($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id } } }'
const CREATE = `mutation Create($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${ISSUE_FIELDS} } } }`
const READ = `query Read($id: String!) { issue(id: $id) { ${ISSUE_FIELDS} } }`
const STATES = `query States($id: String!) { issue(id: $id) { ${ISSUE_FIELDS}
  team { states(filter: { type: { eq: "completed" } }) { nodes { id position } } } } }`
const UPDATE = `mutation Close($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${ISSUE_FIELDS} } } }`

export const LINEAR: TrackerType = {
  kind: 'linear',
  label: 'Linear',
  about: 'Issues of a team',
  fields: [
    {
      ...{ name: 'place', label: 'Team', isSecret: false, isRequired: true, check: 'text' },
      hint: 'Issues are created here: the letters before their numbers, such as ENG.',
      pattern: { source: '[A-Z][A-Z0-9]{0,9}', rule: 'Capital letters and digits, such as ENG.' },
    },
    secretField('token', 'API key', 'Settings, “Security & access”, “Personal API keys”.'),
    signingField('The “Signing secret” that Linear shows for the webhook.'),
    serverField(USUAL),
  ],
  create,
  async read(asked, ref) {
    const answer = await ask(asked, { query: READ, variables: { id: ref } })
    return isReply(answer) ? answer : foundReply(remoteOf(answer.issue), 'Read.')
  },
  close,
  refOf(_values, url) {
    if (url.origin !== APP) return null
    const [, ref] = new RegExp(`^/[\\w-]+/issue/(${REF})(?:/[^/]*)?/?$`).exec(url.pathname) ?? []
    return ref ?? null
  },
  isSigned({ header, body, nowMs }, secret) {
    if (!isHmacOf(body, { signature: header('linear-signature'), secret })) return false
    const said = parseJsonOrNull(Buffer.from(body).toString('utf8'))
    const sentMs = isObject(said) ? said.webhookTimestamp : null
    return typeof sentMs === 'number' && Math.abs(nowMs - sentMs) <= AGE_MS_MAX
  },
  newsOf(_values, body) {
    if (!isObject(body) || body.type !== 'Issue' || !isObject(body.data)) return null
    const remote = remoteOf({ ...body.data, url: body.data.url ?? body.url })
    return remote !== null && body.action === 'remove' ? { ...remote, state: 'missing' } : remote
  },
}

async function create(
  asked: TrackerAsked,
  { place, title, markdown }: Parameters<TrackerType['create']>[1],
): Promise<TrackerReply> {
  const named = await ask(asked, { query: TEAM, variables: { key: place } })
  if (isReply(named)) return named
  const [team] = nodesOf(named.teams)
  if (team === undefined) return { attempt: { outcome: 'refused', says: `Linear has no team ${place}.` } }
  const input = { teamId: team.id, title, description: markdown }
  const made = await ask(asked, { query: CREATE, variables: { input } })
  if (isReply(made)) return made
  return foundReply(isObject(made.issueCreate) ? remoteOf(made.issueCreate.issue) : null, 'Created.')
}

/** Closes an issue: moves it to the first of its team's states that are “completed”. */
async function close(asked: TrackerAsked, ref: string): Promise<TrackerReply> {
  const before = await ask(asked, { query: STATES, variables: { id: ref } })
  if (isReply(before)) return before
  const remote = remoteOf(before.issue)
  if (remote === null) return UNREADABLE
  // Moved to a team that this isn't set up for: its old number leads there.
  if (!isWithin(asked.values, remote.ref)) return MISSING
  if (remote.state === 'closed') return foundReply(remote, 'It was already completed.')
  const team = isObject(before.issue) && isObject(before.issue.team) ? before.issue.team : {}
  const [state] = nodesOf(team.states).toSorted((a, b) => Number(a.position) - Number(b.position))
  if (state === undefined)
    return { attempt: { outcome: 'refused', says: 'Its team has no completed state.' } }
  const done = await ask(asked, { query: UPDATE, variables: { id: ref, input: { stateId: state.id } } })
  if (isReply(done)) return done
  return foundReply(isObject(done.issueUpdate) ? remoteOf(done.issueUpdate.issue) : null, 'Closed.')
}

/** `data` of the answer. Mistakes come with status 200, too. */
async function ask(
  { values, call }: TrackerAsked,
  body: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
): Promise<Readonly<Record<string, unknown>> | TrackerReply> {
  const headers = { accept: 'application/json', authorization: values.token ?? '' }
  const answer = await call({ method: 'POST', url: `${serverOf(values, USUAL)}/graphql`, headers, body })
  const said = readTrackerAnswer(answer)
  if (isReply(said)) return /\bnot found\b/i.test(said.attempt.says) ? MISSING : said
  const [mistake] = Array.isArray(said.errors) ? said.errors : []
  if (mistake === undefined) return isObject(said.data) ? said.data : UNREADABLE
  const words = isObject(mistake) ? textOf(mistake.message) : ''
  if (/\bnot found\b/i.test(words)) return MISSING
  return { attempt: { outcome: 'refused', says: `Linear says: ${words.slice(0, 300)}` } }
}

function nodesOf(connection: unknown): readonly Readonly<Record<string, unknown>>[] {
  const nodes: unknown = isObject(connection) ? connection.nodes : []
  return Array.isArray(nodes) ? nodes.filter(isObject) : []
}

function remoteOf(issue: unknown): RemoteIssue | null {
  if (!isObject(issue)) return null
  const [ref, url] = [textOf(issue.identifier), textOf(issue.url)]
  if (!new RegExp(`^${REF}$`).test(ref)) return null
  return {
    ref,
    url: url.startsWith(`${APP}/`) ? url.slice(0, 500) : `${APP}/issue/${ref}`,
    title: readTitle(issue.title),
    state: isObject(issue.state) && ENDED.has(issue.state.type) ? 'closed' : 'open',
    changedMs: timeOf(issue.updatedAt),
  }
}
