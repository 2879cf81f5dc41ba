import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aSpan, aSpansContext, spanId, TRACE } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { readSpanBatch } from './batch.ts'

const read = (items: readonly unknown[], settings: object = {}, context = aSpansContext()) =>
  readSpanBatch({ items, ...settings }, context)

describe('a batch of spans', () => {
  it('says once who it was, which release and at which rate', () => {
    const attributes = {
      ...{ 'user.id': '77', 'user.email': 'nora@shop.example', 'sentry.sample_rate': 0.25 },
      ...{ 'sentry.release': 'shop@1.0.0', 'sentry.environment': 'production', 'app.cart': 3 },
    }
    const [fragment] = read([aSpan({ id: 'a', isSegment: true, attributes })]).fragments
    assert.deepEqual(fragment?.user, { id: '77', email: 'nora@shop.example' })
    assert.equal(fragment?.sampleRate, 0.25)
    assert.deepEqual([fragment?.release, fragment?.environment], ['shop@1.0.0', 'production'])
    assert.deepEqual(fragment?.spans[0]?.attributes, { 'app.cart': 3 })
  })

  it('takes the rate of the trace where no span names one', () => {
    const context = aSpansContext({ trace: { sample_rate: '0.5' } })
    assert.equal(read([aSpan({ id: 'a', isSegment: true })], {}, context).fragments[0]?.sampleRate, 0.5)
  })

  it('takes the address from a browser that asks for it, and from nobody else', () => {
    const context = aSpansContext({ clientAddress: '198.51.100.4' })
    const userOf = (settings: object) =>
      read([aSpan({ id: 'a', isSegment: true })], settings, context).fragments[0]?.user ?? null
    assert.deepEqual(userOf({ ingest_settings: { infer_ip: 'auto' } }), { ip_address: '198.51.100.4' })
    assert.equal(userOf({ ingest_settings: { infer_ip: 'never' } }), null)
    assert.equal(userOf({}), null)
  })

  it('finds segments by parents where nothing names them, and survives a circle of them', () => {
    const segmentsOf = (...parts: Parameters<typeof aSpan>[0][]) =>
      read(parts.map(aSpan)).fragments.map(({ segmentId, root, spans }) => [segmentId, root, spans.length])
    assert.deepEqual(segmentsOf({ id: 'c', parent: 'b' }, { id: 'b', parent: 'a' }, { id: 'a' }), [
      [spanId('a'), 2, 3],
    ])
    assert.deepEqual(segmentsOf({ id: 'a', parent: 'b' }, { id: 'b', parent: 'a' }), [[null, null, 2]])
    assert.deepEqual(segmentsOf({ id: 'a', parent: 'a' }), [[null, null, 1]])
    assert.deepEqual(segmentsOf({ id: 'b', parent: 'f' }), [[null, null, 1]])
  })

  it('has ten thousand spans below each other in one segment, and counts those beyond', () => {
    const chain = Array.from({ length: 10_005 }, (_, at) => ({
      ...aSpan({ id: 'a' }),
      span_id: (at + 1).toString(16).padStart(16, '0'),
      ...(at === 0 ? {} : { parent_span_id: at.toString(16).padStart(16, '0') }),
    }))
    const { fragments, refused } = read(chain.toReversed().slice(5))
    assert.deepEqual([fragments.length, fragments[0]?.spans.length], [1, 10_000])
    assert.deepEqual(refused, [])
    assert.deepEqual(
      read(chain).refused.map(({ reason, quantity }) => [reason, quantity]),
      [['too_large', 5]],
    )
  })

  it('clamps times that cannot be, and notes them', () => {
    const seconds = NOW / 1_000
    const timesOf = (times: object) => {
      const [fragment] = read([{ ...aSpan({ id: 'a', isSegment: true }), ...times }]).fragments
      const [span] = fragment?.spans ?? []
      return [span?.start_timestamp, span?.end_timestamp, fragment?.problems.length]
    }
    assert.deepEqual(timesOf({ start_timestamp: seconds, end_timestamp: seconds + 1 }), [
      seconds,
      seconds + 1,
      0,
    ])
    // Seconds since the process began.
    assert.deepEqual(timesOf({ start_timestamp: 4.2, end_timestamp: seconds }), [seconds, seconds, 1])
    // After its end.
    assert.deepEqual(timesOf({ start_timestamp: seconds + 9, end_timestamp: seconds }), [seconds, seconds, 1])
    // No time at all: that of receipt.
    assert.deepEqual(timesOf({ start_timestamp: null, end_timestamp: 'soon' }), [seconds + 1, seconds + 1, 2])
    // As Python and Go write them.
    const iso = new Date(NOW).toISOString()
    assert.deepEqual(
      timesOf({
        start_timestamp: iso.replace('Z', '000Z'),
        end_timestamp: iso.replace('.000Z', '.250000000Z'),
      }),
      [seconds, seconds + 0.25, 0],
    )
  })

  it('bounds attributes, and keeps their odd names as names', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`key${at}`, { type: 'integer', value: at }]),
    )
    const odd = JSON.parse(
      '{"__proto__": {"type": "string", "value": "x"}, "constructor": {"type": "string", "value": "y"}}',
    )
    const attributesOf = (attributes: unknown) =>
      read([{ ...aSpan({ id: 'a' }), attributes }]).fragments[0]?.spans[0]?.attributes ?? {}
    assert.equal(Object.keys(attributesOf(many)).length, 128)
    assert.deepEqual(Object.keys(attributesOf(odd)), ['__proto__', 'constructor'])
    const huge = { type: 'string', value: 'x'.repeat(1_000_000) }
    const cut = attributesOf(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key${at}`, huge])))
    assert.ok(JSON.stringify(cut).length < 40_000)
    assert.deepEqual(attributesOf({ nul: { type: 'string', value: 'a\0b\ud800c' } }), { nul: 'abc' })
    assert.deepEqual(attributesOf({ big: { type: 'integer', value: '9007199254740993' } }), {
      big: '9007199254740993',
    })
    assert.deepEqual(
      attributesOf({ not: { type: 'integer', value: 'seven' }, nor: { type: 'string', value: 7 } }),
      {},
    )
  })

  it('counts a span without ids, and takes ids in other spellings', () => {
    const { fragments, refused } = read([
      { ...aSpan({ id: 'a' }), trace_id: TRACE.toUpperCase(), span_id: spanId('a').toUpperCase() },
      { ...aSpan({ id: 'b' }), span_id: '0'.repeat(16) },
      null,
      'span',
    ])
    assert.deepEqual([fragments[0]?.traceId, fragments[0]?.spans[0]?.span_id], [TRACE, spanId('a')])
    assert.deepEqual(
      refused.map(({ reason, quantity }) => [reason, quantity]),
      [['missing_ids', 3]],
    )
  })
})

describe('spans of a clock that is far off', () => {
  const seconds = NOW / 1_000
  // Of `NOW`, a second before receipt.
  const timesOf = (offSeconds: number) => {
    const at = (start: number, end: number) => ({
      start_timestamp: seconds + offSeconds + start,
      end_timestamp: seconds + offSeconds + end,
    })
    const { fragments } = read([
      { ...aSpan({ id: 'a', isSegment: true }), ...at(0, 2) },
      { ...aSpan({ id: 'b', parent: 'a', segment: 'a' }), ...at(0.5, 1.5) },
      { ...aSpan({ id: 'c', parent: 'a', segment: 'a' }), ...at(1.5, 2.25) },
    ])
    const spans = fragments[0]?.spans ?? []
    const told = spans.map(({ start_timestamp: start, end_timestamp: end }) =>
      [start, end].map((each) => Number((each - seconds).toFixed(3))),
    )
    return { told, problems: fragments[0]?.problems.map(({ rule }) => rule) }
  }

  it('end when they came, and keep their lengths and places', () => {
    const moved = {
      told: [
        [-1, 1],
        [-0.5, 0.5],
        [0.5, 1.25],
      ],
      problems: ['clock_drift'],
    }
    for (const off of [3_600, 86_400 * 400, -86_400 * 40]) assert.deepEqual(timesOf(off), moved)
  })

  it('stay where they are within what can be', () => {
    for (const off of [-3_600, -86_400 * 20, 30]) {
      assert.deepEqual(timesOf(off).told[1], [off + 0.5, off + 1.5])
      assert.deepEqual(timesOf(off).problems, [])
    }
  })

  it('do not move others of the same item', () => {
    const { fragments } = read([
      {
        ...aSpan({ id: 'a', isSegment: true }),
        start_timestamp: seconds + 900,
        end_timestamp: seconds + 901,
      },
      { ...aSpan({ id: 'b', parent: 'a' }), start_timestamp: seconds, end_timestamp: seconds + 0.5 },
    ])
    const [, other] = fragments.flatMap(({ spans }) => spans)
    assert.deepEqual([other?.start_timestamp, other?.end_timestamp], [seconds, seconds + 0.5])
  })
})

describe('a span that ends before it begins', () => {
  it('took no time, however long ago its segment began', () => {
    const seconds = NOW / 1_000
    const { fragments } = read([
      { ...aSpan({ id: 'a', isSegment: true }), start_timestamp: seconds - 60, end_timestamp: seconds + 1 },
      {
        ...aSpan({ id: 'b', parent: 'a', segment: 'a' }),
        start_timestamp: seconds + 0.002,
        end_timestamp: seconds,
      },
    ])
    const backwards = fragments[0]?.spans[1]
    assert.deepEqual([backwards?.start_timestamp, backwards?.end_timestamp], [seconds, seconds])
  })
})

describe('a span that does not say when it began', () => {
  it('begins with its segment, unless that began more than a day before', () => {
    const seconds = NOW / 1_000
    const startOf = (segmentStart: number) => {
      const segment = {
        ...aSpan({ id: 'a', isSegment: true }),
        start_timestamp: segmentStart,
        end_timestamp: segmentStart + 1,
      }
      const child = {
        ...aSpan({ id: 'b', parent: 'a', segment: 'a' }),
        start_timestamp: 4.2,
        end_timestamp: seconds,
      }
      return read([segment, child]).fragments[0]?.spans[1]?.start_timestamp
    }
    assert.equal(startOf(seconds - 60), seconds - 60)
    assert.equal(startOf(seconds - 5 * 86_400), seconds)
  })
})
