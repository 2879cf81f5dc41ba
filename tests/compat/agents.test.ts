/** Agents and scripts against the built product: the official client over HTTP and stdio, and the command line. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, before, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { issues } from '../support/api.ts'
import { joinAs, resultOf, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import { errata, OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const BIN = fileURLToPath(new URL('../../packages/errata/bin/errata.mjs', import.meta.url))

/** The mark around what apps sent is another one in each answer. */
function withoutMark(text: string): string {
  return text.replaceAll(/untrusted-event-data-[0-9a-f]{18}/g, 'untrusted-event-data')
}

describe('agents and scripts', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let shop: SetUp
  let eventId: string

  before(async () => {
    running = await startShop()
    shop = running.shop
    eventId = await send(shop.dsn, anEvent({ type: 'TypeError', message: 'no amount' }))
    await waitFor('the issue', async () => ((await issues(shop)).length > 0 ? true : null))
  })
  after(async () => {
    await running?.[Symbol.asyncDispose]()
  })

  const overHttp = (token: string) =>
    new StreamableHTTPClientTransport(new URL(`${shop.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    })
  const environment = () => ({ ...ownEnvironment(), ERRATA_URL: shop.url, ERRATA_TOKEN: shop.token })
  const overStdio = () =>
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env: environment() })
  const asked = () => ['--url', shop.url, '--token', shop.token]
  /** Closed when the test ends, however it does: what an open one runs would keep this process. */
  const connected = async (t: TestContext, transport: Transport) => {
    const client = new Client({ name: 'agent', version: '1' })
    t.after(() => client.close())
    await client.connect(transport)
    return client
  }
  const tailing = async (t: TestContext, env: Readonly<Record<string, string>>) => {
    const tail = spawn(process.execPath, [BIN, 'tail', '--every', '0.2', '--json'], { env })
    const closed = once(tail, 'close')
    t.after(async () => {
      tail.kill('SIGTERM')
      await closed
    })
    await once(tail.stderr, 'data')
    return createInterface({ input: tail.stdout })[Symbol.asyncIterator]()
  }

  for (const [name, transport] of [
    ['HTTP', () => overHttp(shop.token)],
    ['stdio', overStdio],
  ] as const) {
    it(`finds, reads and resolves an issue with the official client over ${name}`, async (t) => {
      const client = await connected(t, transport())
      const call = async (tool: string, args: Readonly<Record<string, unknown>>) => {
        const answer = CallToolResultSchema.parse(
          await client.callTool({ name: tool, arguments: { ...args } }),
        )
        const [first] = answer.content
        assert.ok(first?.type === 'text' && answer.isError !== true, JSON.stringify(answer))
        return first.text
      }
      assert.equal(client.getServerVersion()?.name, 'errata')
      assert.match(client.getInstructions() ?? '', /untrusted-event-data/)
      assert.equal((await client.listTools()).tools.length, 12)
      assert.match(
        await call('find_issues', { query: eventId }),
        /WEB-1: TypeError: no amount[\s\S]*, 1 event, \d affected users?, /,
      )
      assert.match(await call('get_event', { issue: 'WEB-1' }), /> +41 \| +return pay\(cart\.total\.amount\)/)
      assert.equal(await call('resolve_issue', { issue: 'WEB-1' }), 'WEB-1 is resolved.')
      assert.equal((await issues(shop, 'is:resolved')).length, 1)
    })
  }

  it('answers an agent over stdio where the server refuses', async (t) => {
    const env = { ...environment(), ERRATA_TOKEN: 'wrong' }
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp'],
      env,
      stderr: 'pipe',
    })
    t.after(() => transport.close())
    await assert.rejects(connected(t, transport), /401|Unauthorized|signed|token/i)
  })

  it('lists issues and events and shows one, as text and as JSON', async () => {
    const list = await errata(['issues', 'no amount', ...asked()])
    assert.match(list, /^WEB-1 {2}\S+ {2}1 event {2}\d users? {2}\S+ {2}TypeError: no amount — /)
    const json: unknown = JSON.parse(await errata(['issues', 'no amount', '--json', ...asked()]))
    assert.ok(Array.isArray(json) && json.length === 1)
    const issue = await errata(['issue', 'WEB-1', ...asked()])
    assert.match(
      issue,
      /TypeError: no amount\n {2}at checkOut \(src\/cart\.js:41:9\)\n {6}return pay\(cart\.total\.amount\)/,
    )
    assert.match(issue, /\n {2}at handleRequest \(/)
    const events = await errata(['events', 'WEB-1', ...asked()])
    assert.match(events, new RegExp(`^${eventId} {2}\\S+ {2}production {2}shop@1\\.0\\.0 {2}TypeError`))
    assert.equal((await errata(['issues', 'nowhere', ...asked()])).trim(), 'No issue matches.')
    await assert.rejects(
      errata(['issue', 'WEB-99', ...asked()]),
      /has no issue WEB-99, or the token has no access/,
    )
    await assert.rejects(errata(['issues', '--url', shop.url]), /missing: a token/)
  })

  it('shows people the address, the tokens and the latest calls', async () => {
    const rosa = await signIn(shop.url, OWNER)
    const lead = await rosa.document('/agents')
    assert.deepEqual([lead.status, lead.headers.get('location')], [303, '/shop/settings/agents'])
    const page = await (await rosa.document('/shop/settings/agents')).text()
    for (const text of [
      `${shop.url}/mcp`,
      `npx --yes ${shop.url}/packages/errata.tgz mcp --url ${shop.url}`,
      'comment_issue',
      'read and change',
    ])
      assert.ok(page.includes(text), text)
    assert.match(page, /Latest calls[\s\S]*resolve_issue[\s\S]*WEB-1/)
    const log = await (await rosa.document('/shop/settings/audit?what=agents')).text()
    assert.match(log, /Called the tool[\s\S]*resolve_issue/)
  })

  it('shows people an issue in the very words that copying and the tool give', async (t) => {
    const rosa = await signIn(shop.url, OWNER)
    const client = await connected(t, overHttp(shop.token))
    const answer = await client.callTool({ name: 'issue_markdown', arguments: { issue: 'WEB-1' } })
    const [told] = CallToolResultSchema.parse(answer).content
    for (const reader of ['agent', 'report']) {
      const headers = { authorization: `Bearer ${shop.token}` }
      const path = `/api/0/organizations/shop/issues/WEB-1/markdown/?for=${reader}`
      const { markdown } = await (await fetch(`${shop.url}${path}`, { headers })).json()
      const page = await (await rosa.document(`/shop/settings/agents?issue=WEB-1&for=${reader}`)).text()
      const [, download = ''] = /href="data:text\/markdown;charset=utf-8,([^"]*)"/.exec(page) ?? []
      assert.equal(withoutMark(decodeURIComponent(download.replaceAll('&#x27;', "'"))), withoutMark(markdown))
      if (reader === 'agent')
        assert.equal(told?.type === 'text' && withoutMark(told.text), withoutMark(markdown))
    }
  })

  it('shows events as they arrive, and nothing of before', async (t) => {
    const lines = await tailing(t, environment())
    for (const message of ['no amount', 'no cart']) {
      const sent = await send(shop.dsn, anEvent({ type: 'TypeError', message }))
      const shown: unknown = JSON.parse((await lines.next()).value ?? 'null')
      assert.ok(typeof shown === 'object' && shown !== null && 'event' in shown)
      assert.equal(Object.entries(shown.event ?? {}).find(([key]) => key === 'eventID')?.[1], sent)
    }
  })

  it('shows a guest events of their projects alone', async (t) => {
    const rosa = await signIn(shop.url, OWNER)
    const made = await rosa.act('project.create', '/shop/projects/new', {
      ...{ name: 'Vault', slug: 'vault', platform: '', teams: [] },
    })
    assert.ok(made.ok, await made.text())
    const projects: readonly { readonly id: string; readonly slug: string }[] = JSON.parse(
      await (await rosa.api('GET', '/organizations/shop/projects/')).text(),
    )
    const own = projects.filter(({ slug }) => slug === shop.project).map(({ id }) => id)
    const input = { email: 'guest@shop.example', role: 'guest', teams: [], projects: own }
    const invited = await resultOf<{ url: string }>(
      await rosa.act('member.invite', '/shop/settings/members', input),
    )
    const guest = await joinAs(shop.url, invited.url, 'correct horse battery 7')
    const given = { name: 'tail', kind: 'personal', preset: '', scopes: ['event:read', 'org:read'] }
    const { token } = await resultOf<{ token: string }>(
      await guest.act('token.create', '/shop/settings/tokens', given),
    )
    const [key]: readonly { readonly dsn: { readonly public: string } }[] = JSON.parse(
      await (await rosa.api('GET', '/projects/shop/vault/keys/')).text(),
    )
    assert.ok(key)
    const lines = await tailing(t, { ...environment(), ERRATA_TOKEN: token })
    await send(key.dsn.public, anEvent({ type: 'VaultError', message: 'hidden' }))
    await waitFor('the hidden one', async () => ((await issues(shop, 'VaultError')).length > 0 ? true : null))
    const sent = await send(shop.dsn, anEvent({ type: 'TypeError', message: 'no total' }))
    const line = (await lines.next()).value ?? ''
    assert.ok(line.includes(sent) && !line.includes('VaultError'), line)
  })
})

/** Without what names another Errata. */
function ownEnvironment(): Record<string, string> {
  const known = Object.entries(process.env).filter(([name]) => !name.startsWith('ERRATA_'))
  return Object.fromEntries(known.map(([name, value]) => [name, value ?? '']))
}
