/** A Node server, bundled by esbuild, uploaded by the plugins of two generations: its stacks read as they were written. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type App, buildEnvironment, installedApp, runTool } from './app.ts'
import { assertFrames, eventOf, issueOf, type Place } from './frames.ts'
import { mapsReady } from './maps-ready.ts'
import { type RecordedShop, startRecordedShop } from './recorded-shop.ts'
import { chunksIn, refusedIn } from './recorder.ts'
import { type RunningApp, startedApp } from './server-process.ts'

const BUILDS = [
  { name: 'plugin 5', release: 'shop-server@1.0.0', env: {} },
  {
    name: 'plugin 4',
    release: 'shop-server@2.0.0',
    env: { SHOP_PLUGIN: 'sentry-esbuild-plugin-4' },
  },
] as const

interface Failure {
  readonly path: string
  readonly query: string
  readonly places: readonly Place[]
  /** Frames of the error that was thrown first. */
  readonly cause?: readonly Place[]
}

const FAILURES: readonly Failure[] = [
  {
    path: '/stock',
    query: '"of tea are missing"',
    places: [
      ['src/inventory.ts', 'Inventory.take', 'if (left < 0) throw'],
      ['src/server.ts', '/stock', "inventory.take('tea', 5)"],
      ['src/server.ts', 'server', 'await route(request)'],
    ],
  },
  {
    path: '/order',
    query: '"could not be loaded"',
    places: [
      ['src/orders.ts', 'loadOrder', 'throw new OrderError('],
      ['src/server.ts', '/order', "await loadOrder('40118')"],
      ['src/server.ts', 'server', 'await route(request)'],
    ],
    cause: [
      ['src/orders.ts', 'parseOrder', 'return JSON.parse(text)'],
      ['src/orders.ts', 'loadOrder', '...parseOrder(text)'],
      ['src/server.ts', '/order', "await loadOrder('40118')"],
      ['src/server.ts', 'server', 'await route(request)'],
    ],
  },
  {
    path: '/later',
    query: '"nothing is called cup"',
    places: [
      ['src/inventory.ts', 'Inventory.#countOf', 'if (count === undefined) throw'],
      ['src/inventory.ts', 'Inventory.take', 'this.#countOf(name) - count'],
      ['src/server.ts', '<anonymous>', "inventory.take('cup', 1)"],
    ],
  },
]

describe('a Node server, built by esbuild', () => {
  let errata: RecordedShop
  const home = mkdtempSync(join(tmpdir(), 'errata-apps-'))
  before(async () => {
    errata = await startRecordedShop()
  })
  after(async () => {
    await errata?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  for (const { name, release, env } of BUILDS) {
    describe(name, () => {
      let app: App
      let running: RunningApp
      after(() => running?.[Symbol.asyncDispose]())

      it('uploads', async () => {
        app = await installedApp('server')
        const output = await runTool(app, ['node', 'build.mjs'], {
          env: { ...buildEnvironment(errata.recorded, home), SENTRY_RELEASE: release, ...env },
        })
        const calls = errata.recorder.taken()
        assert.ok(chunksIn(calls).length > 0, `${output}\n${calls.join('\n')}`)
        assert.deepEqual(refusedIn(calls), [], output)
        assert.ok((await mapsReady(errata.running.data)) > 0)
        running = await startedApp(app, {
          args: ['--import', './instrument.mjs', 'dist/server.mjs'],
          env: { SENTRY_DSN: errata.shop.dsn, SENTRY_RELEASE: release },
        })
      })

      for (const { path, query, places, cause } of FAILURES) {
        it(`is read as written: ${path}`, async () => {
          await fetch(new URL(path, running.url)).catch((error: unknown) => error) // `/later` ends the process
          const event = await eventOf(errata.shop, query, release)
          assertFrames(app, event, places)
          if (cause !== undefined) assertFrames(app, event, cause, 0)
        })
      }
    })
  }

  for (const { path, query } of FAILURES) {
    it(`is one issue in all builds: ${path}`, async () => {
      assert.equal((await issueOf(errata.shop, query)).count, String(BUILDS.length))
    })
  }
})
