import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MapLookup, NOTHING_UPLOADED, type OriginalPlace } from '#model/map-lookup.ts'
import { createScrubber } from '#scrub/scrub.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { CANARY, DEFAULTS } from '#testing/builders/scrubbing.ts'
import { readAgain, regroupEvent, rewrittenEvent } from './read-again.ts'

const LINE = `const password = "${CANARY}"; pay(password)`
const place = (line: number): OriginalPlace => ({
  ...{ source: 'src/cart.ts', line, column: 3, functionName: 'checkOut', name: null, isIgnored: false },
  context: { before: ['// before'], line: LINE, after: [] },
})
/** Maps of a build whose first line only is from a source. */
const maps: MapLookup = {
  mapOf: ({ debugId }) =>
    debugId === null
      ? { found: false, why: 'no_artifact_matches' }
      : {
          found: true,
          by: 'debug-id',
          mapName: 'a.js.map',
          places: { find: (line) => (line === 1 ? place(7) : null) },
        },
  actionName: () => null,
}
const context = { maps, scrubber: createScrubber(DEFAULTS) }

const frames = [
  { filename: 'https://x/a.js', function: '?', lineno: 9, colno: 1, in_app: true },
  { filename: 'https://x/a.js', function: 'n', lineno: 1, colno: 2, in_app: true },
  { filename: 'https://x/b.js', function: 'm', lineno: 1, colno: 2, in_app: true },
]
const EVENT = aScrubbedEvent({
  ...{ platform: 'javascript', release: 'v1', user: { ip_address: '203.0.113.9' } },
  exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames } }] },
  debug_meta: { images: [{ type: 'sourcemap', code_file: 'https://x/a.js', debug_id: '1'.repeat(32) }] },
})

describe('a stored event that is read again', () => {
  it('shows what was written, without the secrets that the source holds, beside what ran', () => {
    const read = readAgain(EVENT, { ...context, tellsWhy: true })
    const [value] = read.exception?.values ?? []
    const [outside, original, unknown] = value?.stacktrace?.frames ?? []
    assert.deepEqual(
      [original?.filename, original?.lineno, original?.function],
      ['src/cart.ts', 7, 'checkOut'],
    )
    assert.doesNotMatch(JSON.stringify(read), new RegExp(CANARY))
    assert.match(original?.context_line ?? '', /pay\(password\)/)
    assert.deepEqual(value?.raw_stacktrace?.frames, frames)
    assert.deepEqual([outside?.data?.unresolved, outside?.in_app], ['outside_map', false])
    assert.equal(unknown?.data?.unresolved, 'no_artifact_matches')
    assert.deepEqual(read.user, EVENT.user, 'nothing else is touched')
  })

  it('is to be stored with what was written, and with what it still misses', () => {
    const rewritten = rewrittenEvent(Buffer.from(JSON.stringify(EVENT)), context)
    assert.ok(rewritten)
    const event: unknown = JSON.parse(Buffer.from(rewritten.payload).toString('utf8'))
    assert.deepEqual(event, JSON.parse(JSON.stringify(readAgain(EVENT, { ...context, tellsWhy: false }))))
    assert.doesNotMatch(JSON.stringify(event), new RegExp(CANARY))
    assert.equal(
      rewritten.values.missedMaps,
      `${'1'.repeat(32)} -`,
      'a place outside of its map, and a file without an id',
    )
    assert.equal(rewritten.values.mapFrames, '1/3')
    const again = rewrittenEvent(rewritten.payload, context)
    assert.deepEqual(again, rewritten, 'a second time changes nothing')
    assert.equal(rewrittenEvent(rewritten.payload, { ...context, maps: NOTHING_UPLOADED }), null)
  })

  it('has the group and the title of what was written, whatever it was minified to', () => {
    const payload = (event: object) => Buffer.from(JSON.stringify(event))
    const one = regroupEvent(payload(EVENT), context)
    const others = frames.map((frame) => ({
      ...frame,
      filename: frame.filename,
      function: `${frame.function}2`,
    }))
    const other = regroupEvent(
      payload({
        ...EVENT,
        exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames: others.slice(0, 2) } }] },
      }),
      context,
    )
    const alone = regroupEvent(
      payload({
        ...EVENT,
        exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames: frames.slice(0, 2) } }] },
      }),
      context,
    )
    assert.equal(one?.facts.culprit.includes('cart.ts'), false, 'its innermost frame has no map')
    assert.deepEqual(alone?.facts, { ...other?.facts })
    assert.equal(alone?.hash, other?.hash)
    assert.match(alone?.facts.culprit ?? '', /checkOut/)
  })

  it('is left alone where no map changes anything of it', () => {
    const plain = { ...EVENT, debug_meta: { images: [] } }
    assert.equal(regroupEvent(Buffer.from(JSON.stringify(plain)), context), null)
  })
})
