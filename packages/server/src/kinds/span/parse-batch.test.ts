import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isObject } from '#base/json.ts'
import { readLenientJson } from '../lenient-json.ts'
import { parseSpans } from './parse-batch.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (value: string) => ({ type: 'string', value })

function itemsOf(raw: unknown): readonly Readonly<Record<string, unknown>>[] {
  assert.ok(isObject(raw) && Array.isArray(raw.items))
  return raw.items.filter(isObject)
}

/** Signs that ends and beginnings are told by, wherever a client may put them. */
const awkward = fc
  .array(fc.constantFrom('"', '}}', '{', '}', '\\', '"attributes":{', 'attributes', ',', ':{', '0', 'ü'), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''))
const value = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), awkward)
const typed = fc.record({ type: fc.constantFrom('string', 'integer'), value })
const attributes = fc.oneof(
  fc.dictionary(fc.oneof(awkward, fc.constantFrom('attributes', 'sentry.op')), typed, { maxKeys: 3 }),
  fc.constantFrom<unknown>({}, 3, null, [], { a: { value: { attributes: { b: {} } } } }),
)
const link = fc.record({ attributes }, { requiredKeys: [] })
const item = fc.record(
  { span_id: awkward, name: awkward, attributes, links: fc.array(link, { maxLength: 2 }) },
  { requiredKeys: ['name'] },
)

describe('a parsed container of spans', () => {
  it('is what the text says, whatever its values hold', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), (items) => {
        const sent = bytes(JSON.stringify({ version: 2, items: [...items, ...items] }))
        assert.deepEqual(parseSpans(sent), readLenientJson(sent))
      }),
      { numRuns: 2_000 },
    )
  })

  it('is what the text says where it is cut short, spaced, or no container', () => {
    const whole = JSON.stringify({ items: [{ attributes: { a: text('}}'), b: text('\\"') }, links: [] }] })
    for (let end = 0; end < whole.length; end++) {
      const sent = bytes(whole.slice(0, end))
      assert.deepEqual(parseSpans(sent), readLenientJson(sent))
    }
    const others = [
      '{"items":[{"attributes" : {"a":{"value":1}}}]}',
      '{"items":[{"attributes":{"a":{"value":NaN}}}]}',
      '{"data":{"attributes":{"a":{"value":1}}}}',
      '{"items":[{"attributes":5},{"attributes":{"a":{"value":1}}}]}',
      '{"items":[{"a\\"attributes":{"a":{"value":1}},"attributes":{"a":{"value":1}}}]}',
      '{"items":{"attributes":{"a":{"value":1}}}}',
    ]
    for (const other of others)
      assert.deepEqual(parseSpans(bytes(other)), JSON.parse(other.replace('NaN', 'null')))
  })

  it('has one object for attributes that are written alike', () => {
    const query = { 'sentry.op': text('db') }
    const sent = [query, { 'sentry.op': text('http.client') }, query, {}, {}].map((each) => ({
      attributes: each,
    }))
    const [first, other, again, none, noneAgain] = itemsOf(parseSpans(bytes(JSON.stringify({ items: sent }))))
    assert.equal(first?.attributes, again?.attributes)
    assert.notEqual(first?.attributes, other?.attributes)
    assert.equal(none?.attributes, noneAgain?.attributes)
  })
})
