import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StoredEvent } from '../types.ts'
import { frameNotes } from './frame-notes.ts'
import { quoteForShell, UNRESOLVED_CAUSES, unresolvedText } from './unresolved.ts'

const ID = '8f1e77a05b1c4c029d7e11b0c4021234'
const PLACE = {
  ...{ url: 'https://errata.example', org: 'marlow-finch', project: 'storefront' },
  ...{
    release: 'shop@1.2.3+4 (beta)',
    dist: null,
    debugId: ID,
    file: 'https://shop.example/assets/cart.js?v=2',
  },
}

for (const why of UNRESOLVED_CAUSES) {
  it(`says why and what to do: ${why}`, () => {
    const { title, cause, next, command } = unresolvedText(why, PLACE)
    for (const text of [title, cause, next]) assert.ok(text.length > 8 && !/undefined|null/.test(text), text)
    if (why === 'map_pending') assert.equal(command, null)
    else
      assert.match(
        command ?? '',
        /--org marlow-finch --project storefront --release 'shop@1\.2\.3\+4 \(beta\)'/,
      )
  })
}

it('names the prefix under which the file is served', () => {
  assert.match(
    unresolvedText('no_artifact_matches', PLACE).command ?? '',
    / --url-prefix '~\/assets' \.\/dist$/,
  )
  assert.match(unresolvedText('no_artifact_matches', PLACE).cause, /no file at ~\/assets\/cart\.js\.$/)
})

it('injects and uploads at once where an event names no build', () => {
  const place = { ...PLACE, release: null, url: 'https://errata.example/a b' }
  assert.equal(
    unresolvedText('no_debug_id_no_release', place).command,
    "npx --yes 'https://errata.example/a b/packages/errata.tgz' upload-build ./dist --url 'https://errata.example/a b' --org marlow-finch --project storefront",
  )
})

it('names a debug id as tools write it', () => {
  assert.match(unresolvedText('no_map_for_debug_id', PLACE).cause, /8f1e77a0-5b1c-4c02-9d7e-11b0c4021234/)
})

it('keeps whatever a release is called one word of a shell', () => {
  assert.equal(quoteForShell("it's $(rm)"), "'it'\\''s $(rm)'")
  assert.equal(quoteForShell('shop@1.2.3'), 'shop@1.2.3')
})

it('notes each reason of a file once, and which frames have it', () => {
  const frame = (file: string, why: string | null) => ({
    ...{ abs_path: file, lineno: 1 },
    ...(why === null ? {} : { data: { symbolicated: false, unresolved: why } }),
  })
  const frames = [
    frame('/a.js', 'no_map_for_debug_id'),
    frame('/b.js', null),
    frame('/a.js', 'no_map_for_debug_id'),
    frame('/c.js', 'outside_map'),
    frame('/d.js', 'constructor'),
  ]
  const event = {
    exception: { values: [{ type: 'Error', stacktrace: { frames } }] },
    debug_meta: { images: [{ type: 'sourcemap', code_file: '/a.js', debug_id: ID }] },
  } as unknown as StoredEvent // what the notes look at
  const { notes, byFrame } = frameNotes(event, PLACE)
  assert.deepEqual(
    notes.map(({ why, file, debugId, frames: count }) => [why, file, debugId, count]),
    [
      ['no_map_for_debug_id', '/a.js', ID, 2],
      ['outside_map', '/c.js', null, 1],
    ],
  )
  const path = 'exception.values.0.stacktrace.frames'
  assert.deepEqual(byFrame, { [`${path}.0`]: 0, [`${path}.2`]: 0, [`${path}.3`]: 1 })
})
