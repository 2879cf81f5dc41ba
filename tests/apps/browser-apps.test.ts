/**
 * Builds one browser app with four bundlers, each with its minifier and its generation of the upload plugin:
 * a failure in a real browser reads as it was written, and is one issue whichever build it ran in.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type App, buildEnvironment, installedApp, runTool } from './app.ts'
import { assertFrames, eventOf, issueOf, type Place } from './frames.ts'
import { mapsReady } from './maps-ready.ts'
import { type RecordedShop, startRecordedShop } from './recorded-shop.ts'
import { chunksIn, refusedIn } from './recorder.ts'
import { clickOn, servedApp } from './web-app.ts'

interface Build {
  /** Its minifier and the plugin that uploads. */
  readonly name: string
  readonly folder: string
  readonly command: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
  /** Debug ids of this plugin are drawn anew in each build: what it uploads is new each time. */
  readonly drawsIds?: true
}

const BUILDS: readonly Build[] = [
  { name: 'vite, oxc, plugin 11', folder: 'vite', command: ['vite', 'build'] },
  { name: 'esbuild, plugin 5', folder: 'esbuild', command: ['node', 'build.mjs'], drawsIds: true },
  { name: 'webpack, terser, plugin 5', folder: 'webpack', command: ['webpack'] },
  {
    name: 'webpack, swc, plugin 4',
    folder: 'webpack',
    command: ['webpack'],
    env: { SHOP_PLUGIN: 'sentry-webpack-plugin-4', SHOP_MINIFIER: 'swc' },
  },
  {
    name: 'webpack, terser, plugin 11',
    folder: 'webpack',
    command: ['webpack'],
    env: { SHOP_PLUGIN: 'sentry-webpack-plugin-11' },
  },
  { name: 'rollup, terser, plugin 4', folder: 'rollup', command: ['rollup', '-c'] },
]

/** Expected outcome of each button: the search that finds it, and the app's own frames. */
const FAILURES: readonly {
  readonly button: string
  readonly query: string
  readonly places: readonly Place[]
}[] = [
  {
    button: 'total',
    query: '"not a count"',
    places: [
      ['src/cart.ts', 'priceOf', 'throw new RangeError('],
      ['src/cart.ts', '<anonymous>', 'reduce((sum, line)'],
      ['src/cart.ts', 'Cart.total', 'reduce((sum, line)'],
      ['src/shop.tsx', 'checkOut', '{cart.total()} €'],
      ['src/shop.tsx', 'onClick', 'onClick={() => checkOut(-1)}'],
    ],
  },
  {
    button: 'order',
    query: '"to deliver to"',
    places: [
      ['src/order.ts', 'checkAddress', 'throw new OrderError('],
      ['src/order.ts', 'placeOrder', 'await checkAddress(address)'],
      ['src/shop.tsx', 'order', 'await placeOrder('],
    ],
  },
  {
    button: 'view',
    query: '"reading \'cents\'"',
    places: [
      ['src/shop.tsx', 'priceText', 'line.price.cents'],
      ['src/shop.tsx', '<anonymous>', 'title={priceText(line)}'],
      ['src/shop.tsx', 'Lines', '{lines.map((line) => ('],
    ],
  },
  {
    button: 'receipt',
    query: '"destructure property"',
    places: [
      ['src/receipt.ts', 'lineText', 'const { name, count } = line'],
      ['src/receipt.ts', 'receiptOf', 'lines.map(lineText)'],
      ['src/shop.tsx', 'print', 'show(receiptOf('],
    ],
  },
]

describe('a browser app, built by each bundler', () => {
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

  const releaseOf = ({ name }: Build) =>
    `shop-browser@${BUILDS.findIndex((each) => each.name === name) + 1}.0.0`

  for (const build of BUILDS) {
    describe(build.name, () => {
      let app: App
      const run = () =>
        runTool(app, build.command, {
          env: {
            ...buildEnvironment(errata.recorded, home),
            ...{ SENTRY_RELEASE: releaseOf(build), ...build.env },
          },
        })

      it('uploads', async () => {
        app = await installedApp(build.folder, ['browser'])
        const output = await run()
        const calls = errata.recorder.taken()
        assert.ok(chunksIn(calls).length > 0, `${output}\n${calls.join('\n')}`)
        assert.deepEqual(refusedIn(calls), [], output)
        assert.ok((await mapsReady(errata.running.data)) > 0)
      })

      for (const { button, query, places } of FAILURES) {
        it(`is read as written: ${button}`, async () => {
          await using served = await servedApp(app, errata.shop.dsn)
          await clickOn(browser, served.url, button)
          assertFrames(app, await eventOf(errata.shop, query, releaseOf(build)), places)
        })
      }

      if (build.drawsIds === undefined)
        it('uploads nothing when it is built again', async () => {
          await run()
          const calls = errata.recorder.taken()
          assert.deepEqual([...chunksIn(calls), ...refusedIn(calls)], [], calls.join('\n'))
        })
    })
  }

  for (const { button, query } of FAILURES) {
    it(`is one issue in all builds: ${button}`, async () => {
      assert.equal((await issueOf(errata.shop, query)).count, String(BUILDS.length))
    })
  }
})
