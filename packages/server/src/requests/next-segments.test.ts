import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSpanBatch } from '#normalize/spans/batch.ts'
import { readTransaction } from '#normalize/spans/transaction.ts'
import { aSpan, type SpanParts } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { type SegmentFacts, segmentFacts } from './segment-facts.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

const CONTEXT = {
  ...{ eventId: null, receivedMs: NOW, sentAt: null, clientAddress: '192.0.2.7', userAgent: null },
  ...{ sdk: { name: 'sentry.javascript.nextjs' }, client: null, trace: null },
}
const HEADERS: Attributes = { 'http.request.header.accept': '*/*', 'http.request.header.rsc': '1' }
const ROUTE: Attributes = { 'http.route': '/near', 'next.route': '/near' }

function handled(change: Attributes, parts: Partial<SpanParts> = {}): SegmentFacts {
  const attributes: Attributes = {
    ...{ 'sentry.sdk.name': 'sentry.javascript.nextjs', 'next.span_type': 'BaseServer.handleRequest' },
    ...{ 'http.method': 'GET', 'http.target': '/near', 'http.response.status_code': 200 },
    ...change,
  }
  const span = aSpan({ id: 'a', isSegment: true, segment: 'a', name: 'GET /near', attributes, ...parts })
  const [fragment] = readSpanBatch({ version: 2, items: [span] }, CONTEXT).fragments
  assert.ok(fragment !== undefined)
  return segmentFacts(fragment)
}

describe('a page that ended its own way', () => {
  const asked = { ...HEADERS, ...ROUTE, 'next.rsc': true }
  const endOf = (change: Attributes, status = 'internal_error') =>
    handled({ ...asked, ...change }, { status }).end

  it('has answered where Next.js names no error: forbidden(), unauthorized(), notFound()', () => {
    assert.equal(endOf({}), 'answered')
    assert.equal(endOf({}, 'not_found'), 'answered')
  })

  it('has failed where an error is named, or a status', () => {
    assert.equal(endOf({ 'error.type': 'Error' }), 'failed-behind-200')
    assert.equal(endOf({ 'sentry.status.message': 'the desk is gone' }), 'failed-behind-200')
    assert.equal(endOf({ 'http.response.status_code': 500 }), 'failed')
  })

  it('is of Next.js: other spans that failed have failed', () => {
    assert.equal(endOf({ 'next.span_type': '' }), 'failed-behind-200')
    assert.equal(endOf({ 'next.rsc': false }), 'failed-behind-200')
  })
})

describe('a route handler that fails', () => {
  it('is one below a base path, too, where its spans were sent before it and a browser opened it', () => {
    const asked = {
      ...{ 'http.request.header.sec-fetch-dest': 'document', 'http.target': '/quay/api/tide' },
      ...{ 'next.rsc': false, 'http.response.status_code': 500 },
    }
    const route = { 'http.route': '/api/tide', 'next.route': '/api/tide' }
    const { kind, route: shown, end } = handled({ ...asked, ...route })
    assert.deepEqual([kind, shown, end], ['route-handler', '/api/tide', 'failed'])
    assert.equal(handled({ ...asked, 'http.route': '/docs/api' }).kind, 'document')
  })
})

describe('a request that passes middleware', () => {
  // Next 15.5 with SDK 10.78: middleware that only looked has a segment like the request's, then the request has its own.
  it('is counted for the page that it goes on to, and not for the middleware', () => {
    const asked = { ...HEADERS, 'http.target': '/tickets/broken', 'next.rsc': true }
    const passed = handled({ ...asked, 'next.bubble': true })
    assert.deepEqual(
      [passed.kind, passed.isTraffic, passed.end, passed.sandbox],
      ['other', false, null, null],
    )
    const page = handled({ ...asked, 'http.route': '/tickets/[id]' })
    assert.deepEqual([page.kind, page.isTraffic, page.end], ['page-data', true, 'answered'])
  })
})

describe('a page of the edge runtime', () => {
  const inside = { ...ROUTE, 'next.rsc': false }

  it('has headers and no route outside of its sandbox, a route and no headers inside', () => {
    const outer = handled({ ...HEADERS, 'next.rsc': true }, { parent: 'f' })
    assert.deepEqual([outer.sandbox, outer.kind, outer.route], ['outside', 'page-data', '/near'])
    assert.equal(handled({ ...HEADERS, ...ROUTE, 'next.rsc': true }, { parent: 'f' }).sandbox, null)
    const inner = handled(inside, { parent: 'f' })
    assert.deepEqual([inner.sandbox, inner.kind, inner.route], ['inside', 'page-data', '/near'])
    assert.equal(handled({ ...HEADERS, ...ROUTE }).sandbox, null)
    assert.equal(handled({ ...HEADERS, 'http.route': '/_error' }).sandbox, 'outside')
  })

  it('is a document where no page asked for it', () => {
    assert.equal(handled(inside).kind, 'document')
  })

  it('is a request, and what Next.js prepares for it is none', () => {
    const prepared = handled(
      { ...inside, 'next.span_type': 'RouteModule.prepare', 'sentry.kind': 'server' },
      { op: 'default', name: 'prepare route module', parent: 'f' },
    )
    assert.deepEqual([prepared.kind, prepared.isTraffic, prepared.end], ['other', false, null])
  })

  it('is inside where SDK 10 tells headers and the platform of a browser, page data unless a document was asked for', () => {
    const inside = (headers: Readonly<Record<string, string>>, platform = 'javascript') => {
      const [fragment] = readTransaction(
        {
          ...{ type: 'transaction', platform, transaction: 'GET /[locale]/edge', spans: [] },
          ...{ transaction_info: { source: 'route' }, sdk: { name: 'sentry.javascript.nextjs' } },
          ...{ start_timestamp: NOW / 1_000, timestamp: NOW / 1_000 + 0.1, request: { headers } },
          contexts: {
            trace: {
              ...{ trace_id: 'b'.repeat(32), span_id: 'c'.repeat(16), parent_span_id: 'd'.repeat(16) },
              ...{ op: 'http.server', status: 'ok' },
              data: {
                ...{ 'http.target': '/en/edge?locale=en', 'http.route': '/[locale]/edge', 'next.rsc': false },
                ...{ 'http.method': 'GET', 'next.span_type': 'BaseServer.handleRequest' },
              },
            },
          },
        },
        CONTEXT,
      ).fragments
      assert.ok(fragment !== undefined)
      const { kind, sandbox } = segmentFacts(fragment)
      return [kind, sandbox]
    }
    // Within the sandbox `rsc` is kept from the SDK; the rest of what a browser sends is not.
    assert.deepEqual(inside({ accept: '*/*', 'sec-fetch-dest': 'empty' }), ['page-data', 'inside'])
    assert.deepEqual(inside({ accept: 'text/html', 'sec-fetch-dest': 'document' }), ['document', 'inside'])
    assert.deepEqual(inside({ accept: 'text/html', 'sec-fetch-dest': 'document' }, 'node'), [
      'document',
      null,
    ])
  })

  it('is of a server although its SDK names the platform of a browser', () => {
    const transaction = (op: string) => ({
      ...{ type: 'transaction', platform: 'javascript', transaction: 'GET /near', spans: [] },
      ...{ transaction_info: { source: 'route' }, sdk: { name: 'sentry.javascript.vercel-edge' } },
      ...{ start_timestamp: NOW / 1_000, timestamp: NOW / 1_000 + 0.1 },
      contexts: {
        trace: {
          ...{ trace_id: 'b'.repeat(32), span_id: 'c'.repeat(16), op, status: 'ok' },
          data: { 'http.target': '/near', 'next.rsc': false },
        },
      },
    })
    const kindOf = (op: string) => {
      const [fragment] = readTransaction(transaction(op), CONTEXT).fragments
      assert.ok(fragment !== undefined)
      return segmentFacts(fragment).kind
    }
    assert.equal(kindOf('http.server'), 'document')
    assert.equal(kindOf('pageload'), 'browser')
    assert.equal(kindOf('default'), 'browser')
  })
})
