/**
 * Runs the suites that agents' makers test with: the conformance suite of the Model Context Protocol, and the
 * inspector's command line.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { apiGet, apiPost, issues } from '../support/api.ts'
import { anEvent, send } from '../support/send.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { type App, buildEnvironment, installedApp, runTool } from './app.ts'

describe('tools for agents', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let app: App
  const home = mkdtempSync(join(tmpdir(), 'errata-agent-tools-'))
  /** The suite knows no token: this adds it, and passes everything else on as it came. */
  const signing = createServer((from, to) => {
    const { hostname, port } = new URL(running.url)
    const headers = { ...from.headers, authorization: `Bearer ${running.shop.token}` }
    const passed = ask({ hostname, port, path: from.url, method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    passed.on('error', () => to.destroy())
    from.pipe(passed)
  })

  before(async () => {
    app = await installedApp('agent-tools')
    running = await startShop()
    await send(running.shop.dsn, anEvent({ type: 'TypeError', message: 'no amount' }))
    await waitFor('the issue', async () => ((await issues(running.shop)).length > 0 ? true : null))
    signing.listen(0, '127.0.0.1')
    await once(signing, 'listening')
  })
  after(async () => {
    signing.close()
    await running?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  const run = (...command: [string, ...string[]]) =>
    runTool(app, command, { cwd: app.root, env: buildEnvironment(running.shop, home) })

  it('find that /mcp does what it offers, as the conformance suite asks', async () => {
    const address = signing.address()
    assert.ok(typeof address === 'object' && address !== null)
    const url = `http://127.0.0.1:${address.port}/mcp`
    // Fails with what it printed where a scenario fails that isn't expected to, or passes although it is.
    const output = await run('conformance', 'server', '--url', url, '--expected-failures', 'not-offered.yml')
    for (const scenario of [
      'server-initialize',
      'ping',
      'tools-list',
      'tools-call-simple-text',
      'tools-call-error',
      'dns-rebinding-protection',
    ])
      assert.match(output, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`), output)
  })

  it('find, read and resolve an issue with the inspector', async () => {
    const inspect = (...args: string[]) =>
      run(
        ...(['mcp-inspector', '--cli', `${running.url}/mcp`, '--transport', 'http'] as const),
        ...['--header', `Authorization: Bearer ${running.shop.token}`, ...args],
      )
    const call = (tool: string, ...args: string[]) =>
      inspect('--method', 'tools/call', '--tool-name', tool, ...args.flatMap((arg) => ['--tool-arg', arg]))
    assert.match(await inspect('--method', 'tools/list'), /"name": "resolve_issue"/)
    assert.match(await call('find_issues', 'query=no amount'), /WEB-1: TypeError: no amount/)
    assert.match(await call('get_event', 'issue=WEB-1'), /return pay\(cart\.total\.amount\)/)
    assert.match(await call('resolve_issue', 'issue=WEB-1'), /WEB-1 is resolved\./)
    assert.equal((await issues(running.shop, 'is:resolved')).length, 1)
  })

  it('do with Sentry’s own MCP server what it does with Sentry', async () => {
    await apiPost(running.shop, '/organizations/shop/releases/', { version: 'shop@1.0.0', projects: ['web'] })
    await using server = await sentryMcp(app, running.shop)
    const { call } = server
    assert.match(await call('whoami', {}), /token-1/)
    const org = { organizationSlug: 'shop' }
    const issue = { ...org, issueId: 'WEB-1' }
    assert.match(await call('find_organizations', {}), /shop/)
    assert.match(await call('find_teams', org), /shop/)
    assert.doesNotMatch(await call('find_projects', { ...org, query: 'we' }), /errata/)
    assert.match(await call('find_releases', org), /1\.0\.0/)
    assert.match(await call('find_releases', { ...org, projectSlug: 'web', query: 'shop' }), /1\.0\.0/)
    assert.match(await call('create_team', { ...org, name: 'mobile' }), /mobile/)
    const project = { ...org, teamSlug: 'mobile', name: 'app', platform: 'node' }
    assert.match(await call('create_project', project), /http:\/\/[0-9a-f]{32}@/)
    const app2 = { ...org, projectSlug: 'app' }
    assert.match(await call('update_project', { ...app2, name: 'App', teamSlug: 'shop' }), /App/)
    assert.match(await call('create_dsn', { ...app2, name: 'CI' }), /CI/)
    assert.match(await call('find_dsns', app2), /CI/)
    assert.match(await call('search_issues', { ...org, query: 'issue.category:error' }), /WEB-1/)
    assert.match(
      await call('search_issue_events', { ...issue, query: 'environment:production' }),
      /no amount/,
    )
    const errors = { ...org, dataset: 'errors', query: 'level:error' }
    assert.match(await call('search_events', errors), /no amount/)
    const counted = { ...org, dataset: 'errors', query: '', fields: ['issue', 'count()'], sort: '-count()' }
    assert.match(await call('search_events', counted), /WEB-1/)
    assert.match(await call('search_events', { ...org, dataset: 'spans', query: '' }), /Search Results/)
    assert.match(await call('get_issue_tag_values', { ...issue, tagKey: 'environment' }), /production/)
    assert.match(
      await call('get_sentry_resource', { ...org, resourceType: 'issue', resourceId: 'WEB-1' }),
      /no amount/,
    )
    assert.match(await call('get_issue_breadcrumbs', issue), /readcrumbs/)
    assert.match(await call('get_issue_activity', issue), /set_resolved|resolved/i)
    assert.match(await call('add_issue_note', { ...issue, text: 'looked into it' }), /looked|added|note/i)
    assert.match(await call('get_issue_user_reports', issue), /reports/i)
    const team = { ...app2, teamSlug: 'shop' }
    assert.match(await call('add_team_to_project', team), /shop/)
    assert.match(await call('remove_team_from_project', team), /mobile/)
    const release = { ...org, releaseVersion: 'shop@1.0.0' }
    assert.match(await call('get_release_details', release), /1\.0\.0/)
    const [{ eventID }] = await apiGet<readonly [{ eventID: string }]>(
      running.shop,
      '/projects/shop/web/events/',
    )
    assert.match(
      await call('get_event_attachment', { ...org, projectSlug: 'web', eventId: eventID }),
      /attachments/i,
    )
    assert.match(
      await call('update_issue', { ...issue, status: 'unresolved', reason: 'it is back' }),
      /unresolved/,
    )
    const until = { status: 'ignored', ignoreMode: 'untilEscalating' }
    assert.match(await call('update_issue', { ...issue, ...until }), /escalating/i)
    assert.match(await call('update_issue', { ...issue, assignedTo: 'user:1' }), /rosa@shop\.example/)
    assert.match(await call('update_issue', { ...issue, status: 'resolved' }), /resolved/)
  })
})

/** Started as agents start it; fails where a tool says that it failed. */
async function sentryMcp(app: App, { url, token }: SetUp) {
  const client = new Client({ name: 'tests', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      join(app.root, 'node_modules/@sentry/mcp-server/dist/index.js'),
      ...[`--access-token=${token}`, `--host=${new URL(url).host}`, '--insecure-http'],
    ],
    env: { PATH: process.env.PATH ?? '', SENTRY_DSN: '' },
    stderr: 'ignore',
  })
  await client.connect(transport)
  const direct = (await client.listTools()).tools.map(({ name }) => name)
  return {
    async call(name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
      // It shows agents some of its tools, and has them look for the others.
      const asked = direct.includes(name)
        ? { name, arguments: args }
        : { name: 'execute_sentry_tool', arguments: { name, arguments: args } }
      const answer = CallToolResultSchema.parse(await client.callTool(asked))
      const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      assert.ok(answer.isError !== true, `${name}: ${text}`)
      return text
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
