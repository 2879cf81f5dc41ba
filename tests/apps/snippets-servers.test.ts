/**
 * Mounts what the set-up page prints for servers without a framework, for browsers, for OpenTelemetry and for
 * no SDK, and each relay: as printed, started by the printed line, and made to send.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { relayFor, snippetsFor } from '../../packages/web/src/features/projects/snippets.ts'
import {
  type RelayFramework,
  relaySnippets,
  type Snippet,
} from '../../packages/web/src/parts/relay-snippets.ts'
import { launchBrowser } from '../support/browser.ts'
import { documented } from '../support/documentation.ts'
import { freePort } from '../support/free-port.ts'
import { hasNginx, openNginx } from '../support/nginx.ts'
import { anEvent } from '../support/send.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { type App, installedApp } from './app.ts'
import { requestFigures } from './findings.ts'
import { issueOf } from './frames.ts'
import { installPackage, isTerminal, mount, shell, startedBy } from './printed-app.ts'

/** Versions from the registries, so that the printed line installs the same in each run. */
const PINNED = { 'sentry-sdk': '2.75.0', go: 'github.com/getsentry/sentry-go@v0.50.0' }
const has = (...call: readonly [string, ...string[]]) => spawnSync(call[0], call.slice(1)).status === 0

/** Lines around the relay's lines in an app of each framework. */
const AROUND: readonly (readonly [id: RelayFramework, before: string, after: string])[] = [
  ['express', "import express from 'express'\nconst app = express()", 'app.listen(Number(process.env.PORT))'],
  [
    'fastify',
    "import fastify from 'fastify'\nconst app = fastify()",
    'await app.listen({ port: Number(process.env.PORT) })',
  ],
  [
    'hono',
    "import { serve } from '@hono/node-server'\nimport { Hono } from 'hono'\nconst app = new Hono()",
    'serve({ fetch: app.fetch, port: Number(process.env.PORT) })',
  ],
  [
    'other',
    "import { serve } from '@hono/node-server'",
    'serve({ fetch: (request) => POST({ request }), port: Number(process.env.PORT) })',
  ],
]

describe('what is printed for servers', () => {
  let errata: RunningErrata & { readonly shop: SetUp }
  let app: App
  before(async () => {
    errata = await startShop()
    app = await installedApp('snippets/node')
    await installPackage(app, `${errata.url}/packages/relay.tgz`)
  })
  after(() => errata?.[Symbol.asyncDispose]())

  const printed = () => {
    const { dsn, url } = errata.shop
    return { dsn, url, tunnel: '/monitoring?o=shop&p=web' }
  }
  const startOf = (snippets: readonly Snippet[]) => snippets.filter(isTerminal).at(-1)?.text ?? ''
  /** An app without packages of npm. */
  const plainApp = (name: string): App => {
    const source = join(import.meta.dirname, 'snippets', name)
    const root = join(app.root, `../plain-${name}`)
    rmSync(root, { recursive: true, force: true })
    mkdirSync(root, { recursive: true })
    spawnSync('cp', ['-r', `${source}/.`, root])
    return { root, sources: [source] }
  }
  const failed = (url: string) => fetch(`${url}/fail`).catch(() => null)

  it('reports failures of a Node server', async () => {
    const snippets = snippetsFor('node', printed())
    mount(app, snippets, '')
    const port = await freePort()
    await using running = await startedBy(app, startOf(snippets), { port })
    await failed(running.url)
    await issueOf(errata.shop, '"the server of node fails"')
  })

  it('reports failures of a Node server, as the first page says it', async () => {
    const block = documented('docs/first-event.md', 'import * as Sentry')
    const failing =
      "createServer(() => { throw new Error('the first event of node') }).listen(Number(process.env.PORT))"
    const text = `${block.replace('https://KEY@errata.example.com/1', errata.shop.dsn)}\n${failing}\n`
    writeFileSync(join(app.root, 'first.mjs'), `import { createServer } from 'node:http'\n${text}`)
    const port = await freePort()
    // It ends by its first request, which is how it is asked whether it listens.
    await startedBy(app, 'node first.mjs', { port }).catch(() => null)
    await issueOf(errata.shop, '"the first event of node"')
  })

  it('shows the id of an event, which leads to it', async () => {
    const port = await freePort()
    const block = documented('docs/digests.md', "import * as Sentry from '@sentry/node'")
    const answer = "const answer = () => { throw new Error('the answer of node fails') }"
    writeFileSync(
      join(app.root, 'answer.mjs'),
      `${block.replace('8080', String(port)).replace('https://KEY@errata.example.com/42', errata.shop.dsn)}\n${answer}\n`,
    )
    await using running = await startedBy(app, 'node answer.mjs', { port })
    const [id = ''] = /[0-9a-f]{32}/.exec(await (await fetch(running.url)).text()) ?? []
    const headers = { authorization: `Bearer ${errata.shop.token}` }
    const address = `${errata.url}/api/0/organizations/shop/eventids/${id}/`
    await waitFor('the event', async () => {
      const answer = await fetch(address, { headers })
      return (await answer.text()).includes('the answer of node fails')
    })
  })

  it('reports failures of a Python server', { skip: !has('python3', '-m', 'venv', '--help') }, async () => {
    const python = plainApp('python')
    const snippets = snippetsFor('python', printed())
    const [install] = snippets
    mount(python, snippets, '')
    writeFileSync(join(python.root, 'constraints.txt'), `sentry-sdk==${PINNED['sentry-sdk']}\n`)
    const inside = 'python3 -m venv venv && . venv/bin/activate\nexport PIP_CONSTRAINT=constraints.txt'
    await shell(python, `${inside}\n${install?.text}`)
    const port = await freePort()
    await using running = await startedBy(python, `. venv/bin/activate; exec ${startOf(snippets)}`, { port })
    await failed(running.url)
    await issueOf(errata.shop, '"the server of python fails"')
  })

  it('reports failures of a Go server', { skip: !has('go', 'version') }, async () => {
    const go = plainApp('go')
    const snippets = snippetsFor('go', printed())
    const port = await freePort()
    const [install] = snippets
    const text = (snippet: Snippet) => ({ ...snippet, text: snippet.text.replace(':8080', `:${port}`) })
    mount(go, snippets.map(text), '')
    await shell(go, (install?.text ?? '').replace(/github\S+/, PINNED.go))
    await using running = await startedBy(go, startOf(snippets), { port })
    await failed(running.url)
    await issueOf(errata.shop, '"the server of go fails"')
  })

  it('takes traces of OpenTelemetry', async () => {
    const [environment, node] = snippetsFor('opentelemetry', printed())
    const [, start] = node?.text.split('\n') ?? []
    const line = `${environment?.text}\nexport OTEL_BSP_SCHEDULE_DELAY=100\n${start}`
    const otel = { ...app, root: join(app.root, 'otel') }
    const port = await freePort()
    await using running = await startedBy(otel, line, { port })
    await failed(running.url)
    await waitFor('the figures', async () => {
      return (await requestFigures(errata.shop)).some((figure) => figure.failed > 0)
    })
  })

  it('makes issues of what OpenTelemetry tells of a Python server', {
    skip: !has('python3', '-m', 'venv', '--help'),
  }, async () => {
    const python = plainApp('otel-python')
    const [environment, , terminal] = snippetsFor('opentelemetry', printed())
    const [install = '', bootstrap = '', start] = terminal?.text.split('\n') ?? []
    const inside = 'python3 -m venv venv && . venv/bin/activate\nexport PIP_CONSTRAINT=$PWD/constraints.txt'
    await shell(python, [inside, 'pip install flask', install, bootstrap].join('\n'))
    const line = `. venv/bin/activate\n${environment?.text}\nexport OTEL_BSP_SCHEDULE_DELAY=100\n${start}`
    await using running = await startedBy(python, line, { port: await freePort() })
    await failed(running.url)
    await issueOf(errata.shop, '"the traced server of python fails"')
  })

  it('takes an event of curl', async () => {
    const [call] = snippetsFor('curl', printed())
    assert.match(await shell(app, call?.text ?? ''), /"id":"[0-9a-f]{32}"/)
    await issueOf(errata.shop, '"Hello from curl"')
  })

  it('reports failures of a browser, past the web server that hands its pages out', {
    skip: hasNginx() ? false : 'no nginx here',
  }, async () => {
    const [relay, ...others] = relayFor('javascript-browser', printed())
    mount(app, [...snippetsFor('javascript-browser', printed()), ...others], '')
    const whole = readFileSync(join(app.root, 'main.ts'), 'utf8')
    const page = whole.slice(whole.indexOf('document.querySelector'))
    const short = [
      documented('docs/relay.md', 'import * as Sentry'),
      documented('packages/relay/README.md', "import * as Sentry from '@sentry/browser'"),
      documented(
        'packages/relay/README.md',
        "import { hydrationIntegration } from '@errata/relay/hydration'",
      ),
    ]
    for (const [at, text] of short.entries()) {
      const placed = text
        .replace(/https:\/\/KEY@[^']*/, errata.shop.dsn)
        .replace('o=ORG&p=PROJECT', 'o=shop&p=web')
      writeFileSync(join(app.root, 'main.ts'), `${placed}\n${page}`)
      await shell(app, `npx vite build --outDir dist/${at} --base ./`)
    }
    writeFileSync(join(app.root, 'main.ts'), whole)
    await shell(app, 'npx vite build --emptyOutDir false')
    await using nginx = await openNginx('shop.example')
    const port = await freePort()
    const types = 'index index.html; types { text/html html; text/javascript js; }'
    const server = `${types} server { listen 127.0.0.1:${port}; root ${join(app.root, 'dist')}; ${relay?.text} }`
    assert.equal(await nginx.check(server), '')
    await nginx.start(server)
    await waitFor('nginx', () => fetch(`http://127.0.0.1:${port}/`).catch(() => null))
    const browser = await launchBrowser()
    try {
      const ways = [printed().tunnel, printed().tunnel, `/api/1/envelope/`]
      for (const [at, way] of [
        ['', printed().tunnel],
        ...ways.map((each, index) => [`${index}/`, each]),
      ] as const) {
        const shown = await browser.newPage()
        await shown.goto(`http://127.0.0.1:${port}/${at}`)
        const sent = shown.waitForResponse((each) =>
          (each.request().postData() ?? '').includes('"type":"event"'),
        )
        await shown.locator('button').click()
        const answer = await sent
        const { pathname, search } = new URL(answer.url())
        assert.equal(answer.status(), 200)
        assert.ok(`${pathname}${search}`.startsWith(way ?? ''), `${at}: ${answer.url()}`)
        await shown.close()
      }
    } finally {
      await browser.close()
    }
    await issueOf(errata.shop, '"the button of browser fails"')
  })

  /** Sends an envelope past the relay as a browser does. */
  async function sentPast(url: string, message: string): Promise<void> {
    const event = anEvent({ message })
    const header = JSON.stringify({ event_id: event.event_id, dsn: errata.shop.dsn })
    const body = `${header}\n{"type":"event"}\n${JSON.stringify(event)}`
    const headers = { 'content-type': 'text/plain;charset=UTF-8', origin: new URL(url).origin }
    const answer = await fetch(url, { method: 'POST', body, headers })
    assert.equal(answer.status, 200, await answer.text())
    await issueOf(errata.shop, `"${message}"`)
  }

  for (const [id, before, after] of AROUND) {
    it(`relays in ${id}`, async () => {
      const { dsn, url } = printed()
      const [, route, tunnel] = relaySnippets(id, { dsn, url, query: 'o=shop&p=web' })
      writeFileSync(join(app.root, `${id}.mts`), [before, route?.text, after].join('\n'))
      const port = await freePort()
      await using running = await startedBy(app, `node ${id}.mts`, { port })
      const path = /'(.*)'/.exec(tunnel?.text ?? '')?.[1]
      await sentPast(`${running.url}${path}`, `past the relay of ${id}`)
    })
  }

  it('relays in a server of node:http', async () => {
    const { dsn, url } = printed()
    const [, route] = relaySnippets('node', { dsn, url, query: 'o=shop&p=web' })
    const whole = (route?.text ?? '').replace(
      '// the app\n})',
      "response.end('ok')\n}).listen(Number(process.env.PORT))",
    )
    writeFileSync(join(app.root, 'relay.mts'), whole)
    const port = await freePort()
    await using running = await startedBy(app, 'node relay.mts', { port })
    await sentPast(`${running.url}/monitoring?o=shop&p=web`, 'past the relay of node')
    assert.equal(await (await fetch(running.url)).text(), 'ok')
  })
})
