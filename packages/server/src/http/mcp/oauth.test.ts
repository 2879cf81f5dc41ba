import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isTokenShaped } from '#access/secrets.ts'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { type ApiPerson, FACTS, openShop, type Shop, URL_HERE, unwrap } from '#testing/worlds/api.ts'

const CALLBACK = 'http://127.0.0.1:4711/callback'
const VERIFIER = 'v'.repeat(43)
const READ = 'event:read project:read org:read'
const CHANGE = `${READ} event:write`

describe('signing agents in by browser', () => {
  let shop: Shop
  let client: string
  before(async () => {
    shop = await openShop()
    client = await registered([CALLBACK])
  })
  after(() => shop.close())

  async function ask(path: string, init: RequestInit = {}, address = '192.0.2.9') {
    const answer = await shop.mcp(new Request(`${URL_HERE}${path}`, init), { clientAddress: address })
    assert.ok(answer !== null, path)
    const text = await answer.text()
    const body: unknown = text === '' ? {} : JSON.parse(text)
    assert.ok(isObject(body))
    return { status: answer.status, headers: answer.headers, body }
  }
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields) })
  const register = (metadata: unknown, address?: string) =>
    ask('/oauth/register', { method: 'POST', body: JSON.stringify(metadata) }, address)

  /** Each from an address of its own: the bound of one has a test of its own. */
  let addresses = 0
  async function registered(uris: readonly string[], name = 'Agent'): Promise<string> {
    const made = await register({ redirect_uris: uris, client_name: name }, `198.51.100.${++addresses}`)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return String(made.body.client_id)
  }

  const query = (change: Readonly<Record<string, string | null>> = {}) => {
    const params = new URLSearchParams({
      ...{ response_type: 'code', client_id: client, redirect_uri: CALLBACK, state: 'st/ate' },
      ...{ code_challenge: createHash('sha256').update(VERIFIER).digest('base64url') },
      ...{ code_challenge_method: 'S256', resource: `${URL_HERE}/mcp`, scope: CHANGE },
    })
    for (const [name, given] of Object.entries(change)) {
      params.delete(name)
      if (given !== null) params.set(name, given)
    }
    return params
  }

  async function allow(
    person: ApiPerson,
    { params = query(), organisation = 'acme', mayChange = false } = {},
  ): Promise<URL> {
    const allowed = { params, organisation, mayChange }
    const answer = await shop.commands.allowAgent({ viewer: await person.viewer(), ...FACTS }, allowed)
    return new URL(unwrap(answer).address)
  }
  const codeFor = async (person: ApiPerson, options?: Parameters<typeof allow>[1]) =>
    (await allow(person, options)).searchParams.get('code') ?? ''

  const exchange = (code: string, change: Readonly<Record<string, string>> = {}) =>
    post('/oauth/token', {
      ...{ grant_type: 'authorization_code', code, client_id: client, redirect_uri: CALLBACK },
      ...{ code_verifier: VERIFIER, resource: `${URL_HERE}/mcp`, ...change },
    })
  const refresh = (token: string, change: Readonly<Record<string, string>> = {}) =>
    post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: client, ...change })

  async function connected(person: ApiPerson, options?: Parameters<typeof allow>[1]) {
    const { status, body } = await exchange(await codeFor(person, options))
    assert.equal(status, 200, JSON.stringify(body))
    return { access: String(body.access_token), refresh: String(body.refresh_token), scope: body.scope }
  }

  /** Names of the tools that a token is offered; the status where it is not taken. */
  async function tools(token: string): Promise<readonly string[] | number> {
    const { status, body } = await ask('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    if (status !== 200) return status
    const { result } = body
    assert.ok(isObject(result) && Array.isArray(result.tools))
    return result.tools.map((tool: { readonly name: string }) => tool.name)
  }

  const errorOf = ({ status, body }: Awaited<ReturnType<typeof ask>>) => `${status} ${String(body.error)}`

  it('says at /mcp where to ask, and there who answers', async () => {
    const without = await ask('/mcp', { method: 'POST', body: '{}' })
    const where = `resource_metadata="${URL_HERE}/.well-known/oauth-protected-resource"`
    assert.deepEqual([without.status, without.headers.get('www-authenticate')], [401, `Bearer ${where}`])
    const wrong = await ask('/mcp', { method: 'POST', headers: { authorization: 'Bearer no' }, body: '{}' })
    assert.equal(wrong.headers.get('www-authenticate'), `Bearer error="invalid_token", ${where}`)
    for (const end of ['', '/mcp']) {
      const { body } = await ask(`/.well-known/oauth-protected-resource${end}`)
      assert.deepEqual(
        [body.resource, body.authorization_servers, body.scopes_supported],
        [`${URL_HERE}/mcp`, [URL_HERE], CHANGE.split(' ')],
      )
    }
    const { body, headers } = await ask('/.well-known/oauth-authorization-server')
    assert.deepEqual([body.issuer, body.code_challenge_methods_supported], [URL_HERE, ['S256']])
    assert.equal(headers.get('access-control-allow-origin'), '*')
    const other = new Request(`${URL_HERE}/.well-known/oauth-protected-resource/elsewhere`)
    assert.equal(await shop.mcp(other, { clientAddress: null }), null)
    assert.equal((await ask('/oauth/token', { method: 'OPTIONS' })).status, 204)
    assert.equal((await ask('/oauth/token')).status, 405)
  })

  it('connects an app: read by default, changes where they were asked for and allowed', async () => {
    const address = await allow(shop.people.member)
    assert.equal(`${address.origin}${address.pathname}`, CALLBACK)
    assert.deepEqual(
      [address.searchParams.get('state'), address.searchParams.get('iss')],
      ['st/ate', URL_HERE],
    )
    const { status, body, headers } = await exchange(address.searchParams.get('code') ?? '')
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(
      [body.token_type, body.expires_in, body.scope],
      ['Bearer', max('agentAccessMs') / 1_000, READ],
    )
    assert.ok(isTokenShaped(String(body.access_token)) && isTokenShaped(String(body.refresh_token)))
    const read = await tools(String(body.access_token))
    assert.ok(Array.isArray(read) && read.includes('find_issues') && !read.includes('resolve_issue'))
    const changes = await connected(shop.people.member, { mayChange: true })
    assert.equal(changes.scope, CHANGE)
    const offered = await tools(changes.access)
    assert.ok(Array.isArray(offered) && offered.includes('resolve_issue'))
    const unasked = await connected(shop.people.member, { mayChange: true, params: query({ scope: READ }) })
    assert.equal(unasked.scope, READ)
    // Within the role of the person.
    const viewer = await tools((await connected(shop.people.viewer, { mayChange: true })).access)
    assert.ok(Array.isArray(viewer) && !viewer.includes('resolve_issue'))
  })

  it('takes its tokens at /mcp alone, and each until it ends', async () => {
    const { access, refresh: renewing } = await connected(shop.people.manager)
    const nowMs = shop.clock.now()
    assert.equal(await shop.access.authenticateToken(access, nowMs), null)
    assert.equal(await tools(renewing), 401)
    const call = new Request(`${URL_HERE}/api/0/organizations/`, {
      headers: { authorization: `Bearer ${access}` },
    })
    assert.equal((await shop.api(call, { clientAddress: null }))?.status, 401)
    assert.equal(await shop.access.authenticateAgent(access, nowMs + max('agentAccessMs')), null)
  })

  it('refreshes with another refresh token each time, and ends with one that comes twice', async () => {
    const first = await connected(shop.people.owner)
    const second = await refresh(first.refresh)
    assert.deepEqual([second.status, second.body.scope], [200, READ])
    assert.equal(await tools(first.access), 401)
    assert.ok(Array.isArray(await tools(String(second.body.access_token))))
    assert.equal(errorOf(await refresh(first.refresh)), '400 invalid_grant')
    assert.equal(await tools(String(second.body.access_token)), 401)
    assert.equal(errorOf(await refresh(String(second.body.refresh_token))), '400 invalid_grant')
  })

  it('lets only the client itself refresh and revoke', async () => {
    const { access, refresh: renewing } = await connected(shop.people.owner)
    const other = await registered([CALLBACK])
    assert.equal(errorOf(await refresh(renewing, { client_id: other })), '400 invalid_grant')
    assert.equal(errorOf(await refresh(renewing, { client_id: 'gone' })), '401 invalid_client')
    assert.equal((await post('/oauth/revoke', { client_id: other, token: access })).status, 200)
    assert.ok(Array.isArray(await tools(access)))
    assert.equal((await post('/oauth/revoke', { client_id: client, token: renewing })).status, 200)
    assert.equal(await tools(access), 401)
    const again = await connected(shop.people.owner)
    await post('/oauth/revoke', { client_id: client, token: again.access })
    assert.equal(await tools(again.access), 401)
    assert.equal((await post('/oauth/revoke', { client_id: client, token: again.access })).status, 200)
  })

  it('takes a code once, from its client, with its verifier and address, in time', async () => {
    const other = await registered([CALLBACK])
    for (const change of [
      { code_verifier: 'w'.repeat(43) },
      { code_verifier: 'short' },
      { redirect_uri: 'http://127.0.0.1:4712/callback' },
      { client_id: other },
    ]) {
      const code = await codeFor(shop.people.owner)
      assert.equal(errorOf(await exchange(code, change)), '400 invalid_grant', JSON.stringify(change))
      // Whoever saw it must not try again.
      assert.equal(errorOf(await exchange(code)), '400 invalid_grant')
    }
    const elsewhere = await exchange(await codeFor(shop.people.owner), { resource: 'https://x.test/mcp' })
    assert.equal(errorOf(elsewhere), '400 invalid_target')
    assert.equal(errorOf(await exchange('made up')), '400 invalid_grant')
    assert.equal(errorOf(await exchange('x', { client_id: 'gone' })), '401 invalid_client')
    assert.equal(errorOf(await exchange('x', { grant_type: 'password' })), '400 unsupported_grant_type')
    assert.equal(errorOf(await exchange('x', { code_verifier: '' })), '400 invalid_request')
    const late = await codeFor(shop.people.owner)
    shop.clock.advance(max('agentCodeMs'))
    assert.equal(errorOf(await exchange(late)), '400 invalid_grant')
  })

  it('ends what was made of a code that comes again', async () => {
    const code = await codeFor(shop.people.owner)
    const { body } = await exchange(code)
    assert.ok(Array.isArray(await tools(String(body.access_token))))
    assert.equal(errorOf(await exchange(code)), '400 invalid_grant')
    assert.equal(await tools(String(body.access_token)), 401)
  })

  it('leads nobody to an address that was not registered, character by character', async () => {
    for (const uri of [
      'http://127.0.0.1:4711/callback/',
      'http://127.0.0.1:4711/callback?next=1',
      'http://127.0.0.1.evil.test/callback',
      'http://evil@127.0.0.1:4711/callback',
      'http://localhost:4711/callback',
      'https://127.0.0.1:4711/callback',
      'https://evil.test/callback',
      'javascript:alert(1)',
      '',
    ]) {
      const asked = await shop.queries.agentAsk(query({ redirect_uri: uri }))
      assert.equal(asked.kind, 'stopped', uri)
    }
    // A program on this device listens where there is room.
    const elsewhere = await shop.queries.agentAsk(query({ redirect_uri: 'http://127.0.0.1:9/callback' }))
    assert.equal(elsewhere.kind, 'asks')
    assert.equal((await shop.queries.agentAsk(query({ client_id: 'gone' }))).kind, 'stopped')
    const twice = query()
    twice.append('redirect_uri', 'https://evil.test/')
    assert.equal((await shop.queries.agentAsk(twice)).kind, 'stopped')
  })

  it('tells the app what is wrong with what it asks, where the person follows', async () => {
    for (const [change, error] of [
      [{ code_challenge: null }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge_method: null }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://elsewhere.test/mcp' }, 'invalid_target'],
      [{ resource: `${URL_HERE}/api/0/` }, 'invalid_target'],
    ] as const) {
      const asked = await shop.queries.agentAsk(query(change))
      assert.ok(asked.kind === 'wrong', JSON.stringify(change))
      const address = new URL(asked.address)
      assert.equal(`${address.origin}${address.pathname}`, CALLBACK)
      assert.deepEqual(
        ['error', 'state', 'iss'].map((name) => address.searchParams.get(name)),
        [error, 'st/ate', URL_HERE],
      )
      const refused = await shop.commands.allowAgent(
        { viewer: await shop.people.owner.viewer(), ...FACTS },
        { params: query(change), organisation: 'acme', mayChange: false },
      )
      assert.equal(refused.ok, false)
    }
    const asked = await shop.queries.agentAsk(query())
    assert.ok(asked.kind === 'asks')
    assert.match(asked.deniedAddress, /[?&]error=access_denied&state=st%2Fate&iss=/)
  })

  it('connects nobody to an organisation that is not theirs, or asks again who they are', async () => {
    const refusedFor = async (person: ApiPerson, organisation: string) => {
      const asking = { viewer: await person.viewer(), ...FACTS }
      const answer = await shop.commands.allowAgent(asking, {
        params: query(),
        organisation,
        mayChange: false,
      })
      return answer.ok ? 'allowed' : answer.code
    }
    assert.equal(await refusedFor(shop.people.rival, 'acme'), 'not_found')
    assert.equal(await refusedFor(shop.people.member, 'rival'), 'not_found')
    shop.clock.advance(max('confirmedMs'))
    assert.equal(await refusedFor(shop.people.member, 'acme'), 'confirm_needed')
    const viewer = await shop.people.member.viewer()
    const confirmed = { ...viewer.session, confirmedMs: shop.clock.now() }
    const asking = { viewer: { ...viewer, session: confirmed }, ...FACTS }
    const allowed = { params: query(), organisation: 'acme', mayChange: false }
    assert.equal((await shop.commands.allowAgent(asking, allowed)).ok, true)
  })

  it('registers apps of this device, of the web and with a scheme of their own, and nothing that runs', async () => {
    for (const uri of ['https://agent.test/cb', 'cursor://anysphere/callback', 'com.example.agent:/cb'])
      await registered([uri])
    for (const uris of [
      ['http://evil.test/cb'],
      ['javascript://x/%0aalert(1)'],
      ['data:text/html,x'],
      ['intent://scan'],
      ['ms-msdt://id'],
      ['search-ms://query'],
      ['chrome://settings'],
      ['https://a:b@agent.test/'],
      ['https://agent.test/#x'],
      ['https://agent.test/\u202e'],
      ['plain:cb'],
      [CALLBACK, 'file:///etc/passwd'],
      [],
      Array.from({ length: max('agentRedirectUrisMax') + 1 }, (_, index) => `https://agent.test/${index}`),
      [`https://agent.test/${'x'.repeat(max('agentRedirectUriCharsMax'))}`],
    ])
      assert.equal(errorOf(await register({ redirect_uris: uris })), '400 invalid_redirect_uri', String(uris))
    const noCode = await register({ redirect_uris: [CALLBACK], grant_types: ['client_credentials'] })
    assert.equal(errorOf(noCode), '400 invalid_client_metadata')
    assert.equal(errorOf(await register(null)), '400 invalid_redirect_uri')
    const named = { redirect_uris: [CALLBACK], client_name: ' Claude\u202e\n\u0000 Code ' }
    assert.equal((await register(named)).body.client_name, 'Claude Code')
    const bare = await register({ redirect_uris: ['https://agent.test/cb'] })
    assert.deepEqual([bare.body.client_name, bare.body.token_endpoint_auth_method], ['agent.test', 'none'])
  })

  it('lets one address register so many apps an hour', async () => {
    const one = () => register({ redirect_uris: [CALLBACK] }, '203.0.113.1')
    for (let count = 0; count < max('agentClientsPerAddress'); count++)
      assert.equal((await one()).status, 201)
    const more = await one()
    assert.equal(errorOf(more), '429 too_many_requests')
    assert.ok(Number(more.headers.get('retry-after')) > 0)
    shop.clock.advance(max('agentClientsWindowMs'))
    assert.equal((await one()).status, 201)
  })
})
