import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aNormalizedEvent, CANARY, DEFAULTS, SECRETS, scrubFields } from '#testing/builders/scrubbing.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import { scrubBytes } from './bytes.ts'
import { createScrubber, scrubEvent } from './scrub.ts'

describe('properties', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...SECRETS,
      'password',
      'token',
      '=',
      ':',
      '"',
      "'",
      '\\',
      '&',
      '%',
      '%25',
      '%3D',
      '{',
      '}',
      '[',
      ']',
      '<',
      '>',
      '://',
      '@',
      '[Filtered]',
      '\\u0070',
      ' ',
      '\n',
      '-----BEGIN PRIVATE KEY-----',
      '4111111111111111',
      'eyJ',
    ),
    fc.string({ maxLength: 8 }),
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  const bag = fc.dictionary(
    fc.oneof(text, fc.constantFrom('password', 'a', 'value', 'name', '__proto__')),
    fc.oneof(text, fc.double(), fc.array(text, { maxLength: 4 })),
    { maxKeys: 4, noNullPrototype: true },
  )

  test('scrubbing twice is scrubbing once', () => {
    fc.assert(
      fc.property(text, bag, (message, extra) => {
        const scrubber = createScrubber({ ...DEFAULTS, clientAddress: 'truncate' })
        const lines = { context_line: message, pre_context: [message] }
        const event = aNormalizedEvent({
          message,
          extra: JSON.parse(JSON.stringify(extra)),
          stacktrace: { frames: [lines] },
          tags: [['x', message]],
        })
        const once = scrubEvent(event, scrubber, { clientAddress: null })
        const twice = scrubEvent(once, scrubber, { clientAddress: null })
        assert.equal(JSON.stringify(twice), JSON.stringify(once))
      }),
      { numRuns: PROPERTY_RUNS },
    )
  })

  const TORN: readonly Readonly<Record<string, unknown>>[] = [
    { 'Set-Cookie: sid=cAn4ry-7f3e; HttpOnly': '!-----BEGIN PRIVATE KEY-----' },
    { cookie: '!-----BEGIN PRIVATE KEY-----' },
    { cookie: '://{"password": {"nested": ["cAn4ry-7f3e"]}}' },
    { headers: ['Cookie', '!-----BEGIN PRIVATE KEY-----'] },
  ]

  for (const extra of TORN)
    test(`and of a sentence under a cookie's name that holds a secret: ${JSON.stringify(extra)}`, () => {
      const once = scrubFields({ extra: JSON.parse(JSON.stringify(extra)) })
      const twice = scrubEvent(once, createScrubber(DEFAULTS), { clientAddress: null })
      assert.equal(JSON.stringify(twice.extra), JSON.stringify(once.extra))
    })

  test('no text of the usual size takes long, whatever it repeats', () => {
    const SIZE = 16_384
    for (const unit of [
      'a',
      '=',
      ':',
      '"',
      '\\',
      '{',
      '[',
      '<',
      '>',
      '(',
      '-',
      ' ',
      '1',
      '4 1',
      '://',
      'a:b@',
      'eyJ',
      'eyJa.',
      'password=',
      'password:"',
      'password=[',
      '%25',
      '\\u0070',
      '&amp;',
      'bearer ',
      'basic ',
      '-----BEGIN PRIVATE KEY-----',
      'DE89',
      '{"a":',
      '--token ',
      'x '.repeat(40),
      '\n',
      '"\\',
      "password='\\",
    ]) {
      const long = unit.repeat(Math.ceil(SIZE / unit.length))
      const startedMs = cpuMs()
      scrubFields({ message: long, extra: { a: long }, stacktrace: { frames: [{ context_line: long }] } })
      const tookMs = cpuMs() - startedMs
      assert.ok(tookMs < 400, `${JSON.stringify(unit)} took ${tookMs} ms`)
    }
  })
})

describe('bytes that could not be processed', () => {
  test('secrets go, other bytes stay in place', () => {
    const secret = Buffer.from(
      `{"dsn":"https://abc@h/1"}\n{"type":"event"}\n{"password":"${CANARY}","pass\\u0077ord":"${CANARY}","é":"ü"}\n`,
    )
    const bytes = Buffer.concat([
      secret,
      Buffer.from([0xff, 0x00, 0xfe]),
      Buffer.from(`\n-----BEGIN PRIVATE KEY-----\n${CANARY}`),
    ])
    const out = Buffer.from(scrubBytes(bytes))
    assert.ok(!out.includes(CANARY) && !out.includes('abc@'))
    assert.ok(out.includes('"é":"ü"') && out.includes(Buffer.from([0xff, 0x00, 0xfe])))
  })

  test('any bytes give bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => void scrubBytes(bytes)),
      { numRuns: PROPERTY_RUNS },
    )
  })
})
