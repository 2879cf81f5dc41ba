/** A guest's agent: what it may do and see, with nothing of other projects. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { anError } from '#testing/builders/sent-event.ts'
import { asking, openShop, type Shop, send, URL_HERE, unwrap } from '#testing/worlds/api.ts'
import { TOOLS } from './tools.ts'

/** Stands in all that is in the vault. */
const SECRET = 'Vaulted'

describe('a guest’s agent', () => {
  let shop: Shop
  let token: string
  let own: string
  let hidden: string

  before(async () => {
    shop = await openShop()
    own = await send(shop, shop.dsn, failing('Opened', '2741933020'))
    hidden = await send(shop, shop.vaultDsn, failing(SECRET, '1122334455'))
    const { guest } = shop.people
    const given = {
      name: 'agent',
      scopes: ['event:read', 'event:write', 'project:read', 'org:read'],
      personal: true,
    }
    token = unwrap(
      await shop.commands.createToken(asking(await guest.viewer(), await guest.scope()), given),
    ).token
  })
  after(() => shop.close())

  const failing = (type: string, digest: string) =>
    anError({
      release: `${type}@1.0.0`,
      exception: { values: [{ type, value: `${type} by hand` }] },
      tags: { digest, place: type },
    })

  async function connect(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(`${URL_HERE}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
      async fetch(url, init) {
        const answer = await shop.mcp(new Request(url, init), { clientAddress: '192.0.2.9' })
        assert.ok(answer !== null)
        return answer
      },
    })
    await client.connect(transport)
    return client
  }

  async function tool(name: string, args: Readonly<Record<string, unknown>>) {
    const client = await connect()
    const answer = CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...args } }))
    await client.close()
    return { text: JSON.stringify(answer.content), isError: answer.isError === true }
  }

  it('finds and reads the issues of the guest’s project, and works on them', async () => {
    const found = await tool('find_issues', { query: '' })
    assert.match(found.text, /SHOP-1: Opened/)
    assert.ok(!found.text.includes(SECRET))
    assert.match((await tool('get_issue', { issue: 'SHOP-1' })).text, /Opened by hand/)
    assert.match((await tool('find_issues', { query: own })).text, /SHOP-1/)
    assert.equal((await tool('comment_issue', { issue: 'SHOP-1', text: 'Seen' })).isError, false)
    assert.equal(
      (await tool('assign_issue', { issue: 'SHOP-1', assignee: shop.people.guest.email })).isError,
      false,
    )
    assert.equal((await tool('resolve_issue', { issue: 'SHOP-1' })).isError, false)
  })

  it('is refused by every tool that is asked about another project, as if it were not there', async () => {
    const range = { startMs: 0, endMs: shop.clock.now() + 1_000, stepMs: 60_000 }
    const vaulted = async () => {
      const view = await shop.queries.issue(await shop.people.owner.scope(), 'VAULT-1', range)
      assert.ok(view)
      return view.issue
    }
    const refs = ['VAULT-1', String((await vaulted()).id)]
    const more: Readonly<Record<string, object>> = {
      assign_issue: { assignee: shop.people.guest.email },
      comment_issue: { text: 'Mine' },
      archive_issue: { for_minutes: 5 },
    }
    const ofIssue = TOOLS.filter(({ inputSchema }) => 'issue' in (inputSchema.properties ?? {}))
    const refused = [
      ...ofIssue.flatMap(({ name }) => refs.map((ref) => [name, { issue: ref, ...more[name] }] as const)),
      ['get_event', { event: hidden }] as const,
    ]
    assert.equal(refused.length, 2 * 8 + 1)
    for (const [name, args] of refused) {
      const { text, isError } = await tool(name, args)
      assert.ok(
        isError && /no (?:such )?(?:issue|event)|not found|does not exist/i.test(text),
        `${name}: ${text}`,
      )
      assert.ok(!text.includes(SECRET), `${name}: ${text}`)
    }
    const silent = [
      ...['1122334455', hidden, SECRET, 'project:vault', `place:${SECRET}`].map(
        (query) => ['find_issues', { query }] as const,
      ),
      ['find_issues', { project: 'vault' }] as const,
      ['release_changes', { release: `${SECRET}@1.0.0` }] as const,
      ['outcomes', { project: 'vault' }] as const,
    ]
    for (const [name, args] of silent) {
      const { text } = await tool(name, args)
      assert.ok(!/Vaulted by hand|VAULT-1|Vaulted@1\.0\.0 (?!is)/.test(text), `${name}: ${text}`)
    }
    const { status, assignee, commentCount } = await vaulted()
    assert.deepEqual([status, assignee, commentCount], ['unresolved', null, 0])
  })
})
