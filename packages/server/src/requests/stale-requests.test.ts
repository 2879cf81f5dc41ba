/** Requests of stale tabs, as SDKs of two generations tell of them in spans; origin in tests/fixtures/captured-spans. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { FragmentOwn } from '#kinds/span/facts.ts'
import { anEnvelope, processRecords, storedFragments } from '#testing/builders/records.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'

type Attributes = Readonly<Record<string, string | number | boolean>>

function told(body: Uint8Array) {
  return storedFragments(processRecords([anEnvelope(body)])).flatMap(({ own }) => (own as FragmentOwn).stale) // as its reader made it
}

function request(attributes: Attributes, name = 'GET /x') {
  const own = { 'sentry.op': 'http.server', 'http.request.method': 'GET', ...attributes }
  return told(
    spanEnvelope([
      aSpan({ id: 'a', isSegment: true, segment: 'a', op: 'http.server', name, attributes: own }),
    ]),
  )
}

const of = (found: ReturnType<typeof told>) =>
  found.map(({ failure, subject, side, httpStatus }) => [failure, subject, side, httpStatus])

function toldIn(file: string): ReturnType<typeof told> {
  const url = new URL(`../../../../tests/fixtures/captured-spans/${file}`, import.meta.url)
  const { items }: { readonly items: readonly { readonly type: string; readonly payload: object }[] } =
    JSON.parse(readFileSync(url, 'utf8'))
  return items.flatMap(({ type, payload }) => {
    if (type === 'event') return []
    const header =
      type === 'span' ? { type, content_type: 'application/vnd.sentry.items.span.v2+json' } : { type }
    return told(Buffer.from(`{}\n${JSON.stringify(header)}\n${JSON.stringify(payload)}\n`))
  })
}

describe('requests of stale tabs', () => {
  for (const file of ['next10.json', 'next11.json']) {
    it(`are one among all that ${file} holds: the action that nobody knows`, () =>
      assert.deepEqual(of(toldIn(file)), [['action', `40${'ab'.repeat(20)}`, 'server', 409]]))
  }

  it('are reloads where the Pages Router leaves a page whose data is gone, and not where it says “not found”', () =>
    assert.deepEqual(of(toldIn('next10-pages.json')), [['reload', null, 'browser', 404]]))

  it('are chunks that Nuxt names by their hash alone', () => {
    const chunk = ['chunk', '/_nuxt/CgnU50_y.js', 'browser', 404]
    assert.deepEqual(of(toldIn('nuxt4-stale.json')), [chunk, chunk, chunk])
    for (const file of ['manifest.js', 'builds.js']) {
      const asked = { 'http.target': `/_nuxt/${file}`, 'http.response.status_code': 404 }
      assert.deepEqual(request(asked), [], 'whoever looks for holes asks for it')
    }
  })

  it('are the chunks of a page that SvelteKit loads anew without an error', () => {
    const chunk = ['chunk', '/_app/immutable/nodes/3.CsD_EV8M.js', 'browser', 404]
    assert.deepEqual(of(toldIn('sveltekit2-stale.json')), [chunk, chunk, chunk, chunk])
    const shared = { 'http.target': '/_app/immutable/chunks/GsqV8cGq.js', 'http.response.status_code': 404 }
    assert.deepEqual(of(request(shared)), [['chunk', '/_app/immutable/chunks/GsqV8cGq.js', 'server', 404]])
  })

  it('are none where the action is known and calls notFound()', () => {
    const asked = { 'http.request.header.next-action': '0067', 'http.response.status_code': 404 }
    const root = { 'sentry.op': 'http.server', 'http.request.method': 'POST', ...asked }
    const page = aSpan({ id: 'a', isSegment: true, op: 'http.server', name: 'POST /book', attributes: root })
    const type = { 'next.span_type': 'NextNodeServer.createComponentTree' }
    const tree = aSpan({ id: 'b', parent: 'a', segment: 'a', name: 'build component tree', attributes: type })
    assert.deepEqual(of(told(spanEnvelope([page]))), [['action', '0067', 'server', 404]])
    assert.deepEqual(told(spanEnvelope([page, tree])), [])
  })

  it('are forms posted without JavaScript, whose bodies alone name the action', () => {
    const form = {
      ...{ 'http.request.method': 'POST', 'next.rsc': false, 'next.span_type': 'BaseServer.handleRequest' },
      'http.request.header.content-type': 'multipart/form-data; boundary=----WebKitFormBoundary1',
      'http.request.header.sec-fetch-dest': 'document',
      'http.target': '/orders',
      'sentry.sdk.name': 'sentry.javascript.nextjs',
      'http.response.status_code': 409,
    }
    assert.deepEqual(of(request(form, 'POST /orders')), [['action', null, 'server', 409]])
    const others = [
      { 'http.response.status_code': 200 },
      { 'http.request.header.content-type': 'application/json' },
      { 'http.target': '/api/orders' },
      { 'next.rsc': true },
    ]
    for (const other of others)
      assert.deepEqual(request({ ...form, ...other }, 'POST /orders'), [], JSON.stringify(other))
  })

  it('are actions that a page asked for, though the server’s span tells of no header', () => {
    const attributes = {
      ...{ 'sentry.op': 'http.server', 'http.request.method': 'POST', 'http.target': '/orders' },
      ...{
        'next.rsc': false,
        'next.span_type': 'BaseServer.handleRequest',
        'http.response.status_code': 409,
      },
      'http.route': '/orders',
      'sentry.sdk.name': 'sentry.javascript.nextjs',
    }
    const root = {
      id: 'a',
      parent: 'c',
      segment: 'a',
      isSegment: true,
      op: 'http.server',
      name: 'POST /orders',
    }
    const found = told(spanEnvelope([aSpan({ ...root, attributes })]))
    assert.deepEqual(of(found), [['action', null, 'server', 409]])
  })

  it('ask for files of another build', () => {
    const gone = { 'http.response.status_code': 404 }
    const chunk = '/_next/static/chunks/0f_k~a.js'
    assert.deepEqual(of(request({ ...gone, 'http.target': `${chunk}?dpl=1` })), [
      ['chunk', chunk, 'server', 404],
    ])
    const style = '/assets/index-BxT3f9aa.css'
    assert.deepEqual(of(request({ ...gone, 'url.full': `https://shop.example${style}` })), [
      ['stylesheet', style, 'server', 404],
    ])
    for (const path of ['/assets/jquery.js', '/favicon.ico', '/orders/7', '/wp-content/app-1a2b3c4d.js'])
      assert.deepEqual(request({ ...gone, 'http.target': path }), [], path)
    assert.deepEqual(request({ 'http.response.status_code': 200, 'http.target': chunk }), [])
  })

  it('are told apart where crawlers ask, which keep old addresses', () => {
    const agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
    const target = { 'http.response.status_code': 404, 'http.target': '/assets/index-BxT3f9aa.js' }
    assert.deepEqual(of(request({ ...target, 'user_agent.original': agent })), [
      ['crawler', '/assets/index-BxT3f9aa.js', 'server', 404],
    ])
  })

  it('are reloads where page data is of another deployment', () => {
    const data = { 'http.response.status_code': 200, 'next.rsc': true, 'http.target': '/orders?_rsc=1' }
    const asked = { 'http.request.header.x-deployment-id': 'one' }
    const answered = (id: string) => ({ 'http.response.header.x-nextjs-deployment-id': id })
    assert.deepEqual(of(request({ ...data, ...asked, ...answered('two') })), [
      ['reload', null, 'server', 200],
    ])
    assert.deepEqual(request({ ...data, ...asked, ...answered('one') }), [])
    assert.deepEqual(request({ ...data, ...answered('two') }), [])
    const query = { ...data, 'http.target': '/orders?_rsc=1&dpl=one' }
    assert.deepEqual(of(request({ ...query, ...answered('two') })), [['reload', null, 'server', 200]])
  })

  it('are reloads where React Router’s manifest is another', () => {
    const asked = { 'http.target': '/__manifest?p=%2Forders&version=1a2b' }
    assert.deepEqual(of(request({ ...asked, 'http.response.status_code': 204 })), [
      ['reload', null, 'server', 204],
    ])
    assert.deepEqual(request({ ...asked, 'http.response.status_code': 200 }), [])
  })

  it('are files that a page missed', () => {
    const page = aSpan({
      id: 'a',
      isSegment: true,
      segment: 'a',
      op: 'pageload',
      attributes: { 'sentry.op': 'pageload' },
    })
    const file = (id: string, status: number, path: string) =>
      aSpan({
        ...{ id, parent: 'a', segment: 'a', op: 'resource.script', name: path },
        attributes: { 'sentry.op': 'resource.script', 'http.response.status_code': status },
      })
    const gone = '/assets/orders-BxT3f9aa.js'
    const found = told(spanEnvelope([page, file('b', 404, gone), file('c', 200, '/assets/root-1a2b3c4d.js')]))
    assert.deepEqual(of(found), [['chunk', gone, 'browser', 404]])
  })
})
