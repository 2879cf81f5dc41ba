/** Errata's own project is the operator's, under System: no list, menu, palette, count or look-up of an organisation has it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { joinAs, type Person, resultOf, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { pageOf } from '../support/two-organisations.ts'
import { waitFor } from '../support/wait-for.ts'

const MARK = 'mark-of-own-failure'
const DIGEST = '3141592653'
const RELEASE = 'mark-of-own-release'

/** Pages of an organisation that list, count or offer something. */
const PAGES = [
  ...['issues', 'issues?query=mark', 'projects', 'releases', 'performance', 'traces', 'outcomes', 'skew'],
  ...[
    'alerts',
    'alerts/rules/new',
    'alerts/rules/new?kind=metric',
    'alerts/log',
    'alerts/mutes',
    'settings/trackers/new',
  ],
  ...['settings', 'settings/members', 'settings/teams'],
  ...['settings/tokens', 'settings/audit', 'projects/web/settings', 'projects/web/settings/ownership'],
]
const CALLS = [
  ...[
    'issues/?query=',
    'projects/',
    'releases/',
    'teams/',
    'environments/',
    'tags/',
    'events/?field=title&query=',
    'stats_v2/?field=sum(quantity)&groupBy=project',
  ],
  ...[
    'audit-logs/',
    'members/',
    'alerts/rules/',
    'issues-count/?query=is:unresolved',
    'issues/?format=csv',
    'sessions/?field=sum(session)&groupBy=project',
  ],
]

describe('Errata’s own project', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let operator: Person
  let owner: Person
  let issueId: string
  before(async () => {
    running = await startShop()
    operator = await signIn(running.url, OWNER)
    const input = { email: 'bo@shop.example', role: 'owner', teams: [] }
    const invited = await operator.act(
      'member.invite',
      `/${running.shop.organisation}/settings/members`,
      input,
    )
    const { url } = await resultOf<{ url: string }>(invited)
    owner = await joinAs(running.url, url, 'a password of twenty')
    issueId = await ownFailure(operator)
  })
  after(() => running?.[Symbol.asyncDispose]())

  it('is in no page of its people, operator or not', async () => {
    for (const who of [operator, owner]) {
      for (const page of PAGES) {
        const answer = await who.pageData(`/${running.shop.organisation}/${page}`)
        assert.equal(answer.status, 200, page)
        assert.doesNotMatch(listed(await answer.text()), OWN, page)
      }
      const palette = await who.script(`/palette?org=${running.shop.organisation}&q=mark`)
      assert.equal(palette.status, 200)
      assert.doesNotMatch(await palette.text(), OWN)
    }
  })

  it('is in no call of theirs, with a session or a token, nor in what agents are told', async () => {
    const { organisation, token } = running.shop
    const asks = [
      (path: string) => operator.api('GET', path),
      (path: string) => owner.api('GET', path),
      (path: string) =>
        fetch(`${running.url}/api/0${path}`, { headers: { authorization: `Bearer ${token}` } }),
    ]
    for (const ask of asks) {
      for (const call of CALLS) {
        const answer = await ask(`/organizations/${organisation}/${call}`)
        assert.ok(
          answer.status === 200 || (answer.status === 403 && ask === asks[2]),
          `${call}: ${answer.status}`,
        )
        assert.doesNotMatch(await answer.text(), OWN, call)
      }
      const projects = await ask('/projects/')
      assert.doesNotMatch(await projects.text(), OWN)
      assert.equal((await ask(`/projects/${organisation}/errata/`)).status, 404)
      assert.doesNotMatch(await (await ask('/organizations/')).text(), /"system"/)
    }
    const tools = [
      ['find_issues', {}],
      ['outcomes', {}],
      ['get_issue', { issue: issueId }],
      ['get_event', { event: DIGEST }],
      ['release_changes', { release: RELEASE }],
    ] as const
    for (const [tool, args] of tools) {
      // An answer may repeat what it was asked for.
      const told = (await asked(running.shop, tool, args)).replaceAll(RELEASE, '')
      assert.doesNotMatch(told, OWN, tool)
    }
  })

  it('is in no team: what one opens can be changed, and another’s project is refused', async () => {
    const { organisation } = running.shop
    const settings = `/${organisation}/settings/teams`
    const { teams } = await pageOf<Teams>(owner, settings, 'org-settings.teams')
    const [team] = teams
    const input = {
      team: String(team?.id),
      name: 'Everybody',
      members: (team?.members.shown ?? []).map(({ id }) => String(id)),
      projects: (team?.projects.shown ?? []).map(({ id }) => String(id)),
    }
    await resultOf(await owner.act('team.save', settings, input))
    const own = await idOfOwn(operator)
    const taken = await operator.act('team.save', settings, { ...input, projects: [...input.projects, own] })
    assert.notEqual(taken.status, 200)
  })

  it('answers nobody but its operator', async () => {
    const { organisation } = running.shop
    assert.equal((await owner.document('/system/issues')).status, 404)
    assert.equal((await owner.document(`/system/issues/${issueId}`)).status, 404)
    assert.equal((await owner.document(`/${organisation}/issues/${issueId}`)).status, 404)
    assert.equal((await owner.api('GET', '/organizations/system/projects/')).status, 404)
    assert.equal((await owner.api('GET', `/issues/${issueId}/`)).status, 404)
    assert.doesNotMatch(await (await owner.pageData(`/digest/${DIGEST}`)).text(), OWN)
    const system = await operator.document('/system')
    const page = await system.text()
    assert.match(page, /href="\/system\/issues"/)
    assert.match(page, /Projects, Errata’s own included/)
    assert.match(await (await operator.pageData('/system/issues')).text(), OWN)
    assert.match(await (await operator.pageData(`/system/issues/${issueId}/events`)).text(), OWN)
    assert.equal((await operator.pageData('/system/projects/errata/settings')).status, 200)
    assert.match(await (await operator.api('GET', '/organizations/system/issues/?query=')).text(), OWN)
    assert.match(await (await operator.pageData(`/digest/${DIGEST}`)).text(), OWN)
  })

  it('is led to by the operator’s links of before', async () => {
    const { organisation } = running.shop
    const places = [
      [`/${organisation}/issues/${issueId}`, `/system/issues/${issueId}`],
      [`/${organisation}/issues/ERRATA-1/events`, '/system/issues/ERRATA-1/events'],
      [`/${organisation}/issues?project=errata&query=x`, '/system/issues?project=errata&query=x'],
      [`/${organisation}/projects/errata/settings`, '/system/projects/errata/settings'],
    ] as const
    for (const [from, to] of places) {
      const answer = await operator.document(from)
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, to])
      assert.equal((await owner.document(from)).headers.get('location'), null)
    }
  })

  it('takes on nobody and nothing else', async () => {
    const invite = { email: 'cleo@shop.example', role: 'owner', teams: [] }
    assert.equal((await operator.act('member.invite', '/system/settings/members', invite)).status, 403)
    const project = { name: 'Other', slug: 'other', platform: '', teams: [] }
    assert.equal((await operator.act('project.create', '/system/projects/new', project)).status, 403)
    assert.equal((await operator.api('DELETE', '/projects/system/errata/')).status, 409)
    const named = { name: 'Other', slug: 'other' }
    assert.equal((await operator.act('org.rename', '/system/settings', named)).status, 403)
  })

  /** Sends one to its key and answers the issue's id. */
  async function ownFailure(by: Person): Promise<string> {
    const keys = await by.api('GET', '/projects/system/errata/keys/')
    const [key] = (await keys.json()) as readonly { readonly dsn: { readonly public: string } }[] // as the web API answers
    const more = { tags: { digest: DIGEST }, release: RELEASE, environment: MARK, user: { id: MARK } }
    await send(key?.dsn.public ?? '', anEvent({ type: 'OwnError', message: MARK, more }))
    return waitFor('its issue', async () => {
      const answer = await by.api('GET', '/organizations/system/issues/?query=')
      const rows = (await answer.json()) as readonly { readonly id: string }[] // as the web API answers
      return rows[0]?.id
    })
  }
})

const OWN = /mark-of-own|"slug":"errata"|"errata"\s*[,}\]]|ERRATA-\d/

/** The frame tells an operator where it is, and the address says what was searched. */
function listed(text: string): string {
  return text.replace(/"selfOrg":"system"/g, '')
}

interface Teams {
  readonly teams: readonly {
    readonly id: number
    readonly members: { readonly shown: readonly { readonly id: number }[] }
    readonly projects: { readonly shown: readonly { readonly id: number }[] }
  }[]
}

async function idOfOwn(by: Person): Promise<string> {
  const answer = await by.api('GET', '/projects/system/errata/')
  return ((await answer.json()) as { readonly id: string }).id // as the web API answers
}

async function asked({ url, token }: SetUp, name: string, args: object = {}): Promise<string> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  assert.equal(answer.status, 200)
  return answer.text()
}
