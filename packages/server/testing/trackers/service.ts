/** Issue trackers that run inside a test: each answers as its service documents it, and keeps what it was asked. */
import type { RequestListener } from 'node:http'
import { isObject } from '#base/json.ts'
import type { TrackerKind, TrackerValues } from '#ports/trackers.ts'
import { type Hook, openHook } from '../notices/receivers.ts'

/** The one issue of a service. */
interface ServiceIssue {
  title: string
  state: 'open' | 'closed'
  /** By the service's own clock. */
  updated: string
}

export interface Service {
  readonly hook: Hook
  readonly issue: ServiceIssue
  /** Values to set a tracker up with. */
  readonly values: TrackerValues
  /** Which issue it is, as Errata calls it, and its address in a browser. */
  readonly ref: string
  readonly url: string
  /** Answers with this status from now on; `null`: as it should. */
  failWith: number | null
}

export const TRACKER_TOKEN = 'tracker-token'
export const SECRET = 'tracker-secret'

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

type Answer = readonly [status: number, body?: unknown]

export async function openService(kind: TrackerKind): Promise<Service> {
  const issue: ServiceIssue = { title: '', state: 'open', updated: '2026-11-21T12:00:00Z' }
  const answer: RequestListener = (request, response) => {
    const call = service.hook.calls.at(-1)
    const body: unknown = call === undefined || call.body === '' ? null : JSON.parse(call.body)
    const asked = { method: request.method ?? '', path: request.url ?? '', body }
    const [status, said] = service.failWith === null ? SERVICES[kind](service, asked) : [service.failWith, {}]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(said === undefined ? undefined : JSON.stringify(said))
  }
  const hook = await openHook(answer)
  const server = `http://127.0.0.1:${hook.port}`
  const service: Service = { hook, issue, failWith: null, ...facts(kind, server) }
  return service
}

function facts(kind: TrackerKind, server: string): Pick<Service, 'values' | 'ref' | 'url'> {
  const secrets = { token: TRACKER_TOKEN, secret: SECRET, server }
  switch (kind) {
    case 'github':
    case 'gitea':
      return {
        values: { ...secrets, place: 'acme/shop' },
        ref: 'acme/shop#12',
        url: `${server}/acme/shop/issues/12`,
      }
    case 'gitlab':
      return {
        values: { ...secrets, place: 'acme/web/shop' },
        ref: 'acme/web/shop#12',
        url: `${server}/acme/web/shop/-/issues/12`,
      }
    case 'jira':
      return {
        values: { ...secrets, place: 'SHOP', email: 'bot@acme.test', type: '' },
        ref: 'SHOP-12',
        url: `${server}/browse/SHOP-12`,
      }
    case 'linear':
      return {
        values: { ...secrets, place: 'ENG' },
        ref: 'ENG-12',
        url: 'https://linear.app/acme/issue/ENG-12/it-fails',
      }
  }
}

const SERVICES: Readonly<Record<TrackerKind, (service: Service, asked: Asked) => Answer>> = {
  github: (service, asked) => ofRepository(service, asked, '/api/v3/repos/acme/shop/issues'),
  gitea: (service, asked) => ofRepository(service, asked, '/api/v1/repos/acme/shop/issues'),
  gitlab(service, { method, path, body }) {
    const all = '/api/v4/projects/acme%2Fweb%2Fshop/issues'
    if (method === 'POST' && path === all) service.issue.title = field(body, 'title')
    else if (path !== `${all}/12`) return [404, { message: '404 Not Found' }]
    if (method === 'PUT' && field(body, 'state_event') === 'close') close(service)
    return [method === 'POST' ? 201 : 200, gitlabIssue(service)]
  },
  jira(service, { method, path, body }) {
    const [route] = path.split('?')
    if (method === 'POST' && route === '/rest/api/2/issue') {
      service.issue.title = field(isObject(body) ? body.fields : null, 'summary')
      return [201, { id: '10012', key: 'SHOP-12', self: `${service.url}/rest/api/2/issue/10012` }]
    }
    if (route === '/rest/api/2/issue/SHOP-12/transitions') {
      if (method === 'GET')
        return [200, { transitions: [transition('11', 'indeterminate'), transition('31', 'done')] }]
      const chosen = isObject(body) ? field(body.transition, 'id') : ''
      if (chosen === '31') close(service)
      return [chosen === '31' ? 204 : 400]
    }
    if (route === '/rest/api/2/issue/SHOP-12') return [200, jiraIssue(service)]
    return [
      404,
      { errorMessages: ['Issue does not exist or you do not have permission to see it.'], errors: {} },
    ]
  },
  linear(service, { body }) {
    const query = field(body, 'query')
    const variables = isObject(body) && isObject(body.variables) ? body.variables : {}
    if (query.includes('teams(')) return [200, { data: { teams: { nodes: [{ id: 'team-uuid' }] } } }]
    if (query.includes('issueCreate')) {
      service.issue.title = field(variables.input, 'title')
      return [200, { data: { issueCreate: { success: true, issue: linearIssue(service) } } }]
    }
    if (variables.id !== 'ENG-12')
      return [200, { errors: [{ message: 'Entity not found: Issue' }], data: null }]
    if (query.includes('issueUpdate')) {
      if (field(variables.input, 'stateId') === 'state-first') close(service)
      return [200, { data: { issueUpdate: { success: true, issue: linearIssue(service) } } }]
    }
    const states = [
      { id: 'state-second', position: 2 },
      { id: 'state-first', position: 1 },
    ]
    return [200, { data: { issue: { ...linearIssue(service), team: { states: { nodes: states } } } } }]
  },
}

function ofRepository(service: Service, { method, path, body }: Asked, all: string): Answer {
  if (method === 'POST' && path === all) {
    service.issue.title = field(body, 'title')
    return [201, repositoryIssue(service)]
  }
  if (path !== `${all}/12`) return [404, { message: 'Not Found' }]
  if (method === 'PATCH' && field(body, 'state') === 'closed') close(service)
  return [200, repositoryIssue(service)]
}

function close({ issue }: Service): void {
  issue.state = 'closed'
  issue.updated = '2026-11-21T12:10:00Z'
}

function field(of: unknown, name: string): string {
  const value = isObject(of) ? of[name] : null
  return typeof value === 'string' ? value : ''
}

function repositoryIssue({ issue, url }: Service) {
  return { number: 12, html_url: url, title: issue.title, state: issue.state, updated_at: issue.updated }
}

function gitlabIssue({ issue }: Service) {
  const { title, updated } = issue
  return {
    ...{ iid: 12, title, state: issue.state === 'open' ? 'opened' : 'closed', updated_at: updated },
    references: { short: '#12', full: 'acme/web/shop#12' },
  }
}

function transition(id: string, category: string) {
  return { id, name: category, to: { name: category, statusCategory: { key: category } } }
}

function jiraIssue({ issue }: Service) {
  const key = issue.state === 'open' ? 'new' : 'done'
  const fields = {
    summary: issue.title,
    status: { name: key, statusCategory: { key } },
    updated: issue.updated,
  }
  return { id: '10012', key: 'SHOP-12', fields }
}

function linearIssue({ issue, url }: Service) {
  const type = issue.state === 'open' ? 'started' : 'completed'
  return { identifier: 'ENG-12', title: issue.title, url, updatedAt: issue.updated, state: { type } }
}

/** The body of the webhook that tells how the issue is now. */
export function webhookOf(kind: TrackerKind, service: Service, sentMs: number): unknown {
  const { state } = service.issue
  switch (kind) {
    case 'github':
    case 'gitea':
      return {
        action: state === 'open' ? 'reopened' : 'closed',
        issue: repositoryIssue(service),
        repository: { full_name: 'acme/shop' },
      }
    case 'gitlab': {
      const { references: _, ...attributes } = gitlabIssue(service)
      return {
        object_kind: 'issue',
        project: { path_with_namespace: 'acme/web/shop' },
        object_attributes: { ...attributes, action: state === 'open' ? 'reopen' : 'close' },
      }
    }
    case 'jira':
      return { webhookEvent: 'jira:issue_updated', timestamp: sentMs, issue: jiraIssue(service) }
    case 'linear':
      return {
        action: 'update',
        type: 'Issue',
        data: { id: 'uuid', ...linearIssue(service) },
        url: service.url,
        webhookTimestamp: sentMs,
      }
  }
}
