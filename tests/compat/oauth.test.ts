/** An agent signs in by browser: the official client against the built product, from a 401 to the revocation. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { FIELDS } from '../../packages/web/src/wire/names.ts'
import { issues } from '../support/api.ts'
import { type Person, resultOf, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const CALLBACK = 'http://127.0.0.1:4711/callback'

/** Client that keeps what an agent keeps, and the address it would open in a browser. */
class KeptByAgent implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = { client_name: 'Test agent', redirect_uris: [CALLBACK] }
  information: OAuthClientInformationMixed | undefined
  kept: OAuthTokens | undefined
  verifier = ''
  asked: URL | null = null
  state = () => 'a state'
  clientInformation = () => this.information
  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information
  }
  tokens = () => this.kept
  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
  invalidateCredentials(): void {
    this.kept = undefined
  }
}

describe('signing an agent in by browser', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let rosa: Person

  before(async () => {
    running = await startShop()
    shop = running.shop
    await send(shop.dsn, anEvent({ type: 'TypeError', message: 'no amount' }))
    await waitFor('the issue', async () => ((await issues(shop)).length > 0 ? true : null))
    rosa = await signIn(shop.url, OWNER)
  })
  after(async () => {
    await running?.[Symbol.asyncDispose]()
  })

  const transportOf = (authProvider: OAuthClientProvider) =>
    new StreamableHTTPClientTransport(new URL(`${shop.url}/mcp`), { authProvider })
  const aClient = () => new Client({ name: 'agent', version: '1' })

  /** Up to the moment at which a person answers. */
  async function asking(): Promise<{ readonly agent: KeptByAgent; readonly path: string }> {
    const agent = new KeptByAgent()
    await assert.rejects(aClient().connect(transportOf(agent)), UnauthorizedError)
    assert.ok(agent.asked !== null)
    assert.equal(agent.asked.origin, shop.url)
    return { agent, path: `${agent.asked.pathname}${agent.asked.search}` }
  }

  async function signedIn(changes: string): Promise<KeptByAgent> {
    const { agent, path } = await asking()
    const answer = await rosa.act('app.authorize', path, { organisation: shop.organisation, changes })
    const back = new URL((await resultOf<{ readonly address: string }>(answer)).address)
    assert.equal(back.searchParams.get('state'), 'a state')
    await transportOf(agent).finishAuth(back.searchParams.get('code') ?? '')
    return agent
  }

  it('finds, reads and resolves an issue, refreshes, and is disconnected', async () => {
    const agent = await signedIn('on')
    const client = aClient()
    await client.connect(transportOf(agent))
    assert.equal((await client.listTools()).tools.length, 12)
    const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
      const answer = CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...args } }))
      const [first] = answer.content
      assert.ok(first?.type === 'text' && answer.isError !== true, JSON.stringify(answer))
      return first.text
    }
    assert.match(await call('find_issues', { query: 'no amount' }), /WEB-1: TypeError: no amount/)
    assert.match(await call('get_event', { issue: 'WEB-1' }), /return pay\(cart\.total\.amount\)/)
    assert.equal(await call('resolve_issue', { issue: 'WEB-1' }), 'WEB-1 is resolved.')
    assert.equal((await issues(shop, 'is:resolved')).length, 1)

    // An access token that is not taken any more makes the client refresh, and call again.
    const before = agent.kept ?? assert.fail()
    agent.kept = { ...before, access_token: `sntryu_${'0'.repeat(64)}` }
    assert.equal((await client.listTools()).tools.length, 12)
    assert.notEqual(agent.kept.refresh_token, before.refresh_token)

    const page = await (await rosa.document('/account/apps')).text()
    assert.match(page, /Test agent[\s\S]*read and change/)
    const [, id = ''] = /name="app" value="(\d+)"/.exec(page) ?? []
    await resultOf(await rosa.act('account.disconnect-app', '/account/apps', { app: id }))
    await assert.rejects(client.listTools(), UnauthorizedError)
    const log = await (await rosa.document(`/${shop.organisation}/settings/audit?what=tokens`)).text()
    assert.match(log, /Disconnected the app[\s\S]*Connected the app/)
    await client.close()
  })

  it('is offered what reads where nobody allowed changes, and nothing of the web API', async () => {
    const agent = await signedIn('')
    const client = aClient()
    await client.connect(transportOf(agent))
    const { tools } = await client.listTools()
    assert.deepEqual([tools.length, tools.every(({ annotations }) => annotations?.readOnlyHint)], [8, true])
    await client.close()
    const answer = await fetch(`${shop.url}/api/0/organizations/`, {
      headers: { authorization: `Bearer ${agent.kept?.access_token}` },
    })
    assert.equal(answer.status, 401)
  })

  it('asks a person who is signed in, without script too, on a page that no other site shows', async () => {
    const { path } = await asking()
    const nobody = await fetch(`${shop.url}${path}`, { redirect: 'manual', headers: { accept: 'text/html' } })
    assert.equal(nobody.headers.get('location'), `/sign-in?next=${encodeURIComponent(path)}`)
    const page = await rosa.document(path)
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    const html = await page.text()
    for (const text of ['Connect “Test agent”?', '127.0.0.1:4711', 'Allow changes'])
      assert.ok(html.includes(text), text)
    const form = [
      [FIELDS.action, 'app.authorize'],
      [FIELDS.form, 'app.authorize'],
      ['organisation', shop.organisation],
    ] as const
    const foreign = await rosa.form(path, form, {
      origin: 'https://evil.test',
      'sec-fetch-site': 'cross-site',
    })
    assert.equal(foreign.status, 403)
    const answered = await rosa.form(path, form)
    assert.equal(answered.status, 200)
    assert.match(
      await answered.text(),
      /href="http:\/\/127\.0\.0\.1:4711\/callback\?code=[\w-]{43}&amp;state=a\+state/,
    )
  })

  it('sends nobody to an address that was not registered', async () => {
    const { path } = await asking()
    const evil = path.replace(encodeURIComponent(CALLBACK), encodeURIComponent('https://evil.test/'))
    const page = await rosa.document(evil)
    const html = await page.text()
    assert.match(html, /didn’t register/)
    assert.ok(!html.includes('href="https://evil.test'))
  })
})
