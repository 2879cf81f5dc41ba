import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { groupEvent } from '#group/group.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { storedFacts } from './facts.ts'
import { recogniseEvent } from './recognised.ts'

const MINIFIED =
  'Minified React error #418; visit https://react.dev/errors/418?args[]=HTML&args[]= for the full message'
const failing = (type: string, value: string, change: object = {}): ScrubbedEvent =>
  aScrubbedEvent({
    platform: 'javascript',
    release: 'shop@1',
    transaction: '/products/:slug',
    exception: {
      values: [
        { type, value, stacktrace: { frames: [{ filename: 'app.js', function: 'render', in_app: true }] } },
      ],
    },
    ...change,
  })
const hashOf = (event: ScrubbedEvent) => recogniseEvent(event).grouping.hash
const component = (name: string) => ({
  contexts: { 'errata.hydration': { server: 'a', client: 'b', component: name } },
})

describe('the group of a mismatch', () => {
  it('is its route and component, whatever the text, the build and the stack', () => {
    const one = failing('Error', MINIFIED, component('StockBadge'))
    const others = [
      failing('Error', 'Hydration failed because the initial UI does not match', component('StockBadge')),
      failing(
        'Error',
        'Minified React error #425; visit https://reactjs.org/docs/error-decoder.html?invariant=425',
        {
          ...component('StockBadge'),
          release: 'shop@2',
        },
      ),
      aScrubbedEvent({
        transaction: '/products/:slug',
        logentry: { formatted: 'Warning: Text content did not match. Server: "1" Client: "2"' },
        ...component('StockBadge'),
      }),
    ]
    for (const other of others) assert.equal(hashOf(other), hashOf(one))
    assert.notEqual(hashOf(failing('Error', MINIFIED, component('Price'))), hashOf(one))
    assert.notEqual(
      hashOf(failing('Error', MINIFIED, { ...component('StockBadge'), transaction: '/cart' })),
      hashOf(one),
    )
  })

  const SPELLINGS: readonly string[] = [
    ...[418, 421, 422, 423, 424, 425].map(
      (number) =>
        `Minified React error #${number}; visit https://react.dev/errors/${number} for the full message`,
    ),
    'Minified React error #329; visit https://reactjs.org/docs/error-decoder.html?invariant=329 for the full message',
    "Hydration failed because the server rendered HTML didn't match the client.",
    'There was an error while hydrating. Because the error happened outside of a Suspense boundary, the entire root will switch to client rendering.',
    'Text content does not match server-rendered HTML.',
    'Hydration completed but contains mismatches.',
    '[Vue warn]: Hydration text content mismatch on <span>',
    'https://svelte.dev/e/hydration_mismatch',
    '%c[svelte] hydration_mismatch',
    'hydration_failed\nFailed to hydrate the application',
  ]
  for (const value of SPELLINGS)
    it(`is the same for ${value.slice(0, 60)}`, () => {
      const event = failing('Error', value, component('StockBadge'))
      assert.equal(recogniseEvent(event).recognised?.category, 'hydration')
      assert.equal(hashOf(event), hashOf(failing('Error', MINIFIED, component('StockBadge'))))
    })

  it('says why, and lets the SDK’s fingerprint decide', () => {
    const event = failing('Error', MINIFIED, component('StockBadge'))
    assert.deepEqual(
      recogniseEvent(event).grouping.explanation.map(({ name, value, contributes }) => [
        name,
        value,
        contributes,
      ]),
      [
        ['hydration', '/products/:slug', true],
        ['hydration', 'StockBadge', true],
      ],
    )
    const own = { ...event, fingerprint: ['stock'] }
    assert.equal(hashOf(own), groupEvent(own).hash)
    assert.equal(hashOf({ ...event, fingerprint: ['{{ default }}'] }), hashOf(event))
  })

  it('is that of version 1 where neither route nor component is known', () => {
    const { transaction: _, ...event } = failing('Error', MINIFIED)
    assert.equal(hashOf(event), groupEvent(event).hash)
  })
})

describe('the group of deploy skew', () => {
  it('is one for each release and side, whatever was asked for in vain and whatever the ids', () => {
    const action = (id: string, release = 'shop@1') =>
      failing('UnrecognizedActionError', `Server Action "${id}" was not found on the server`, { release })
    assert.equal(hashOf(action('40ab')), hashOf(action('60cd')))
    assert.notEqual(hashOf(action('40ab')), hashOf(action('40ab', 'shop@2')))
    const chunk = (value: string) => hashOf(failing('ChunkLoadError', value))
    assert.equal(chunk('Loading chunk 12 failed.'), chunk('Failed to load chunk /_next/static/chunks/a.js'))
    assert.equal(chunk('Loading chunk 12 failed.'), hashOf(action('40ab')))
    const server = failing('Error', 'Failed to find Server Action "40ab".', { platform: 'node' })
    assert.notEqual(
      hashOf(server),
      hashOf(action('40ab')),
      'the release of a server is the one that answered',
    )
  })
})

describe('decoding React’s numbers', () => {
  it('comes after grouping: an issue is found by the text as it was sent', () => {
    for (const value of [
      'Minified React error #31; visit https://react.dev/errors/31?args[]=object for the full message',
      'Minified React error #185; visit https://react.dev/errors/185 for the full message',
    ]) {
      const event = failing('Error', value)
      assert.equal(hashOf(event), groupEvent(event).hash)
      assert.match(storedFacts(event).title, /^Error: Minified React error #\d+: [A-Z]/)
    }
    // Pinned: what version 1 made of it before anything was decoded.
    assert.equal(
      hashOf(failing('Error', 'Minified React error #31; visit https://react.dev/errors/31?args[]=a')),
      PINNED,
    )
  })
})

const PINNED = 'c19d5a6e0ed6ae0608870a13a90374e7'

/** A `div` within a `p`: what a browser makes of the server's HTML, and what React renders. */
const MOVED_OUT =
  '<section>\n  <p>\n    A note for you:\n  </p>\n  <div class="note">\n    closed on Mondays\n  </div>\n  <p></p>\n</section>'
const NESTED =
  '<section>\n  <p>\n    A note for you:\n    <div class="note">\n      closed on Mondays\n    </div>\n  </p>\n</section>'

describe('title and category', () => {
  const TABLE: readonly (readonly [event: ScrubbedEvent, title: string, category: string])[] = [
    [
      failing('Error', MINIFIED, {
        contexts: { 'errata.hydration': { server: '<b>12 left</b>', client: '<b>11 left</b>' } },
      }),
      'Hydration: Server HTML did not match: “12” rendered, “11” expected (Minified React error #418)',
      'hydration',
    ],
    [
      failing('Error', MINIFIED, {
        contexts: { 'errata.hydration': { server: MOVED_OUT, client: NESTED } },
      }),
      "Hydration failed because the server rendered HTML didn't match the client (Minified React error #418)",
      'hydration',
    ],
    [
      failing('Error', MINIFIED),
      "Hydration failed because the server rendered HTML didn't match the client (Minified React error #418)",
      'hydration',
    ],
    [
      failing('Error', 'Hydration completed but contains mismatches.'),
      'Hydration completed but contains mismatches',
      'hydration',
    ],
    [failing('ChunkLoadError', 'Loading chunk 12 failed.'), 'Stale tabs failed after a deploy', 'skew'],
    [failing('Error', 'Failed to find Server Action "40ab".'), 'Stale tabs failed after a deploy', 'skew'],
    [failing('TypeError', 'x is undefined'), 'TypeError: x is undefined', 'client'],
    [failing('TypeError', 'x is undefined', { platform: 'node' }), 'TypeError: x is undefined', 'server'],
    [failing('TypeError', 'x is undefined', { platform: 'cocoa' }), 'TypeError: x is undefined', 'other'],
  ]
  for (const [event, title, category] of TABLE) {
    it(`is ${category}: ${title.slice(0, 60)}`, () => {
      const facts = storedFacts(event)
      assert.deepEqual([facts.title, facts.category], [title, category])
    })
  }

  it('quotes the text that differs before an attribute that follows from it, and stands at the component', () => {
    const halves = {
      server: '<b data-low="false">\n  12 left\n</b>',
      client: '<b data-low="true">\n  11 left\n</b>',
      component: 'StockBadge',
    }
    const facts = storedFacts(failing('Error', MINIFIED, { contexts: { 'errata.hydration': halves } }))
    assert.match(facts.title, /“12” rendered, “11” expected/)
    assert.equal(facts.culprit, 'StockBadge')
  })

  it('is the server’s for the browser’s echo of its failure', () => {
    const event = failing('Error', 'Minified React error #441; visit https://react.dev/errors/441 for', {
      contexts: { trace: { trace_id: '0af7651916cd43dd8448eb211c80319c' } },
    })
    assert.equal(storedFacts(event).category, 'server')
    assert.ok(recogniseEvent(event).grouping.mirror !== undefined)
  })
})
