/**
 * Runs one of the examples beside Errata: built, its maps uploaded by `errata upload-build`, and driven by a
 * browser.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { apiPost } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { errata, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { type App, buildEnvironment, installedExample, runTool } from './app.ts'
import { type RunningApp, startedApp } from './server-process.ts'

/** It waits until the maps are ready. */
const UPLOAD_MS_MAX = 300_000
const DAY_MS = 86_400_000

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

/** Parts of what `upload-build --json` prints. */
export interface UploadReport {
  readonly ok: boolean
  readonly files: readonly { readonly file: string; readonly state: string }[]
}

export interface RunningExample extends AsyncDisposable {
  readonly app: App
  readonly running: RunningApp
  readonly errata: RunningErrata
  readonly shop: SetUp
  readonly browser: Browser
  readonly uploaded: UploadReport
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
  const uploaded = await uploadBuild(shop, {
    folder: join(app.root, options.built),
    release: options.release,
  })
  await noteBuildBefore(shop, options.name)
  const running = parts.use(await startedApp(app, { args: options.serve, env: { ...env, TZ: 'Asia/Tokyo' } }))
  const browser = await launchBrowser()
  parts.defer(() => browser.close())
  const all = parts.move()
  return {
    ...{ app, running, errata: product, shop, browser, uploaded },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/**
 * Makes another build known for the project: a file that a tab asks for in vain counts as stale only then.
 */
async function noteBuildBefore(shop: SetUp, name: string): Promise<void> {
  const version = `${name}@0.9.0`
  const path = `/organizations/${shop.organisation}/releases/`
  await apiPost(shop, path, { version, projects: [shop.project] })
  const dateFinished = new Date(Date.now() - 7 * DAY_MS).toISOString()
  await apiPost(shop, `${path}${encodeURIComponent(version)}/deploys/`, {
    environment: 'production',
    dateFinished,
  })
}

/** With the release: the edge runtime of Next.js runs in a box of its own, out of which no debug ids come. */
async function uploadBuild(
  shop: SetUp,
  { folder, release }: { readonly folder: string; readonly release: string },
): Promise<UploadReport> {
  const place = ['--url', shop.url, '--token', shop.token, '--org', shop.organisation]
  const args = ['upload-build', folder, ...place, '--project', shop.project, '--release', release, '--json']
  const said = await errata(args, UPLOAD_MS_MAX)
  const report: UploadReport = JSON.parse(said)
  return report
}
