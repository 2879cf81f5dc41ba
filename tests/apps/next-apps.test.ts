/**
 * A Next app, built with Turbopack and with webpack, by the SDKs of two generations: what fails on the server and in a
 * real browser reads as it was written, and is one issue whichever build it ran in.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type App, buildEnvironment, installedApp, runTool } from './app.ts'
import { assertFrames, eventOf, ownEvents, type Place } from './frames.ts'
import { mapsReady } from './maps-ready.ts'
import { type RecordedShop, startRecordedShop } from './recorded-shop.ts'
import { chunksIn, refusedIn } from './recorder.ts'
import { type RunningApp, startedApp } from './server-process.ts'
import { clickOn } from './web-app.ts'

const BUILDS = ['next-11', 'next-10'].flatMap((folder, generation) =>
  (['--turbopack', '--webpack'] as const).map((bundler, kind) => ({
    folder,
    bundler,
    release: `shop-next@${generation + 1}.${kind}.0`,
  })),
)

interface Failure {
  readonly name: string
  readonly query: string
  readonly places: readonly Place[]
  readonly happen: (url: string, browser: Browser) => Promise<unknown>
  /** Frames of the error that was thrown first. */
  readonly cause?: readonly Place[]
}

const FAILURES: readonly Failure[] = [
  {
    name: 'a server component',
    query: '"nothing is called cup"',
    happen: (url) => fetch(new URL('/stock', url)),
    places: [
      ['lib/inventory.ts', 'Inventory.#countOf', 'if (count === undefined) throw'],
      ['lib/inventory.ts', 'Inventory.take', 'this.#countOf(name) - count'],
      ['app/stock/page.tsx', 'leftOf', 'inventory.take(name, 1)'],
      ['app/stock/page.tsx', 'StockPage', "{leftOf(inventory, 'cup')} cups"],
    ],
  },
  {
    name: 'a route handler',
    query: '"could not be loaded"',
    happen: (url) => fetch(new URL('/api/order', url)),
    places: [
      ['lib/orders.ts', 'loadOrder', 'throw new OrderError('],
      ['app/api/order/route.ts', 'GET', "await loadOrder('40118')"],
    ],
    cause: [
      ['lib/orders.ts', 'parseOrder', 'return JSON.parse(text)'],
      ['lib/orders.ts', 'loadOrder', '...parseOrder(text)'],
      ['app/api/order/route.ts', 'GET', "await loadOrder('40118')"],
    ],
  },
  {
    name: 'an action',
    query: '"of tea are missing"',
    happen: (url, browser) => clickOn(browser, url, 'reserve'),
    places: [
      ['lib/inventory.ts', 'Inventory.take', 'if (left < 0) throw'],
      ['app/actions.ts', 'reserve', 'return inventory.take(name, count)'],
    ],
  },
  {
    name: 'an event in the browser',
    query: '"not a count"',
    happen: (url, browser) => clickOn(browser, url, 'total'),
    places: [
      ['lib/cart.ts', 'priceOf', 'throw new RangeError('],
      ['lib/cart.ts', '<anonymous>', 'reduce((sum, line)'],
      ['lib/cart.ts', 'Cart.total', 'reduce((sum, line)'],
      ['app/till.tsx', 'checkOut', '{cart.total()} €'],
      ['app/till.tsx', 'onClick', 'onClick={() => checkOut(-1)}'],
    ],
  },
  {
    name: 'a component in the browser',
    query: '"reading \'cents\'"',
    happen: (url, browser) => clickOn(browser, url, 'view'),
    places: [
      ['app/till.tsx', 'priceText', 'line.price.cents'],
      ['app/till.tsx', '<anonymous>', 'title={priceText(line)}'],
      ['app/till.tsx', 'Lines', '{lines.map((line) => ('],
    ],
  },
]

describe('a Next app', () => {
  let errata: RecordedShop
  let browser: Browser
  const home = mkdtempSync(join(tmpdir(), 'errata-apps-'))
  before(async () => {
    errata = await startRecordedShop()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await errata?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  for (const { folder, bundler, release } of BUILDS) {
    describe(`${folder} ${bundler}`, () => {
      let app: App
      let running: RunningApp
      after(() => running?.[Symbol.asyncDispose]())

      it('uploads', async () => {
        app = await installedApp(folder, ['next'])
        const output = await runTool(app, ['next', 'build', bundler], {
          env: {
            ...buildEnvironment(errata.recorded, home),
            ...{ SENTRY_RELEASE: release, NEXT_PUBLIC_SENTRY_DSN: errata.shop.dsn },
            NEXT_TELEMETRY_DISABLED: '1',
          },
        })
        const calls = errata.recorder.taken()
        assert.ok(chunksIn(calls).length > 0, `${output}\n${calls.join('\n')}`)
        assert.deepEqual(refusedIn(calls), [], output)
        assert.ok((await mapsReady(errata.running.data)) > 0)
        running = await startedApp(app, {
          args: ['node_modules/.bin/next', 'start', '--hostname', '127.0.0.1', '--port', '0'],
          env: { NEXT_PUBLIC_SENTRY_DSN: errata.shop.dsn, NEXT_TELEMETRY_DISABLED: '1' },
        })
      })

      for (const { name, query, places, happen, cause } of FAILURES) {
        it(`is read as written: ${name}`, async () => {
          await happen(running.url, browser)
          const event = await eventOf(errata.shop, query, release)
          assertFrames(app, event, places)
          if (cause !== undefined) assertFrames(app, event, cause, 0)
        })
      }
    })
  }

  for (const { name, query } of FAILURES) {
    it(`is one issue in all builds: ${name}`, async () => {
      assert.equal((await ownEvents(errata.shop, query)).length, BUILDS.length)
    })
  }
})
