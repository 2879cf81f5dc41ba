/** What agents' makers test with: the conformance suite of the Model Context Protocol, and the inspector's command line. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { issues } from '../support/api.ts'
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
})
