/** Failures that were answered with HTTP 200: the segment says ok, and only the error event knows better. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { aSpan, spanEnvelope, spanId } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

const HOUR = 3_600_000
const NONE = { count: 1, failed: 0, failedBehind200: 0 }
const BEHIND = { count: 1, failed: 1, failedBehind200: 1 }

interface Place {
  readonly route: string
  readonly trace: string
  readonly id?: string
  /** Milliseconds from `NOW`. */
  readonly at?: number
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

function segment({ route, trace, id = 'a', at = 0, attributes = {} }: Place) {
  const own = {
    ...{ 'sentry.sdk.name': 'sentry.javascript.nextjs', 'http.route': route, 'next.rsc': false },
    ...{ 'http.request.method': 'GET', 'http.response.status_code': 200, ...attributes },
  }
  return aSpan({ id, isSegment: true, segment: id, at, trace, name: `GET ${route}`, attributes: own })
}

/** Builds a failure as `onRequestError` sends it, 50 ms after the segment of the same place began. */
function failure({ route, trace, at = 0 }: Place, change: Readonly<Record<string, unknown>> = {}) {
  const nextjs = { route_type: 'render', router_path: route, router_kind: 'App Router' }
  return anError({
    ...{ timestamp: (NOW + at + 50) / 1_000, transaction: `GET ${route}` },
    request: { url: `https://shop.test${route}`, method: 'GET', headers: {} },
    contexts: { trace: { trace_id: trace, span_id: '1'.repeat(16) }, nextjs },
    sdk: { name: 'sentry.javascript.nextjs', version: '11.8.0' },
    ...change,
  })
}

const ACTION_HEADERS = { 'Next-Action': '40ab' }
const ACTION = { 'http.request.method': 'POST', 'http.request.header.next-action': '40ab' }

describe('a failure answered with HTTP 200', () => {
  let shop: Shop
  let scope: ReadScope
  let places = 0
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
  })
  after(() => shop.close())

  function aPlace(): Place {
    places += 1
    return {
      route: `/late-${'abcdefghijklmnopqrstuvwxyz'[places]}`,
      trace: `${String(places).padStart(2, '0')}${'e'.repeat(30)}`,
    }
  }
  const comes = (...segments: readonly object[]) => sendEnvelope(shop, shop.dsn, spanEnvelope(segments))
  const tells = (event: Readonly<Record<string, unknown>>) => send(shop, shop.dsn, event)

  async function figures(route: string, kind = 'document') {
    const query = { projects: null, startMs: NOW - 24 * HOUR, endMs: NOW + HOUR, route }
    const rows = await shop.queries.requests.routes(scope, query)
    const [row] = rows.filter((one) => one.kind === kind)
    return { count: row?.count, failed: row?.failed, failedBehind200: row?.failedBehind200 }
  }

  it('counts as failed when its error comes after it', async () => {
    const place = aPlace()
    await comes(segment(place))
    assert.deepEqual(await figures(place.route), NONE)
    await tells(failure(place))
    assert.deepEqual(await figures(place.route), BEHIND)
  })

  it('counts as failed when its error comes before it', async () => {
    const place = aPlace()
    await tells(failure(place))
    await comes(segment(place))
    assert.deepEqual(await figures(place.route), BEHIND)
  })

  it('counts once, however often segment and errors come', async () => {
    const place = aPlace()
    const event = failure(place)
    await comes(segment(place))
    await tells(event)
    await tells(event)
    await tells(failure(place))
    await comes(segment(place))
    await comes(
      segment(place),
      aSpan({ id: 'b', segment: 'a', trace: place.trace, op: 'db', name: 'SELECT 1' }),
    )
    assert.deepEqual(await figures(place.route), BEHIND)
  })

  it('counts as failed where SvelteKit’s hook tells of it, which says that the app’s own function handled it', async () => {
    const place = aPlace()
    const mechanism = { type: 'auto.function.sveltekit.handle_error', handled: true }
    await comes(segment(place))
    await tells(failure(place, { exception: { values: [{ type: 'Error', value: 'x', mechanism }] } }))
    assert.deepEqual(await figures(place.route), BEHIND)
  })

  it('is found by its own times, whatever time lies between what comes', async () => {
    const place = aPlace()
    await tells(failure(place))
    shop.clock.advance(10 * 60_000)
    await comes(segment(place))
    assert.deepEqual(await figures(place.route), BEHIND)
    const later = aPlace()
    await comes(segment(later))
    shop.clock.advance(10 * 60_000)
    await tells(failure(later))
    assert.deepEqual(await figures(later.route), BEHIND)
  })

  it('is found by a search for what failed, and told as such', async () => {
    const [place, other] = [aPlace(), aPlace()]
    await comes(segment(place), segment(other))
    const found = async (query: string) => {
      const range = { startMs: NOW - 24 * HOUR, endMs: NOW + HOUR }
      const search = { range, project: null, sort: 'newest', limit: 50, cursor: null } as const
      const { rows, total, points } = await shop.queries.traces(scope, { ...search, query })
      assert.equal(total, rows.length)
      return { rows: rows.map(({ end }) => end), points: points.map(({ end }) => end) }
    }
    const none = { rows: [], points: [] }
    const [ok, behind] = [['answered'], ['failed-behind-200']]
    assert.deepEqual(await found(`route:${place.route} status:failed`), none)
    await tells(failure(place))
    for (const query of ['status:failed', 'status:failed-behind-200', '!status:ok', '']) {
      assert.deepEqual(await found(`route:${place.route} ${query}`), { rows: behind, points: behind }, query)
    }
    assert.deepEqual(await found(`route:${place.route} status:ok`), none)
    assert.deepEqual(await found(`route:${other.route} status:ok`), { rows: ok, points: ok })
  })

  it('names the issue of a request’s error, and never that of another request', async () => {
    const [place, quiet] = [aPlace(), aPlace()]
    const { route, trace } = place
    const throws = (type: string) => ({
      exception: { values: [{ type, value: 'late', mechanism: { type: 'onerror', handled: false } }] },
    })
    const inSpan = (id: string) => ({ contexts: { trace: { trace_id: trace, span_id: spanId(id) } } })
    await comes(segment(place), segment({ ...place, id: 'c', at: 10 }), segment(quiet))
    await tells(failure(place, { ...throws('OldError'), ...inSpan('a') }))
    await tells(failure({ ...place, at: 1 }, { ...throws('NewError'), ...inSpan('a') }))
    await tells(failure({ ...place, at: 9_000_000 }, { ...throws('LaterError'), ...inSpan('d') }))
    const errors = async (route: string, by: ReadScope) => {
      const range = { startMs: NOW - 24 * HOUR, endMs: NOW + HOUR }
      const search = { range, project: null, sort: 'newest', limit: 50, cursor: null } as const
      const { rows } = await shop.queries.traces(by, { ...search, query: `route:${route}` })
      return rows.map(({ segmentId, error }) => [segmentId?.at(-1), error?.type, error?.others])
    }
    assert.deepEqual(await errors(route, scope), [
      ['c', undefined, undefined],
      ['a', 'NewError', 1],
    ])
    assert.deepEqual(await errors(quiet.route, scope), [['a', undefined, undefined]])
    const filter = { project: 'shop', environment: null, release: null, kind: null, route }
    const range = { startMs: NOW - 24 * HOUR, endMs: NOW + HOUR }
    const view = await shop.queries.route(scope, { ...filter, range })
    const examples = view?.slow.map(({ segmentId, error }) => [segmentId?.at(-1), error?.type] as const)
    assert.deepEqual(
      new Map(examples),
      new Map([
        ['a', 'NewError'],
        ['c', undefined],
      ]),
    )
  })

  it('weighs as much as the segments that it stands for', async () => {
    const place = aPlace()
    await comes(segment({ ...place, attributes: { 'sentry.sample_rate': 0.25 } }))
    await tells(failure(place))
    assert.deepEqual(await figures(place.route), { count: 4, failed: 4, failedBehind200: 4 })
  })

  for (const [name, change] of [
    ['of a browser', { platform: 'javascript', sdk: { name: 'sentry.javascript.react' } }],
    [
      'that the app handled',
      {
        exception: { values: [{ type: 'Error', value: 'x', mechanism: { type: 'generic', handled: true } }] },
      },
    ],
    ['that is only a warning', { level: 'warning' }],
    [
      'of another trace',
      {
        contexts: {
          trace: { trace_id: 'd'.repeat(32), span_id: '1'.repeat(16) },
          nextjs: { route_type: 'render', router_path: '/late-z' },
        },
      },
    ],
    ['of long after', { timestamp: (NOW + 3_000) / 1_000 }],
  ] as const) {
    it(`is not told by an error ${name}`, async () => {
      const place = aPlace()
      await comes(segment(place))
      await tells(failure(place, change))
      assert.deepEqual(await figures(place.route), NONE)
    })
  }

  it('is told of the request of its own kind: an action has the trace of its page', async () => {
    const place = aPlace()
    await comes(segment(place), segment({ ...place, id: 'b', at: 10, attributes: ACTION }))
    await tells(failure(place))
    assert.deepEqual(await figures(place.route), BEHIND)
    assert.deepEqual(await figures(place.route, 'action'), NONE)
  })

  it('adds nothing to a request that failed by itself', async () => {
    const place = aPlace()
    await tells(failure(place))
    await comes({
      ...segment({ ...place, attributes: { 'http.response.status_code': 500 } }),
      status: 'error',
    })
    assert.deepEqual(await figures(place.route), { count: 1, failed: 1, failedBehind200: 0 })
  })

  it('is of the nearest of several requests, in every order', async () => {
    const place = aPlace()
    const well = segment(place)
    const broken = { ...place, id: 'b', at: 1_000 }
    await comes(well)
    await tells(failure(broken))
    assert.deepEqual(await figures(place.route), BEHIND, 'nothing nearer is known')
    await comes({
      ...segment({ ...broken, attributes: { 'http.response.status_code': 500 } }),
      status: 'error',
    })
    assert.deepEqual(await figures(place.route), { count: 2, failed: 1, failedBehind200: 0 })
  })

  it('shows in its trace, with the other segments as they were', async () => {
    const place = aPlace()
    await comes(segment(place), segment({ ...place, id: 'b', at: 10, attributes: ACTION }))
    await tells(failure(place))
    const trace = await shop.queries.trace(scope, place.trace)
    assert.deepEqual(
      trace?.spans.map((span) => [span.segment?.requestKind, span.segment?.end]),
      [
        ['document', 'failed-behind-200'],
        ['action', 'answered'],
      ],
    )
  })

  it('names an action by the wrapper that ran below it', async () => {
    const place = aPlace()
    const wrapper = aSpan({
      ...{ id: 'c', parent: 'b', isSegment: true, segment: 'c', trace: place.trace, op: 'function' },
      name: 'payOrder',
      attributes: {
        ...{ 'sentry.kind': 'server', 'sentry.origin': 'auto.function.nextjs.server_action' },
        ...{ 'sentry.description': 'serverAction/payOrder', 'http.request.header.next-action': '40ab' },
      },
    })
    await comes(segment({ ...place, id: 'b', attributes: ACTION }))
    await comes(wrapper)
    assert.deepEqual(await figures(place.route, 'action'), NONE)
    const trace = await shop.queries.trace(scope, place.trace)
    assert.equal(trace?.spans[0]?.segment?.action, 'payOrder')
    const next = { ...aPlace(), id: 'd' }
    await comes(segment({ ...next, attributes: ACTION }))
    await tells(
      failure(next, { request: { url: 'https://shop.test/', method: 'POST', headers: ACTION_HEADERS } }),
    )
    const range = { startMs: NOW - 24 * HOUR, endMs: NOW + HOUR }
    const of = { projects: null, route: next.route, ...range }
    const [row, ...others] = await shop.queries.requests.actions(scope, of)
    assert.deepEqual([row?.action, row?.count, row?.failedBehind200, others.length], ['payOrder', 1, 1, 0])
    const filter = { project: 'shop', environment: null, release: null, range }
    const view = await shop.queries.route(scope, { ...filter, ...next, kind: null, action: 'payOrder' })
    assert.deepEqual([view?.kind, view?.figures.failedBehind200], ['action', 1])
    assert.deepEqual(
      view?.slow.map(({ traceId, action }) => [traceId, action]),
      [[next.trace, 'payOrder']],
    )
    assert.deepEqual(
      view?.failed.map(({ traceId, end }) => [traceId, end]),
      [[next.trace, 'failed-behind-200']],
    )
    const list = await shop.queries.traces(scope, {
      ...{
        range,
        project: 'shop',
        query: `route:${next.route} action:payOrder`,
        sort: 'newest',
        limit: 10,
        cursor: null,
      },
    })
    assert.deepEqual(
      list.rows.map(({ traceId }) => traceId),
      [next.trace],
    )
  })
})
