/**
 * An app of a framework that is deployed twice: two production builds of its sources, the second with what lies in its
 * folder `deploy`, served one after the other at one address, so that a tab of the first outlives it.
 */
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { type SetUp, startShop } from '../support/start-errata.ts'
import { type App, buildEnvironment, installedApp, runTool } from './app.ts'
import { watchRequests } from './quiet.ts'
import { type RunningApp, startedApp } from './server-process.ts'

export interface DeployedAppOptions {
  /** A folder of these tests, and those whose sources it shares. */
  readonly name: string
  readonly shared?: readonly string[]
  /** A program of its packages that builds, and what that writes. */
  readonly build: readonly [string, ...string[]]
  readonly built: string
  /** Arguments for `node`, from the folder of the build. */
  readonly serve: (built: string) => readonly string[]
}

export interface DeployedApp extends AsyncDisposable {
  readonly app: App
  readonly shop: SetUp
  readonly browser: Browser
  readonly url: string
  /** Names of the first build's release and of the second's. */
  readonly releases: readonly [string, string]
  /** A tab that ran the page’s script, as it says itself. */
  tab(path?: string): Promise<Page>
  /** The second build takes the place of the first. */
  deploy(): Promise<void>
  output(): string
}

const BUILDS = ['first', 'second'] as const
/** Patience for a machine that does much else. */
const STEP_MS_MAX = 90_000

export async function startedDeployedApp(options: DeployedAppOptions): Promise<DeployedApp> {
  const home = mkdtempSync(join(tmpdir(), 'errata-deployed-'))
  await using parts = new AsyncDisposableStack()
  parts.defer(() => rmSync(home, { recursive: true, force: true }))
  const { shop } = parts.use(await startShop())
  const app = await installedApp(options.name, options.shared)
  const releases = [`${options.name}@1`, `${options.name}@2`] as const
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  for (const [nth, build] of BUILDS.entries()) {
    const env = { ...buildEnvironment(shop, home), ...named(shop, releases[nth]), ORIGIN: url }
    await built({ app, build, options, env })
  }
  const started = (build: (typeof BUILDS)[number]) =>
    startedApp(app, {
      args: options.serve(`built-${build}`),
      env: {
        ...{
          PORT: `${port}`,
          HOST: '127.0.0.1',
          NITRO_PORT: `${port}`,
          NITRO_HOST: '127.0.0.1',
          ORIGIN: url,
        },
        ...named(shop, releases[build === 'first' ? 0 : 1]),
      },
    })
  let running: RunningApp = await started('first')
  parts.defer(() => running[Symbol.asyncDispose]())
  const browser = await launchBrowser()
  parts.defer(() => browser.close())
  const all = parts.move()
  return {
    ...{ app, shop, browser, url, releases },
    tab: (path = '/') => readyTab(browser, new URL(path, url)),
    async deploy() {
      await running[Symbol.asyncDispose]()
      running = await started('second')
    },
    output: () => running.output(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

function named({ dsn }: SetUp, release = ''): Readonly<Record<string, string>> {
  return { SENTRY_DSN: dsn, SENTRY_RELEASE: release }
}

/** Beside the others, where its packages are found. */
async function built({
  app: { root, sources },
  build,
  options,
  env,
}: {
  readonly app: App
  readonly build: (typeof BUILDS)[number]
  readonly options: DeployedAppOptions
  readonly env: Readonly<Record<string, string>>
}): Promise<void> {
  const deploy = sources.map((folder) => join(folder, 'deploy')).find((folder) => existsSync(folder))
  if (build === 'second' && deploy !== undefined) cpSync(deploy, root, { recursive: true })
  rmSync(join(root, options.built), { recursive: true, force: true })
  await runTool({ root, sources }, options.build, { env })
  const kept = join(root, `built-${build}`)
  rmSync(kept, { recursive: true, force: true })
  renameSync(join(root, options.built), kept)
}

async function readyTab(browser: Browser, url: URL): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(STEP_MS_MAX)
  watchRequests(page)
  await page.goto(url.href)
  await isReady(page)
  return page
}

/** Before a framework has the page, a click would load documents where the app navigates. */
export async function isReady(page: Page): Promise<void> {
  await page.waitForFunction(() => document.body.dataset.ready === 'yes')
}
