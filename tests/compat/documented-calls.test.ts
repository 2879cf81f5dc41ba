/** The calls of the documents, as they are printed but for host, token and key, against a running Errata: none is refused. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { apiGet, apiPost, issues } from '../support/api.ts'
import { documented, documents } from '../support/documentation.ts'
import { anEvent, send } from '../support/send.ts'
import {
  errata,
  keyIsKnown,
  newDataDirectory,
  OWNER,
  type RunningErrata,
  type SetUp,
  serve,
} from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { ROOT } from '../tidy/sources.ts'

const run = promisify(execFile)
const HOST = 'https://errata.example.com'

/** A value for keys beside which the page names none. */
const VALUES: readonly (readonly [keys: RegExp, value: string])[] = [
  [/^(?:events|times_seen|users|http\.status_code):/, '>1'],
  [/^(?:first_?seen|last_?seen|timestamp):/i, '-24h'],
  [/^age:/, '<24h'],
  [/^(?:error\.)?(?:un)?handled:/, 'yes'],
  [/^level:/, 'error'],
  [/^category:/, 'hydration'],
  [/^kind:|^request_kind:/, 'action'],
  [/^issue:/, 'SHOP-1'],
  [/^assigned/, 'none'],
  [/^release\.stage/, 'adopted'],
  [/^release\.(?:version|build)/, '1.0.0'],
  [/^project:/, 'shop'],
]
/** An organisation's token is nobody's own. */
const OWN = /:(?:me|my_teams)$/

/**
 * Searches that docs/search.md prints for issues and events: terms as they stand, and each key of its tables
 * with each value.
 */
function printedSearches(): readonly string[] {
  const page = documents().find(({ path }) => path === 'docs/search.md')
  const [part = ''] = page?.text.split('\n## Search routes') ?? []
  const codes = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
  const whole = codes(part).filter((code) => /^!?[a-z][\w.]*:[^\s…]+$/i.test(code) && !/key[:\]]/.test(code))
  const rows = part.split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) => {
    const [, first = '', second = ''] = row.split(' | ').length > 1 ? ['', ...row.split(' | ')] : []
    const values = codes(second).filter((code) => /^[a-z_]+$/.test(code))
    return codes(first)
      .filter((code) => /^[\w.]+:$/.test(code))
      .flatMap((key) => {
        const [, own = 'a'] = VALUES.find(([keys]) => keys.test(key)) ?? []
        const some = /^(?:is|assigned|priority|issue\.priority):$/.test(key) ? values : [own]
        return some.map((value) => `${key}${value}`)
      })
  })
  const times = rows
    .flatMap((row) => codes(row.split(' | ')[0] ?? ''))
    .filter((code) => /^[-+<>\d]/.test(code))
  const all = [...whole, ...listed, ...times.map((time) => `firstSeen:${time}`)]
  return [...new Set(all)].filter((term) => !OWN.test(term))
}

describe('the calls that documents print', () => {
  let running: RunningErrata
  let shop: SetUp
  let folder = ''
  before(async () => {
    const data = await newDataDirectory()
    running = await serve({ data })
    const names = ['--organisation', 'Acme', '--project', 'shop', '--url', running.url, '--json']
    const person = ['--email', OWNER.email, '--password', OWNER.password]
    shop = JSON.parse(await errata(['setup', '--data', data, ...person, ...names]))
    await keyIsKnown(running.url, shop.dsn)
    await send(shop.dsn, anEvent({ type: 'TypeError', message: 'total is undefined' }))
    await waitFor('the issue', async () => (await issues(shop)).length === 1)
    folder = await mkdtemp(join(tmpdir(), 'errata-calls-'))
    await mkdir(join(folder, 'node_modules/@errata'), { recursive: true })
    await symlink(join(ROOT, 'packages/client'), join(folder, 'node_modules/@errata/client'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    // A call that is refused ends the lines.
    await writeFile(
      join(folder, 'errata'),
      `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/packages/errata/bin/errata.mjs' "$@"\n`,
      { mode: 0o755 },
    )
    await writeFile(
      join(folder, 'curl'),
      '#!/bin/sh\nexec /usr/bin/env -S PATH="$OUTER_PATH" curl --silent --show-error --fail-with-body "$@"\n',
      { mode: 0o755 },
    )
  })
  after(async () => {
    await running?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  /** A printed text with the names of this run. */
  const placed = (text: string) =>
    text
      .replaceAll(HOST, shop.url)
      .replaceAll('SHOP-12', 'SHOP-1')
      .replaceAll('TOKEN=…', `TOKEN='${shop.token}'`)
      .replaceAll('KEY', new URL(shop.dsn).username)

  async function shell(lines: string): Promise<string> {
    const PATH = [folder, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
    const env = { ...process.env, PATH, OUTER_PATH: process.env.PATH, ERRATA: shop.url, TOKEN: shop.token }
    const { stdout } = await run('bash', ['-ec', placed(lines)], {
      env,
      cwd: folder,
      timeout: 120_000,
    }).catch((cause: unknown) => {
      const said = cause instanceof Error && 'stdout' in cause ? String(cause.stdout) : ''
      throw new Error(`${lines}\n${said}`, { cause })
    })
    return stdout
  }

  it('read and change issues', async () => {
    const said = await shell(documented('docs/api.md', 'export ERRATA='))
    assert.match(said, /"shortId":"SHOP-1"/)
    assert.deepEqual(
      (await issues(shop)).map(({ status }) => status),
      ['resolved'],
    )
    await shell(
      `curl -X PUT "$ERRATA/api/0/organizations/acme/issues/SHOP-1/" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"status":"unresolved"}'`,
    )
  })

  it('set teams and members up, and read the audit log', async () => {
    const said = await shell(documented('docs/api.md', 'send()'))
    assert.match(said, /ada@example\.com/)
    const teams = await apiGet<readonly { slug: string }[]>(shop, '/organizations/acme/teams/')
    assert.ok(teams.some(({ slug }) => slug === 'web'))
  })

  it('make a rule, and a channel', async () => {
    assert.match(await shell(documented('docs/alerts.md', 'curl -X POST')), /"name":"Checkout fails"/)
    assert.match(await shell(documented('docs/chat.md', 'curl -X POST')), /"name":"Ops"/)
  })

  it('tell of a flag that was changed', async () => {
    assert.match(await shell(documented('docs/everyday.md', 'curl -X POST')), /"added":1/)
  })

  it('set a tracker up, and link an issue', async () => {
    const lines = documented('docs/trackers.md', 'API=').split(/\n(?=curl)/)
    // Whether the service itself answers is no matter of this page: it is not there.
    const [names = '', make = '', create = '', link = '', list = '', unlink = ''] = lines
    assert.match(await shell(`${names}\n${make}`), /"kind":"github"/)
    for (const asks of [create, link]) await assert.rejects(shell(`${names}\n${asks}`), /github|tracker/i)
    assert.equal((await shell(`${names}\n${list}`)).trim(), '[]')
    await assert.rejects(shell(`${names}\n${unlink}`), /not_found|404/)
  })

  it('are those of the command line, too', async () => {
    const lines = documented('docs/agents.md', 'export ERRATA_URL').split('\n')
    // The last one goes on until it is stopped.
    const calls = lines.map((line) =>
      line.replace(/^errata tail(?= )(.*)/, 'timeout -s INT 3 errata tail || true$1'),
    )
    assert.match(await shell(calls.join('\n')), /TypeError: total is undefined/)
  })

  it('send an event by hand', async () => {
    assert.match(await shell(documented('docs/first-event.md', 'curl ')), /^\{"id":"[0-9a-f]{32}"\}$/)
    await waitFor('the event', async () => (await issues(shop, 'Hello')).length === 1)
  })

  it('are made by the client', async () => {
    const rows = [
      documented('packages/client/README.md', 'import { createClient }'),
      documented('packages/client/README.md', 'await errata.put'),
      documented('packages/client/README.md', 'for await'),
      documented('packages/client/README.md', 'import { ApiError }'),
      `{\n${documented('packages/client/README.md', 'const path')}\n}`,
    ]
    const files = [rows.join('\n'), documented('docs/api.md', 'import { createClient }')]
    for (const [at, text] of files.entries()) {
      await writeFile(join(folder, `client-${at}.ts`), placed(text))
      const said = await shell(
        `ERRATA_TOKEN="$TOKEN" node --disable-warning=ExperimentalWarning client-${at}.ts`,
      )
      assert.match(said, at === 0 ? /SHOP-1 TypeError: total[\s\S]*no such issue/ : /[0-9a-f]{32}/)
    }
  })

  it('are asked by Prometheus, with the token of the settings', async () => {
    const { scrape_configs: jobs } = parse(documented('docs/operating/metrics.md', 'scrape_configs'))
    const [{ authorization, scheme, static_configs: targets }] = jobs
    assert.deepEqual([scheme, targets], ['https', [{ targets: ['errata.example.com'] }]])
    await using measured = await serve({ args: ['--metrics-token', authorization.credentials] })
    assert.equal((await fetch(`${measured.url}/metrics`)).status, 403)
    const headers = { authorization: `Bearer ${authorization.credentials}` }
    assert.match(await (await fetch(`${measured.url}/metrics`, { headers })).text(), /^errata_/m)
  })

  it('are asked by Kubernetes, while it is told to end', async () => {
    const { spec } = parse(documented('docs/operating/deploy.md', 'spec:'))
    const [{ env, readinessProbe }] = spec.containers
    const [{ name, value }] = env
    assert.ok(spec.terminationGracePeriodSeconds > Number(value) + 10, 'pause and stop')
    await using running = await serve({ env: { [name]: value } })
    const probe = () => fetch(`${running.url}${readinessProbe.httpGet.path}`)
    const ready = await probe()
    assert.equal(ready.status, 200)
    const shown = Object.keys(JSON.parse(documented('docs/operating/README.md', '{ "ok"')))
    assert.deepEqual(shown.toSorted(), Object.keys(await ready.json()).toSorted())
    running.signal('SIGTERM')
    await waitFor('an answer that says so', async () => (await probe()).status === 503)
    await running.kill()
  })

  it('install the packages', async () => {
    const empty = join(folder, 'empty')
    await mkdir(empty)
    const printed = [
      documented('docs/relay.md', 'npm install'),
      documented('docs/hydration.md', 'npm install'),
      documented('packages/relay/README.md', 'npm install'),
      documented('packages/client/README.md', 'npm install'),
    ]
    await shell(
      `cd empty; npm init --yes > /dev/null; export npm_config_registry=http://127.0.0.1:9/; ${printed.join('; ')}`,
    )
    await shell(
      'cd empty; ls node_modules/@errata/relay/package.json node_modules/@errata/client/package.json',
    )
  })

  it('connect an agent, by address and token', async () => {
    const { errata: server } = JSON.parse(
      placed(documented('docs/agents.md', '{\n  "mcpServers"')),
    ).mcpServers
    const token = server.headers.Authorization.replace(/\$\{ERRATA_TOKEN\}/, shop.token)
    const client = { name: 'a test', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client }
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: {
        authorization: token,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    })
    assert.equal(answer.status, 200)
    assert.match(await answer.text(), /"serverInfo"/)
  })

  it('shape what a webhook is sent', async () => {
    const template = documented('docs/chat.md', '{ "text": "{{headline}}')
    const values = {
      url: 'https://hooks.example.com/errata',
      template,
      secret: 'a long random text of a person',
    }
    await apiPost(shop, '/organizations/acme/alert-channels/', { kind: 'webhook', name: 'Own', values })
  })

  it('send both halves of a hydration mismatch', async () => {
    const { contexts } = JSON.parse(documented('docs/wire.md', '{"contexts": {"errata.hydration"'))
    const message = "Hydration failed because the server rendered HTML didn't match the client"
    const event = Object.assign(anEvent({ message }), { contexts })
    await send(shop.dsn, event)
    await waitFor('the event', async () => (await issues(shop, 'category:hydration')).length === 1)
  })

  it('search, in each way that the page names', async (t) => {
    const all = [documented('docs/search.md', 'is:unresolved'), ...printedSearches()]
    const refused: string[] = []
    for (const term of all) await issues(shop, term).catch((cause) => refused.push(String(cause)))
    assert.deepEqual(refused, [])
    t.diagnostic(`${all.length} searches`)
    assert.ok(all.length > 60, all.join('\n'))
  })

  it('take the rules that are printed', async () => {
    const rules = documented('docs/grouping.md', '# Database outages')
    const settings = { options: { fingerprintingRules: rules } }
    const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' }
    const path = `${shop.url}/api/0/projects/acme/shop/`
    const answer = await fetch(path, { method: 'PUT', headers, body: JSON.stringify(settings) })
    assert.equal(answer.status, 200, await answer.text())
    const raw = documented('docs/workflow.md', 'path:src/checkout')
    // The names are those of the page's own organisation.
    await shell(
      `curl -X POST "$ERRATA/api/0/organizations/acme/teams/" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"name":"payments"}'`,
    )
    await shell(
      'curl -X POST "$ERRATA/api/0/projects/acme/shop/teams/payments/" -H "Authorization: Bearer $TOKEN"',
    )
    const owned = await fetch(`${path}ownership/`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ raw: raw.replaceAll('ada@example.com', OWNER.email) }),
    })
    assert.equal(owned.status, 200, await owned.text())
  })

  it('tell a webhook of Errata from another', async () => {
    const file = join(folder, 'webhook.mjs')
    await writeFile(
      file,
      `${documented('docs/webhook.md', 'import { createHmac')}\nexport { isFromErrata }\n`,
    )
    const { isFromErrata }: { isFromErrata(body: Buffer, header: string, secret: string): boolean } =
      await import(file)
    const body = Buffer.from(JSON.stringify(JSON.parse(documented('docs/webhook.md', '{\n  "version"'))))
    const seconds = Math.floor(Date.now() / 1000)
    const made = createHmac('sha256', 'secret').update(`${seconds}.`).update(body).digest('hex')
    assert.ok(isFromErrata(body, `t=${seconds},v1=${made}`, 'secret'))
    assert.ok(!isFromErrata(body, `t=${seconds},v1=${made}`, 'another'))
  })
})
