/**
 * Mounts what the set-up page prints for each framework in an app of that framework, as printed and started
 * by the printed line, and makes it fail: its events arrive, a browser's past the relay.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { relayFor, snippetsFor } from '../../packages/web/src/features/projects/snippets.ts'
import { relaySnippets, rewriteSnippet, type Snippet } from '../../packages/web/src/parts/relay-snippets.ts'
import { issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { anEvent } from '../support/send.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { type App, installedApp } from './app.ts'
import { issueOf } from './frames.ts'
import {
  installPackage,
  isInstalled,
  isTerminal,
  mount,
  type PrintedApp,
  shell,
  startedBy,
} from './printed-app.ts'
import { addErrorPage, addHydration, addVue, HYDRATING } from './printed-pages.ts'
import { servedApp } from './web-app.ts'

interface Framework {
  readonly platform: string
  /** Its app, in the folder `snippets`. */
  readonly name: string
  /** Another app whose sources it has. */
  readonly sources?: string
  /** Text that marks a snippet for another version of the framework. */
  readonly not?: string
}

const FRAMEWORKS: readonly Framework[] = [
  { platform: 'javascript-nextjs', name: 'next' },
  { platform: 'javascript-react-router', name: 'react-router' },
  { platform: 'javascript-tanstackstart-react', name: 'tanstack-start' },
  { platform: 'javascript-sveltekit', name: 'sveltekit', not: 'SvelteKit 2' },
  { platform: 'javascript-sveltekit', name: 'sveltekit-2', sources: 'sveltekit', not: 'SvelteKit 3' },
  { platform: 'javascript-nuxt', name: 'nuxt' },
  { platform: 'javascript-astro', name: 'astro' },
]

/** The printed lines of a shell: what installs, what builds, and the last one, which starts. */
function linesOf(snippets: readonly Snippet[]) {
  const lines = snippets.filter(isTerminal).flatMap(({ text }) => text.split('\n'))
  const installs = lines.filter((line) => line.startsWith('npm install '))
  const others = lines.filter((line) => !line.startsWith('npm install '))
  return { installs, builds: others.slice(0, -1), start: others.at(-1) ?? '' }
}

describe('what the set-up page prints', () => {
  let errata: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  before(async () => {
    errata = await startShop()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await errata?.[Symbol.asyncDispose]()
  })

  /** Returns the snippet as the page prints it for the project. */
  const printed = () => {
    const { dsn, url, organisation, project } = errata.shop
    return { dsn, url, tunnel: `/monitoring?o=${organisation}&p=${project}` }
  }

  async function install(app: App, lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      if (line.includes('.tgz')) await installPackage(app, line.replace('npm install ', ''))
      else assert.ok(isInstalled(app, line), line)
    }
  }

  /** Clicks the button of the first page; the addresses that telemetry went to. */
  async function clicked({ url }: PrintedApp): Promise<readonly string[]> {
    const page = await browser.newPage()
    const sent: string[] = []
    page.on('request', (request) => {
      if ((request.postData() ?? '').includes('"dsn"')) sent.push(request.url())
    })
    try {
      const statuses: number[] = []
      page.on('response', (response) => {
        if ((response.request().postData() ?? '').includes('"type":"event"')) statuses.push(response.status())
      })
      await page.goto(url)
      // A click before the page is hydrated does nothing.
      const status = await waitFor('an event of the browser', async () => {
        await page.locator('button').click()
        await page.waitForTimeout(200)
        return statuses[0]
      })
      assert.equal(status, 200)
      return sent
    } finally {
      await page.close()
    }
  }

  for (const { platform, name, sources = name, not } of FRAMEWORKS) {
    it(`reports failures of both halves from ${name}`, async () => {
      const input = printed()
      const all = snippetsFor(platform, input)
      const snippets = all.filter(({ file }) => not === undefined || !file.includes(not))
      const relay = relayFor(platform, input)
      const shared = sources === name ? [] : [`snippets/${sources}`]
      const app = await installedApp(`snippets/${name}`, shared)
      const { installs, builds, start } = linesOf(snippets)
      await install(app, [...installs, ...linesOf(relay).installs])
      const port = await freePort()
      mount(app, [...snippets, ...relay], `http://localhost:${port}`)
      const hasErrorPage = addErrorPage(app, sources)
      assert.ok(builds.length > 0, 'no line that builds')
      await shell(app, builds.join('\n'))
      await using running = await startedBy(app, start, { port })
      const answer = await fetch(`${running.url}/fail`)
      assert.equal(answer.status, 500, running.output())
      await issueOf(errata.shop, `"the server of ${name} fails"`)
      const sent = await clicked(running)
      assert.deepEqual(new Set(sent.map((each) => each.replace(running.url, ''))), new Set([input.tunnel]))
      await issueOf(errata.shop, `"the button of ${name} fails"`)
      if (sources !== 'sveltekit') await assertRelaysOverTls(app, running)
      if (hasErrorPage) await assertReferenceLeads(running, name)
      if (name === 'react-router') await assertDeferredIsReported(running)
    })
  }

  /** Sends as a proxy that ends TLS does: the app sees a plain HTTP address, the browser did not. */
  async function assertRelaysOverTls(app: App, { url }: PrintedApp): Promise<void> {
    const name = 'app.example.com'
    const headers = [
      'Host: app.example.com',
      'X-Forwarded-Proto: https',
      'Content-Type: text/plain;charset=UTF-8',
    ]
    const all = [...headers, `Origin: https://${name}`].map((header) => `-H '${header}'`).join(' ')
    const body = `{"dsn":"${errata.shop.dsn}"}\n{"type":"event"}\n{"message":"over TLS"}`
    const call = `curl --silent --show-error --fail-with-body ${all} --data-binary @- '${url}${printed().tunnel}'`
    assert.match(await shell(app, `${call} <<'END'\n${body}\nEND`), /"id"/)
  }

  /** The number that the error page shows finds the failure. */
  async function assertReferenceLeads({ url }: PrintedApp, name: string): Promise<void> {
    const page = await browser.newPage()
    try {
      await page.goto(`${url}/fail`)
      const shown = await waitFor(
        'a number',
        async () => (await page.locator('code').first().textContent()) ?? '',
      )
      // A digest or an id of the app's own is a word of a search; the id of a trace is an address.
      const trace = `${errata.url}/api/0/organizations/shop/events-trace/${shown}/`
      const headers = { authorization: `Bearer ${errata.shop.token}` }
      await waitFor(`what ${shown} leads to`, async () => {
        const found = JSON.stringify(await issues(errata.shop, shown))
        const traced = found === '[]' ? await (await fetch(trace, { headers })).text() : found
        return traced.includes(`the server of ${name} fails`)
      })
    } finally {
      await page.close()
    }
  }

  async function assertDeferredIsReported({ url }: PrintedApp): Promise<void> {
    await (await fetch(`${url}/reviews`)).text()
    await issueOf(errata.shop, '"the reviews of react-router fail"')
  }

  for (const name of HYDRATING) {
    it(`shows both halves of a hydration mismatch in ${name}`, async () => {
      const framework = FRAMEWORKS.find((each) => each.name === name)
      const snippets = snippetsFor(framework?.platform ?? '', printed())
      const app = await installedApp(`snippets/${name}`)
      await installPackage(app, `${errata.url}/packages/relay.tgz`)
      mount(app, snippets, '')
      addHydration(app, name, errata.shop.dsn)
      const { builds, start } = linesOf(snippets)
      await shell(app, builds.join('\n'))
      await using running = await startedBy(app, start, { port: await freePort() })
      await assertHalvesSent(`${running.url}/mismatch`)
      if (name !== 'nuxt') return
      addVue(app, errata.shop.dsn)
      await shell(app, 'npx vite build vue --outDir ../dist')
      await using pages = await servedApp(app, errata.shop.dsn)
      await assertHalvesSent(pages.url)
    })
  }

  async function assertHalvesSent(url: string): Promise<void> {
    const page = await browser.newPage()
    try {
      const sent = page.waitForRequest((each) => (each.postData() ?? '').includes('errata.hydration'))
      await page.goto(url)
      const body = (await sent).postData() ?? ''
      assert.match(body, /12 left/)
      assert.match(body, /11 left/)
    } finally {
      await page.close()
    }
  }

  it('relays from the Pages Router of Next.js and from proxy.ts', async () => {
    const { dsn, url } = errata.shop
    const app = await installedApp('snippets/next')
    await installPackage(app, `${url}/packages/relay.tgz`)
    const input = { dsn, url, query: 'o=shop&p=web' }
    const routes = (['next-pages', 'next-proxy'] as const).flatMap((id) =>
      relaySnippets(id, input).slice(1, 2),
    )
    mount(app, routes, '')
    await shell(app, 'npx next build')
    const port = await freePort()
    await using running = await startedBy(app, 'npx next start', { port })
    for (const path of ['/monitoring', '/api/monitoring']) {
      const event = anEvent({ message: `past ${path} of Next` })
      const header = JSON.stringify({ event_id: event.event_id, dsn })
      const body = `${header}\n{"type":"event"}\n${JSON.stringify(event)}`
      const answer = await fetch(`${running.url}${path}?o=shop&p=web`, { method: 'POST', body })
      assert.equal(answer.status, 200, await answer.text())
      await issueOf(errata.shop, `"past ${path} of Next"`)
    }
  })

  it('relays by a rewrite of Next.js', async () => {
    const { dsn, url } = errata.shop
    const app = await installedApp('snippets/next')
    // Routes of an earlier run would go before the rewrite.
    for (const route of ['app/monitoring', 'pages', 'proxy.ts'])
      rmSync(join(app.root, route), { recursive: true, force: true })
    mount(app, [rewriteSnippet(url)], '')
    await shell(app, 'npx next build')
    await using running = await startedBy(app, 'npx next start', { port: await freePort() })
    const body = `{"dsn":"${dsn}"}\n{"type":"event"}\n{"message":"past a rewrite of Next"}`
    const answer = await fetch(`${running.url}/monitoring?o=shop&p=web`, { method: 'POST', body })
    assert.equal(answer.status, 200, await answer.text())
    await issueOf(errata.shop, '"past a rewrite of Next"')
  })
})
