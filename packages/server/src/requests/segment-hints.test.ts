import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Fragment } from '#model/span.ts'
import { readSpanBatch } from '#normalize/spans/batch.ts'
import { aSegment } from '#testing/builders/requests.ts'
import { aSpan, aSpansContext, type SpanParts } from '#testing/builders/spans.ts'
import { segmentFacts } from './segment-facts.ts'
import { segmentAsTold, segmentTold, toldOf } from './segment-hints.ts'

type Attributes = NonNullable<SpanParts['attributes']>

const HANDLER = { 'next.span_type': 'AppRouteRouteHandlers.runHandler', 'next.route': '/orders/export' }
const NEXT = { sdk: { name: 'sentry.javascript.nextjs' } }

function fragmentOf(spans: readonly SpanParts[]): Fragment {
  const items = spans.map((span) => aSpan({ segment: 'a', ...span }))
  const [fragment, ...rest] = readSpanBatch({ version: 2, items }, aSpansContext(NEXT)).fragments
  assert.ok(fragment !== undefined && rest.length === 0)
  return fragment
}

const handler = (attributes: Attributes = {}, status = 'ok'): SpanParts => ({
  ...{ id: 'b', parent: 'a', op: 'default', name: 'executing api route (app) /orders/export', status },
  attributes: { ...HANDLER, ...attributes },
})
const root = (attributes: Attributes, status = 'ok'): SpanParts => ({
  ...{ id: 'a', isSegment: true, name: 'GET /orders/export', status },
  attributes: {
    ...{ 'sentry.sdk.name': 'sentry.javascript.nextjs', 'next.span_type': 'BaseServer.handleRequest' },
    ...{ 'http.method': 'GET', 'http.target': '/orders/export', 'next.rsc': false, ...attributes },
  },
})

describe('spans without their segment', () => {
  it('tell that a route handler ran, and how it ended', () => {
    const told = (attributes: Attributes, status?: string) =>
      segmentTold(fragmentOf([handler(attributes, status)]))
    assert.deepEqual(told({}), { kind: 'route-handler', work: null, httpStatus: null, action: null })
    const thrown = { 'error.type': 'Error', 'sentry.status.message': 'no export' }
    assert.deepEqual(told(thrown, 'error'), {
      kind: 'route-handler',
      work: 'thrown',
      httpStatus: null,
      action: null,
    })
    const aborted = { kind: 'route-handler', work: 'aborted', httpStatus: null, action: null }
    assert.deepEqual(told({ 'error.type': 'ResponseAborted' }, 'error'), aborted)
    assert.deepEqual(told({ ...thrown, 'sentry.status.message': 'aborted' }, 'error'), aborted)
    // A time-out of the app's own: whoever asked got a 500.
    assert.equal(told({ 'error.type': 'AbortError' }, 'error')?.work, 'thrown')
  })

  it('tell nothing that the address of the request tells by itself, or that came with it', () => {
    assert.equal(segmentTold(fragmentOf([handler({ 'next.route': '/api/cart' })])), null)
    assert.equal(segmentTold(fragmentOf([root({}), handler()])), null)
    assert.equal(segmentTold(fragmentOf([{ id: 'b', parent: 'a', op: 'db', name: 'SELECT 1' }])), null)
  })

  it('tell that a page was rendered where its framework says nothing of it on the request', () => {
    const told = (framework: string, attributes: Attributes = {}) => {
      const own = { 'sentry.sdk.name': `sentry.javascript.${framework}`, ...attributes }
      const render = { id: 'b', parent: 'a', op: 'template.render', name: 'renderToString', attributes: own }
      return segmentTold(fragmentOf([render]))
    }
    assert.deepEqual(told('react-router'), { kind: 'document', work: null, httpStatus: null, action: null })
    assert.equal(told('node'), null)
    assert.equal(told('nextjs', { 'next.span_type': 'AppRender.getBodyResult' }), null)
  })

  it('tell of a page whose next answer could not be made', () => {
    const attributes = { 'next.span_type': 'AppRender.getBodyResult', 'error.type': 'Error' }
    const span = (status: string) => ({
      id: 'b',
      parent: 'a',
      name: 'prerender route (app) /prices',
      status,
      attributes,
    })
    assert.deepEqual(segmentTold(fragmentOf([span('error')])), {
      kind: null,
      work: 'thrown',
      httpStatus: null,
      action: null,
    })
    assert.equal(segmentTold(fragmentOf([span('ok')])), null)
    assert.equal(toldOf(fragmentOf([span('error')])), 'a'.padStart(16, '1'))
  })

  // SDK 10, when the request has ended before: `sentry.parent_span_already_sent`.
  it('tell so of the request that they are below, too, where they come as a segment of their own', () => {
    const late = (status: string) =>
      fragmentOf([
        {
          ...{ id: 'b', parent: 'a', segment: 'b', isSegment: true, status, op: 'default' },
          name: 'prerender route (app) /prices',
          attributes: { 'next.span_type': 'AppRender.getBodyResult', 'next.route': '/prices' },
        },
      ])
    assert.deepEqual(segmentTold(late('error')), {
      kind: null,
      work: 'thrown',
      httpStatus: null,
      action: null,
    })
    assert.equal(toldOf(late('error')), 'a'.padStart(16, '1'))
    assert.equal(segmentTold(late('ok')), null)
  })
})

describe('a segment with such spans among its own', () => {
  const ended = (status: number, work: Attributes, own = 'ok') => {
    const facts = segmentFacts(
      fragmentOf([root({ 'http.response.status_code': status }, own), handler(work, 'error')]),
    )
    return [facts.kind, facts.end, facts.isRevalidation]
  }

  it('is aborted where its client went away, and answered where a cache did', () => {
    assert.deepEqual(ended(500, { 'error.type': 'ResponseAborted' }, 'error'), [
      'route-handler',
      'aborted',
      false,
    ])
    assert.deepEqual(ended(500, { 'error.type': 'Error' }, 'error'), ['route-handler', 'failed', false])
    assert.deepEqual(ended(200, { 'error.type': 'Error' }), ['route-handler', 'answered', true])
    assert.deepEqual(ended(200, { 'error.type': 'Error' }, 'error'), ['route-handler', 'answered', true])
  })

  it('has answered from a cache where it found its page and rendered nothing', () => {
    const found = {
      ...{ id: 'b', parent: 'a', op: 'default', name: 'resolve page components' },
      attributes: { 'next.span_type': 'NextNodeServer.findPageComponents', 'next.route': '/prices' },
    }
    const render = {
      ...{ id: 'c', parent: 'a', op: 'default', name: 'render route (app) /prices' },
      attributes: { 'next.span_type': 'AppRender.getBodyResult', 'next.route': '/prices' },
    }
    const asked = { 'http.request.header.accept': '*/*', 'http.response.status_code': 200 }
    const page = root({ ...asked, 'http.route': '/prices' })
    const isRevalidation = (...spans: readonly SpanParts[]) =>
      segmentFacts(fragmentOf([page, ...spans])).isRevalidation
    assert.equal(isRevalidation(found), true)
    assert.equal(isRevalidation(found, render), false)
    // The rest of its spans was sent before.
    assert.equal(isRevalidation(), false)
    // The outside of the edge runtime’s sandbox, which renders the page within.
    assert.equal(segmentFacts(fragmentOf([root(asked), found])).isRevalidation, false)
  })

  it('is of the route that it looked for where Next.js shows its error page', () => {
    const found = (route: string) => ({
      ...{ id: 'b', parent: 'a', op: 'default', name: 'resolve page components' },
      attributes: { 'next.span_type': 'NextNodeServer.findPageComponents', 'next.route': route },
    })
    const failed = root({
      'http.route': '/_error',
      'http.target': '/prices/7',
      'http.response.status_code': 500,
    })
    const routeOf = (...spans: readonly SpanParts[]) => segmentFacts(fragmentOf([failed, ...spans])).route
    assert.equal(routeOf(found('/prices/[id]')), '/prices/[id]')
    assert.equal(routeOf(found('/_error'), found('/500')), '/orders/export')
    assert.equal(routeOf(), '/orders/export')
  })

  it('is open to what comes apart, unless its app says what it is', () => {
    assert.equal(segmentFacts(fragmentOf([root({})])).isOpen, true)
    assert.equal(segmentFacts(fragmentOf([root({ 'errata.request_kind': 'document' })])).isOpen, false)
  })
})

describe('a segment of which something was told', () => {
  it('is no action any more, and keeps none', () => {
    const told = { kind: 'route-handler', work: 'thrown', httpStatus: null, action: null } as const
    const { kind, end, action } = segmentAsTold(
      aSegment({ kind: 'action', action: 'x', end: 'failed' }),
      told,
    )
    assert.deepEqual([kind, end, action], ['route-handler', 'failed', undefined])
  })

  it('is not joined to errors where it answered from a cache', () => {
    const told = { kind: null, work: 'thrown', httpStatus: null, action: null } as const
    const { end, isRevalidation } = segmentAsTold(aSegment(), told)
    assert.deepEqual([end, isRevalidation], ['answered', true])
    assert.equal(segmentAsTold(aSegment({ end: 'failed-behind-200' }), told).end, 'failed-behind-200')
  })

  it('ends as the status tells that came apart, and behind a good one by what threw', () => {
    const ENDS = [
      ['answered', null, 199, 'answered'],
      ['answered', null, 200, 'answered'],
      ['answered', 'failed', 200, 'failed-behind-200'],
      ['answered', 'failed', 299, 'failed-behind-200'],
      ['answered', 'failed', 300, 'answered'],
      ['answered', 'failed', 499, 'answered'],
      ['answered', null, 500, 'failed'],
      ['answered', 'failed', null, 'failed-behind-200'],
      ['failed-behind-200', null, 200, 'failed-behind-200'],
      ['failed-behind-200', null, 303, 'answered'],
      ['failed-behind-200', null, 503, 'failed'],
      ['failed', null, 199, 'failed'],
      ['failed', null, 200, 'failed-behind-200'],
      ['failed', null, null, 'failed'],
      ['aborted', 'failed', 500, 'aborted'],
    ] as const
    for (const [end, work, httpStatus, expected] of ENDS) {
      const told = { kind: null, work, httpStatus, action: null }
      assert.equal(segmentAsTold(aSegment({ end }), told).end, expected, `${end} ${work} ${httpStatus}`)
    }
  })

  it('is the action that ran, by the name that it has, else by the one told', () => {
    const told = { kind: 'action', work: null, httpStatus: null, action: 'drown' } as const
    const named = (change: Parameters<typeof aSegment>[0]) => {
      const { kind, action } = segmentAsTold(aSegment(change), told)
      return [kind, action]
    }
    assert.deepEqual(named({ kind: 'route-handler' }), ['action', 'drown'])
    assert.deepEqual(named({ kind: 'action', action: 'own' }), ['action', 'own'])
    assert.deepEqual(named({ kind: 'page-data' }), ['page-data', undefined])
  })
})
