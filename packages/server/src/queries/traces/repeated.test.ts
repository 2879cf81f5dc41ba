/** A query that a request ran again and again, as the page of its route shows it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

const HOUR = 3_600_000
const range = { startMs: NOW - HOUR, endMs: NOW + HOUR }
const REQUEST = { 'http.request.method': 'GET', 'http.route': '/orders', 'http.response.status_code': 200 }

describe('a query that runs again and again', () => {
  async function shown(calls: number) {
    const shop = await openShop()
    try {
      const of = (id: string, more: Omit<Parameters<typeof aSpan>[0], 'id'>) =>
        aSpan({ ...more, id, trace: 'c'.repeat(32), segment: 'a' })
      const query = (id: string, text: string, at: number, ms: number) =>
        of(id, { parent: 'b', op: 'db.query', at, ms, name: text, attributes: { 'db.query.text': text } })
      const spans = [
        of('a', { isSegment: true, ms: 100, attributes: { ...REQUEST, 'next.rsc': false } }),
        of('b', { parent: 'a', op: 'render', name: 'Orders', at: 10, ms: 80 }),
        query('c', 'SELECT * FROM orders WHERE user_id = 7', 12, 5),
        ...Array.from({ length: calls }, (_, at) =>
          query(`d${at}`, `SELECT * FROM lines WHERE id = ${at}`, 20 + at * 10, 8),
        ),
      ]
      await sendEnvelope(shop, shop.dsn, spanEnvelope(spans))
      const scope = await shop.people.owner.scope()
      const filter = { range, environment: null, release: null, project: 'shop', kind: null }
      return await shop.queries.route(scope, { ...filter, route: '/orders' })
    } finally {
      await shop.close()
    }
  }

  it('is shown with each call, what they are part of, and the query that gave the rows', async () => {
    const view = await shown(6)
    assert.equal(view?.costRequests, 1)
    const [found, ...others] = view.repeated
    assert.deepEqual(others, [])
    assert.ok(found !== undefined)
    const { calls, parent, before, description } = found
    assert.equal(description, 'SELECT * FROM lines WHERE id = ?')
    const rounded = (ms: number) => Math.round(ms)
    assert.deepEqual(
      calls.map(({ startMs, endMs }) => [startMs, endMs].map(rounded)),
      [0, 1, 2, 3, 4, 5].map((at) => [10 + at * 10, 18 + at * 10]),
    )
    assert.deepEqual([parent.text, rounded(parent.startMs), rounded(parent.endMs)], ['render Orders', 0, 80])
    assert.equal(before?.text, 'SELECT * FROM orders WHERE user_id = ?')
    assert.equal(view.costs.find((cost) => cost.description === description)?.count, 6)
  })

  it('is none where it runs a few times', async () => {
    assert.deepEqual((await shown(3))?.repeated, [])
  })
})

/** SDKs that stream spans send every few seconds what has ended: a request that runs then comes in parts. */
describe('a query that runs again and again, in a request that came in parts', () => {
  const statement = 'SELECT * FROM lines WHERE id = ?'

  function spansOf(trace: string, calls: number) {
    const of = (id: string, more: Omit<Parameters<typeof aSpan>[0], 'id'>) =>
      aSpan({ ...more, id, trace, segment: 'a' })
    const root = of('a', { isSegment: true, ms: 900, attributes: { ...REQUEST, 'next.rsc': false } })
    const queries = Array.from({ length: calls }, (_, at) => {
      const text = `SELECT * FROM lines WHERE id = ${at}`
      const attributes = { 'db.query.text': text, 'sentry.segment.name': 'GET /orders' }
      return of(`d${at}`, { parent: 'a', op: 'db.query', at: 20 + at * 10, ms: 8, name: text, attributes })
    })
    return { root, queries }
  }

  /** Sends each part, and looks once all have come. */
  async function found(trace: string, ...parts: readonly (readonly unknown[])[]) {
    const shop = await openShop()
    try {
      for (const part of parts) await sendEnvelope(shop, shop.dsn, spanEnvelope(part))
      return await shownIn(shop, trace)
    } finally {
      await shop.close()
    }
  }

  async function shownIn(shop: Shop, trace: string) {
    const scope = await shop.people.owner.scope()
    const filter = { range, environment: null, release: null, project: null, query: 'is:n+1' }
    const list = await shop.queries.traces(scope, { ...filter, sort: 'newest', limit: 10, cursor: null })
    const view = await shop.queries.trace(scope, trace, NOW)
    return {
      listed: list.rows.map(({ traceId }) => traceId),
      named: view?.spans.find(({ isSegment }) => isSegment)?.segment?.repeated,
    }
  }

  for (const order of ['first', 'last'] as const)
    it(`is found and named where the request’s own span came ${order}`, async () => {
      const trace = 'c'.repeat(32)
      const { root, queries } = spansOf(trace, 12)
      const [early, late] = [queries.slice(0, 7), queries.slice(7, 9)]
      const ends = [root, ...queries.slice(9)]
      const parts = order === 'first' ? [ends, early, late] : [early, late, ends]
      assert.deepEqual(await found(trace, ...parts), { listed: [trace], named: [statement] })
    })

  it('is named in its trace where no part alone has it often enough', async () => {
    const trace = 'd'.repeat(32)
    const { root, queries } = spansOf(trace, 8)
    const { named } = await found(trace, queries.slice(0, 4), [root, ...queries.slice(4)])
    assert.deepEqual(named, [statement])
  })

  it('is not another request’s', async () => {
    const [many, few] = ['e', 'f'].map((letter) => letter.repeat(32)) as [string, string]
    const [repeating, calm] = [spansOf(many, 9), spansOf(few, 4)]
    const parts = [repeating.queries, [repeating.root], calm.queries.slice(0, 2)]
    const shown = await found(few, ...parts, [calm.root, ...calm.queries.slice(2)])
    assert.deepEqual(shown, { listed: [many], named: [] })
  })
})
