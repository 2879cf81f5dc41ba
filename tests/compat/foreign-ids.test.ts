/**
 * Ids in bodies and queries that belong to another organisation, or to a project that is not to be seen, sent by people
 * to addresses of their own, with things of their own beside them: nothing of the others is said, and nothing changes.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { API_ROUTES } from '../../packages/server/src/http/api/routes.ts'
import { aMetricRule, anIssueRule } from '../../packages/server/testing/builders/alert-rule.ts'
import { canaryProblems } from '../support/access-problems.ts'
import { fill, stateOf } from '../support/access-state.ts'
import { rulesHaveLooked } from '../support/alert-looks.ts'
import { resultOf } from '../support/person.ts'
import {
  SEATS,
  type Seat,
  type Things,
  type TwoOrganisations,
  twoOrganisations,
} from '../support/two-organisations.ts'

/** Ids of one call: those of the caller's own organisation, and one that belongs elsewhere. */
interface Named {
  readonly home: Things
  readonly far: Things
}

type Call = readonly [method: string, path: string, body?: unknown]

const notify = (target: object) => [{ target, fromLevel: 'warning' }]

function changes({ home, far }: Named): readonly Call[] {
  const org = `/organizations/${home.org}`
  const issue = `${org}/issues/${home.issue}`
  const rule = (more: object) => ({
    ...anIssueRule({ on: 'new' }),
    name: 'Far',
    projects: [home.projectId],
    ...more,
  })
  const rules: readonly object[] = [
    rule({ projects: [far.projectId] }),
    rule({ projects: [home.projectId, far.projectId] }),
    rule({ notify: notify({ to: 'channel', channelId: Number(far.channel) }) }),
    rule({ notify: notify({ to: 'team', teamId: far.teamId }) }),
    rule({ notify: notify({ to: 'user', userId: far.userId }) }),
    { ...aMetricRule(), name: 'Far', projects: [far.projectId] },
  ]
  return [
    ...rules.map((body): Call => ['POST', `${org}/alerts/rules/`, body]),
    ...rules.map((body): Call => ['PUT', `${org}/alerts/rules/${home.rule}/`, body]),
    ...rules.map((body): Call => ['POST', `${org}/alerts/preview/`, body]),
    ['PUT', `${org}/issues/?id=${far.issueId}`, { status: 'resolved' }],
    ['PUT', `${org}/issues/?id=${home.issueId}&id=${far.issueId}`, { merge: 1 }],
    ['PUT', `${org}/issues/?project=${far.projectId}&query=is:unresolved`, { status: 'resolved' }],
    ['PUT', `${issue}/`, { assignedTo: `user:${far.userId}` }],
    ['PUT', `${issue}/`, { assignedTo: `team:${far.teamId}` }],
    ['POST', `${issue}/comments/`, { text: 'Look', mentions: [`user:${far.userId}`] }],
    ['POST', `${org}/trackers/${far.tracker}/issues/`, { issue: home.issue }],
    ['POST', `${org}/members/`, { email: 'far@x.example', orgRole: 'guest', projects: [far.project] }],
    [
      'POST',
      `${org}/members/`,
      { email: 'far@x.example', orgRole: 'guest', projects: [String(far.projectId)] },
    ],
    ['POST', `${org}/members/`, { email: 'far@x.example', orgRole: 'member', teams: [far.team] }],
    ['POST', `${org}/releases/`, { version: 'far@1', projects: [far.project] }],
    ['POST', `${org}/releases/`, { version: 'far@1', projects: [String(far.projectId)] }],
    [
      'POST',
      `${org}/artifactbundle/assemble/`,
      { checksum: '0'.repeat(40), chunks: [], projects: [far.project] },
    ],
    ['PUT', `${org}/searches/${far.search}/`, { name: 'Far', query: 'is:new', visibility: 'organization' }],
    ['POST', `${org}/alert-log/${far.message}/send/`, {}],
  ]
}

/** Forms as pages send them. */
function forms({
  home,
  far,
}: Named): readonly (readonly [action: string, input: Readonly<Record<string, unknown>>])[] {
  return [
    ['issue.change', { refs: [home.issue, far.issueId], change: 'merge' }],
    ['issue.change', { refs: [home.issue], change: `assign:${far.userId}` }],
    ['issue.change', { refs: [home.issue], change: `assign:team-${far.teamId}` }],
    ['issue.change', { all: `project=${far.projectId}`, change: 'resolve' }],
    ['issue.unmerge', { ref: home.issue, hash: ['0'.repeat(32)], into: far.issueId, reason: '' }],
    ['issue.mirrors.keep_apart', { ref: home.issue, project: String(far.projectId), hash: '0'.repeat(32) }],
    ['issue.tracker.create', { ref: home.issue, tracker: far.tracker }],
    ['list.preferences', { defaultSearch: far.search }],
    ['member.invite', { email: 'far@x.example', role: 'guest', projects: [String(far.projectId)] }],
    ['member.invite', { email: 'far@x.example', role: 'member', teams: [String(far.teamId)] }],
    ['member.set-role', { user: String(home.userId), role: 'guest', projects: [String(far.projectId)] }],
    ['team.save', { team: String(home.teamId), name: 'Far', members: [String(far.userId)], projects: [] }],
    [
      'team.save',
      { team: String(home.teamId), name: 'Far', asksProjects: 'on', projects: [String(far.projectId)] },
    ],
    ['project.create', { name: 'Far', slug: '', platform: '', teams: [String(far.teamId)] }],
    ['key.save', { key: String(far.keyId), name: 'far', count: '1', window: '60' }],
    ['search.rename', { id: far.search, name: 'Far', shared: 'yes' }],
    ['alerts.switch', { rule: far.rule, on: 'off' }],
    ['channel.test', { channel: far.channel }],
    ['alert-log.send', { message: far.message }],
  ]
}

const TOOLS = ({ far }: Named): readonly (readonly [tool: string, input: object])[] => [
  ['find_issues', { query: '', project: far.project }],
  ['find_issues', { query: far.issue }],
  ['find_issues', { query: far.event }],
  ['find_issues', { query: far.trace }],
  ['find_issues', { query: far.digest }],
  ['get_issue', { issue: far.issueId }],
  ['get_event', { event: far.event }],
  ['get_event', { issue: far.issueId, event: 'latest' }],
  ['issue_markdown', { issue: far.issueId }],
  ['similar_issues', { issue: far.issueId }],
  ['outcomes', { project: String(far.projectId) }],
  ['resolve_issue', { issue: far.issueId }],
  ['archive_issue', { issue: far.issueId }],
  ['comment_issue', { issue: far.issueId, text: 'I was here' }],
]

describe('ids of what is elsewhere', () => {
  let world: TwoOrganisations
  before(async () => {
    world = await twoOrganisations()
    await rulesHaveLooked(world.running)
  })
  after(() => world?.running[Symbol.asyncDispose]())

  const states = async () => {
    const owner = world.seats['owner of another organisation']
    const all = [
      await stateOf(world),
      await stateOf({ ...world, seats: { ...world.seats, owner }, shop: world.rival }),
    ]
    // A delivery of their own that fails enters the inbox of its people when it does.
    return JSON.parse(JSON.stringify(all, (key, value) => (key === 'unread' ? undefined : value)))
  }

  async function tried(seat: Seat, named: Named, token: string): Promise<readonly string[]> {
    const asker = world.seats[seat]
    const wrong: string[] = []
    const look = async (answer: Response, what: string) => {
      // What was asked may be repeated.
      wrong.push(...canaryProblems(await answer.text(), seat, `${seat}: ${what}`))
      if (answer.status >= 500) wrong.push(`${seat}: ${what}: ${answer.status}`)
    }
    for (const [method, path, body] of changes(named)) {
      const answer = await asker.api(method, path, body)
      await look(answer, `${method} ${path} ${JSON.stringify(body)}`)
    }
    for (const [action, input] of forms(named)) {
      const address = `/${named.home.org}/projects/${named.home.project}/settings`
      await look(await asker.act(action, address, input), `${action} ${JSON.stringify(input)}`)
    }
    for (const route of API_ROUTES.filter(
      ({ method, pattern }) => method === 'GET' && pattern.includes('{org}'),
    )) {
      const { project, projectId } = named.far
      for (const ref of [project, String(projectId)]) {
        const path = fill(route.pattern, named.home)
        const answer = await asker.api('GET', `${path}${path.includes('?') ? '&' : '?'}project=${ref}`)
        await look(answer, `${path} of ${ref}`)
      }
    }
    return [...wrong, ...(await toolsTried(seat, named, token))]
  }

  async function tokenOf(seat: Seat, { org }: Things): Promise<string> {
    const scopes = ['org:read', 'project:read', 'event:read', 'event:write']
    const input = { name: 'agent', kind: 'personal', scopes }
    const made = await world.seats[seat].act('token.create', `/${org}/settings/tokens`, input)
    return (await resultOf<{ token: string }>(made)).token
  }

  async function toolsTried(seat: Seat, named: Named, token: string): Promise<readonly string[]> {
    const wrong: string[] = []
    for (const [name, given] of TOOLS(named)) {
      const answer = await fetch(`${world.url}/mcp`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: given },
        }),
      })
      wrong.push(...canaryProblems(await answer.text(), seat, `${seat}: ${name} ${JSON.stringify(given)}`))
      if (answer.status !== 200) wrong.push(`${seat}: ${name}: ${answer.status}`)
    }
    return wrong
  }

  for (const seat of SEATS.filter(
    (each) => !['operator', 'owner of another organisation', 'nobody'].includes(each),
  ))
    it(`of another organisation tell “${seat}” nothing, and change nothing`, async () => {
      const token = await tokenOf(seat, world.shop)
      const before = await states()
      assert.deepEqual(await tried(seat, { home: world.shop, far: world.rival }, token), [])
      assert.deepEqual(await states(), before)
    })

  for (const seat of ['guest of another project', 'member of another team'] as const)
    it(`of a project that “${seat}” may not see tell them nothing, and change nothing`, async () => {
      const { shop } = world
      const token = await tokenOf(seat, world.shop)
      const before = await states()
      const home = { ...shop, project: 'elsewhere', issue: 'ELSEWHERE-1', issueId: '999999' }
      assert.deepEqual(await tried(seat, { home, far: shop }, token), [])
      assert.deepEqual(await states(), before)
    })
})
