import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Fragment } from '#model/span.ts'
import { isSpanBatch, readSpanBatch } from '#normalize/spans/batch.ts'
import type { SpansContext } from '#normalize/spans/fragments.ts'
import { readTransaction } from '#normalize/spans/transaction.ts'
import { aSpan } from '#testing/builders/spans.ts'
import { NOW } from '#testing/builders/times.ts'
import { segmentFacts } from './segment-facts.ts'

const FOLDER = new URL('../../../../tests/fixtures/captured-spans/', import.meta.url)
/** When they were captured, where the file does not say: what is older than that, or younger, is clamped. */
const CAPTURED_MS = Date.parse('2026-11-23T01:15:00Z')

interface CapturedItem {
  readonly name: string
  readonly type: string
  readonly payload: object
}

interface CapturedFile {
  readonly items: readonly CapturedItem[]
  readonly capturedMs?: number
}

function contextAt(receivedMs: number, sdk: string): SpansContext {
  return {
    ...{ eventId: null, receivedMs, sentAt: null, clientAddress: '192.0.2.7', userAgent: null },
    ...{ sdk: { name: sdk }, client: null, trace: null },
  }
}

function fragmentsOf(payload: object, context: SpansContext): readonly Fragment[] {
  const read = isSpanBatch(payload) ? readSpanBatch(payload, context) : readTransaction(payload, context)
  assert.deepEqual(read.refused, [])
  return read.fragments
}

/** `kind route method status end action`, with `–` for none; what is no traffic is said. */
function said(fragment: Fragment): string {
  const { kind, route, method, httpStatus, end, action, isTraffic } = segmentFacts(fragment)
  const facts = [kind, route, method, httpStatus, end, action].map((fact) => fact ?? '–').join(' ')
  return isTraffic ? facts : `${facts} (no traffic)`
}

function captured(file: string): readonly string[] {
  const { items, capturedMs = CAPTURED_MS }: CapturedFile = JSON.parse(
    readFileSync(new URL(file, FOLDER), 'utf8'),
  )
  return items
    .filter(({ type }) => type !== 'event')
    .flatMap(({ name, payload }) =>
      fragmentsOf(payload, contextAt(capturedMs, 'sentry.javascript.nextjs')).map(
        (fragment) => `${name}: ${said(fragment)}`,
      ),
    )
}

const skip = existsSync(FOLDER) ? false : 'the captured fixtures are not part of this checkout'

const CAPTURED: Readonly<Record<string, readonly string[]>> = {
  'next11-edge.json': [
    'edge · server · executing api route (app) /api/edge: other /api/edge – – – – (no traffic)',
    'edge · server · load app route module: other /api/edge – – – – (no traffic)',
    'edge · server · GET /api/edge: route-handler /api/edge GET 500 failed –',
    'middleware · server · GET /fails/middleware: document /fails/middleware GET 500 failed –',
    'middleware · server · GET /_not-found: document /_not-found GET 404 answered –',
    'middleware · server · middleware GET: other /_next/static/chunks/01acrshd360_a.js GET 200 – – (no traffic)',
    'prefetch · server · GET /fails/prefetched: prefetch /fails/prefetched GET 200 answered –',
    'prefetch · server · GET /fails/prefetched: prefetch /fails/prefetched GET 200 failed-behind-200 –',
    'missing-chunk · server · start response: other /_next/static/chunks/2o_26ep4l07m2.js GET – – – (no traffic)',
    '/classic#voucher-document · server · GET /classic/voucher: document /classic/voucher GET 500 failed –',
    '/classic#voucher-navigation · server · GET /classic/voucher: page-data /classic/voucher GET 500 failed –',
  ],
  'next11-apart.json': [
    'stale page · server · GET /isr: document /isr GET 200 answered –',
    'stale page · server · prerender route (app) /isr: other /isr GET – – –',
    'stale page · server · GET /isr: document /isr GET 200 answered –',
    'stale page · server · GET /isr: document /isr GET 200 answered –',
    'stale page · server · prerender route (app) /isr: other /isr GET – – –',
    'stale data · server · start response: route-handler /isr-data GET 200 answered –',
    'export · server · executing api route (app) /orders/export: other /orders/export GET – – –',
    'export · server · GET /orders/export: document /orders/export GET 500 failed –',
    'export · server · executing api route (app) /orders/export: other /orders/export POST – – –',
    'export · server · POST /orders/export: action /orders/export POST 500 failed –',
    'slow · server · GET 127.0.0.1: other /slow GET – – –',
    'slow · server · GET /slow: document /slow GET 500 failed –',
    'stream · server · executing api route (app) /stream: route-handler /stream GET 200 answered –',
    'body · server · executing api route (app) /body: other /body POST – – –',
    'body · server · POST /body: action /body POST 500 failed –',
  ],
  'next11.json': [
    'start · server · load instrumentation module: other – – – – – (no traffic)',
    'start · server · register instrumentation: other – – – – – (no traffic)',
    'start · server · load route module: other – – – – – (no traffic)',
    'start · server · GET /api/cart: route-handler /api/cart GET 200 answered –',
    'document load, prefetch · server · GET /: document / GET 200 answered –',
    'document load, prefetch · server · GET /orders/[id]: prefetch /orders/[id] GET 200 answered –',
    'document load, prefetch · server · GET /orders/[id]: prefetch /orders/[id] GET 200 answered –',
    'document load, prefetch · server · GET /orders/[id]: prefetch /orders/[id] GET 200 answered –',
    'document load, prefetch · browser · /: browser / – – answered –',
    'navigation · server · GET /orders/[id]: page-data /orders/[id] GET 200 answered –',
    'broken navigation · server · GET /orders/[id]: page-data /orders/[id] GET 200 failed-behind-200 –',
    'broken document · browser · /orders/:id: browser /orders/[id] – – failed –',
    'broken document · server · GET /orders/[id]: document /orders/[id] GET 500 failed –',
    'late document · server · GET /late: document /late GET 200 answered –',
    'late document · browser · /late: browser /late – – failed –',
    'late navigation · server · GET /late: page-data /late GET 200 failed-behind-200 –',
    'ssr document · server · GET /ssr: document /ssr GET 200 answered –',
    'ssr document · browser · /ssr: browser /ssr – – failed –',
    'ssr navigation · server · GET /ssr: page-data /ssr GET 200 answered –',
    'action pay · server · payOrder: other / POST – – payOrder (no traffic)',
    'action pay · server · POST /: action / POST 200 answered 003b952e148dd57804066d4ba114f028dbd027b174',
    'action fail · server · POST /: action / POST 500 failed 00a99c8b49aa6d8fee488f6549726bc7635288e255',
    'action go · server · GET /orders/[id]: page-data /orders/[id] GET 200 – – (no traffic)',
    'action go · server · POST /: action / POST 200 answered 0057c3214f13be75a990bb1fc79f234b50b6b726d4',
    'cart fails · browser · GET 127.0.0.1: browser /api/cart GET 500 – –',
    'cart fails · server · GET /api/cart: route-handler /api/cart GET 500 failed –',
    'unknown action · server · POST /: action / POST 409 failed 40abababababababababababababababababababab',
    'missing document · server · GET /missing: document /missing GET 404 answered –',
    'missing navigation · server · GET /missing: page-data /missing GET 200 answered –',
    'moved document · server · GET /moved: document /moved GET 307 answered –',
    'moved document · server · GET /orders/[id]: document /orders/[id] GET 200 answered –',
    'moved navigation · server · GET /moved: page-data /moved GET 200 answered –',
    'moved navigation · server · GET /orders/[id]: page-data /orders/[id] GET 200 answered –',
    'static · server · GET /_not-found: static /_not-found GET 404 answered –',
  ],
  'next10.json': [
    'start · server · load instrumentation module: other – – – – – (no traffic)',
    'start · server · register instrumentation: other – – – – – (no traffic)',
    'start · server · load route module: other – – – – – (no traffic)',
    'start · server · GET /api/cart: route-handler /api/cart GET 200 answered –',
    'document load, prefetch · server · GET /: document / GET 200 answered –',
    'document load, prefetch · server · GET /orders/[id]: prefetch /orders/[id] GET 200 answered –',
    'document load, prefetch · server · GET /orders/[id]: prefetch /orders/[id] GET 200 answered –',
    'document load, prefetch · server · GET /orders/[id]: prefetch /orders/[id] GET 200 answered –',
    'document load, prefetch · browser · /: browser / – – answered –',
    'navigation · server · GET /orders/[id]: page-data /orders/[id] GET 200 answered –',
    'navigation · browser · /orders/:id: browser /orders/[id] – – answered –',
    'broken navigation · server · GET /orders/[id]: page-data /orders/[id] GET 200 failed-behind-200 –',
    'broken navigation · browser · /orders/:id: browser /orders/[id] – – failed –',
    'broken document · server · GET /orders/[id]: document /orders/[id] GET 500 failed –',
    'late document · server · GET /late: document /late GET 200 answered –',
    'late document · browser · /late: browser /late – – failed –',
    'late navigation · server · GET /late: page-data /late GET 200 failed-behind-200 –',
    'ssr document · server · GET /ssr: document /ssr GET 200 answered –',
    'ssr document · browser · /ssr: browser /ssr – – failed –',
    'ssr navigation · server · GET /ssr: page-data /ssr GET 200 answered –',
    'action pay · server · serverAction/payOrder: other / – – – payOrder (no traffic)',
    'action pay · server · POST /: action / POST 200 answered 00dd382c9d787969be78b9c8ca7052e582a6dfc412',
    'action fail · server · POST /: action / POST 500 failed 0047541dc9ae46aed9f1497d45c93c999bca699bea',
    'action go · server · GET /orders/[id]: page-data /orders/[id] GET 200 – – (no traffic)',
    'cart fails · server · GET /api/cart: route-handler /api/cart GET 500 failed –',
    'unknown action · server · POST /: action / POST 409 failed 40abababababababababababababababababababab',
    'missing navigation · server · GET /missing: page-data /missing GET 200 answered –',
    'moved document · server · GET /orders/[id]: document /orders/[id] GET 200 answered –',
    'moved navigation · server · GET /moved: page-data /moved GET 200 answered –',
    'moved navigation · server · GET /orders/[id]: page-data /orders/[id] GET 200 answered –',
    'abort · server · render route (app) /late: other /late – – – – (no traffic)',
    'abort · server · NextNodeServer.clientComponentLoading: other /late – – – – (no traffic)',
  ],
}

describe('segments that apps sent', { skip }, () => {
  for (const [file, expected] of Object.entries(CAPTURED)) {
    it(file, () => assert.deepEqual(captured(file), expected))
  }
})

interface Request {
  readonly sdk: string
  readonly name?: string
  /** Without method or source: as SDKs name what they know no route of. */
  readonly source?: string
  readonly method?: string
  readonly target: string
  readonly status?: number
  readonly ends?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A segment as the SDK of a framework sends it, in a batch or as a transaction. */
function request(asked: Request): string {
  const { sdk, method = 'GET', target, status = 200, ends = 'ok', headers = {}, source = 'route' } = asked
  const own = Object.entries(headers).map(([name, value]) => [`http.request.header.${name}`, value])
  const attributes: Record<string, string | number> = {
    ...{ 'sentry.sdk.name': sdk, 'sentry.segment.name.source': source, 'http.target': target },
    ...{ 'http.request.method': method, 'http.response.status_code': status, ...Object.fromEntries(own) },
  }
  const name = asked.name ?? `${method} ${target.replace(/\?.*$/, '')}`
  const span = aSpan({ id: 'a', isSegment: true, segment: 'a', status: ends, name, attributes })
  const [fragment] = fragmentsOf({ version: 2, items: [span] }, contextAt(NOW, sdk))
  const transaction = {
    ...{ type: 'transaction', platform: 'node', transaction: name, transaction_info: { source } },
    ...{ start_timestamp: NOW / 1_000, timestamp: NOW / 1_000 + 0.1, sdk: { name: sdk }, spans: [] },
    contexts: {
      trace: {
        ...{ trace_id: 'b'.repeat(32), span_id: 'c'.repeat(16), op: 'http.server', status: ends },
        data: Object.fromEntries(
          Object.entries(attributes).map(([key, value]) => [key.replaceAll(/(?<=header\..*)-/g, '_'), value]),
        ),
      },
    },
  }
  const [same] = fragmentsOf(transaction, contextAt(NOW, sdk))
  assert.ok(fragment !== undefined && same !== undefined)
  assert.equal(said(same), said(fragment), 'a transaction says the same as a batch')
  return said(fragment)
}

const HTML = { 'sec-fetch-dest': 'document', accept: 'text/html' }
const RR = 'sentry.javascript.react-router'
const KIT = 'sentry.javascript.sveltekit'
const TANSTACK = 'sentry.javascript.tanstackstart-react'

const FRAMEWORKS: readonly (readonly [string, Request, string])[] = [
  [
    'React Router, document',
    { sdk: RR, name: 'GET /orders/:id', target: '/orders/7', headers: HTML },
    'document /orders/:id GET 200 answered –',
  ],
  [
    'React Router, navigation',
    { sdk: RR, name: 'GET /orders/:id', target: '/orders/7.data' },
    'page-data /orders/:id GET 200 answered –',
  ],
  [
    'React Router, navigation to the root',
    { sdk: RR, source: 'url', target: '/_root.data' },
    'page-data / GET 200 answered –',
  ],
  [
    'React Router, navigation to an address that ends in a slash',
    { sdk: RR, source: 'url', target: '/orders/_.data' },
    'page-data /orders GET 200 answered –',
  ],
  [
    'React Router, a route within others that is named by its own part',
    { sdk: RR, name: 'GET /:shelf', target: '/shelves/poems?page=2', headers: HTML },
    'document /shelves/:shelf GET 200 answered –',
  ],
  [
    'React Router, a route within one of an id',
    { sdk: RR, name: 'GET /books/:book', target: '/shelves/7/books/9', headers: HTML },
    'document /shelves/*/books/:book GET 200 answered –',
  ],
  [
    'React Router, a part that may be missing',
    { sdk: RR, name: 'GET /:lang?/about/:page?', target: '/about', headers: HTML },
    'document /:lang?/about/:page? GET 200 answered –',
  ],
  [
    'React Router, a route whose address says nothing of it',
    { sdk: RR, name: 'GET /:shelf/notes', target: '/shelves/poems', headers: HTML },
    'document /:shelf/notes GET 200 answered –',
  ],
  [
    'React Router, a page under the name of a file',
    { sdk: RR, name: 'GET /files/*', target: '/files/a/b.txt', headers: HTML },
    'document /files/* GET 200 answered –',
  ],
  [
    'React Router, an image under such a page',
    {
      ...{ sdk: RR, name: 'GET /files/*', target: '/files/a/b.png' },
      headers: { 'sec-fetch-dest': 'image', accept: 'image/*' },
    },
    'static /files/* GET 200 answered –',
  ],
  [
    'React Router, prefetch',
    { sdk: RR, name: 'GET /orders/:id', target: '/orders/7.data', headers: { 'sec-purpose': 'prefetch' } },
    'prefetch /orders/:id GET 200 answered –',
  ],
  [
    'React Router, action',
    { sdk: RR, name: 'POST /cart', method: 'POST', target: '/cart.data' },
    'action /cart POST 200 answered –',
  ],
  [
    'React Router, form without JavaScript',
    { sdk: RR, name: 'POST /cart', method: 'POST', target: '/cart', headers: HTML },
    'action /cart POST 200 answered –',
  ],
  [
    'React Router, redirected data',
    { sdk: RR, name: 'GET /old', target: '/old.data', status: 202 },
    'page-data /old GET 202 answered –',
  ],
  [
    'Remix, navigation',
    {
      sdk: 'sentry.javascript.remix',
      name: 'GET /orders/:id',
      target: '/orders/7?_data=routes%2Forders.%24id',
    },
    'page-data /orders/:id GET 200 answered –',
  ],
  [
    'Remix, action',
    {
      sdk: 'sentry.javascript.remix',
      name: 'POST /cart',
      method: 'POST',
      target: '/cart?_data=routes%2Fcart',
    },
    'action /cart POST 200 answered –',
  ],
  [
    'Next.js Pages Router, navigation',
    {
      sdk: 'sentry.javascript.nextjs',
      source: 'url',
      target: '/_next/data/b1/orders/7.json?id=7',
      headers: { 'x-nextjs-data': '1' },
    },
    'page-data /orders/* GET 200 answered –',
  ],
  [
    'Next.js Pages Router, prefetch',
    {
      sdk: 'sentry.javascript.nextjs',
      source: 'url',
      target: '/_next/data/b1/index.json',
      headers: { 'x-nextjs-data': '1', purpose: 'prefetch' },
    },
    'prefetch / GET 200 answered –',
  ],
  [
    'TanStack Start, function of a loader',
    { sdk: TANSTACK, source: 'url', target: '/_serverFn/orders_load?payload=1' },
    'page-data /_serverFn/orders_load GET 200 answered –',
  ],
  [
    'TanStack Start, action',
    { sdk: TANSTACK, source: 'url', method: 'POST', target: '/_serverFn/orders_pay' },
    'action /_serverFn/orders_pay POST 200 answered orders_pay',
  ],
  [
    'Nuxt, navigation',
    { sdk: 'sentry.javascript.nuxt', source: 'url', target: '/orders/_payload.json?build' },
    'page-data /orders GET 200 answered –',
  ],
  [
    'SvelteKit, navigation',
    { sdk: KIT, source: 'url', target: '/orders/7/__data.json' },
    'page-data /orders/* GET 200 answered –',
  ],
  [
    'SvelteKit, action',
    { sdk: KIT, name: 'POST /cart', method: 'POST', target: '/cart?/remove' },
    'action /cart POST 200 answered remove',
  ],
  [
    'Astro, action',
    { sdk: 'sentry.javascript.astro', source: 'url', method: 'POST', target: '/_actions/checkout' },
    'action /_actions/checkout POST 200 answered checkout',
  ],
  [
    'Astro, action of a form',
    {
      sdk: 'sentry.javascript.astro',
      name: 'POST /cart',
      method: 'POST',
      target: '/cart?_action=checkout',
      headers: HTML,
    },
    'action /cart POST 200 answered checkout',
  ],
  [
    "Errata's own navigation",
    { sdk: 'errata', name: 'GET /:org/issues', target: '/acme/issues', headers: { 'errata-page': 'data' } },
    'page-data /:org/issues GET 200 answered –',
  ],
  [
    "Errata's own prefetch",
    {
      sdk: 'errata',
      name: 'GET /:org/issues',
      target: '/acme/issues',
      headers: { 'errata-page': 'data', 'errata-purpose': 'prefetch' },
    },
    'prefetch /:org/issues GET 200 answered –',
  ],
  [
    "Errata's own action",
    {
      sdk: 'errata',
      name: 'POST /:org/issues',
      method: 'POST',
      target: '/acme/issues',
      headers: { 'errata-action': 'issue.change' },
    },
    'action /:org/issues POST 200 answered issue.change',
  ],
  [
    'an API',
    { sdk: 'sentry.javascript.node', name: 'GET /api/cart', target: '/api/cart', status: 401, ends: 'error' },
    'route-handler /api/cart GET 401 answered –',
  ],
  [
    'a form of an app that renders nothing by itself',
    {
      sdk: 'sentry.javascript.node',
      name: 'POST /cart',
      method: 'POST',
      target: '/cart',
      headers: HTML,
    },
    'document /cart POST 200 answered –',
  ],
  [
    'a file',
    { sdk: 'sentry.javascript.node', source: 'url', target: '/assets/app-1a2b3c4d.js', status: 404 },
    'static – GET 404 answered –',
  ],
  [
    'an app below a server of its own, Express 4',
    { sdk: RR, name: 'GET *', target: '/orders/17.data' },
    'page-data /orders/* GET 200 answered –',
  ],
  [
    'the root of such an app',
    { sdk: RR, name: 'GET *', target: '/_root.data?_routes=root' },
    'page-data / GET 200 answered –',
  ],
  [
    'an app below a server of its own, Hono',
    { sdk: RR, name: 'GET /*', target: '/orders/17/lines.data' },
    'page-data /orders/*/lines GET 200 answered –',
  ],
  [
    'an action of such an app',
    { sdk: RR, name: 'POST /*', method: 'POST', target: '/cart.data' },
    'action /cart POST 200 answered –',
  ],
  [
    'a page for all that is left',
    { sdk: RR, name: 'GET /*', target: '/old/address', headers: HTML },
    'document /* GET 200 answered –',
  ],
  [
    'the relay',
    { sdk: RR, name: 'POST /monitoring', method: 'POST', target: '/monitoring?o=1&p=2' },
    'route-handler /monitoring POST 200 – – (no traffic)',
  ],
  [
    'the relay at a path of its own',
    { sdk: RR, name: 'POST /t4x', method: 'POST', target: '/t4x?o=4501&p=17&r=de' },
    'route-handler /t4x POST 200 – – (no traffic)',
  ],
  [
    'a page that is called as the relay often is',
    { sdk: RR, name: 'GET /monitoring', target: '/monitoring', headers: HTML },
    'document /monitoring GET 200 answered –',
  ],
]

describe('segments by framework', () => {
  for (const [name, asked, expected] of FRAMEWORKS) {
    it(name, () => assert.equal(request(asked), expected))
  }
})

describe('a server function of TanStack Start', () => {
  const [outer, inner] = ['a'.repeat(64), 'b'.repeat(64)]
  const asked = (id: string, name: string) => {
    const own = {
      'http.request.method': 'POST',
      'url.path': `/_serverFn/${outer}`,
      'sentry.op': 'http.server',
    }
    const sdk = { 'sentry.sdk.name': 'sentry.javascript.tanstackstart-react' }
    const op = 'function.tanstackstart'
    const payload = {
      items: [
        aSpan({ id: 'a', isSegment: true, op: 'http.server', name: 'POST', attributes: { ...own, ...sdk } }),
        aSpan({
          ...{ id: 'b', parent: 'a', segment: 'a', op, name: `POST /_serverFn/${name}` },
          attributes: { 'sentry.op': op, 'tanstackstart.function.id': id },
        }),
      ],
    }
    const [fragment] = fragmentsOf(payload, contextAt(NOW, 'sentry.javascript.tanstackstart-react'))
    return fragment === undefined ? null : segmentFacts(fragment).action
  }

  it('is called by its name, and not by that of one that it calls', () => {
    assert.equal(asked(outer, 'saveBoat'), 'saveBoat')
    assert.equal(asked(inner, 'findBoat'), outer)
  })
})
