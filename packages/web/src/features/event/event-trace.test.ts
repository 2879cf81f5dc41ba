import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TraceSpan } from '@errata/server/queries'
import { answerFacts, traceSketch } from './event-trace.server.ts'

type Segment = NonNullable<TraceSpan['segment']>

const SEGMENT = {
  ...{ requestKind: 'document', route: '/orders/[id]', method: 'GET', httpStatus: 500, end: 'failed' },
  ...{ action: null, actionId: null, release: null, environment: null, user: null, sdk: null },
  ...{ platform: 'node', vitals: {}, repeated: [], isSampledOut: false, fragmentId: 'f' },
} as unknown as Segment // ids are branded

function aSpan(
  id: string,
  [startMs, endMs]: readonly [number, number],
  more: Partial<TraceSpan> = {},
): TraceSpan {
  const span = { spanId: id, op: 'task', depth: 1, startMs, endMs, segment: null, ...more }
  return span as unknown as TraceSpan // what a sketch reads
}

const request = (segment: Partial<Segment>) => aSpan('a', [0, 404], { segment: { ...SEGMENT, ...segment } })
const facts = (segment: Partial<Segment>, digest: string | null = null) =>
  answerFacts(request(segment), digest).map(({ term, text, bad }) => [term, text, bad ?? ''].join('|'))

describe('how an event was answered', () => {
  it('names the kind, the status, the time and the digest', () => {
    assert.deepEqual(facts({}, '2674428404'), [
      'Request|document, GET|',
      'Status||500',
      'Duration|404 ms|',
      'Digest|2674428404|',
    ])
  })

  for (const [end, httpStatus, status] of [
    ['failed-behind-200', 200, 'Status||failed with status 200'],
    ['failed', null, 'Status||failed'],
    ['aborted', null, 'Status||aborted'],
    ['answered', 404, 'Status|404|'],
    ['answered', null, 'Status|answered|'],
  ] as const) {
    it(`says ${status} of a request that ${end} with ${httpStatus}`, () => {
      assert.equal(facts({ end, httpStatus })[1], status)
    })
  }

  it('names the action', () => {
    const of = facts({ requestKind: 'action', method: 'POST', action: 'placeOrder' })
    assert.deepEqual(of.slice(0, 2), ['Request|action, POST|', 'Action|placeOrder|'])
  })

  it('is not said where no request is kept', () => {
    assert.deepEqual(answerFacts(null, '1'), [])
  })
})

describe('the sketch of a trace', () => {
  const sketch = (spans: readonly TraceSpan[], spanId: string | null, clockShiftMs: number | null = null) =>
    traceSketch(
      { spans, isCut: false, clockShiftMs, request: spans[1] ?? null },
      { spanId, timestampMs: 150 },
    )

  it('has browser and server on one axis, with the error on its span', () => {
    const page = aSpan('p', [40, 240], { depth: 0, op: 'pageload' })
    const { text, bars } = sketch(
      [page, aSpan('s', [100, 200]), aSpan('d', [120, 140], { op: 'db' })],
      's',
      40,
    )
    assert.equal(text, '3 spans, browser, 200 ms')
    assert.deepEqual(bars[0], [0, 100, 'b', null])
    const served = request({ requestKind: 'document' })
    const both = sketch([page, { ...served, startMs: 50, endMs: 150 }], 'a', 40)
    assert.equal(both.text, '2 spans, browser and server, 200 ms')
    assert.deepEqual(both.bars[1], [25, 50, 's', 75])
  })

  it('shows the error on its request where its own span is not kept', () => {
    const spans = [aSpan('x', [0, 300]), request({})]
    assert.deepEqual(
      sketch(spans, 'gone').bars.map(([, , , error]) => error),
      [null, 37.1],
    )
  })

  it('keeps the longest of many spans, and always the one that failed', () => {
    const many = Array.from({ length: 40 }, (_, nth) => aSpan(`n${nth}`, [0, 100 + nth]))
    const { text, bars } = sketch([aSpan('short', [1, 2]), ...many], 'short')
    assert.equal(bars.length, 12)
    assert.notEqual(bars[0]?.[3], null)
    assert.equal(text, '41 spans, server, 139 ms')
  })

  it('says that a trace has more spans than were read', () => {
    const cut = { spans: [aSpan('a', [0, 5])], isCut: true, clockShiftMs: null, request: null }
    assert.equal(traceSketch(cut, { spanId: null, timestampMs: 1 }).text, 'more than 1 span, server, 5 ms')
  })
})
