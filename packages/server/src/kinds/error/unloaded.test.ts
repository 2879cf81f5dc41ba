import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { ScrubbedEvent } from '#model/event.ts'
import { KnownDeploys } from '#model/known-deploys.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { recogniseEvent, withBuildsKnown } from './recognised.ts'
import { eventTitle } from './title.ts'

const failing = (type: string, value: string, change: Partial<ScrubbedEvent> = {}): ScrubbedEvent =>
  aScrubbedEvent({
    platform: 'javascript',
    release: 'only@1',
    environment: 'production',
    request: { url: 'https://shop.example/cart' },
    exception: { values: [{ type, value }] },
    ...change,
  })
const ONE = new KnownDeploys([{ environment: 'production', release: 'only@1' }])
const TWO = new KnownDeploys([
  { environment: 'production', release: 'only@2' },
  { environment: 'production', release: 'only@1' },
])
/** Title, category and group of an event that came while these builds were known. */
function read(event: ScrubbedEvent, deploys: KnownDeploys) {
  const known = recogniseEvent(withBuildsKnown(event, { deploys }))
  const category = known.recognised?.category
  return { title: eventTitle(event, known.recognised).title, category, hash: known.grouping.hash }
}
const BROKEN = failing(
  'ChunkLoadError',
  'Loading chunk cart_tsx failed.\n(error: https://shop.example/_next/undefined)',
)
const TIMEOUT = failing(
  'ChunkLoadError',
  'Loading chunk app/layout failed.\n(timeout: https://shop.example/_next/static/chunks/app/layout.js)',
)
const IMPORTS = [
  'Failed to fetch dynamically imported module: https://shop.example/_nuxt/Hours.CTqYYKGj.js',
  'error loading dynamically imported module: https://shop.example/_nuxt/Hours.DZqYYKGa.js',
  'Importing a module script failed.',
].map((value) => failing('TypeError', value))

describe('what did not load', () => {
  it('is skew where another build is known to have run there, and says what it is where none is', () => {
    for (const [event, title] of [
      [BROKEN, 'Script has a broken address: /_next/undefined'],
      [TIMEOUT, 'Script did not load in time: app/layout'],
      [
        failing('ChunkLoadError', 'Loading chunk 7 failed.\n(missing: https://shop.example/7.js)'),
        'Script is missing: 7',
      ],
      [IMPORTS[0], 'Script did not load: /_nuxt/Hours.js'],
      [failing('Error', 'Loading CSS chunk 12 failed.'), 'Style sheet did not load: 12'],
      [failing('Error', 'Failed to load client build manifest'), 'Page data did not load'],
    ] as const) {
      assert.ok(event)
      assert.deepEqual([read(event, ONE).title, read(event, ONE).category], [title, 'client'])
      assert.equal(read(event, TWO).category, 'skew')
    }
  })

  it('is one issue for each reason, whatever a browser names', () => {
    const hashes = IMPORTS.map((event) => read(event, ONE).hash)
    assert.equal(new Set(hashes).size, 1)
    const other = failing(
      'ChunkLoadError',
      'Loading chunk a failed.\n(error: https://shop.example/other/undefined)',
    )
    const all = [BROKEN, other, TIMEOUT, IMPORTS[0] ?? BROKEN].map((event) => read(event, ONE).hash)
    assert.equal(new Set(all).size, 4)
  })

  it('is never skew on a developer’s machine', () => {
    for (const change of [
      { environment: 'development' },
      { environment: undefined, request: { url: 'http://localhost:3000/' } },
      { environment: undefined, request: { url: 'https://127.0.0.1:3000/' } },
    ]) {
      const { environment, ...event } = { ...TIMEOUT, ...change }
      const sent = environment === undefined ? event : { ...event, environment }
      const { title, category, hash } = read(sent as ScrubbedEvent, TWO)
      assert.deepEqual([title, category], ['Script did not load in time (development): app/layout', 'client'])
      assert.notEqual(hash, read(TIMEOUT, ONE).hash)
    }
  })

  it('is what it was once it is stored, whatever is known of deploys then', () => {
    const stored = withBuildsKnown(BROKEN, { deploys: ONE })
    assert.equal(stored.noDeploy, true)
    assert.equal(recogniseEvent(withBuildsKnown(stored, { deploys: TWO })).recognised?.category, 'client')
  })

  it('is skew whatever is known where the answer proves it', () => {
    const action = failing(
      'Error',
      'Failed to find Server Action "40ab". This request might be from an older deployment.',
    )
    assert.equal(read(action, ONE).category, 'skew')
    assert.equal(withBuildsKnown(action, { deploys: ONE }), action)
  })
})

describe('builds that are known', () => {
  it('are of an environment, or of any', () => {
    const builds = new KnownDeploys([
      { environment: 'staging', release: 'a@2' },
      { environment: 'production', release: 'a@1' },
    ])
    assert.equal(builds.isAnotherKnown('production', 'a@1'), false)
    assert.equal(builds.isAnotherKnown('staging', 'a@1'), true)
    assert.equal(builds.isAnotherKnown(null, 'a@1'), true)
    assert.equal(
      new KnownDeploys([{ environment: '', release: 'a@2' }]).isAnotherKnown('production', 'a@1'),
      true,
    )
  })

  it('are two where a tab names no release', () => {
    const one = { environment: 'production', release: 'a@1' }
    assert.equal(new KnownDeploys([one]).isAnotherKnown('production', null), false)
    assert.equal(new KnownDeploys([one, { ...one, release: 'a@2' }]).isAnotherKnown('production', null), true)
    assert.equal(new KnownDeploys([]).isAnotherKnown('production', null), false)
  })
})
