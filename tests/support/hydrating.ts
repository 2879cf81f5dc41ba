/** A server that renders React, or another framework, and its page in a real browser, with the SDK and the relay's hydration helper. */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { ROOT } from '../tidy/sources.ts'
import { appsOf } from './hydration-app.mjs'

const ENTRY = 'virtual:app'

/** Framework that renders pages on a server and hydrates them. */
export interface Framework {
  /** The client's entry, without the SDK, which comes before it. */
  readonly entry: string
  /** Packages that are taken from where they are installed, beside the SDK. */
  readonly packages: readonly string[]
  readonly integrations: string
  /** Answers with the HTML of a page; `null`: there is no such page. */
  renderer(require: NodeJS.Require): (name: string) => Promise<string | null>
}

const REACT: Framework = {
  entry: `
    import * as React from 'react'
    import { hydrateRoot } from 'react-dom/client'
    import { appsOf } from '${join(ROOT, 'tests/support/hydration-app.mjs')}'
    const root = name === 'document' ? document : document.getElementById('root')
    hydrateRoot(root, appsOf(React, 'browser')[name])
  `,
  packages: ['react-dom', 'react', 'scheduler'],
  integrations: 'hydrationIntegration()',
  renderer(require) {
    const apps = appsOf(require('react'), 'server')
    const { renderToString } = require('react-dom/server')
    return async (name) => (name in apps ? renderToString(Reflect.get(apps, name)) : null)
  },
}

/** Writes the script of a page as a framework's client entry does: the SDK first, then hydration. */
const scriptOf = ({ entry, integrations }: Framework) => `
  import * as Sentry from '@sentry/browser'
  import { hydrationIntegration } from '${join(ROOT, 'packages/relay/src/hydration.ts')}'
  const name = new URLSearchParams(location.search).get('case')
  window.sent = []
  Sentry.init({
    dsn: new URLSearchParams(location.search).get('dsn'),
    release: 'shop@2',
    integrations: [${integrations}],
    beforeSend(event) { window.sent.push(event); return event },
  })
  ${entry}
`

export interface SentMismatch {
  readonly text: string
  readonly halves: Readonly<Record<'server' | 'client' | 'component', string>> | null
}

export interface Opening {
  /** DSN of a project that receives what the SDK sends. */
  readonly dsn?: string
  /** HTML that the server puts behind that of a whole document. */
  readonly behind?: string
}

export interface HydratingShop extends AsyncDisposable {
  /** Opens a page and returns what its SDK sent, once it stands still. */
  open(browser: Browser, name: string, how?: Opening): Promise<readonly SentMismatch[]>
}

/** `modules`: where the framework and the SDK are installed. */
export async function hydratingShop({
  modules,
  framework = REACT,
}: {
  readonly modules: string
  readonly framework?: Framework
}): Promise<HydratingShop> {
  const script = await bundled(modules, framework)
  const render = framework.renderer(createRequire(join(modules, 'package.json')))
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop.example')
    if (url.pathname === '/app.js')
      return void response.setHeader('content-type', 'text/javascript').end(script)
    const name = url.searchParams.get('case') ?? ''
    const html = await render(name)
    if (html === null) return void response.writeHead(404).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', "default-src 'none'; script-src 'self'; connect-src *")
    response.end(
      name === 'document'
        ? `<!doctype html>${html.replace('</body>', `${url.searchParams.get('behind') ?? ''}</body>`)}`
        : `<!doctype html><body><div id="root">${html}</div><script src="/app.js"></script>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('listens on no port')
  return {
    async open(browser, name, { dsn = 'http://key@127.0.0.1:9/1', behind = '' } = {}) {
      const page = await browser.newPage({ timezoneId: 'Europe/Amsterdam' })
      try {
        const query = new URLSearchParams({ case: name, dsn, behind })
        await page.goto(`http://127.0.0.1:${address.port}/?${query}`, { waitUntil: 'networkidle' })
        return await page.evaluate(sentOn)
      } finally {
        await page.close()
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Runs in the page. */
function sentOn(): readonly SentMismatch[] {
  const { sent } = window as unknown as {
    sent: {
      message?: string
      exception?: { values?: { value?: string }[] }
      contexts?: Record<string, SentMismatch['halves']>
    }[]
  } // put there by the page's own script
  return sent.map(({ message, exception, contexts }) => ({
    text: exception?.values?.at(-1)?.value ?? message ?? '',
    halves: contexts?.['errata.hydration'] ?? null,
  }))
}

async function bundled(modules: string, framework: Framework): Promise<string> {
  const installed = (name: string) => join(modules, 'node_modules', name)
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [...framework.packages, '@sentry/browser'].map((name) => ({
        find: new RegExp(`^${name}(?=/|$)`),
        replacement: installed(name),
      })),
    },
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? scriptOf(framework) : null),
      },
    ],
    build: { write: false, minify: false, rollupOptions: { input: ENTRY, output: { format: 'iife' } } },
  })
  const [output] = [built].flat()
  if (output === undefined || !('output' in output)) throw new Error('the bundler answered without output')
  return output.output[0].code
}
