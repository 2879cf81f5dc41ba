import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isTooDeep, mayBeTooDeep, topLevelString } from './event-scan.ts'

const whole = (text: string) => {
  const bytes = Buffer.from(text)
  return [bytes, { start: 0, end: bytes.length }] as const
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

describe('scanning an event', () => {
  it('finds the depth that JSON.parse would', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: 'binary' }), fc.nat(9), (value, levels) => {
        const [bytes, range] = whole(JSON.stringify(value))
        assert.equal(isTooDeep(bytes, range, levels), depthOf(value) > levels)
      }),
    )
  })

  it('never takes a deep one for flat where strings hold no brackets', () => {
    const text = fc.stringMatching(/^[a-z"\\:, ]{0,12}$/)
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'large' },
        text,
        fc.integer(),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.nat(9), (value, levels) => {
        const [bytes, range] = whole(JSON.stringify(value))
        if (isTooDeep(bytes, range, levels)) assert.ok(mayBeTooDeep(bytes, range, levels))
      }),
    )
  })

  it('finds depth wherever in memory an event begins and however short it is', () => {
    for (let before = 0; before < 8; before++) {
      for (let levels = 0; levels < 40; levels++) {
        const text = '[{"a":'.repeat(levels) + '}]'.repeat(levels)
        const bytes = Buffer.concat([Buffer.alloc(before, '}'), Buffer.from(text)])
        const range = { start: before, end: bytes.length }
        assert.equal(isTooDeep(bytes, range, 2 * levels), false)
        if (levels > 0) assert.ok(mayBeTooDeep(bytes, range, 2 * levels - 1), `${levels} levels at ${before}`)
        assert.equal(mayBeTooDeep(bytes, range, 2 * levels + 4), false)
      }
    }
  })

  it('takes what apps send for flat at a glance', () => {
    const frame = { filename: 'a.js', pre_context: ['if (x) {'], vars: { a: { b: [1] } } }
    const event = { exception: { values: [{ stacktrace: { frames: Array(50).fill(frame) } }] } }
    const [bytes, range] = whole(JSON.stringify(event))
    assert.equal(mayBeTooDeep(bytes, range, 100), false)
  })

  it('finds a top-level string, and never one of a deeper level', () => {
    const id = fc.constantFrom('9ec79c33ec9942ab8353589fcb2e04dc', 7, null, ['event_id'], {
      event_id: 'deep',
    })
    const fields = fc.dictionary(
      fc.constantFrom('a', 'event_id', '"', ':', ',', '{', 'event_id\\'),
      fc.oneof(id, fc.jsonValue({ maxDepth: 3 })),
    )
    fc.assert(
      fc.property(fields, fc.constantFrom(0, 2), (value, space) => {
        const [bytes, range] = whole(JSON.stringify(value, null, space))
        const expected = Object.hasOwn(value, 'event_id') ? value.event_id : null
        const found = topLevelString(bytes, range, 'event_id')
        if (typeof expected !== 'string') assert.equal(found, null)
        else if (!/["\\\p{Cc}\p{Cs}]/u.test(expected)) assert.equal(found, expected)
      }),
    )
  })

  it('ends for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        isTooDeep(bytes, { start: 0, end: bytes.length }, 5)
        topLevelString(bytes, { start: 0, end: bytes.length }, 'event_id')
      }),
    )
  })
})
