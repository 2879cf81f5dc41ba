/**
 * Every page, page-data request, action, handler and call of the web API, asked by everybody there is, and answered as
 * the tables of roles and scopes say. What is walked is read from the code, so that nothing new escapes it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { PERMISSIONS, SCOPES } from '@errata/server/access'
import { ERROR_CATALOGUE } from '@errata/server/errors'
import { API_ROUTES } from '../../packages/server/src/http/api/routes.ts'
import { actions, handlers } from '../../packages/web/src/shell/features.server.ts'
import { pages } from '../../packages/web/src/shell/pages.ts'
import {
  type ApiRoute,
  actionProblems,
  apiProblems,
  apiVerdict,
  canaryProblems,
  documentProblems,
  handlerProblems,
  inProject,
  isSigned,
  pageDataProblems,
  tokenVerdict,
} from '../support/access-problems.ts'
import { fill, stateOf } from '../support/access-state.ts'
import { ACTION_INPUTS, actionAddress } from '../support/action-inputs.ts'
import { person, resultOf } from '../support/person.ts'
import {
  CANARIES,
  makeToken,
  SEATS,
  type Seat,
  type Things,
  type TwoOrganisations,
  twoOrganisations,
} from '../support/two-organisations.ts'
import { type Verdict, verdictInProject, verdictOf } from '../support/verdicts.ts'

describe('access', () => {
  let world: TwoOrganisations
  before(async () => {
    world = await twoOrganisations()
  })
  after(() => world?.running[Symbol.asyncDispose]())

  it('plants words that those who may read them do read', async () => {
    const { seats, shop, rival } = world
    const seen = async (seat: Seat, path: string) => (await seats[seat].document(path)).text()
    assert.ok((await seen('viewer', `/${shop.org}/issues`)).includes(CANARIES.shopProject))
    assert.ok(
      (await seen('member of another team', `/${shop.org}/settings`)).includes(CANARIES.shopOrganisation),
    )
    assert.ok((await seen('owner of another organisation', `/${rival.org}/issues`)).includes(CANARIES.rival))
  })

  for (const seat of SEATS) {
    it(`opens pages to “${seat}” as the tables say`, async () => {
      const asker = world.seats[seat]
      const wrong: string[] = []
      for (const { path, access } of pages) {
        const address = fill(path, world.shop)
        const verdict = inProject(path) ? verdictInProject(access, seat) : verdictOf(access, seat)
        const document = await asker.document(address)
        wrong.push(...(await documentProblems(document, { address, access, verdict, seat })))
        const data = await asker.pageData(address)
        wrong.push(...(await pageDataProblems(data, { address, access, verdict, seat })))
      }
      assert.deepEqual(wrong, [])
    })

    it(`answers handlers to “${seat}” as the tables say`, async () => {
      const wrong: string[] = []
      for (const { path, access } of handlers) {
        const address = fill(path, world.shop)
        const answer = await world.seats[seat].script(address)
        wrong.push(...(await handlerProblems(answer, { address, access, seat, path })))
      }
      assert.deepEqual(wrong, [])
    })

    it(`answers calls of the web API with the session of “${seat}” as the tables say`, async () => {
      const before = await stateOf(world)
      const wrong: string[] = []
      for (const route of API_ROUTES) {
        const verdict = apiVerdict(route, seat)
        const address = fill(route.pattern, verdict === 'open' ? aimed(route, world.shop) : world.shop)
        const body = bodyOf(route, verdict)
        const answer = await world.seats[seat].api(route.method, `${address}${bulk(route)}`, body)
        wrong.push(...(await apiProblems(answer, { route, verdict, seat })))
      }
      assert.deepEqual(wrong, [])
      assert.deepEqual(await stateOf(world), before)
    })

    it(`runs actions of “${seat}” as the tables say, and changes nothing by what it refuses`, async () => {
      const before = await stateOf(world)
      const wrong: string[] = []
      for (const { name, access } of actions) {
        const verdict = verdictOf(access, seat)
        // What is open is sent without its input: that it is asked for is enough, and nothing is changed by it.
        const input = verdict === 'open' ? {} : inputOf(name, world.shop)
        if (verdict === 'open' && RUN_WITHOUT_INPUT.has(name)) continue
        const answer = await world.seats[seat].act(name, actionAddress(name, world.shop), input)
        wrong.push(...(await actionProblems(answer, { name, verdict, seat })))
      }
      assert.deepEqual(wrong, [])
      assert.deepEqual(await stateOf(world), before)
    })
  }

  for (const seat of ['member of another team', 'guest of another project'] as const)
    it(`lets a ${seat} change nothing of a project they cannot read`, async () => {
      const before = await stateOf(world)
      const asker = world.seats[seat]
      for (const { name, access } of actions) {
        if (verdictOf(access, seat) !== 'open' || !(access in PERMISSIONS)) continue
        if (name.startsWith('token.')) continue // their own tokens; below
        const answer = await asker.act(name, actionAddress(name, world.shop), inputOf(name, world.shop))
        await answer.text()
        assert.ok(answer.status < 500, `${name}: ${answer.status}`)
      }
      assert.deepEqual(await stateOf(world), before)
    })

  it('lets nobody reach into another organisation by naming its things at an address of their own', async () => {
    const before = await stateOf(world)
    const asker = world.seats['owner of another organisation']
    const { shop, rival } = world
    for (const { name } of actions) {
      if (name.startsWith('auth.') || name.startsWith('account.')) continue
      for (const project of [rival.project, shop.project, String(shop.projectId)]) {
        const address = `/${rival.org}/projects/${project}/settings`
        const answer = await asker.act(name, address, foreignInputOf(name, shop))
        await answer.text()
        assert.ok(answer.status < 500, `${name} at ${address}: ${answer.status}`)
      }
    }
    const wrong: string[] = []
    for (const route of API_ROUTES.filter(({ pattern }) => pattern.includes('{org}'))) {
      for (const project of [shop.project, String(shop.projectId)]) {
        const mixed = { ...shop, project, org: rival.org }
        const body = bodyOf(route, 'missing')
        const answer = await asker.api(route.method, fill(route.pattern, mixed) + bulk(route, shop), body)
        wrong.push(...canaryProblems(await answer.text(), 'owner of another organisation', route.pattern))
        if (answer.status >= 500) wrong.push(`${route.method} ${route.pattern}: ${answer.status}`)
      }
    }
    for (const { path } of pages.filter((page) => page.path.startsWith('/:org'))) {
      const answer = await asker.pageData(fill(path, { ...shop, org: rival.org }))
      wrong.push(...canaryProblems(await answer.text(), 'owner of another organisation', path))
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(await stateOf(world), before)
  })

  it('refuses every action and every change by session that does not come from its own pages', async () => {
    const before = await stateOf(world)
    const wrong: string[] = []
    for (const from of FOREIGN_ORIGINS) {
      const where = JSON.stringify(from)
      for (const { name } of actions) {
        const address = actionAddress(name, world.shop)
        const input = inputOf(name, world.shop)
        const scripted = await world.seats.owner.act(name, address, input, from)
        if ((await codeOf(scripted)) !== 'cross_origin') wrong.push(`${name} from ${where}`)
        const fields = [['errata-action', name] as const]
        const plain = await world.seats.owner.form(address, fields, from)
        await plain.text()
        if (plain.status !== ERROR_CATALOGUE.cross_origin.status) wrong.push(`form ${name} from ${where}`)
      }
      for (const route of API_ROUTES.filter((one) => one.method !== 'GET' && !isSigned(one))) {
        const address = fill(route.pattern, world.shop)
        const answer = await world.seats.owner.api(route.method, address + bulk(route, world.shop), {}, from)
        if ((await codeOf(answer)) !== 'cross_origin') wrong.push(`${route.method} ${address} from ${where}`)
      }
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(await stateOf(world), before)
  })

  it('gives a token of one scope the calls of that scope alone', async () => {
    const { owner } = world.seats
    const tokens = new Map<string, string>()
    for (const scope of SCOPES) tokens.set(scope, await makeToken(owner, world.shop.org, [scope]))
    const wrong: string[] = []
    for (const route of API_ROUTES) {
      for (const scope of scopesTried(route)) {
        const verdict = tokenVerdict(route, [scope])
        const things = verdict === 'open' ? aimed(route, world.shop) : world.shop
        const answer = await withToken(world.url, tokens.get(scope) ?? '', { route, things, verdict })
        wrong.push(...(await apiProblems(answer, { route, verdict, seat: 'owner', scope })))
      }
    }
    assert.deepEqual(wrong, [])
  })

  it('answers SCIM to tokens of its scope alone, in their own organisation, and to no session', async () => {
    const { shop, rival, seats, url } = world
    const wrong: string[] = []
    const ask = async (line: string, bearer: string | null, org = shop.org) => {
      const [method = '', path = ''] = line.split(' ')
      const isWrite = ['POST', 'PUT', 'PATCH'].includes(method)
      const answer = await fetch(`${url}/scim/v2/${org}${path}`, {
        method,
        headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
        ...(isWrite ? { body: '{}' } : {}),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const provisioning = await makeToken(seats.owner, shop.org, ['scim:write'])
    const others = await makeToken(
      seats.owner,
      shop.org,
      SCOPES.filter((scope) => scope !== 'scim:write'),
    )
    const foreign = await makeToken(seats['owner of another organisation'], rival.org, ['scim:write'])
    const before = await stateOf(world)
    for (const line of scimLines(shop)) {
      const asked = [
        [null, 401],
        [others, 403],
        [foreign, 404],
      ] as const
      for (const [bearer, expected] of asked) {
        const { status, text } = await ask(line, bearer)
        if (status !== expected) wrong.push(`${line}: ${status}, ${expected} was expected`)
        if (bearer !== others) wrong.push(...canaryProblems(text, 'owner of another organisation', line))
      }
      const { status, text } = await ask(line, provisioning)
      // What is empty is refused for what it is; nothing is removed.
      if (!line.startsWith('DELETE') && [401, 403, 404].includes(status))
        wrong.push(`${line}: ${status} ${text}`)
      if (line.startsWith('DELETE') && status !== 404) wrong.push(`${line}: ${status} ${text}`)
    }
    const { cookie } = seats.owner
    const bySession = await fetch(`${url}/scim/v2/${shop.org}/Users`, { headers: { cookie: cookie ?? '' } })
    if (bySession.status !== 401) wrong.push(`a session: ${bySession.status}`)
    assert.deepEqual(wrong, [])
    assert.deepEqual(await stateOf(world), before)
  })

  it('gives a personal token no more than its person, whatever its scopes', async () => {
    const wrong: string[] = []
    for (const seat of ['viewer', 'member of another team', 'guest of another project'] as const) {
      const input = { name: 'mine', kind: 'personal', scopes: [...SCOPES] }
      const address = `/${world.shop.org}/settings/tokens`
      const made = await resultOf<{ token: string }>(
        await world.seats[seat].act('token.create', address, input),
      )
      for (const route of API_ROUTES) {
        const verdict = apiVerdict(route, seat)
        const things = verdict === 'open' ? aimed(route, world.shop) : world.shop
        const answer = await withToken(world.url, made.token, { route, things, verdict })
        wrong.push(...(await apiProblems(answer, { route, verdict, seat })))
      }
    }
    assert.deepEqual(wrong, [])
  })

  it('shows nothing of the shop to a token of another organisation', async () => {
    const wrong: string[] = []
    for (const route of API_ROUTES) {
      const verdict = /\{(?:org|issue)\}/.test(route.pattern) ? 'missing' : 'open'
      const answer = await withToken(world.url, world.rival.token, { route, things: world.shop, verdict })
      const seat = 'owner of another organisation'
      wrong.push(...(await apiProblems(answer, { route, verdict, seat })))
    }
    assert.deepEqual(wrong, [])
  })

  it('lets only those who may write tokens make or revoke one of the organisation', async () => {
    const { shop, seats } = world
    const address = `/${shop.org}/settings/tokens`
    const input = { name: 'ours', kind: 'organisation', scopes: ['org:read'] }
    for (const seat of ['owner', 'manager', 'member', 'viewer'] as const) {
      const verdict = verdictOf('token.write', seat)
      const made = await seats[seat].act('token.create', address, input)
      assert.equal(made.status, verdict === 'open' ? 200 : 403, `${seat}: ${await made.text()}`)
    }
    const revoked = await seats.viewer.act('token.revoke', address, { token: String(shop.tokenId) })
    assert.ok(revoked.status === 403 || revoked.status === 404, `${revoked.status}`)
    const still = await fetch(`${world.url}/api/0/auth/`, {
      headers: { authorization: `Bearer ${shop.token}` },
    })
    assert.equal(still.status, 200)
  })

  it('ends one session of somebody else for nobody', async () => {
    const input = { session: String(world.shop.sessionId) }
    for (const seat of ['manager', 'operator', 'owner of another organisation'] as const) {
      await (await world.seats[seat].act('account.end-session', '/account/sessions', input)).text()
    }
    assert.equal((await world.seats.owner.document('/account')).status, 200)
  })

  it('signs out', async () => {
    const input = { email: 'passing@shop.example', role: 'viewer', teams: [] }
    const address = `/${world.shop.org}/settings/members`
    const { url } = await resultOf<{ url: string }>(
      await world.seats.owner.act('member.invite', address, input),
    )
    const passing = person(world.url, null)
    const joined = await passing.act('auth.join', new URL(url).pathname, {
      name: 'Passing',
      password: 'a password of twenty',
    })
    const cookie = joined.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const inside = person(world.url, cookie)
    assert.equal((await inside.document('/account')).status, 200)
    assert.deepEqual(await (await inside.act('auth.sign-out', '/account', {})).json(), {
      redirect: '/sign-in',
    })
    assert.equal((await inside.document('/account')).status, 303)
    const again = await passing.act('auth.join', new URL(url).pathname, {
      name: 'X',
      password: 'y'.repeat(20),
    })
    assert.equal(await codeOf(again), 'link_expired')
  })
})

/** Every one in the long suite; else one of either verdict: the walk without a network tries each with every call. */
function scopesTried(route: ApiRoute): readonly (typeof SCOPES)[number][] {
  if (process.env.ERRATA_TEST_LONG === '1') return SCOPES
  const verdictOfScope = (scope: string) => tokenVerdict(route, [scope])
  return [...new Map(SCOPES.map((scope) => [verdictOfScope(scope), scope])).values()]
}

function scimLines({ userId, teamId }: Things): readonly string[] {
  const about = ['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/User', 'Schemas']
  const of = (kind: string, id: number) => [
    ...[`GET /${kind}`, `POST /${kind}`, `GET /${kind}/${id}`, `PUT /${kind}/${id}`, `PATCH /${kind}/${id}`],
    `DELETE /${kind}/999999`,
  ]
  return [...about.map((path) => `GET /${path}`), ...of('Users', userId), ...of('Groups', teamId)]
}

/** Actions that do something without any input: they are run by tests of their own. */
// Filters that nobody ticks are off, and two of them are on at first.
const RUN_WITHOUT_INPUT = new Set([
  ...['auth.sign-out', 'project.test-event', 'project.filters'],
  ...['account.app-begin', 'account.recovery-codes'],
])

const FOREIGN_ORIGINS = [
  {},
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
] as const

function withToken(
  url: string,
  token: string,
  {
    route,
    things,
    verdict,
  }: { readonly route: ApiRoute; readonly things: Things; readonly verdict: Verdict },
): Promise<Response> {
  const body = bodyOf(route, verdict)
  const isParting = route.method === 'DELETE' && route.pattern.endsWith('/hashes/') && verdict !== 'open'
  const query = isParting ? `?id=${'0'.repeat(32)}` : bulk(route)
  return fetch(`${url}/api/0${fill(route.pattern, things)}${query}`, {
    method: route.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Nothing that could be done where the call is open, so that the walk changes nothing; else what would do it. */
function bodyOf({ method, pattern }: ApiRoute, verdict: Verdict): unknown {
  if (method === 'GET' || method === 'DELETE') return undefined
  if (verdict === 'open') return { name: 1 }
  if (pattern.endsWith('/keep-apart/')) return {}
  if (pattern.includes('/comments/') || pattern.includes('/notes/')) return { text: 'I was here' }
  return pattern.includes('/issues/') ? { status: 'resolved' } : { name: 'Taken over' }
}

/** Paths of calls that ask for nothing without a body. */
/** Changes that are allowed are aimed at what is not there, so that the walk leaves everything as it is. */
function aimed(route: ApiRoute, things: Things): Things {
  // Who is added to a team, or which project it opens, is in the address.
  if (route.pattern.endsWith('/teams/{team}/')) return { ...things, team: 'no-such' }
  if (route.method !== 'DELETE') return things
  const key = '0'.repeat(32)
  return route.pattern.includes('{key}')
    ? { ...things, key }
    : {
        ...things,
        team: 'no-such',
        userId: 999_999,
        attachment: 'f'.repeat(32),
        issue: 'WEB-999',
        issueId: '999999',
        release: 'no-such',
        releaseFile: '999999',
        search: '999999',
        rule: '999999',
        metricRule: '999999',
        channel: '999999',
        tracker: '999999',
        project: route.pattern.endsWith('{project}/') ? 'no-such' : things.project,
      }
}

/** Bulk changes name their issues in the query; without one they would mean all. */
function bulk({ method, pattern }: ApiRoute, things?: Things): string {
  if (method === 'GET' || !pattern.endsWith('/issues/')) return ''
  return `?id=${things === undefined ? '999999' : things.issueId}`
}

function inputOf(action: string, things: Things): Readonly<Record<string, unknown>> {
  const make = ACTION_INPUTS[action]
  assert.ok(make !== undefined, `the walk knows no input for ${action}`)
  return make(things)
}

/** The other organisation's things; where a name would take effect at home, it is left as it is. */
function foreignInputOf(action: string, things: Things): Readonly<Record<string, unknown>> {
  return action === 'org.rename' ? { name: 'Taken over', slug: things.org } : inputOf(action, things)
}

async function codeOf(answer: Response): Promise<string | undefined> {
  const body = (await answer.json()) as { code?: string; error?: { code: string } } // of the wire, or of the web API
  return body.error?.code ?? body.code
}
