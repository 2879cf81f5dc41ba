/**
 * GitLab, at gitlab.com or on your own server. A project access token with the scope `api` and the role Reporter is enough.
 * https://docs.gitlab.com/api/issues/, https://docs.gitlab.com/user/project/integrations/webhook_events/#issue-events
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
import { isSame } from '../signatures.ts'
import type { TrackerAsked, TrackerCall, TrackerType } from '../tracker-type.ts'
import { pathBelow, readRef, repositoryField, signingField } from './repositories.ts'

const USUAL = 'https://gitlab.com'
/** Groups within groups, then the project. */
const PROJECT_PATTERN = '[\\w.-]{1,255}(?:/[\\w.-]{1,255}){1,20}'
const ISSUE_PATH = new RegExp(`^/(${PROJECT_PATTERN})/(?:-/)?(?:issues|work_items)/(\\d{1,12})/?$`)

export const GITLAB: TrackerType = {
  kind: 'gitlab',
  label: 'GitLab',
  about: 'Issues of a project',
  fields: [
    serverField(USUAL),
    {
      ...repositoryField('Issues are created here, such as acme/web/shop.', PROJECT_PATTERN),
      label: 'Project',
    },
    secretField('token', 'Token', 'A project access token with the scope “api” and the role Reporter.'),
    signingField('The same text as “Secret token” of the project’s webhook.'),
  ],
  async create(asked, { place, title, markdown }) {
    const url = `${apiOf(asked.values)}/projects/${encodeURIComponent(place)}/issues`
    return issueOf(asked, { method: 'POST', url, body: { title, description: markdown } }, 'Created.')
  },
  async read(asked, ref) {
    return issueOf(asked, { method: 'GET', url: urlOf(asked.values, ref) }, 'Read.')
  },
  async close(asked, ref) {
    const url = urlOf(asked.values, ref)
    return issueOf(asked, { method: 'PUT', url, body: { state_event: 'close' } }, 'Closed.')
  },
  refOf(values, url) {
    const path = pathBelow(serverOf(values, USUAL), url)
    const [, project, number] = ISSUE_PATH.exec(path ?? '') ?? []
    return project === undefined ? null : `${project.replace(/\/-$/, '')}#${Number(number)}`
  },
  isSigned: ({ header }, secret) => isSame(secret, header('x-gitlab-token')),
  newsOf(values, body) {
    if (!isObject(body) || !isObject(body.project) || !isObject(body.object_attributes)) return null
    if (body.object_kind !== 'issue' && body.object_kind !== 'work_item') return null
    return remoteOf(values, textOf(body.project.path_with_namespace), body.object_attributes)
  },
}

function apiOf(values: TrackerValues): string {
  return `${serverOf(values, USUAL)}/api/v4`
}

function urlOf(values: TrackerValues, ref: string): string {
  const { repository, number } = readRef(ref)
  return `${apiOf(values)}/projects/${encodeURIComponent(repository)}/issues/${number}`
}

async function issueOf({ values, call }: TrackerAsked, asking: Omit<TrackerCall, 'headers'>, says: string) {
  const headers = { accept: 'application/json', 'private-token': values.token ?? '' }
  const answer = await call({ ...asking, headers })
  if (asking.method === 'GET' && isMissing(answer)) return MISSING
  const body = readTrackerAnswer(answer)
  if (isReply(body)) return body
  const full = isObject(body.references) ? textOf(body.references.full) : ''
  return foundReply(remoteOf(values, readRef(full).repository, body), says)
}

function remoteOf(
  values: TrackerValues,
  project: string,
  issue: Readonly<Record<string, unknown>>,
): RemoteIssue | null {
  const number = numberOf(issue.iid)
  if (number === null || !new RegExp(`^${PROJECT_PATTERN}$`).test(project)) return null
  return {
    ref: `${project}#${number}`,
    url: `${serverOf(values, USUAL)}/${project}/-/issues/${number}`,
    title: readTitle(issue.title),
    state: issue.state === 'closed' ? 'closed' : 'open',
    changedMs: timeOf(issue.updated_at),
  }
}
