/** Joins engine, web app and HTTP server into the one process that `errata serve` is. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clockOf, type DescribedClock } from '@errata/server/clock'
import { startEngine, type ThreadUrls } from '@errata/server/engine'
import type { PageHandler } from '@errata/server/http'
import { createApi, createMcp, type Engine, PublicAddress, startHttp } from '@errata/server/http'
import type { Log } from '@errata/server/log'
import type { Settings } from '@errata/server/settings'
import { VERSION } from './version.ts'

export interface StartedErrata {
  readonly engine: Engine
  readonly url: string
  readonly port: number
  /** Printed once; `null` when an owner exists. */
  readonly setupCode: string | null
  /** Resolves with a sentence when this process can store nothing any more: close, and end it. */
  readonly failed: Promise<string>
  /** Resolves when everything acknowledged so far is stored. */
  drained(): Promise<void>
  /** From now on it says that it is not ready; everything is answered as before. */
  turnAway(): void
  /** Stops accepting, drains, closes. */
  close(): Promise<void>
}

/** Exports of the built web app. */
interface WebModule {
  createWebApp(options: {
    readonly engine: Engine
    readonly clientDirectory: string
    readonly packageDirectory: string
    readonly handbookDirectory: string
    readonly now: () => number
  }): PageHandler
  reservedSegments(): readonly string[]
}

export async function startWithSettings({
  settings,
  log,
  clock: described = null,
  sendsNothing = false,
}: {
  readonly settings: Settings
  readonly log: Log
  /** Clock for benchmarks and tests. */
  readonly clock?: DescribedClock | null
  /** True for a demo: nothing is sent. */
  readonly sendsNothing?: boolean
}): Promise<StartedErrata> {
  const clock = clockOf(described)
  const publicAddress = new PublicAddress(settings)
  // Beside the engine's threads, which take as long to load.
  const loading = loadWeb(webEntry())
  const reservedSlugs = loading.then((web) => web.reservedSegments())
  // Whoever awaits it has the error.
  reservedSlugs.catch(() => {})
  const running = await startEngine({
    settings,
    publicAddress,
    threads: threadUrls(),
    version: VERSION,
    reservedSlugs,
    log,
    clock: described,
    sendsNothing,
  })
  try {
    const web = await loading
    const engine: Engine = { ...running, settings, publicAddress, log }
    const pages = web.createWebApp({
      now: () => clock.now(),
      engine,
      clientDirectory: fileURLToPath(builtFile('web/client/')),
      packageDirectory: fileURLToPath(builtFile('packages/')),
      handbookDirectory: fileURLToPath(builtFile('handbook/')),
    })
    const api = createApi({ ...running, clock, log, publicAddress })
    const mcp = createMcp({ ...running, clock, log, publicAddress, version: VERSION })
    const server = await startHttp({
      ...{ engine: running, settings, publicAddress, log, pages, api, mcp, clock },
      metrics: () => running.metrics(),
      acceptThreads: running.acceptThreads,
    })
    running.addressIsCertain()
    const setupCode = (await running.queries.needsSetup()) ? running.commands.setupCode() : null
    return {
      engine,
      url: publicAddress.url,
      port: server.port,
      setupCode,
      failed: running.failed,
      drained: () => running.drained(),
      turnAway: () => server.turnAway(),
      close: async () => {
        await server.close()
        await running.close()
      },
    }
  } catch (cause) {
    await running.close()
    throw cause
  }
}

/** Run from source, everything built lies in `dist`; bundled, beside this file. */
function builtFile(name: string): URL {
  const beside = new URL(`./${name}`, import.meta.url)
  return import.meta.url.endsWith('.ts') ? new URL(`../dist/${name}`, import.meta.url) : beside
}

function webEntry(): URL {
  const entry = builtFile('web/server.js')
  if (!existsSync(entry))
    throw new Error(`the web app is not built: ${entry.pathname} is missing; run "npm run build"`)
  return entry
}

async function loadWeb(entry: URL): Promise<WebModule> {
  return import(entry.href) as Promise<WebModule> // built by packages/web from shell/index.ts, which is typed as this
}

function threadUrls(): ThreadUrls {
  const source = import.meta.url.endsWith('.ts')
  const thread = (name: string) =>
    source
      ? new URL(`../../server/src/engine/threads/${name}.ts`, import.meta.url)
      : new URL(`./engine-${name}.js`, import.meta.url)
  return {
    accept: thread('accept'),
    process: thread('process'),
    commit: thread('commit'),
    read: thread('read'),
    verify: thread('verify'),
    artifacts: thread('artifacts'),
  }
}
