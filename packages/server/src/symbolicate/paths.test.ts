import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isLibrarySource, isPage, isRanFile, isWrittenFile, sourceAddress, sourceName } from './paths.ts'

describe('a source has one name, whichever bundler spells it', () => {
  for (const spelling of [
    'webpack://shop/./src/cart.ts',
    'webpack:///./src/cart.ts',
    'webpack:///src/cart.ts',
    'webpack://shop/(rsc)/./src/cart.ts',
    'webpack://shop/./src/cart.ts?a1b2',
    'webpack-internal:///(rsc)/./src/cart.ts',
    'webpack-internal:///./src/cart.ts',
    'turbopack:///[project]/src/cart.ts',
    'turbopack://[project]/src/cart.ts',
    'turbopack:///[project]/src/cart.ts [app-rsc] (ecmascript)',
    '../../src/cart.ts',
    './src/cart.ts',
    '..\\..\\src\\cart.ts',
    'src/cart.ts?vue&type=script&lang.ts',
  ]) {
    it(spelling, () => assert.equal(sourceName(spelling), 'src/cart.ts'))
  }

  for (const [spelling, name] of [
    ['file:///srv/shop/src/cart.ts', '/srv/shop/src/cart.ts'],
    ['file:///C:/shop/src/cart.ts', 'C:/shop/src/cart.ts'],
    ['C:\\shop\\src\\cart.ts', 'C:/shop/src/cart.ts'],
    ['src/[id]/page.tsx', 'src/[id]/page.tsx'],
    ['app/(shop)/cart/page.tsx', 'app/(shop)/cart/page.tsx'],
    ['turbopack:///[project]/app/%5Bid%5D/page.tsx', 'app/[id]/page.tsx'],
    ['turbopack:///[project]/node_modules/%40acme/cart/index.ts', 'node_modules/@acme/cart/index.ts'],
    ['src/100%.ts', 'src/100%.ts'],
  ] as const) {
    it(`${spelling} as ${name}`, () => assert.equal(sourceName(spelling), name))
  }
})

describe('sources of libraries and bundlers', () => {
  for (const source of [
    'webpack://shop/./node_modules/react-dom/index.js',
    'webpack://shop/webpack/bootstrap',
    'webpack://shop/webpack/runtime/define property getters',
    'webpack://shop/?3c57',
    'webpack://shop/sentry-wrapper-module',
    'webpack://shop/external commonjs "node:fs"',
    'turbopack:///[turbopack]/browser/runtime/base.ts',
    'turbopack:///[turbopack-node]/transforms/transforms.ts',
    'turbopack:///[next]/internal/font/google/inter.js',
    'turbopack:///[externals]/node:fs',
    '../../node_modules/.pnpm/react@19.0.0/node_modules/react/index.js',
    '../../../\0commonjsHelpers.js',
    '../vite/preload-helper.js',
  ]) {
    it(JSON.stringify(source), () => assert.ok(isLibrarySource(sourceName(source))))
  }
  for (const source of [
    'src/webpack/config.ts',
    'webpack://shop/./src/vite.ts',
    'src/node_modules_list.ts',
  ]) {
    it(`not ${source}`, () => assert.ok(!isLibrarySource(sourceName(source))))
  }
})

describe('what ran', () => {
  for (const path of [
    'node:internal/process/task_queues',
    '<anonymous>',
    'native',
    'chrome-extension://abc/inject.js',
    'data:text/javascript,x',
    '',
  ]) {
    it(`${JSON.stringify(path)} is no file of a build`, () => assert.ok(!isRanFile(path)))
  }
  for (const path of [
    '/srv/src/cart.ts',
    'http://localhost:5173/src/App.tsx?t=1',
    'webpack-internal:///(rsc)/./lib/db.js',
    'src/Cart.vue',
  ]) {
    it(`${path} is as it was written`, () => assert.ok(isWrittenFile(path)))
  }
  for (const path of [
    'app:///_next/static/chunks/a.js',
    '/srv/dist/main.mjs',
    'https://shop.test/app.js?v=3',
    'https://shop.test/index.android.bundle',
    'https://shop.test/main.jsbundle',
    'C:\\shop\\dist\\main.js',
  ]) {
    it(`${path} is looked up`, () => assert.ok(isRanFile(path) && !isWrittenFile(path) && !isPage(path)))
  }
  for (const path of [
    'https://shop.test/',
    'https://shop.test/orders/7?page=2',
    'https://shop.test',
    'https://shop.test/index.html',
    'https://shop.test/cart.php?id=7',
    'https://shop.test/users/first.last-of-all',
  ]) {
    it(`${path} is a page`, () => assert.ok(isPage(path)))
  }
})

describe('the address of a source', () => {
  for (const [source, ran, address] of [
    ['../src/cart.ts', '/srv/shop/dist/main.js', '/srv/shop/src/cart.ts'],
    ['../../src/cart.ts', 'https://shop.test/assets/main.js', 'https://shop.test/src/cart.ts'],
    ['webpack://shop/./src/cart.ts', 'https://shop.test/main.js', 'webpack://shop/./src/cart.ts'],
    ['/srv/src/cart.ts', '/srv/dist/main.js', '/srv/src/cart.ts'],
  ] as const) {
    it(`${source} beside ${ran}`, () => assert.equal(sourceAddress(source, ran), address))
  }
})
