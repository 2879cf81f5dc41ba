import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestKind, ScrubbedEvent } from '#model/event.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { requestPlace } from './request-kind.ts'

interface Parts {
  readonly platform?: string
  readonly sdk?: string
  readonly transaction?: string
  readonly mechanism?: string
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly nextjs?: object
  readonly trace?: object
  readonly runtime?: string
  readonly tags?: readonly (readonly [string, string])[]
}

function eventFrom(parts: Parts): ScrubbedEvent {
  const hasRequest = parts.method !== undefined || parts.url !== undefined || parts.headers !== undefined
  return aScrubbedEvent({
    platform: parts.platform ?? 'node',
    tags: parts.tags ?? [],
    sdk: { name: parts.sdk ?? 'sentry.javascript.nextjs', version: '11.8.0' },
    ...(parts.transaction === undefined ? {} : { transaction: parts.transaction }),
    exception: { values: [{ type: 'Error', mechanism: { type: parts.mechanism ?? 'generic' } }] },
    ...(hasRequest
      ? { request: { method: parts.method, url: parts.url, headers: Object.entries(parts.headers ?? {}) } }
      : {}),
    contexts: {
      ...(parts.nextjs === undefined ? {} : { nextjs: parts.nextjs }),
      ...(parts.trace === undefined ? {} : { trace: { data: parts.trace } }),
      ...(parts.runtime === undefined ? {} : { runtime: { name: parts.runtime } }),
    },
  })
}

const RR = 'sentry.javascript.react-router'
const render = { route_type: 'render', router_path: '/orders/[id]', router_kind: 'App Router' }

describe('kind and route of a request', () => {
  const TABLE: readonly (readonly [what: string, parts: Parts, kind: RequestKind, route: string | null])[] = [
    [
      'page data of an app below a server of its own',
      {
        sdk: RR,
        transaction: 'GET /{*splat}',
        method: 'GET',
        url: 'https://shop.example/orders/17/lines.data',
      },
      'page-data',
      '/orders/*/lines',
    ],
    [
      'page data of an app that Hono hands every address on to',
      { sdk: RR, transaction: 'GET /*', method: 'GET', url: 'https://shop.example/products/assam.data' },
      'page-data',
      '/products/assam',
    ],
    [
      'a page for all that is left',
      {
        sdk: RR,
        transaction: 'GET /*',
        method: 'GET',
        url: 'https://shop.example/old',
        headers: { accept: 'text/html' },
      },
      'document',
      '/*',
    ],
    [
      'a route handler of the edge runtime, which is called by its file',
      {
        nextjs: { route_type: 'route', router_path: '/api/near/route' },
        method: 'GET',
        url: 'https://shop.example/api/near',
      },
      'route-handler',
      '/api/near',
    ],
    [
      'a form that was sent without JavaScript, which is called by its file',
      {
        nextjs: { route_type: 'render', router_path: '/(shop)/book/page' },
        method: 'POST',
        url: 'https://shop.example/book',
      },
      'action',
      '/book',
    ],
    [
      'a component in a route group and a slot, asked for within the app, of which nothing but the query is kept',
      {
        transaction: 'Page Server Component (/(desk)/desk/@agenda)',
        mechanism: 'auto.function.nextjs.server_component',
        method: 'GET',
        url: 'https://shop.example/desk?_rsc=W8QP_O4Hm5bGnO_B',
        headers: { 'sec-fetch-dest': 'empty' },
      },
      'page-data',
      '/desk',
    ],
    [
      'a component that intercepts a route',
      {
        transaction: 'Page Server Component (/(desk)/desk/@modal/(.)visit/[id])',
        mechanism: 'auto.function.nextjs.server_component',
        headers: {},
      },
      'document',
      '/desk/(.)visit/[id]',
    ],
    [
      'a page of the Pages Router that is called by its function',
      {
        transaction: 'getServerSideProps (/legacy/[slug])',
        method: 'GET',
        url: 'https://shop.example/legacy/bad',
        headers: { accept: 'text/html' },
      },
      'document',
      '/legacy/[slug]',
    ],
    [
      'code that answers under the name of a file',
      {
        sdk: RR,
        transaction: 'GET /{*splat}',
        method: 'GET',
        url: 'https://shop.example/feed.xml',
        headers: { 'sec-fetch-dest': 'empty' },
      },
      'route-handler',
      '/feed.xml',
    ],
    [
      'a file of a build that is gone',
      { sdk: RR, method: 'GET', url: 'https://shop.example/assets/cart-B0ldBu1d.js' },
      'static',
      null,
    ],
    [
      'a Next document',
      { nextjs: render, method: 'GET', headers: { 'sec-fetch-dest': 'document' } },
      'document',
      '/orders/[id]',
    ],
    [
      'a Next page-data request',
      { nextjs: render, method: 'GET', headers: { RSC: '1' } },
      'page-data',
      '/orders/[id]',
    ],
    [
      'a Next prefetch',
      { nextjs: render, headers: { rsc: '1', 'Next-Router-Prefetch': '1' } },
      'prefetch',
      '/orders/[id]',
    ],
    [
      'a Next segment prefetch',
      { nextjs: render, headers: { rsc: '1', 'next-router-segment-prefetch': '/_tree' } },
      'prefetch',
      '/orders/[id]',
    ],
    [
      'a Next action',
      { nextjs: { ...render, route_type: 'action' }, method: 'POST' },
      'action',
      '/orders/[id]',
    ],
    [
      'a Next action, by its header alone',
      {
        method: 'POST',
        url: 'http://x/act',
        headers: { 'Next-Action': '[Filtered]' },
        transaction: 'POST /act',
      },
      'action',
      '/act',
    ],
    [
      'a Next action, wrapped',
      { transaction: 'serverAction/myAction', mechanism: 'auto.function.nextjs.server_action' },
      'action',
      null,
    ],
    [
      'a Next route handler',
      { nextjs: { route_type: 'route', router_path: '/api/pay' }, method: 'GET' },
      'route-handler',
      '/api/pay',
    ],
    [
      'a Next route handler of webpack',
      { transaction: 'GET /api/hello', mechanism: 'auto.function.nextjs.route_handler' },
      'route-handler',
      '/api/hello',
    ],
    [
      'a Next component of webpack',
      {
        transaction: 'Page Server Component (/orders/[id])',
        mechanism: 'auto.function.nextjs.server_component',
      },
      'document',
      '/orders/[id]',
    ],
    [
      'a Next component of webpack, page data',
      { transaction: 'Layout Server Component (/x)', headers: { rsc: '1' } },
      'page-data',
      '/x',
    ],
    [
      'Next metadata',
      { transaction: 'Page.generateMetadata (/x)', mechanism: 'auto.function.nextjs.generation_function' },
      'document',
      '/x',
    ],
    ['Next middleware', { nextjs: { route_type: 'middleware' } }, 'other', null],
    [
      'Next middleware of a document, wrapped',
      {
        mechanism: 'auto.function.nextjs.wrap_middleware',
        ...{ transaction: 'middleware GET', method: 'GET', url: 'http://localhost:3000/gate' },
        headers: { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
      },
      'document',
      '/gate',
    ],
    [
      'Next middleware of page data, wrapped',
      {
        mechanism: 'auto.function.nextjs.wrap_middleware',
        ...{ transaction: 'middleware GET', method: 'GET', url: 'http://localhost:3000/gate' },
        headers: { rsc: '1', 'sec-fetch-dest': 'empty' },
      },
      'page-data',
      '/gate',
    ],
    [
      'a Next pages-router data request',
      {
        method: 'GET',
        url: 'http://x/_next/data/b1/legacy.json',
        nextjs: { route_type: 'render', router_path: '/legacy' },
      },
      'page-data',
      '/legacy',
    ],
    [
      'headers as attributes with underscores',
      { trace: { 'http.request.header.next_action': 'abc', 'http.route': '/cart' } },
      'action',
      '/cart',
    ],
    [
      'headers as attributes in lists',
      {
        trace: { 'http.request.header.rsc': ['1'], 'http.request.header.next-router-prefetch': ['1'] },
        url: 'http://x/',
      },
      'prefetch',
      null,
    ],
    [
      'the attribute that Next sets',
      { trace: { 'next.rsc': true, 'next.route': '/x' }, url: 'http://x/x' },
      'page-data',
      '/x',
    ],
    [
      'React Router page data',
      { sdk: RR, method: 'GET', url: 'http://x/orders/7.data?_routes=a', transaction: 'GET /orders/:id' },
      'page-data',
      '/orders/:id',
    ],
    [
      'React Router page data, by its target',
      { sdk: RR, trace: { 'http.target': '/orders/7.data', 'http.route': '/orders/:id' } },
      'page-data',
      '/orders/:id',
    ],
    [
      'a React Router prefetch',
      { sdk: RR, method: 'GET', url: 'http://x/_root.data', headers: { 'sec-purpose': 'prefetch' } },
      'prefetch',
      null,
    ],
    [
      'a React Router action',
      { sdk: RR, method: 'POST', url: 'http://x/cart.data', transaction: 'POST /cart' },
      'action',
      '/cart',
    ],
    [
      'a React Router form without JavaScript',
      { sdk: RR, method: 'POST', url: 'http://x/cart', headers: { 'sec-fetch-dest': 'document' } },
      'action',
      null,
    ],
    [
      'a React Router document',
      { sdk: RR, method: 'GET', url: 'http://x/cart', headers: { accept: 'text/html,*/*' } },
      'document',
      null,
    ],
    [
      'a resource route',
      { sdk: RR, method: 'GET', url: 'http://x/api/x', headers: { 'sec-fetch-dest': 'empty' } },
      'route-handler',
      null,
    ],
    [
      'a plain server',
      { sdk: 'sentry.javascript.node', method: 'GET', url: 'http://x/err', transaction: 'GET /err' },
      'route-handler',
      '/err',
    ],
    [
      'a form of a plain server',
      {
        sdk: 'sentry.python',
        platform: 'python',
        method: 'POST',
        url: 'http://x/f',
        headers: { 'Sec-Fetch-Dest': 'document' },
      },
      'document',
      null,
    ],
    [
      'an address instead of a pattern',
      {
        sdk: 'sentry.javascript.node',
        method: 'GET',
        url: 'http://x/orders/7',
        transaction: 'GET /orders/7',
      },
      'route-handler',
      null,
    ],
    [
      'no request',
      { sdk: 'sentry.python', platform: 'python', transaction: 'shop.tasks.settle' },
      'other',
      null,
    ],
    [
      "Errata's own page data",
      {
        sdk: 'errata',
        method: 'GET',
        url: 'http://x/acme/issues',
        headers: { 'Errata-Page': 'data' },
        tags: [['route', '/:org/issues']],
      },
      'page-data',
      '/:org/issues',
    ],
    [
      "Errata's own action",
      {
        sdk: 'errata',
        method: 'POST',
        url: 'http://x/acme/issues',
        headers: { 'Errata-Action': 'issues.resolve' },
      },
      'action',
      null,
    ],
    [
      'a browser',
      {
        platform: 'javascript',
        transaction: '/cart',
        headers: { 'User-Agent': 'Mozilla/5.0' },
        url: 'http://x/cart',
      },
      'browser',
      '/cart',
    ],
    [
      'the edge',
      { platform: 'javascript', runtime: 'vercel-edge', nextjs: render },
      'document',
      '/orders/[id]',
    ],
    [
      'a worker',
      { platform: 'javascript', sdk: 'sentry.javascript.cloudflare', method: 'GET', url: 'http://x/' },
      'route-handler',
      null,
    ],
    [
      'a kind that the app states',
      {
        platform: 'javascript',
        tags: [
          ['request_kind', 'action'],
          ['route', 'POST /pay/:id?x=1'],
        ],
      },
      'action',
      '/pay/:id',
    ],
    [
      'a kind that is none',
      { platform: 'javascript', tags: [['request_kind', 'sideways']] },
      'browser',
      null,
    ],
  ]
  for (const [what, parts, kind, route] of TABLE) {
    it(`of ${what} are ${kind} and ${route ?? 'unknown'}`, () => {
      assert.deepEqual(requestPlace(eventFrom(parts)), { kind, route })
    })
  }
})
