import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StoredEvent } from '../types.ts'
import { ranPlaces } from './ran-places.ts'
import { readPlace } from './read-place.ts'

const ID = 'a'.repeat(32)
const BUILD = { release: 'shop@1', dist: null }

it('takes what ran, the newest call first, and leaves out what needs no map', () => {
  const frame = (path: string, over = {}) => ({ abs_path: path, lineno: 1, colno: 2, in_app: true, ...over })
  const ran = [
    frame('/app/old.js'),
    frame('node:internal/timers'),
    frame('/app/lib.js', { in_app: false }),
    frame('/app/page.tsx'),
    frame('/app/new.js'),
    frame('/app/new.js'),
  ]
  const event = {
    release: 'shop@1',
    debug_meta: { images: [{ type: 'sourcemap', code_file: '/app/new.js', debug_id: ID }] },
    exception: {
      values: [{ raw_stacktrace: { frames: ran }, stacktrace: { frames: [frame('src/new.ts')] } }],
    },
  } as unknown as StoredEvent // what is looked at
  assert.deepEqual(ranPlaces(event, 10), [
    { path: '/app/new.js', debugId: ID, ...BUILD, line: 1, column: 2 },
    { path: '/app/old.js', debugId: null, ...BUILD, line: 1, column: 2 },
  ])
  assert.equal(ranPlaces(event, 1).length, 1)
})

for (const [text, path, debugId, line, column] of [
  ['https://shop.example/a.js:1:48213', 'https://shop.example/a.js', null, 1, 48_213],
  ['https://shop.example:8080/a.js', 'https://shop.example:8080/a.js', null, null, null],
  [' /srv/app/a.js:12 ', '/srv/app/a.js', null, 12, null],
  ['AAAAAAAA-AAAA-aaaa-aaaa-aaaaaaaaaaaa', '', ID, null, null],
] as const) {
  it(`reads ${text.trim()}`, () => {
    assert.deepEqual(readPlace(text, BUILD), { ...BUILD, path, debugId, line, column })
  })
}

it('reads nothing out of other words', () => {
  for (const text of ['', 'hello', '12']) assert.equal(readPlace(text, BUILD), null)
})
