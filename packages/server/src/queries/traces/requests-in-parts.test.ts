/**
 * SDKs that stream spans send every few seconds what has ended by then, and at once when an error is captured: a request
 * that runs then comes in parts. It is the same request in whichever parts it came.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { aSpan, type SpanParts, spanEnvelope } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

const range = { startMs: NOW - 3_600_000, endMs: NOW + 3_600_000 }
const FILTER = { range, project: null, environment: null }

type Part = readonly SpanParts[]
type Attributes = NonNullable<SpanParts['attributes']>

/** The first span is the request's own; those below in the order in which they end. */
interface Request {
  readonly what: string
  readonly sdk: string
  readonly name: string
  readonly spans: readonly SpanParts[]
}

function kitRequest(what: string, name: string, own: Attributes, below: readonly SpanParts[]): Request {
  const [method = '', route = ''] = name.split(' ')
  const attributes = {
    ...{ 'http.method': method, 'http.route': route, 'url.full': `https://garden.example${route}` },
    ...{ 'sveltekit.is_data_request': false, 'sveltekit.is_sub_request': false, ...own },
  }
  const root: SpanParts = { id: 'a', name, isSegment: true, ms: 900, attributes }
  return { what, name, sdk: 'sentry.javascript.sveltekit', spans: [root, ...below] }
}

const resolved = (status: number): SpanParts => ({
  ...{ id: 'c', parent: 'b', op: 'function.sveltekit.resolve', name: 'sveltekit.resolve', at: 10, ms: 80 },
  attributes: { 'http.response.status_code': status },
})
const HANDLE: SpanParts = {
  id: 'b',
  parent: 'a',
  op: 'function.sveltekit.handle',
  name: 'handle',
  at: 5,
  ms: 90,
}
const below = (name: string, attributes: Attributes = {}): SpanParts => ({
  ...{ id: 'd', parent: 'c', op: `function.${name}`, name, at: 20, ms: 30, attributes },
})
const THROWN = { 'sveltekit.load.result.type': 'unknown_error' }
const FORM = { 'sveltekit.form_action.name': 'drown', 'sveltekit.form_action.result.type': 'success' }
const DOCUMENT = { 'http.request.header.accept': 'text/html,*/*' }

const REQUESTS: readonly Request[] = [
  kitRequest('a page', 'GET /plants', DOCUMENT, [below('sveltekit.load'), resolved(200), HANDLE]),
  kitRequest('a page that fails', 'GET /wither', DOCUMENT, [
    below('sveltekit.load', THROWN),
    resolved(500),
    HANDLE,
  ]),
  kitRequest('data that fails behind 200', 'GET /data', { 'sveltekit.is_data_request': true }, [
    below('sveltekit.load', THROWN),
    resolved(200),
    HANDLE,
  ]),
  kitRequest('a redirect', 'GET /moved', DOCUMENT, [below('sveltekit.load'), resolved(303), HANDLE]),
  kitRequest('a file that a handler makes', 'GET /export.csv', DOCUMENT, [
    below('sveltekit.endpoint'),
    resolved(200),
    HANDLE,
  ]),
  kitRequest('a form that no page sent', 'POST /forms', {}, [
    below('sveltekit.form_action', FORM),
    { ...below('sveltekit.load'), id: 'e', at: 55, ms: 5 },
    resolved(200),
    HANDLE,
  ]),
  {
    ...{ what: 'what waits for a database', name: 'GET /slow', sdk: 'sentry.javascript.node' },
    spans: [
      {
        ...{ id: 'a', name: 'GET /slow', isSegment: true, ms: 900 },
        attributes: { 'http.request.method': 'GET', 'http.route': '/slow', 'http.response.status_code': 200 },
      },
      { id: 'b', parent: 'a', op: 'db.query', name: 'SELECT 1', at: 10, ms: 500 },
      { id: 'c', parent: 'a', op: 'http.client', name: 'GET https://api.example', at: 520, ms: 100 },
      { id: 'd', parent: 'a', op: 'cache.get', name: 'GET', at: 640, ms: 100 },
    ],
  },
]

/** How the spans of a request came, by their places in it. */
const SPLITS: Readonly<Record<string, (spans: Part) => readonly Part[]>> = {
  whole: (spans) => [spans],
  'root last': ([root, ...rest]) => [rest, root === undefined ? [] : [root]],
  'root first': ([root, ...rest]) => [root === undefined ? [] : [root], rest],
  'root between': ([root, first, ...rest]) => [
    first === undefined ? [] : [first],
    root === undefined ? [] : [root],
    rest,
  ],
  'root with its end': ([root, first, ...rest]) => [
    first === undefined ? [] : [first],
    [...rest, ...(root === undefined ? [] : [root])],
  ],
  'root with its beginning': ([root, first, ...rest]) => [
    [...(first === undefined ? [] : [first]), ...(root === undefined ? [] : [root])],
    rest,
  ],
  alone: ([root, ...rest]) => [...rest.map((span) => [span]), root === undefined ? [] : [root]],
}

const SEARCHES: readonly string[] = [
  ...['op:db.query', 'op:cache*', 'op:function.sveltekit.load', 'op:none'],
  ...['status:500', '!status:500', 'status:303', 'status:200', 'status:failed', '!is:failed'],
  ...['status:failed-behind-200', 'waits:database', '!waits:database', 'kind:action', 'kind:route-handler'],
]

describe('a request that came in parts', () => {
  let shop: Shop
  let scope: ReadScope
  const traceOf = (split: number, request: number) => `${split + 1}${request + 1}`.repeat(16)
  before(async () => {
    shop = await openShop()
    scope = await shop.people.owner.scope()
    for (const [nth, [release, parts]] of Object.entries(SPLITS).entries())
      for (const [at, { name, sdk, spans }] of REQUESTS.entries()) {
        const said = {
          ...{ 'sentry.sdk.name': sdk, 'sentry.release': release, 'sentry.segment.name': name },
          'sentry.segment.name.source': 'route',
        }
        for (const part of parts(spans).filter(({ length }) => length > 0)) {
          const sent = part.map((span) =>
            aSpan({
              ...{ ...span, trace: traceOf(nth, at), segment: 'a' },
              attributes: { ...said, ...span.attributes },
            }),
          )
          await sendEnvelope(shop, shop.dsn, spanEnvelope(sent))
        }
      }
  })
  after(() => shop.close())

  /** Rows of the list, told apart by the name of their request. */
  async function listed(release: string, query = '') {
    const search = {
      range,
      project: null,
      sort: 'newest',
      limit: 50,
      cursor: null,
      withOthers: true,
    } as const
    const list = await shop.queries.traces(scope, { ...search, query: `release:"${release}" ${query}` })
    assert.deepEqual(list.problems, [])
    return list
  }

  const inWhole = async <T>(read: (release: string, nth: number) => Promise<T>) => {
    const whole = await read('whole', 0)
    for (const [nth, release] of Object.keys(SPLITS).entries())
      assert.deepEqual(await read(release, nth), whole, release)
    return whole
  }

  it('is counted by the same kind, route and end', async () => {
    const figures = await inWhole(async (release) => {
      const { rows, actions } = await shop.queries.performance(scope, { ...FILTER, release })
      const counted = rows.map(
        ({ kind, route, count, failed, failedBehind200, aborted }) =>
          `${kind} ${route} ${count} ${failed} ${failedBehind200} ${aborted}`,
      )
      return [...counted, ...actions.map(({ route, action, count }) => `${route} ${action} ${count}`)].sort()
    })
    assert.deepEqual(figures, [
      '/forms drown 1',
      'action /forms 1 0 0 0',
      'document /moved 1 0 0 0',
      'document /plants 1 0 0 0',
      'document /wither 1 1 0 0',
      'page-data /data 1 1 1 0',
      'route-handler /export.csv 1 0 0 0',
      'route-handler /slow 1 0 0 0',
    ])
  })

  it('is one row of the list that says the same', async () => {
    const rows = await inWhole(async (release) => {
      const found = (await listed(release)).rows
      return found
        .map(({ requestKind, name, route, action, end, httpStatus, method, ...row }) => {
          const { spanCount, queriesMs, callsMs, durationMs, op, status, services } = row
          const said = { requestKind, name, route, action, end, httpStatus, method, op, status, services }
          return { ...said, spanCount, queriesMs, callsMs, durationMs }
        })
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    })
    assert.deepEqual(
      rows.map(({ name, httpStatus, spanCount }) => [name, httpStatus, spanCount]),
      [
        ['GET /data', 200, 4],
        ['GET /export.csv', 200, 4],
        ['GET /moved', 303, 4],
        ['GET /plants', 200, 4],
        ['GET /slow', 200, 4],
        ['GET /wither', 500, 4],
        ['POST /forms', 200, 5],
      ],
    )
  })

  it('is found by the same searches, and counted beside them', async () => {
    const found = new Map<string, number>()
    for (const query of SEARCHES) {
      const names = await inWhole(async (release) => {
        const { rows, total, facets } = await listed(release, query)
        return {
          total,
          names: rows.map(({ name }) => name).sort(),
          facets: facets.filter(({ tag }) => tag !== 'release'),
        }
      })
      found.set(query, names.total)
    }
    const asked = (...queries: readonly string[]) => queries.map((query) => found.get(query))
    assert.deepEqual(asked('op:db.query', 'op:cache*', 'op:function.sveltekit.load', 'op:none'), [1, 1, 5, 0])
    assert.deepEqual(asked('status:500', '!status:500', 'status:303', 'status:200'), [1, 6, 1, 5])
    assert.deepEqual(asked('waits:database', 'status:failed', 'status:failed-behind-200'), [1, 2, 1])
  })

  it('says the same of itself on the page of its trace', async () => {
    for (const [at, { what }] of REQUESTS.entries()) {
      const segment = await inWhole(async (_, nth) => {
        const view = await shop.queries.trace(scope, traceOf(nth, at))
        const segments = view?.spans.flatMap((span) => span.segment ?? []) ?? []
        return segments.map(({ requestKind, route, action, end, httpStatus, method, repeated }) => ({
          ...{ requestKind, route, action, end, httpStatus, method, repeated, spans: view?.spans.length },
        }))
      })
      assert.equal(segment.length, 1, what)
    }
  })

  it('is an example of its route with all its spans', async () => {
    for (const { name } of REQUESTS) {
      const route = name.split(' ')[1] ?? ''
      const slow = await inWhole(async (release) => {
        const view = await shop.queries.route(scope, {
          ...FILTER,
          project: 'shop',
          release,
          route,
          kind: null,
        })
        const said = [...(view?.slow ?? []), ...(view?.failed ?? [])]
        return said.map(({ spanCount, httpStatus, end, queriesMs }) => [
          spanCount,
          httpStatus,
          end,
          queriesMs,
        ])
      })
      assert.ok(slow.length > 0, name)
    }
  })
})

describe('statuses of requests that came in parts', () => {
  const own = (id: string, status: unknown): SpanParts => ({
    ...{ id: 'a', name: `GET /${id}`, isSegment: true, ms: 90 },
    attributes: { ...DOCUMENT, 'http.request.method': 'GET', 'http.response.status_code': status as number },
  })
  const said = (status: number): SpanParts => ({ ...resolved(status), parent: 'a' })

  async function found(parts: readonly Part[], query: string) {
    const shop = await openShop()
    try {
      for (const part of parts) {
        const sent = part.map((span) =>
          aSpan({
            ...{ ...span, trace: 'c'.repeat(32), segment: 'a' },
            attributes: { 'sentry.sdk.name': 'sentry.javascript.sveltekit', ...span.attributes },
          }),
        )
        await sendEnvelope(shop, shop.dsn, spanEnvelope(sent))
      }
      const scope = await shop.people.owner.scope()
      const search = { range, project: null, sort: 'newest', limit: 50, cursor: null } as const
      const { rows } = await shop.queries.traces(scope, { ...search, query })
      return rows.map(({ httpStatus }) => httpStatus)
    } finally {
      await shop.close()
    }
  }

  it('are the request’s own before what its parts say, in the list and in its search', async () => {
    const parts = [[said(404)], [own('moved', 302)]]
    assert.deepEqual(await found(parts, 'status:302'), [302])
    assert.deepEqual(await found(parts, 'status:404'), [])
    assert.deepEqual(await found(parts, '!status:404'), [302])
  })

  for (const status of [200.5, 1e20, -1, 1_000])
    it(`are none where a number is no status: ${status}`, async () => {
      assert.deepEqual(await found([[own('odd', status)]], ''), [null])
      assert.deepEqual(await found([[said(status)], [own('odd', undefined)]], ''), [null])
    })
})
