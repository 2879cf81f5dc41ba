import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pickByTurns } from '#model/fair-share.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { aSpan, spanEnvelope, spanId, TRACE, transactionEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

const HOUR = 3_600_000
const RANGE = { startMs: NOW - 24 * HOUR, endMs: NOW + HOUR }
const FILTER = { range: RANGE, project: null, environment: null, release: null }

describe('a trace that another project writes into', () => {
  it('shows every span of one’s own, whatever ids and however many come from there', async () => {
    const shop = await openShop()
    try {
      const scope = await shop.people.owner.scope()
      const root = aSpan({ id: 'a', isSegment: true, segment: 'a', name: 'GET /orders' })
      const query = aSpan({ id: 'b', parent: 'a', segment: 'a', at: 5, ms: 5, name: 'SELECT' })
      await sendEnvelope(shop, shop.dsn, spanEnvelope([root, query]))
      const forged = aSpan({ id: 'a', isSegment: true, segment: 'a', at: -50, ms: 1, name: 'forged root' })
      const below = aSpan({ id: 'b', parent: 'b', segment: 'a', at: -50, ms: 1, name: 'forged below' })
      await sendEnvelope(shop, shop.vaultDsn, spanEnvelope([forged, below]))
      const trace = await shop.queries.trace(scope, TRACE)
      const own = trace?.spans.filter(({ projectId }) => projectId === shop.shop.id)
      assert.deepEqual(
        own?.map(({ name, depth, parentSpanId }) => [name, depth, parentSpanId]),
        [
          ['GET /orders', 0, null],
          ['SELECT', 1, spanId('a')],
        ],
      )
      assert.equal(trace?.spans.length, 4)
    } finally {
      await shop.close()
    }
  })

  it('leaves room for each project', () => {
    const rows = [...Array.from({ length: 50 }, (_, at) => `flood ${at}`), 'own 1', 'own 2']
    const kept = pickByTurns(rows, 10, (row) => row.split(' ')[0])
    assert.deepEqual([kept.length, kept.slice(-2)], [10, ['own 1', 'own 2']])
    assert.deepEqual(pickByTurns([1, 2], 2, String), [1, 2])
  })
})

describe('a trace whose spans are streamed', () => {
  it('names the segment whose own span did not come yet, until it comes', async () => {
    const shop = await openShop()
    try {
      const scope = await shop.people.owner.scope()
      const attributes = { 'sentry.segment.name': 'GET /orders/[id]' }
      const query = (id: string, at: number) =>
        aSpan({ id, at, ms: 5, parent: 'a', segment: 'a', attributes })
      await sendEnvelope(shop, shop.dsn, spanEnvelope([query('b', 5)]))
      await sendEnvelope(shop, shop.dsn, spanEnvelope([query('c', 6_000)]))
      assert.deepEqual((await shop.queries.trace(scope, TRACE))?.unendedSegments, ['GET /orders/[id]'])
      await sendEnvelope(shop, shop.dsn, spanEnvelope([aSpan({ id: 'a', isSegment: true, segment: 'a' })]))
      assert.deepEqual((await shop.queries.trace(scope, TRACE))?.unendedSegments, [])
    } finally {
      await shop.close()
    }
  })
})

describe('a trace', () => {
  let shop: Shop
  let scope: ReadScope
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    const attributes = { 'sentry.segment.name': 'GET /orders/[id]' }
    const query = { op: 'db', parent: 'a', segment: 'a', attributes }
    const db = (id: string, at: number) =>
      aSpan({ ...query, id, at, ms: 5, name: `SELECT * FROM lines WHERE id = ${at}` })
    const server = aSpan({
      ...{ id: 'a', isSegment: true, segment: 'a', status: 'error' },
      attributes: {
        ...{ 'http.response.status_code': 500, 'http.request.method': 'GET', 'next.rsc': false },
        ...{
          'sentry.release': 'shop@1.2.0',
          'sentry.environment': 'production',
          'http.route': '/orders/[id]',
        },
        ...{ 'http.target': '/orders/7?token=hunter2secret', 'user.email': 'anna@shop.example' },
        ...{ 'http.request.header.cookie': 'session=abcdefghijklmnop1234567890' },
      },
    })
    const children = [1, 2, 3, 4, 5, 6].map((nth) => db(`b${nth}`, nth * 10))
    await sendEnvelope(shop, shop.dsn, spanEnvelope(children))
    await sendEnvelope(shop, shop.dsn, spanEnvelope([server]))
    await sendEnvelope(shop, shop.dsn, spanEnvelope([server]))
    await send(shop, shop.dsn, anError({ contexts: { trace: { trace_id: TRACE, span_id: spanId('a') } } }))
  })
  after(() => shop.close())

  it('shows spans of several envelopes and errors in place, each once', async () => {
    const trace = await shop.queries.trace(scope, TRACE)
    assert.deepEqual(
      trace?.spans.map(({ spanId: id, depth }) => [id.replace(/^1+/, ''), depth]),
      [
        ['a', 0],
        ['b1', 1],
        ['b2', 1],
        ['b3', 1],
        ['b4', 1],
        ['b5', 1],
        ['b6', 1],
      ],
    )
    assert.deepEqual(
      trace?.errors.map((error) => error.spanId),
      [spanId('a')],
    )
    const [root] = trace?.spans ?? []
    assert.equal(root?.segment?.requestKind, 'document')
    assert.equal(root?.segment?.end, 'failed')
    assert.equal(root?.segment?.route, '/orders/[id]')
    assert.equal(Math.round(root?.ownMs ?? 0), 70)
    assert.deepEqual(
      trace?.projects.map(({ slug }) => slug),
      ['shop'],
    )
  })

  it('holds no secret', async () => {
    const text = JSON.stringify(await shop.queries.trace(scope, TRACE))
    assert.doesNotMatch(text, /hunter2secret|abcdefghijklmnop/)
  })

  it('is found by what its segment says, and not by who may not read it', async () => {
    const search = { range: RANGE, project: null, sort: 'newest', limit: 10, cursor: null } as const
    const found = async (query: string, of = scope) =>
      (await shop.queries.traces(of, { ...search, query })).total
    assert.equal(await found('kind:document status:failed'), 1)
    assert.equal(await found('route:/orders/[id] duration:>50ms op:http.server'), 1)
    assert.equal(await found('duration:>5s'), 0)
    assert.equal(await found('release:shop@1.2.0 orders'), 1)
    assert.equal(await found('status:ok'), 0)
    assert.equal(await found(`failed:yes ${TRACE.toUpperCase()}`), 1)
    assert.equal(await found('failed:no'), 0)
    assert.equal(await found('', await shop.people.rival.scope('rival')), 0)
    assert.equal(await shop.queries.trace(await shop.people.rival.scope('rival'), TRACE), null)
  })

  it('says which tag no request has', async () => {
    const search = { range: RANGE, project: null, sort: 'newest', limit: 10, cursor: null } as const
    const unknown = async (query: string) =>
      (await shop.queries.traces(scope, { ...search, query })).unknownTags
    assert.deepEqual(await unknown('durration:>5s kind:document'), [
      { key: 'durration', nearest: 'duration' },
    ])
    assert.deepEqual(await unknown('cart_size:3'), [{ key: 'cart_size', nearest: null }])
    assert.deepEqual(await unknown('release:none'), [])
    assert.deepEqual(await unknown('!cart_size:3'), [])
  })

  it('is counted once in the figures of its route, and its statements are called out', async () => {
    const { rows } = await shop.queries.performance(scope, FILTER)
    assert.deepEqual(
      rows.map(({ route, kind, count, failed, failedBehind200 }) => [
        route,
        kind,
        count,
        failed,
        failedBehind200,
      ]),
      [['/orders/[id]', 'document', 1, 1, 0]],
    )
    assert.ok(Math.abs((rows[0]?.p95Ms ?? 0) - 100) <= 2, String(rows[0]?.p95Ms))
    const view = await shop.queries.route(scope, {
      ...FILTER,
      project: 'shop',
      route: '/orders/[id]',
      kind: null,
    })
    assert.equal(view?.failed.length, 1)
    assert.deepEqual(
      view?.costs.map(({ op, description, count, repeatedIn }) => [op, description, count, repeatedIn]),
      [['db', 'SELECT * FROM lines WHERE id = ?', 6, 1]],
    )
  })

  it('comes from a transaction as well, with vitals', async () => {
    const trace = 'b'.repeat(32)
    const time = NOW / 1_000
    const transaction = {
      ...{ event_id: 'e'.repeat(32), transaction: '/orders/[id]', platform: 'javascript' },
      ...{ start_timestamp: time, timestamp: time + 1.5, transaction_info: { source: 'route' } },
      contexts: {
        trace: {
          trace_id: trace,
          span_id: spanId('c'),
          op: 'pageload',
          data: { 'sentry.sample_rate': 0.25 },
        },
      },
      measurements: { lcp: { value: 1_200, unit: 'millisecond' }, cls: { value: 0.05, unit: '' } },
      spans: [
        {
          span_id: spanId('d'),
          op: 'resource.script',
          description: '/a.js',
          start_timestamp: 4.2,
          timestamp: time + 1,
        },
      ],
    }
    await sendEnvelope(shop, shop.dsn, transactionEnvelope(transaction))
    await sendEnvelope(shop, shop.dsn, transactionEnvelope(transaction))
    const view = await shop.queries.performance(scope, FILTER)
    const row = view.rows.find(({ kind }) => kind === 'browser')
    assert.deepEqual([row?.count, row?.isEstimated], [4, true])
    assert.deepEqual(view.vitals.map(({ vital, count, shares }) => [vital, count, shares]).sort(), [
      ['cls', 4, [1, 0, 0]],
      ['lcp', 4, [1, 0, 0]],
    ])
    const shown = await shop.queries.trace(scope, trace)
    assert.deepEqual(
      shown?.spans.map(({ depth, startMs }) => [depth, startMs]),
      [
        [0, NOW],
        [1, NOW],
      ],
    )
  })
})
