import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TraceError, TraceSpan, TraceView } from '@errata/server/queries'
import { notesOf } from './notes.ts'
import { timedTrace } from './span-columns.ts'
import { spanDetails } from './span-details.ts'

type Segment = NonNullable<TraceSpan['segment']>

const PROJECT: TraceSpan['projectId'] = JSON.parse('1')
const NO_EVENT: Segment['fragmentId'] = JSON.parse(`"${'0'.repeat(32)}"`)

function aSegment(more: Partial<Segment>): Segment {
  return {
    ...{ requestKind: 'document', route: '/orders/[id]', method: 'GET', httpStatus: 200, end: 'answered' },
    ...{
      action: null,
      actionId: null,
      release: 'shop@1.0.0',
      environment: null,
      user: null,
      sdk: null,
      platform: 'node',
    },
    ...{ vitals: {}, repeated: [], isSampledOut: false, fragmentId: NO_EVENT },
    ...more,
  }
}

function aSpan(spanId: string, depth: number, more: Partial<TraceSpan>): TraceSpan {
  return {
    ...{ projectId: PROJECT, spanId, depth, parentSpanId: null, shownBelow: null },
    ...{ isSegment: false, op: 'task', name: spanId, status: 'ok', startMs: 1_000, endMs: 1_100, ownMs: 0 },
    ...{ isCritical: false, origin: null, attributes: {}, links: [], segment: null },
    ...more,
  }
}

const SPANS: readonly TraceSpan[] = [
  aSpan('page', 0, {
    ...{ op: 'pageload', startMs: 1_040, endMs: 1_640, isCritical: true },
    segment: aSegment({ requestKind: 'browser', platform: 'javascript', vitals: { lcp: 300 }, end: null }),
  }),
  aSpan('fetch', 1, { op: 'http.client', startMs: 1_140, endMs: 1_440 }),
  aSpan('server', 2, {
    ...{ op: 'http.server', startMs: 1_150, endMs: 1_350, status: 'error' },
    segment: aSegment({ requestKind: 'page-data', end: 'failed-behind-200', repeated: ['SELECT ?'] }),
  }),
  aSpan('query', 3, {
    op: 'db.query',
    startMs: 1_160,
    endMs: 1_170,
    attributes: { rows: 3, in: ['a', 'b'] },
  }),
  aSpan('call', 3, {
    op: 'http.client',
    startMs: 1_180,
    endMs: 1_200,
    attributes: { 'http.response.status_code': 404 },
  }),
  aSpan('script', 1, {
    ...{ op: 'resource.script', startMs: 1_240, endMs: 1_260, status: 'cancelled' },
    attributes: { 'http.response_transfer_size': 18_432 },
  }),
  aSpan('alone', 0, { op: 'ui.long-task', startMs: 1_500, endMs: 1_501.234 }),
]

function aTrace(more: Partial<TraceView> = {}): TraceView {
  return {
    ...{ traceId: 'a'.repeat(32), startMs: 1_000, endMs: 2_000, spans: SPANS, errors: [] },
    ...{
      projects: [{ id: PROJECT, slug: 'shop', name: 'Shop' }],
      isCut: false,
      sampledOut: 0,
      clockShiftMs: null,
      unendedSegments: [],
    },
    ...more,
  }
}

describe('columns of spans', () => {
  it('say where each span ran: as its segment, or as its operation where none came', () => {
    assert.equal(timedTrace(aTrace()).columns.sides, 'bbsdsbb')
  })

  it('hold marks by place: failed, critical, kinds, status or size, the largest paint', () => {
    const { columns } = timedTrace(aTrace())
    assert.deepEqual([columns.failed, columns.behind200, columns.critical], [[2], [2], [0]])
    assert.deepEqual(columns.kinds, { 0: 'browser', 2: 'page-data' })
    assert.deepEqual(columns.notes, { 0: '200', 2: '200', 4: '404', 5: '18 KiB' })
    assert.deepEqual(columns.lcpMs, { 0: 300 })
    assert.deepEqual(columns.tookMs.at(-1), 1.23)
  })

  it('hold each text once', () => {
    const { texts, op } = timedTrace(aTrace()).columns
    assert.equal(texts.length, new Set(texts).size)
    assert.equal(op[1], op[4])
  })

  it('call the request of an action by both, where its address does not tell it', () => {
    const segment = aSegment({ requestKind: 'action', action: 'addToCart' })
    const spans = ['POST /cart', 'serverAction/addToCart'].map((name, depth) =>
      aSpan(name, depth, { segment }),
    )
    const { texts, name } = timedTrace(aTrace({ spans })).columns
    assert.deepEqual(
      name.map((place) => texts[place]),
      ['POST /cart, addToCart', 'serverAction/addToCart'],
    )
  })

  it('shift what the browser timed, errors included, by what its clock is off', () => {
    const error = (spanId: string | null, atMs: number): TraceError => ({
      ...{
        projectId: PROJECT,
        eventId: NO_EVENT,
        issueId: JSON.parse('1'),
        shortId: 'SHOP-1',
        title: 'E: x',
      },
      ...{ level: 'error', atMs, spanId, isMirror: false, digest: null },
    })
    const errors = [error('fetch', 1_440), error('server', 1_200), error(null, 1_300)]
    const { startMs, totalMs, columns, errorAtMs } = timedTrace(aTrace({ clockShiftMs: 40, errors }))
    assert.equal(startMs, 1_000)
    assert.deepEqual(columns.startMs.slice(0, 4), [0, 100, 150, 160])
    assert.deepEqual(errorAtMs, [400, 200, 300])
    assert.equal(totalMs, 600)
    const only = timedTrace(aTrace({ spans: [], errors: [error(null, 1_300)] }))
    assert.deepEqual([only.startMs, only.totalMs, only.errorAtMs], [1_300, 0, [0]])
  })
})

describe('details of a span', () => {
  it('are of its own and of the request it belongs to', () => {
    const query = spanDetails(aTrace(), 'query')
    assert.deepEqual(query?.attributes, [
      ['in', 'a, b'],
      ['rows', '3'],
    ])
    assert.deepEqual(
      [query?.request?.requestKind, query?.inside, query?.project],
      ['page-data', null, 'shop'],
    )
    assert.equal(spanDetails(aTrace(), 'script')?.request?.requestKind, 'browser')
    assert.equal(spanDetails(aTrace(), 'alone')?.request, null)
    assert.equal(spanDetails(aTrace(), 'nobody'), null)
  })

  it('sum up what ran below', () => {
    const server = spanDetails(aTrace(), 'server')
    assert.deepEqual(server?.inside, { queries: { count: 1, ms: 10 }, calls: { count: 1, ms: 20 } })
    assert.deepEqual(server?.repeated, ['SELECT ?'])
    assert.equal(spanDetails(aTrace(), 'page')?.inside?.calls.count, 2)
  })
})

describe('spans whose parent was not received', () => {
  it('are those that are not below the parent they were sent with, but for requests', () => {
    const spans = [
      aSpan('server', 0, { parentSpanId: 'elsewhere', segment: aSegment({}) }),
      aSpan('query', 1, { parentSpanId: 'server', shownBelow: 'server' }),
      aSpan('lost', 1, { parentSpanId: 'never-came', shownBelow: 'server' }),
      aSpan('alone', 0, { parentSpanId: 'never-came' }),
      aSpan('root', 0, {}),
    ]
    assert.deepEqual(timedTrace(aTrace({ spans })).columns.orphans, [2, 3])
  })
})

describe('notes of a waterfall', () => {
  it('say what is shifted, cut and left out', () => {
    const { columns } = timedTrace(aTrace())
    const none = { clockShiftMs: null, isCut: false, sampledOut: 0, columns, errors: [] }
    assert.deepEqual(notesOf(none), [])
    assert.deepEqual(notesOf({ ...none, clockShiftMs: -37.6 }), [
      'Browser clock runs 38 ms behind; its spans are shifted by that.',
    ])
    assert.deepEqual(notesOf({ ...none, clockShiftMs: 598_335 }), [
      'Browser clock runs 9 min 58 s ahead; its spans are shifted by that.',
    ])
    assert.deepEqual(notesOf({ ...none, columns: { ...columns, orphans: [1] } }), [
      '1 span is listed at the top level: its parent has not arrived. A span is sent when it ends, so the longest come last.',
    ])
    assert.deepEqual(notesOf({ ...none, columns: { ...columns, orphans: [1, 3] } }), [
      '2 spans are listed at the top level: their parents have not arrived. A span is sent when it ends, so the longest come last.',
    ])
    assert.deepEqual(notesOf({ ...none, clockShiftMs: 0.2, isCut: true, sampledOut: 2 }), [
      'The trace has more spans; the first 7 are shown.',
      'The project’s sample rate dropped the spans of 2 requests; they are counted.',
    ])
  })
})
