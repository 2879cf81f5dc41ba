import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import type { ProcessedBatch } from '#model/batch.ts'
import {
  anEnvelope,
  envelopeOf,
  eventsOf,
  outcomesOf,
  processRecords,
  storedText,
} from '#testing/builders/records.ts'

/** More often than it takes to be seen, to be admitted, to be kept and to be used. */
const TIMES = 5

const storedEvents = (batch: ProcessedBatch): readonly string[] =>
  eventsOf(batch).map((_, at) => storedText(batch, at))

/** Returns the stored form of an event that comes again and again, and of one that comes once. */
function againAndOnce(event: string | object, address: string | null = null) {
  const record = anEnvelope(envelopeOf(['event', event]), { clientAddress: address })
  const again = processRecords(Array.from({ length: TIMES }, () => record))
  const once = processRecords([record])
  const shown = (batch: ProcessedBatch) =>
    storedEvents(batch).map((text, at) => {
      const event = eventsOf(batch)[at]
      return { text, row: { ...event?.row, seq: 0 }, own: event?.own }
    })
  assert.equal(
    eventsOf(again).length,
    TIMES * eventsOf(once).length,
    `${outcomesOf(once)} ${outcomesOf(again)}`,
  )
  return { again: shown(again), once: shown(once)[0] }
}

function assertSame(event: string | object, address: string | null = null): void {
  const { again, once } = againAndOnce(event, address)
  for (const [at, one] of again.entries()) assert.deepEqual(one, once, `time ${at + 1}`)
}

const frames = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    filename: `/srv/app/file-${at}.js`,
    function: `render${at}`,
    lineno: at + 1,
    context_line: `  const a = "}],{" + ${at} // "frames":[{`,
  }))

const SDK = {
  name: 'sentry.javascript.nextjs',
  version: '11.12.0',
  integrations: Array.from({ length: 30 }, (_, at) => `Integration${at}`),
  packages: [{ name: 'npm:@sentry/nextjs', version: '11.12.0' }],
}
const DEBUG_META = {
  images: Array.from({ length: 4 }, (_, at) => ({
    type: 'sourcemap',
    code_file: `https://shop.example/_next/static/chunks/${at}.js`,
    debug_id: `9ec79c33-ec99-42ab-8353-589fcb2e04d${at}`,
  })),
}
const MODULES = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`package-${at}`, `1.${at}.0`]))

/** Event as an SDK sends it, with every part that events share. */
function aSentEvent(change: object = {}) {
  return {
    event_id: '9ec79c33ec9942ab8353589fcb2e04dc',
    timestamp: 1_795_255_200,
    platform: 'javascript',
    exception: { values: [{ type: 'Error', value: 'no', stacktrace: { frames: frames(8) } }] },
    sdk: SDK,
    debug_meta: DEBUG_META,
    modules: MODULES,
    ...change,
  }
}

describe('an event whose parts are known', () => {
  const cases: readonly (readonly [what: string, event: string | object])[] = [
    ['with everything that can be shared', aSentEvent()],
    [
      'whose SDK holds a secret',
      aSentEvent({ sdk: { ...SDK, settings: { api_key: 'sk_live_51H8abcdef' } } }),
    ],
    [
      'whose SDK repeats a secret of its tags',
      aSentEvent({ tags: { password: 'hunter2-hunter2' }, sdk: { ...SDK, note: 'is hunter2-hunter2' } }),
    ],
    ['whose SDK has no name', aSentEvent({ sdk: { ...SDK, name: ' ' } })],
    [
      'whose SDK has braces and quotes in its texts',
      aSentEvent({ sdk: { ...SDK, note: '}"}\\"{,"sdk":{"' } }),
    ],
    ['whose SDK is too deep', aSentEvent({ sdk: { ...SDK, a: { b: { c: { d: { e: { f: 1 } } } } } } })],
    ['that has an SDK inside its extra data', aSentEvent({ extra: { sdk: SDK, debug_meta: DEBUG_META } })],
    [
      'that has an SDK inside its extra data alone',
      aSentEvent({ sdk: undefined, extra: { sdk: SDK, modules: MODULES } }),
    ],
    [
      'that has two SDKs',
      JSON.stringify(aSentEvent()).replace(/\}$/, `,"sdk":${JSON.stringify({ ...SDK, name: 'b' })}}`),
    ],
    [
      'that has the same SDK twice',
      JSON.stringify(aSentEvent()).replace(/\}$/, `,"sdk":${JSON.stringify(SDK)}}`),
    ],
    ['whose SDK never ends', JSON.stringify(aSentEvent()).replace('"packages"', '"packages":{"x":{')],
    ['whose debug ids are no list', aSentEvent({ debug_meta: { images: { '0': DEBUG_META.images[0] } } })],
    ['that has a NUL in its SDK', aSentEvent({ sdk: { ...SDK, note: 'a\u0000b' } })],
  ]
  for (const [what, event] of cases) {
    it(`${what} is stored as if they were not`, () => assertSame(event))
  }

  it('loses the address of its client wherever it stands', () => {
    const sdk = { ...SDK, note: 'from 203.0.113.9' }
    const { again, once } = againAndOnce(aSentEvent({ sdk }), '203.0.113.9')
    for (const one of again) assert.deepEqual(one, once)
    const elsewhere = againAndOnce(aSentEvent({ sdk }), '203.0.113.10')
    for (const one of elsewhere.again) assert.deepEqual(one, elsewhere.once)
  })
})

test('whatever an event holds, it is stored the same when it comes again', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '"sdk":{"',
      '{"sdk":{"a":1}}',
      '}]',
      '"}',
      '\\',
      'token=abcdef0123456789',
      'ö\u0000\ud800',
    ),
  )
  const bag = fc.dictionary(fc.oneof(fc.constantFrom('name', 'sdk', 'frames', 'modules'), text), text, {
    maxKeys: 6,
  })
  const padded = bag.map((own) => ({ ...own, padding: 'x'.repeat(300) }))
  const change = fc.record(
    {
      sdk: fc.oneof(padded, fc.jsonValue()),
      debug_meta: fc.oneof(padded, fc.jsonValue()),
      modules: fc.oneof(padded, fc.jsonValue()),
      extra: fc.dictionary(fc.constantFrom('sdk', 'debug_meta', 'modules', 'frames'), padded),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(change, (own) => assertSame(aSentEvent(own))),
    { numRuns: 150 },
  )
})

const CAPTURED = new URL('../../../../tests/fixtures/captured/', import.meta.url)

test('events that real applications sent are stored the same when they come again', {
  skip: existsSync(CAPTURED) ? false : 'the captured fixtures are not part of this checkout',
}, () => {
  for (const file of readdirSync(CAPTURED)) {
    const { envelope }: { readonly envelope: string } = JSON.parse(
      readFileSync(new URL(file, CAPTURED), 'utf8'),
    )
    const record = anEnvelope(envelope)
    const [once, ...rest] = storedEvents(processRecords([record]))
    assert.ok(once !== undefined && rest.length === 0, file)
    const again = storedEvents(processRecords(Array.from({ length: TIMES }, () => record)))
    for (const one of again) assert.deepEqual(one, once, file)
  }
})
