/** Spans of one request in every order, in pieces and twice: each is shown once, and the request is counted once. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { anOtlpEnvelope, anOtlpExport, anOtlpSpan } from '#testing/builders/otlp.ts'
import { aSpan, spanEnvelope, spanId } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

const RANGE = { startMs: NOW - 86_400_000, endMs: NOW + 3_600_000 }
const FILTER = { range: RANGE, project: null, environment: null, release: null }

describe('spans as they arrive', () => {
  let shop: Shop
  let scope: ReadScope
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
  })
  after(() => shop.close())

  const ORDERS: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    ['together', [['a', 'b', 'c', 'd']]],
    ['the segment last', [['d'], ['c', 'b'], ['a']]],
    ['the segment first', [['a'], ['b'], ['c', 'd']]],
    [
      'twice',
      [
        ['a', 'b', 'c', 'd'],
        ['a', 'b', 'c', 'd'],
      ],
    ],
    [
      'in pieces that overlap',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'd'],
        ['c', 'a'],
      ],
    ],
  ]
  for (const [nth, [how, pieces]] of ORDERS.entries()) {
    it(`show each span once and count the request once, sent ${how}`, async () => {
      const trace = `${nth + 1}`.repeat(32)
      const route = `/orders-${nth}`
      const about = { 'http.request.method': 'GET', 'http.route': route, 'next.rsc': false }
      const spans = new Map(
        [
          { id: 'a', isSegment: true, attributes: about },
          { id: 'b', parent: 'a', op: 'db', at: 10, ms: 20 },
          { id: 'c', parent: 'b', op: 'db', at: 12, ms: 5 },
          { id: 'd', parent: 'a', op: 'http.client', at: 40, ms: 20 },
        ].map((parts) => [parts.id, aSpan({ ...parts, trace, segment: 'a' })]),
      )
      for (const piece of pieces) {
        await sendEnvelope(shop, shop.dsn, spanEnvelope(piece.map((id) => spans.get(id))))
      }
      const view = await shop.queries.trace(scope, trace)
      assert.deepEqual(
        view?.spans.map((span) => [span.spanId, span.depth]),
        [
          [spanId('a'), 0],
          [spanId('b'), 1],
          [spanId('c'), 2],
          [spanId('d'), 1],
        ],
      )
      const { rows } = await shop.queries.performance(scope, FILTER)
      assert.equal(rows.find((row) => row.route === route)?.count, 1)
    })
  }

  /** Returns the row of a trace in the list. */
  const listed = async (trace: string) => {
    const search = { range: RANGE, project: null, query: `trace:${trace}`, sort: 'newest' } as const
    const { rows, total } = await shop.queries.traces(scope, { ...search, limit: 10, cursor: null })
    const waits = rows.map(({ queriesMs, callsMs }) => [queriesMs, callsMs])
    return { spans: rows.map(({ spanCount }) => spanCount), waits, total }
  }

  it('are the same when they are sent again by a clock that was set right meanwhile', async () => {
    const trace = 'cafe0123'.repeat(4)
    const spans = [
      aSpan({ id: 'a', isSegment: true, segment: 'a', trace }),
      aSpan({ id: 'b', parent: 'a', segment: 'a', trace }),
    ]
    for (const behind of [0, 3_600_000, 7_200_000]) {
      const header = { sent_at: new Date(NOW - behind).toISOString() }
      await sendEnvelope(shop, shop.dsn, spanEnvelope(spans, {}, header))
    }
    const view = await shop.queries.trace(scope, trace)
    assert.deepEqual(
      view?.spans.map((span) => [span.spanId, span.startMs]),
      [
        [spanId('a'), NOW],
        [spanId('b'), NOW],
      ],
    )
    assert.deepEqual(await listed(trace), { spans: [2], waits: [[0, 0]], total: 1 })
  })

  it('are one request of the list with all its spans, in however many pieces it came', async () => {
    const trace = 'beef4567'.repeat(4)
    const [a, ...below] = [
      aSpan({ id: 'a', isSegment: true, segment: 'a', trace, attributes: { 'next.rsc': false } }),
      ...['b', 'c', 'd'].map((id, at) =>
        aSpan({ id, parent: 'a', segment: 'a', trace, op: 'db', at: 20 * at, ms: 10 }),
      ),
    ]
    await sendEnvelope(shop, shop.dsn, spanEnvelope([a, below[0]]))
    await sendEnvelope(shop, shop.dsn, spanEnvelope(below.slice(1)))
    assert.deepEqual(await listed(trace), { spans: [4], waits: [[30, 0]], total: 1 })
  })

  it('join in one waterfall, from a Sentry SDK and from OpenTelemetry', async () => {
    const trace = 'abcdef01'.repeat(4)
    const caller = [
      aSpan({ id: 'a', isSegment: true, segment: 'a', trace }),
      aSpan({ id: 'b', parent: 'a', segment: 'a', op: 'http.client', at: 10, ms: 60, trace }),
    ]
    const http = { 'http.request.method': 'GET', 'http.route': '/prices/{sku}' }
    const service = [
      anOtlpSpan({
        id: 'd',
        parent: 'c',
        kind: 3,
        at: 20,
        ms: 5,
        trace,
        attributes: { 'db.system': 'mysql' },
      }),
      anOtlpSpan({ id: 'c', parent: 'b', kind: 2, at: 15, ms: 50, trace, attributes: http }),
    ]
    // Each span on its own, as the simple processor sends them: children first.
    for (const span of service) {
      await sendEnvelope(shop, shop.dsn, anOtlpEnvelope(anOtlpExport([span])))
    }
    await sendEnvelope(shop, shop.dsn, spanEnvelope(caller))
    const view = await shop.queries.trace(scope, trace)
    assert.deepEqual(
      view?.spans.map((span) => [span.spanId, span.op, span.depth]),
      [
        [spanId('a'), 'http.server', 0],
        [spanId('b'), 'http.client', 1],
        [spanId('c'), 'http.server', 2],
        [spanId('d'), 'db', 3],
      ],
    )
    const { rows } = await shop.queries.performance(scope, FILTER)
    assert.equal(rows.find(({ route }) => route === '/prices/{sku}')?.count, 1)
  })
})
