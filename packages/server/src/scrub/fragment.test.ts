import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readSpanBatch } from '#normalize/spans/batch.ts'
import { readTransaction } from '#normalize/spans/transaction.ts'
import { DEFAULTS, SECRETS } from '#testing/builders/scrubbing.ts'
import { aSpan, aSpansContext, spanId, TRACE } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import { scrubFragment } from './fragment.ts'
import { createScrubber } from './scrub.ts'

const SCRUBBER = createScrubber({ ...DEFAULTS, clientAddress: 'truncate' })
const CONTEXT = { clientAddress: '198.51.100.4' }

describe('scrubbing a fragment', () => {
  const piece = fc.oneof(
    fc.constantFrom(...SECRETS, 'password', 'token', '=', ':', '"', '&', '198.51.100.4'),
    fc.string({ maxLength: 8 }),
  )
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 }))
  const name = fc.oneof(fc.constantFrom('password', 'http.target', 'db.query.text', '__proto__', 'a'), text)
  const bag = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true })

  const scrubbedTwice = (fragment: Parameters<typeof scrubFragment>[0]) => {
    const once = scrubFragment(fragment, SCRUBBER, CONTEXT)
    const { scrubbedPaths: _, ...first } = once
    const { scrubbedPaths: __, ...second } = scrubFragment(once, SCRUBBER, CONTEXT)
    assert.deepEqual(second, first)
    return once
  }

  it('twice is scrubbing once, and ids and times stay', () => {
    fc.assert(
      fc.property(text, bag, bag, (title, attributes, linked) => {
        const links = [{ trace_id: TRACE, span_id: spanId('c'), attributes: linked }]
        const span = { ...aSpan({ id: 'a', isSegment: true }), name: title, attributes, links }
        const [fragment] = readSpanBatch({ items: [span] }, aSpansContext()).fragments
        assert.ok(fragment !== undefined)
        const { spans, traceId, segmentId } = scrubbedTwice(fragment)
        assert.deepEqual([traceId, segmentId, spans.length], [TRACE, spanId('a'), 1])
        assert.deepEqual(
          [spans[0]?.span_id, spans[0]?.start_timestamp, spans[0]?.end_timestamp],
          [spanId('a'), NOW / 1_000, NOW / 1_000 + 0.1],
        )
      }),
      { numRuns: Math.min(PROPERTY_RUNS, 300) },
    )
  })

  it('twice is scrubbing once for what a transaction says beside its spans', () => {
    fc.assert(
      fc.property(text, bag, (title, data) => {
        const transaction = {
          ...{
            transaction: title,
            start_timestamp: NOW / 1_000,
            timestamp: NOW / 1_000 + 1,
            tags: { x: title },
          },
          contexts: { trace: { trace_id: TRACE, span_id: spanId('a'), data }, app: data },
          request: { url: title, data, headers: { cookie: 'sid=4f3e; theme=dark', 'x-note': title } },
        }
        const [fragment] = readTransaction(transaction, aSpansContext()).fragments
        assert.ok(fragment !== undefined)
        scrubbedTwice(fragment)
      }),
      { numRuns: Math.min(PROPERTY_RUNS, 300) },
    )
  })

  it('finds the same in attributes that spans share as in those of each', () => {
    const shared = { 'db.password': { type: 'string', value: 'hunter2secret' } }
    const fine = { 'db.system.name': { type: 'string', value: 'postgresql' } }
    const items = [shared, fine, shared, fine].map((attributes, at) => ({
      ...aSpan({ id: String(at), parent: '9' }),
      attributes,
    }))
    const stored = (sent: readonly unknown[]) => {
      const [fragment] = readSpanBatch({ items: sent }, aSpansContext()).fragments
      assert.ok(fragment !== undefined)
      const { spans, scrubbedPaths } = scrubFragment(fragment, SCRUBBER, CONTEXT)
      return { spans, scrubbedPaths }
    }
    const ofShared = stored(items)
    assert.deepEqual(ofShared, stored(items.map((item) => structuredClone(item))))
    assert.deepEqual(
      ofShared.scrubbedPaths.map(({ path }) => path),
      ['spans.0.attributes.db.password', 'spans.2.attributes.db.password'],
    )
    assert.doesNotMatch(JSON.stringify(ofShared.spans), /hunter2secret/)
  })
})
