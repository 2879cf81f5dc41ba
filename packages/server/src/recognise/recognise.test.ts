import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { ScrubbedEvent } from '#model/event.ts'
import { SKEW_KINDS, type SkewFailure } from '#model/recognised.ts'
import { normalizeEvent } from '#normalize/normalize.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { recognise } from './recognise.ts'

const CONTEXT = {
  ...{ eventId: null, receivedMs: Date.parse('2026-11-21T10:00:00Z'), sentAt: null, clientAddress: null },
  ...{ userAgent: null, sdk: undefined, client: null },
}
const failing = (type: string, value: string, change: object = {}): ScrubbedEvent =>
  aScrubbedEvent({ platform: 'javascript', exception: { values: [{ type, value }] }, ...change })
const logged = (formatted: string, change: object = {}): ScrubbedEvent =>
  aScrubbedEvent({ platform: 'javascript', logentry: { formatted }, ...change })

describe('deploy skew', () => {
  const ID = '40f1c2d3e4b5a6978877665544332211ffeeddccbb'
  const TABLE: readonly (readonly [
    type: string,
    value: string,
    failure: SkewFailure,
    subject: string | null,
  ])[] = [
    // Next.js 15 and 16.
    [
      'UnrecognizedActionError',
      `Server Action "${ID}" was not found on the server. \nRead more: https://nextjs.org/docs/messages/failed-to-find-server-action`,
      'action',
      ID,
    ],
    [
      'Error',
      `Failed to find Server Action "${ID}". This request might be from an older or newer deployment.`,
      'action',
      ID,
    ],
    [
      'Error',
      'Failed to find Server Action. This request might be from an older or newer deployment.',
      'action',
      null,
    ],
    ['UnrecognizedActionError', 'anything', 'action', null],
    // Turbopack, webpack.
    [
      'ChunkLoadError',
      'Failed to load chunk /_next/static/chunks/0f_k~a.js from module 4711',
      'chunk',
      '/_next/static/chunks/0f_k~a.js',
    ],
    [
      'ChunkLoadError',
      'Loading chunk 12 failed.\n(error: https://shop.example/_next/static/chunks/12.a1.js)',
      'chunk',
      '12',
    ],
    ['Error', 'Loading CSS chunk 7 failed.\n(https://shop.example/static/css/7.css)', 'stylesheet', '7'],
    // Vite and dynamic imports: Chromium, Firefox, Safari.
    [
      'TypeError',
      'Failed to fetch dynamically imported module: https://shop.example/assets/orders-BxT3.js?v=1',
      'chunk',
      '/assets/orders-BxT3.js',
    ],
    [
      'TypeError',
      'error loading dynamically imported module: https://shop.example/assets/orders-BxT3.js',
      'chunk',
      '/assets/orders-BxT3.js',
    ],
    ['TypeError', 'error loading dynamically imported module', 'chunk', null],
    ['TypeError', 'Importing a module script failed.', 'chunk', null],
    ['Error', 'Unable to preload CSS for /assets/orders-x.css', 'stylesheet', '/assets/orders-x.css'],
    // React Router: the server is asked for an asset that only the build before had.
    ['Error', 'No route matches URL "/assets/orders-BxT3.js"', 'chunk', '/assets/orders-BxT3.js'],
    ['Error', 'Unable to discover routes due to manifest version mismatch.', 'page-data', null],
    ['Error', 'Detected manifest version mismatch, reloading...', 'reload', null],
    // Next.js 14: what the server says with the cause behind it.
    [
      'Error',
      `Failed to find Server Action "${ID}". This request might be from an older or newer deployment. Original error: Cannot read properties of undefined (reading 'workers')`,
      'action',
      ID,
    ],
    // Next.js, next/src/server/app-render/encryption.ts: arguments that another key encrypted.
    ['Error', 'Invalid Server Action payload: failed to decrypt.', 'key', null],
    // Next.js 16, Turbopack's runtime, with the cause it appends.
    [
      'ChunkLoadError',
      'Failed to load chunk /_next/static/chunks/c1.css from runtime for chunk static/chunks/page.js: Error',
      'stylesheet',
      '/_next/static/chunks/c1.css',
    ],
    // Next.js, Pages Router: next/src/client/route-loader.ts.
    [
      'Error',
      'Failed to load script: /_next/static/chunks/pages/orders-1f2e3d4c.js',
      'chunk',
      '/_next/static/chunks/pages/orders-1f2e3d4c.js',
    ],
    ['Error', 'Failed to load client build manifest', 'page-data', null],
    // Chromium: a server that answers its page for a file that is gone.
    [
      'TypeError',
      'Failed to load module script: Expected a JavaScript-or-Wasm module script but the server responded with a MIME type of "text/html". Strict MIME type checking is enforced for module scripts per HTML spec.',
      'chunk',
      null,
    ],
    // webpack 5 in a worker, mini-css-extract-plugin 2.
    [
      'ChunkLoadError',
      'Loading chunk orders-page failed.\n(missing: https://cdn.example/js/orders-page.1f.js)',
      'chunk',
      'orders-page',
    ],
    [
      'Error',
      'Loading CSS chunk orders-page failed.\n(/css/orders-page.1f.css)',
      'stylesheet',
      'orders-page',
    ],
  ]
  for (const [type, value, failure, subject] of TABLE) {
    it(`is ${failure} in ${type}: ${value.slice(0, 60)}`, () => {
      assert.deepEqual(recognise(failing(type, value)), {
        ...{ category: 'skew', kind: SKEW_KINDS[failure], failure, subject },
      })
    })
  }

  it('is told by the text where the SDK wrapped what was thrown', () => {
    const found = recognise(failing('UnhandledRejection', `ChunkLoadError: Loading chunk 3 failed.`))
    assert.equal(found?.category, 'skew')
    assert.equal(
      recognise(logged('Uncaught (in promise) TypeError: Importing a module script failed.'))?.category,
      'skew',
    )
  })
})

describe('what only resembles', () => {
  const TABLE: readonly (readonly [type: string, value: string])[] = [
    ['Error', 'No route matches URL "/favicon.ico"'],
    ['Error', 'No route matches URL "/orders/7"'],
    ['Error', 'Processing chunk 12 failed'],
    ['Error', 'Failed to load script: https://ads.example/tag.js'],
    ['TypeError', 'Failed to fetch'],
    ['TypeError', 'NetworkError when attempting to fetch resource.'],
    ['Error', 'the server rendered nothing'],
    ['Error', 'User asked how hydration works'],
    ['Error', 'Rehydration of the store failed'],
    // Mirrors of a failure on the server, and what React throws besides.
    ['Error', 'Minified React error #419; visit https://react.dev/errors/419 for the full message'],
    ['Error', 'Minified React error #441; visit https://react.dev/errors/441 for the full message'],
    ['Error', 'Minified React error #31; visit https://react.dev/errors/31?args[]=x for the full message'],
    [
      'Error',
      'The server could not finish this Suspense boundary, likely due to an error during server rendering.',
    ],
  ]
  for (const [type, value] of TABLE) {
    it(`is nothing in ${type}: ${value.slice(0, 60)}`, () =>
      assert.equal(recognise(failing(type, value)), null))
  }

  it('is nothing in any other event of running SDKs that is kept here', () => {
    const folder = new URL('../../../../tests/fixtures/captured/', import.meta.url)
    // A React Router server that is asked for an asset of an old build.
    const stale = new Set(['react-router8-05.json'])
    const found = new Set<string>()
    for (const file of readdirSync(folder)) {
      const { envelope } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { envelope: string } // a capture
      for (const line of envelope.split('\n').filter((text) => text.startsWith('{"'))) {
        const read = normalizeEvent(JSON.parse(line), CONTEXT)
        if (read.ok && recognise(aScrubbedEvent(read.event)) !== null) found.add(file)
      }
    }
    assert.deepEqual([...found], [...stale])
  })
})

describe('hydration in other frameworks', () => {
  const TABLE: readonly (readonly [framework: string, text: string])[] = [
    // @vue/runtime-core 3.5, vue 2.7.
    ['Vue', 'Hydration completed but contains mismatches.'],
    ['Vue', '[Vue warn]: Hydration node mismatch:\n- rendered on server: <p> \n- expected on client: div'],
    [
      'Vue',
      'Hydration text content mismatch on <span>\n  - rendered on server: 12 left\n  - expected on client: 11 left',
    ],
    [
      'Vue',
      'Hydration children mismatch on <ul>\nServer rendered element contains fewer child nodes than client vdom.',
    ],
    [
      'Vue',
      'Hydration class mismatch on <div>\n  - rendered on server: class="a"\n  - expected on client: class="b"\n  Note: this mismatch is check-only.',
    ],
    ['Vue', '[Vue warn]: The client-side rendered virtual DOM tree is not matching server-rendered content.'],
    // svelte 5, development and production.
    [
      'Svelte',
      '%c[svelte] hydration_mismatch\n%cHydration failed because the initial UI does not match what was rendered on the server',
    ],
    ['Svelte', 'https://svelte.dev/e/hydration_mismatch'],
    ['Svelte', 'https://svelte.dev/e/hydration_failed'],
    ['Svelte', 'hydration_failed\nFailed to hydrate the application'],
    ['Solid', 'Hydration Mismatch. Unable to find DOM nodes for hydration key: 0-0-0'],
    [
      'Preact',
      'Expected a DOM node of type "div" but found "p"as available DOM-node(s), this is caused by the SSR\'d HTML containing different DOM-nodes compared to the hydrated one.',
    ],
    ['Angular', 'NG0500: During hydration Angular expected <div> but found <p>.'],
  ]
  for (const [framework, text] of TABLE) {
    it(`is ${framework}’s in ${text.slice(0, 60)}`, () => {
      const found = [recognise(logged(text)), recognise(failing('Error', text))]
      assert.deepEqual(
        found.map((one) => (one?.category === 'hydration' ? one.framework : null)),
        [framework, framework],
      )
    })
  }

  it('has both halves of Vue', () => {
    const found = recognise(logged(TABLE[4]?.[1] ?? ''))
    assert.ok(found?.category === 'hydration')
    assert.deepEqual([found.server, found.client], ['class="a"', 'class="b"'])
  })
})
