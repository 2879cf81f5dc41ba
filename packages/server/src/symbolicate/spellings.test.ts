/** Every way in which runtimes, SDKs and bundlers spell a frame of one and the same build. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { groupEvent } from '#group/group.ts'
import type { Frame, NormalizedEvent } from '#model/event.ts'
import type { MapLookup, RanFile } from '#model/map-lookup.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { originalPlaces } from '#testing/builders/source-map.ts'
import { addressesOf } from './addresses.ts'
import { symbolicateEvent } from './symbolicate.ts'

const ID = 'e3f26a34be2c7d4a673978a2d6d5a150'
const SOURCE = 'export function pay(count: number) {\n  throw new RangeError(`below zero`)\n}\n'
const aMap = (source: string) => ({
  ...{ version: 3, sources: [source], sourcesContent: [SOURCE], names: [], mappings: 'AACE' },
})

/** Finds the map by the id of the build, else by any of the addresses. */
function uploaded(source: string, addresses: readonly string[] = []): MapLookup & { asked: RanFile[] } {
  const places = originalPlaces(aMap(source))
  const asked: RanFile[] = []
  return {
    asked,
    mapOf(file) {
      asked.push(file)
      if (file.debugId === ID) return { found: true, places, by: 'debug-id', mapName: 'main.js.map' }
      if (file.debugId === null && addressesOf(file.path).some((each) => addresses.includes(each))) {
        return { found: true, places, by: 'release', mapName: 'main.js.map' }
      }
      return { found: false, why: 'no_artifact_matches' }
    },
    actionName: () => null,
  }
}

function resolved(frame: Frame, maps: MapLookup, fields: Partial<NormalizedEvent> = {}) {
  const frames = [{ lineno: 1, colno: 1, in_app: true, ...frame }]
  const thrown: NormalizedEvent = {
    ...aScrubbedEvent({ platform: 'node', release: 'shop@1' }),
    exception: { values: [{ type: 'RangeError', value: 'below zero', stacktrace: { frames } }] },
    ...fields,
  }
  const { event, missed } = symbolicateEvent(thrown, { maps })
  return { frame: event.exception?.values[0]?.stacktrace?.frames[0], event, missed }
}

const image = (codeFile: string) => ({
  debug_meta: { images: [{ type: 'sourcemap', code_file: codeFile, debug_id: ID }] },
})

describe('a file is found by the id of its build', () => {
  for (const [path, codeFile] of [
    ['app:///_next/server/chunks/main.js', 'app:///_next/server/chunks/main.js'],
    ['https://shop.test/assets/main.js?v=3', 'https://shop.test/assets/main.js?v=3'],
    ['https://shop.test/assets/main.js?dpl=dpl_7F', 'https://shop.test/assets/main.js'],
    ['https://shop.test/assets/main.js', 'https://shop.test/assets/main.js?dpl=dpl_7F#x'],
    ['file:///srv/shop/dist/main.js', '/srv/shop/dist/main.js'],
    ['/srv/shop/dist/main.js', 'file:///srv/shop/dist/main.js'],
    ['file:///C:/shop/dist/main.js', 'C:\\shop\\dist\\main.js'],
    ['async /srv/shop/dist/main.js', '/srv/shop/dist/main.js'],
  ] as const) {
    it(`${path} of ${codeFile}`, () => {
      const { frame, missed } = resolved(
        { abs_path: path },
        uploaded('webpack://shop/./src/pay.ts'),
        image(codeFile),
      )
      assert.deepEqual([frame?.filename, frame?.function, missed], ['src/pay.ts', 'pay', []])
    })
  }

  it('not where two builds are spelled alike', () => {
    const other = {
      type: 'sourcemap',
      code_file: 'https://shop.test/main.js?v=2',
      debug_id: ID.replace('e', 'a'),
    }
    const images = [...image('https://shop.test/main.js?v=1').debug_meta.images, other]
    const { frame } = resolved({ abs_path: 'https://shop.test/main.js' }, uploaded('src/pay.ts'), {
      debug_meta: { images },
    })
    assert.equal(frame?.filename, undefined)
  })
})

describe('a file is found by release and address', () => {
  for (const [path, address] of [
    ['https://shop.test/assets/main.js', 'https://shop.test/assets/main.js'],
    ['https://shop.test/assets/main.js?v=3', '~/assets/main.js?v=3'],
    ['https://shop.test/assets/main.js?dpl=dpl_7F#top', '~/assets/main.js'],
    ['app:///_next/static/chunks/main.js', '~/_next/static/chunks/main.js'],
    // The edge runtime gives its frames no id.
    [
      'app:///_next/server/edge/chunks/[root-of-the-server]__0oig3ede20dlk._.js',
      '~/_next/server/edge/chunks/[root-of-the-server]__0oig3ede20dlk._.js',
    ],
    ['app:///dist/main.js', 'app:///dist/main.js'],
    ['https://shop.test/_next/static/chunks/app/%5Bid%5D/page.js', '~/_next/static/chunks/app/[id]/page.js'],
    ['https://shop.test/_next/static/chunks/app/%40side/page.js', '~/_next/static/chunks/app/@side/page.js'],
    ['file:///srv/shop/dist/server/main.js', '~/dist/server/main.js'],
    ['/srv/shop/.next/server/app/page.js', '~/.next/server/app/page.js'],
    ['C:\\shop\\dist\\main.js', '~/dist/main.js'],
    ['async file:///srv/shop/dist/main.js', '~/dist/main.js'],
    ['capacitor://localhost/assets/main.js', '~/assets/main.js'],
  ] as const) {
    it(`${path} at ${address}`, () => {
      const { frame } = resolved({ abs_path: path }, uploaded('src/pay.ts', [address]))
      assert.equal(frame?.filename, 'src/pay.ts')
    })
  }

  it('and by no name alone', () => {
    assert.ok(!addressesOf('/srv/shop/dist/main.js').includes('~/main.js'))
  })
})

describe('as it was written: nothing is looked up, and nothing missed', () => {
  for (const path of [
    '/srv/shop/src/pay.ts',
    'file:///srv/shop/src/pay.tsx',
    'webpack-internal:///(rsc)/./src/pay.js',
    'webpack://shop/./src/pay.js',
    '/srv/shop/dist/webpack:/shop/src/pay.js',
    'turbopack:///[project]/src/pay.js',
    'http://localhost:5173/src/Pay.vue?t=17',
    'http://localhost:5173/@fs/srv/shop/pay.js',
    'rsc://React/Server/webpack-internal:///(rsc)/./src/pay.js?0',
    'node:internal/process/task_queues',
    'node-internal:async_hooks',
    'evalmachine.<anonymous>',
  ]) {
    it(path, () => {
      const maps = uploaded('src/pay.ts')
      const { frame: found, missed } = resolved({ abs_path: path }, maps)
      assert.deepEqual([found?.abs_path, missed, maps.asked], [path, [], []])
    })
  }
})

describe('the source of a frame, however its map spells it', () => {
  for (const source of [
    'webpack://shop/./src/pay.ts',
    'webpack://@acme/shop/./src/pay.ts',
    'webpack://_N_E/(app-pages-browser)/./src/pay.ts?8f2a',
    'webpack-internal:///(ssr)/./src/pay.ts',
    'turbopack:///[project]/src/pay.ts',
    'turbopack:///[project]/src/pay.ts [app-ssr] (ecmascript)',
    '/turbopack/[project]/src/pay.ts',
    'file:///turbopack/[project]/src/pay.ts',
    '[project]/src/pay.ts',
    'app:///src/pay.ts',
    'https://shop.test/src/pay.ts',
    '/__parcel_source_root/src/pay.ts',
    '../../src/./ui/../pay.ts',
  ]) {
    it(source, () => {
      const { frame } = resolved(
        { abs_path: '/srv/shop/dist/main.js' },
        uploaded(source),
        image('/srv/shop/dist/main.js'),
      )
      assert.deepEqual([frame?.filename, frame?.in_app], ['src/pay.ts', true])
    })
  }
})

describe('wrapped functions', () => {
  const RAN = { abs_path: '/srv/shop/dist/main.js' }
  const hashes = new Set<string>()
  for (const name of [
    'pay',
    'async pay',
    'Object.pay',
    'Module.pay',
    'async Module.e [as pay]',
    'Object.t [as pay]',
    '?',
  ]) {
    it(`${name} is named as it was written, and what ran is kept`, () => {
      const { frame, event } = resolved(
        { ...RAN, function: name },
        uploaded('src/pay.ts'),
        image(RAN.abs_path),
      )
      assert.equal(frame?.function, 'pay')
      assert.equal(event.exception?.values[0]?.raw_stacktrace?.frames[0]?.function, name)
      const { exception } = event
      hashes.add(groupEvent(aScrubbedEvent({ platform: 'node', exception })).hash)
      assert.equal(hashes.size, 1, 'one group')
    })
  }
})
