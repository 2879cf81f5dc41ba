import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectId } from '@errata/server/ids'
import { type ComponentType, createElement } from 'react'
import { createPageHandler } from './page-handler.ts'
import { sampleAssets, sampleTables } from './sample-app.test.support.ts'
import { SAMPLE_SESSION, SAMPLE_URL, type SampleOptions, sampleEngine } from './sample-engine.test.support.ts'

const BUILD = 'b1'
const DATA = { 'Errata-Page': 'data', 'Errata-Build': BUILD }
const SIGNED_IN = { Cookie: `errata=${SAMPLE_SESSION}` }

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function app(options: SampleOptions = {}) {
  const { engine, reported, traced } = sampleEngine(options)
  const handler = createPageHandler({ engine, build: BUILD, tables: sampleTables, assets: sampleAssets })
  const ask = (path: string, { method = 'GET', headers = {}, body }: Asked = {}) => {
    const init = { method, headers, ...(body === undefined ? {} : { body }) }
    return handler({ request: new Request(`${SAMPLE_URL}${path}`, init), clientAddress: null })
  }
  return { ask, reported, traced }
}

test('a document is HTML with a nonce of its own, hardened, and never cached', async () => {
  const { ask } = app()
  const first = await ask('/hello')
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('Content-Type'), 'text/html; charset=utf-8')
  assert.equal(first.headers.get('Cache-Control'), 'no-store')
  assert.equal(first.headers.get('X-Content-Type-Options'), 'nosniff')
  assert.match(first.headers.get('Vary') ?? '', /Errata-Page/)
  assert.equal(first.headers.get('Strict-Transport-Security'), null)
  const policy = first.headers.get('Content-Security-Policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ]) {
    assert.ok(policy.includes(part), part)
  }
  assert.ok(!policy.includes('unsafe-inline') && !policy.includes('unsafe-eval'))
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
  const html = await first.text()
  for (const [tag] of html.matchAll(/<script[^>]*>/g)) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
  const second = (await ask('/hello')).headers.get('Content-Security-Policy')
  assert.notEqual(policy, second)
})

test('an https installation says so for a year', async () => {
  const { ask } = app({ url: 'https://errata.test' })
  assert.match((await ask('/hello')).headers.get('Strict-Transport-Security') ?? '', /max-age=31536000/)
})

test('text of a page can neither end its script element nor become HTML', async () => {
  const html = await (await app().ask('/hello')).text()
  assert.ok(!html.includes('<script>alert'))
  assert.equal(html.match(/<\/script>/g)?.length, html.match(/<script[ >]/g)?.length)
  const state = /<script type="application\/json"[^>]*>([^<]*)<\/script>/.exec(html)?.[1] ?? ''
  assert.equal(JSON.parse(state).data.hello.text, '</script><script>alert(1)</script>\u2028<!--')
  assert.ok(!state.includes('\u2028'))
})

test('the title that a view names is the document’s', async () => {
  const html = await (await app().ask('/hello')).text()
  assert.match(html.slice(0, html.indexOf('</head>')), /<title>Hello<\/title>/)
  assert.equal(html.match(/<title>/g)?.length, 1)
})

test('HEAD answers as GET does, without a body', async () => {
  const { ask } = app()
  for (const path of ['/hello', '/nothing', '/acme/fails/1']) {
    const head = await ask(path, { method: 'HEAD' })
    assert.equal(head.status, (await ask(path)).status)
    assert.equal(await head.text(), '')
  }
})

test('page data is the data of all loaders as JSON', async () => {
  const answer = await app().ask('/hello', { headers: DATA })
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('Cache-Control'), 'no-store')
  const { data } = await answer.json()
  assert.deepEqual(Object.keys(data), ['frame', 'hello'])
})

test('a loader’s redirect is 303 for a document and data for a script, never a 3xx', async () => {
  const { ask } = app()
  const document = await ask('/elsewhere')
  assert.equal(document.status, 303)
  assert.equal(document.headers.get('Location'), '/hello?from=elsewhere')
  const data = await ask('/elsewhere', { headers: DATA })
  assert.equal(data.status, 200)
  assert.deepEqual(await data.json(), { redirect: '/hello?from=elsewhere' })
})

test('what needs a session leads to the sign-in and back', async () => {
  const { ask } = app()
  assert.equal((await ask('/account?x=1')).headers.get('Location'), '/sign-in?next=%2Faccount%3Fx%3D1')
  assert.equal((await ask('/account', { headers: SIGNED_IN })).status, 200)
})

test('access is asked before the loader: other organisations and operator pages are 404, small roles 403', async () => {
  const { ask } = app({ permissions: [] })
  const asked: readonly [string, number][] = [
    ['/other/issues', 404],
    ['/acme/issues', 403],
    ['/system', 404],
  ]
  for (const [path, status] of asked) {
    assert.equal((await ask(path, { headers: SIGNED_IN })).status, status, path)
    assert.equal((await ask(path, { headers: { ...SIGNED_IN, ...DATA } })).status, status, path)
  }
  const allowed = app({ permissions: ['issue.read'], isOperator: true })
  assert.equal((await allowed.ask('/acme/issues', { headers: SIGNED_IN })).status, 200)
  assert.equal((await allowed.ask('/system', { headers: SIGNED_IN })).status, 200)
})

test('an unknown address is a 404 page inside the frame', async () => {
  const answer = await app().ask('/no/such/page')
  assert.equal(answer.status, 404)
  assert.match(await answer.text(), /refused: not_found/)
})

test('a failing document is a 500 with the error page and its digest, reported with its pattern alone', async () => {
  const { ask, reported } = app()
  const answer = await ask('/acme/fails/secret-1?q=secret-2')
  assert.equal(answer.status, 500)
  const html = await answer.text()
  assert.match(html, /<h1>Application error: a server-side exception has occurred<\/h1>/)
  const digest = /Digest: <b[^>]*>(\d{10})<\/b>/.exec(html)?.[1]
  assert.equal(reported.length, 1)
  const { error, traceId, ...rest } = reported[0] ?? assert.fail('nothing reported')
  assert.ok(error instanceof TypeError)
  assert.match(traceId, /^[0-9a-f]{32}$/)
  assert.deepEqual(rest, { digest, requestKind: 'document', method: 'GET', route: '/:org/fails/:id' })
})

test('the same failure has one digest on the page, in page data and in the report', async () => {
  const { ask, reported } = app()
  const html = await (await ask('/acme/fails/1')).text()
  const { error } = await (await ask('/acme/fails/1', { headers: DATA })).json()
  assert.ok(html.includes(error.digest))
  assert.equal(error.code, 'internal')
  assert.ok(!JSON.stringify(error).includes('a loader fails'))
  assert.deepEqual(
    reported.map(({ digest, requestKind }) => [digest, requestKind]),
    [
      [error.digest, 'document'],
      [error.digest, 'page-data'],
    ],
  )
})

test('a failing view is a real 500, too', async () => {
  const answer = await app().ask('/broken')
  assert.equal(answer.status, 500)
  assert.match(await answer.text(), /server-side exception/)
})

test('a session store that fails is answered with the error page, not with a broken connection', async () => {
  const { ask, reported } = app({ brokenSessions: true })
  const answer = await ask('/hello', { headers: SIGNED_IN })
  assert.equal(answer.status, 500)
  assert.match(await answer.text(), /server-side exception/)
  assert.equal(reported.length, 1)
})

test('a store that is too slow is a 503 with its code inside of the frame, and no failure of ours', async () => {
  const { ask, reported } = app()
  const answer = await ask('/slow-store', { headers: DATA })
  assert.equal(answer.status, 503)
  assert.equal((await answer.json()).error.code, 'store_timeout')
  const document = await ask('/slow-store')
  assert.equal(document.status, 503)
  assert.doesNotMatch(await document.text(), /Application error/)
  assert.equal(reported.length, 0)
})

test('only an operator who may read the Errata project gets the link to what was recorded', async () => {
  const target = (id: number) => ({
    dsn: 'http://k@errata.test/7',
    tunnel: '/monitoring?o=acme&p=errata',
    stored: { organisation: 'acme', projectId: projectId(id) },
  })
  const may = app({ selfTarget: target(7), isOperator: true })
  assert.match(await (await may.ask('/acme/fails/1', { headers: SIGNED_IN })).text(), /href="\/digest\/\d+"/)
  assert.ok(!(await (await may.ask('/acme/fails/1')).text()).includes('/digest/'))
  const member = app({ selfTarget: target(7) })
  assert.ok(!(await (await member.ask('/acme/fails/1', { headers: SIGNED_IN })).text()).includes('/digest/'))
  const mayNot = app({ selfTarget: target(8), isOperator: true })
  assert.ok(!(await (await mayNot.ask('/acme/fails/1', { headers: SIGNED_IN })).text()).includes('/digest/'))
})

test('a prefetch is page data and filed as prefetch', async () => {
  const { ask, reported } = app()
  await ask('/acme/fails/1', { headers: { ...DATA, 'Errata-Purpose': 'prefetch' } })
  assert.equal(reported[0]?.requestKind, 'prefetch')
})

test('a page of another build is answered with 409 and the build that is', async () => {
  const { ask, reported } = app()
  const answer = await ask('/hello', { headers: { ...DATA, 'Errata-Build': 'b0' } })
  assert.equal(answer.status, 409)
  const { error } = await answer.json()
  assert.deepEqual([error.code, error.build], ['stale_build', BUILD])
  assert.equal(reported.length, 0)
  await ask('/hello', { headers: { ...DATA, ...SIGNED_IN, 'Errata-Build': 'b0' } })
  assert.equal(reported.length, 1)
})

test('handlers answer for themselves; their failures are JSON for scripts and the error page for people', async () => {
  const { ask, reported } = app()
  assert.equal(await (await ask('/file', { headers: SIGNED_IN })).text(), 'bytes')
  assert.equal((await ask('/file')).status, 401)
  const data = await ask('/file/broken')
  assert.equal(data.status, 500)
  assert.match((await data.json()).error.digest, /^\d{10}$/)
  const page = await ask('/file/broken', { headers: { Accept: 'text/html' } })
  assert.match(await page.text(), /Application error: a server-side exception has occurred/)
  assert.equal(reported[0]?.requestKind, 'route-handler')
})

test('assets come from the build; an unknown one is 404, and no page is rendered for it', async () => {
  const { ask } = app()
  assert.equal(await (await ask('/assets/browser-1.js')).text(), '1')
  for (const headers of [{ Accept: 'text/html' }, DATA]) {
    const gone = await ask('/assets/gone-2.js', { headers })
    assert.equal(gone.status, 404)
    assert.match(gone.headers.get('Content-Type') ?? '', /^text\/plain/)
    assert.match(gone.headers.get('Cache-Control') ?? '', /no-store/)
  }
  assert.equal((await ask('/assets/gone-2.js', { method: 'POST' })).status, 405)
})

test('methods that pages do not take are 405', async () => {
  const answer = await app().ask('/hello', { method: 'DELETE' })
  assert.equal(answer.status, 405)
  assert.equal(answer.headers.get('Allow'), 'GET, HEAD, POST')
})

const bodyOf = (html: string) => /<body>\n<div[^>]*>(.*)<\/div>\n<script/s.exec(html)?.[1] ?? ''

/** App that counts the turns on the thread a request takes. */
function turningApp() {
  const { engine } = sampleEngine()
  let [views, turns] = [0, 0]
  const tables = {
    ...sampleTables,
    pages: sampleTables.pages.map((page) =>
      page.id === 'hello' ? { ...page, view: async () => counted(await page.view()) } : page,
    ),
  }
  const counted = (View: ComponentType) => () => {
    views++
    return createElement(View)
  }
  const handler = createPageHandler({ engine, build: BUILD, tables, assets: sampleAssets })
  const turn = async () => {
    turns++
  }
  return {
    async ask(path: string, headers: Readonly<Record<string, string>> = {}, init: RequestInit = {}) {
      const request = new Request(`${SAMPLE_URL}${path}`, { ...init, headers })
      return (await handler({ request, clientAddress: null, turn })).text()
    },
    counts: () => ({ views, turns }),
  }
}

test('a page for nobody in particular is rendered once for each address, within a shell of its own', async () => {
  const { ask, counts } = turningApp()
  const [first, second] = [await ask('/hello'), await ask('/hello')]
  assert.deepEqual(counts(), { views: 1, turns: 1 })
  assert.notEqual(first, second)
  assert.equal(bodyOf(first), bodyOf(second))
  await ask('/hello?another')
  assert.deepEqual(counts(), { views: 2, turns: 2 })
})

test('a page for somebody, and an answer to a form, are rendered every time, each after a turn', async () => {
  const { ask, counts } = turningApp()
  await ask('/hello')
  await ask('/hello', SIGNED_IN)
  await ask('/hello', SIGNED_IN)
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
  const said = await ask('/hello', form, { method: 'POST', body: 'errata-action=sample.say&word=no%20word' })
  assert.match(said, /One word/)
  assert.doesNotMatch(await ask('/hello'), /One word/)
  assert.deepEqual(counts(), { views: 4, turns: 4 })
})

test('page data waits for a turn', async () => {
  const { ask, counts } = turningApp()
  await ask('/hello', DATA)
  assert.deepEqual(counts(), { views: 0, turns: 1 })
})

test('all addresses without a page share one document, which holds none of them', async () => {
  const { ask, counts } = turningApp()
  const [first, second] = [await ask('/nothing-secret/a'), await ask('/nothing-else/b?c')]
  assert.equal(bodyOf(first), bodyOf(second))
  assert.ok(!first.includes('nothing-secret'))
  assert.equal(counts().turns, 1)
})

test('what was answered is noted as a request of Errata’s own, by its pattern', async () => {
  const { ask, traced } = app()
  const [trace, span] = ['ab'.repeat(16), 'cd'.repeat(8)]
  await ask('/hello')
  await ask('/hello', { headers: { ...DATA, 'sentry-trace': `${trace}-${span}-1` } })
  await ask('/acme/fails/1?secret=hunter2', { headers: SIGNED_IN })
  await ask('/file', { headers: SIGNED_IN })
  assert.deepEqual(
    traced.map(({ requestKind, method, status }) => [requestKind, method, status]),
    [
      ['document', 'GET', 200],
      ['page-data', 'GET', 200],
      ['document', 'GET', 500],
      ['route-handler', 'GET', 200],
    ],
  )
  const [page, data, failed] = traced
  assert.equal(page?.route, '/hello')
  assert.equal(page?.parentSpanId, null)
  assert.deepEqual([data?.traceId, data?.parentSpanId], [trace, span])
  assert.ok(!JSON.stringify(failed).includes('hunter2') && failed?.route.includes(':'), failed?.route)
  assert.ok(traced.every(({ ms }) => ms >= 0))
})
