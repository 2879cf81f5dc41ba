/** One of the examples beside Errata: built, its maps uploaded by `errata upload-build`, running, and driven by a browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { errata, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { type App, buildEnvironment, installedExample, runTool } from './app.ts'
import { type RunningApp, startedApp } from './server-process.ts'

export interface ExampleOptions {
  readonly name: string
  /** A folder of these tests with other packages. */
  readonly variant?: string
  readonly release: string
  /** A program of its packages that builds, what that writes, and what `node` is given to serve it. */
  readonly build: readonly [string, ...string[]]
  readonly built: string
  readonly serve: readonly string[]
  readonly env: (dsn: string) => Readonly<Record<string, string>>
}

export interface RunningExample extends AsyncDisposable {
  readonly app: App
  readonly running: RunningApp
  readonly errata: RunningErrata
  readonly shop: SetUp
  readonly browser: Browser
  /** What `upload-build --json` said. */
  readonly uploaded: unknown
}

export async function startedExample(options: ExampleOptions): Promise<RunningExample> {
  const home = mkdtempSync(join(tmpdir(), 'errata-example-'))
  await using parts = new AsyncDisposableStack()
  parts.defer(() => rmSync(home, { recursive: true, force: true }))
  const product = parts.use(await startShop())
  const { shop } = product
  const app = await installedExample(options.name, options.variant)
  const env = { ...options.env(shop.dsn), SENTRY_RELEASE: options.release }
  await runTool(app, options.build, { env: { ...buildEnvironment(shop, home), ...env } })
  const uploaded = await uploadBuild(shop, join(app.root, options.built))
  const running = parts.use(await startedApp(app, { args: options.serve, env: { ...env, TZ: 'Asia/Tokyo' } }))
  const browser = await launchBrowser()
  parts.defer(() => browser.close())
  const all = parts.move()
  return {
    ...{ app, running, errata: product, shop, browser, uploaded },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function uploadBuild(shop: SetUp, folder: string): Promise<unknown> {
  const place = ['--url', shop.url, '--token', shop.token, '--org', shop.organisation]
  return JSON.parse(await errata(['upload-build', folder, ...place, '--project', shop.project, '--json']))
}

/** What a page does until nothing is under way any more, the SDK's own envelopes included. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
}
