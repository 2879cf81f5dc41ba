import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readEnvelope, writeEnvelope } from './envelope.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Each row: what is sent, and the payload lengths of its items or the problem it is refused with. */
const VECTORS: readonly (readonly [name: string, text: string, expected: readonly number[] | string])[] = [
  ['headers alone', '{}', []],
  ['headers with a trailing newline', '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n', []],
  ['two empty items', '{}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}\n', [0, 0]],
  [
    'two empty items, the end right after the header',
    '{}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}',
    [0, 0],
  ],
  ['a payload without length', '{}\n{"type":"attachment"}\nhelloworld', [10]],
  ['an item header that ends the bytes', '{}\n{"type":"attachment"}', [0]],
  [
    'a payload with a newline in it, a byte order mark and CR LF',
    '{}\n{"type":"attachment","length":10,"filename":"h.txt"}\n\ufeffHello\r\n\n{"type":"event","length":41}\n{"message":"hello world","level":"error"}\n',
    [10, 41],
  ],
  ['an unknown type', '{}\n{"type":"invalid_unknown"}\nhelloworld\n', [10]],
  ['blank lines at the very end', '{}\n{"type":"event"}\n{}\n\n\n', [2]],
  ['a length beyond the end', '{}\n{"type":"event","length":50}\n{"message":"x"}\n', 'truncated'],
  [
    'a length that ends inside the payload',
    '{}\n{"type":"event","length":5}\n{"message":"x"}\n',
    'missing_newline',
  ],
  ['a negative length', '{}\n{"type":"event","length":-1}\n{}\n', 'invalid_length'],
  ['a length with a fraction', '{}\n{"type":"event","length":1.5}\n{}\n', 'invalid_length'],
  ['a header that is no JSON', 'not json\n{}', 'invalid_header'],
  ['a header that is a list', '[]\n', 'invalid_header'],
  ['an item header without a type', '{}\n{"nope":1}\nx', 'missing_item_type'],
  ['an item header that is no JSON', '{}\nnope\nx', 'invalid_item_header'],
  ['a blank line between items', '{}\n{"type":"event"}\n{}\n\n{"type":"event"}\n{}', 'invalid_item_header'],
  ['nothing', '', 'empty'],
]

describe('readEnvelope', () => {
  for (const [name, text, expected] of VECTORS) {
    it(`reads ${name}`, () => {
      const answer = readEnvelope(bytes(text))
      if (typeof expected === 'string') {
        assert.equal(answer.ok ? 'ok' : answer.problem.code, expected)
        return
      }
      assert.deepEqual(
        answer.ok ? answer.envelope.items.map((item) => item.end - item.start) : answer.problem,
        expected,
      )
    })
  }

  it('refuses more items than the limit', () => {
    const text = `{}\n${'{"type":"x"}\n\n'.repeat(5)}`
    const answer = readEnvelope(bytes(text), { headerBytesMax: 100, itemHeaderBytesMax: 100, itemsMax: 4 })
    assert.equal(answer.ok ? 'ok' : answer.problem.code, 'too_many_items')
  })

  it('refuses a first line beyond the limit', () => {
    const answer = readEnvelope(bytes(`{"a":"${'x'.repeat(200)}"}`), {
      headerBytesMax: 100,
      itemHeaderBytesMax: 100,
      itemsMax: 4,
    })
    assert.equal(answer.ok ? 'ok' : answer.problem.code, 'header_too_large')
  })

  it('reads back whatever was written', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (payloads) => {
        const written = writeEnvelope(
          { event_id: 'x' },
          payloads.map((payload) => ({ header: { type: 'attachment' }, payload })),
        )
        const answer = readEnvelope(written)
        assert.ok(answer.ok)
        assert.deepEqual(
          answer.envelope.items.map((item) => [...written.subarray(item.start, item.end)]),
          payloads.map((payload) => [...payload]),
        )
      }),
    )
  })

  it('never throws and never reads outside the bytes, whatever they are', () => {
    const soup = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '"type"',
        ':',
        '"event"',
        '\n',
        '"length":',
        '3',
        '-1',
        '{}',
        '\r',
        '\0',
        ',',
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 400 }),
          soup.map((parts) => bytes(parts.join(''))),
        ),
        (input) => {
          const answer = readEnvelope(input)
          if (!answer.ok) return answer.problem.at <= input.length
          return answer.envelope.items.every((item) => item.start <= item.end && item.end <= input.length)
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('loses every cut of a whole envelope or says where it broke', () => {
    const whole = writeEnvelope({ dsn: 'http://k@h/1' }, [
      { header: { type: 'event' }, payload: '{"message":"ü"}' },
      { header: { type: 'attachment' }, payload: new Uint8Array([10, 0, 10]) },
    ])
    for (let cut = 0; cut < whole.length; cut++) {
      const answer = readEnvelope(whole.subarray(0, cut))
      if (answer.ok) assert.ok(answer.envelope.items.length <= 2)
      else assert.ok(answer.problem.cause.length > 0)
    }
  })
})
