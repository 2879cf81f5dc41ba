/** The routes of the sample's shop, and what one visit of each sends. */
import { type DemoItem, hexId } from './plan-events.ts'
import { type Runner, SegmentDraft, type SpanParts } from './trace-draft.ts'

export interface Route {
  readonly pattern: string
  readonly address: string
  /** How often it is visited, among all. */
  readonly visits: number
  /** Kinds of its requests; one that is listed twice is twice as likely. */
  readonly kinds: readonly ('document' | 'page-data' | 'prefetch' | 'action' | 'route-handler')[]
  /** Name of its action. */
  readonly action?: string
  readonly queries: readonly Query[]
  /** True where the stock service is asked. */
  readonly asksStock?: boolean
  /** Factor by which the newest release made the route slower. */
  readonly slowerNow?: number
}

interface Query {
  readonly sql: string
  readonly ms: number
  /** Runs for one request, one after the other. */
  readonly runs?: number
}

const ITEMS = 'SELECT * FROM order_items WHERE order_id = $1'
const STOCK = 'SELECT quantity FROM stock WHERE sku = $1'

export const ROUTES: readonly Route[] = [
  {
    ...{ pattern: '/', address: '/', visits: 18, kinds: ['document', 'document', 'prefetch'] },
    queries: [{ sql: 'SELECT id, name, price FROM products WHERE featured LIMIT 24', ms: 9 }],
  },
  {
    ...{ pattern: '/products/[slug]', address: '/products/linen-apron', visits: 26, asksStock: true },
    kinds: ['document', 'page-data', 'page-data', 'prefetch'],
    queries: [
      { sql: 'SELECT * FROM products WHERE slug = $1', ms: 6 },
      { sql: 'SELECT rating, count(*) FROM reviews WHERE product_id = $1 GROUP BY rating', ms: 14 },
    ],
  },
  {
    // The N+1: a query for each order of the list.
    ...{ pattern: '/orders', address: '/orders', visits: 8, kinds: ['document', 'page-data'] },
    queries: [
      { sql: 'SELECT * FROM orders WHERE user_id = $1 ORDER BY id DESC LIMIT 12', ms: 8 },
      { sql: ITEMS, ms: 5, runs: 12 },
    ],
  },
  {
    ...{ pattern: '/orders/[id]', address: '/orders/A-20418', visits: 14, slowerNow: 2.6 },
    kinds: ['document', 'page-data', 'page-data', 'prefetch'],
    queries: [
      { sql: 'SELECT * FROM orders WHERE id = $1', ms: 7 },
      { sql: ITEMS, ms: 11 },
    ],
  },
  {
    ...{ pattern: '/search', address: '/search?q=apron', visits: 9, kinds: ['document', 'page-data'] },
    // The slow query: no index serves it.
    queries: [{ sql: "SELECT * FROM products WHERE description ILIKE '%' || $1 || '%'", ms: 640 }],
  },
  {
    ...{ pattern: '/checkout', address: '/checkout', visits: 10, action: 'placeOrder' },
    kinds: ['document', 'action', 'action'],
    queries: [
      { sql: 'SELECT * FROM carts WHERE user_id = $1', ms: 6 },
      { sql: 'INSERT INTO orders (user_id, total) VALUES ($1, $2) RETURNING id', ms: 17 },
    ],
  },
  {
    ...{ pattern: '/api/pay', address: '/api/pay', visits: 7, kinds: ['route-handler'] },
    queries: [{ sql: 'UPDATE orders SET paid_at = now() WHERE id = $1', ms: 12 }],
  },
  {
    ...{ pattern: '/api/suggest', address: '/api/suggest?q=ap', visits: 12, kinds: ['route-handler'] },
    queries: [{ sql: 'SELECT name FROM products WHERE name ILIKE $1 LIMIT 8', ms: 4 }],
  },
]

export interface Visit {
  readonly atMs: number
  readonly random: () => number
  readonly traceId: string
  readonly release: string
  readonly isNewest: boolean
  readonly userId: string
  /** Spans that the errors of this visit name: of the server, and of the browser that showed it. */
  readonly failure: { readonly spanId: string; readonly mirrorId: string | null } | null
}

type Kind = Route['kinds'][number]

/** Builds one request: from the browser if a page asked, to the server, to the service behind it. */
export function visitRoute(route: Route, visit: Visit): readonly DemoItem[] {
  const kind = route.kinds[Math.floor(visit.random() * route.kinds.length)] ?? 'document'
  const asked = { route, visit, kind }
  if (kind === 'document') return loadPage(asked)
  if (kind === 'route-handler' && visit.failure === null) return serveRequest(asked, null).items
  return fetchData(asked)
}

interface Asked {
  readonly route: Route
  readonly visit: Visit
  readonly kind: Kind
}

/** The server comes first, and the page that it made goes on with its trace. */
function loadPage(asked: Asked): readonly DemoItem[] {
  const { route, visit } = asked
  const { random, failure } = visit
  const { items, spanId, ms } = serveRequest(asked, null)
  // Not every visitor's browser reports.
  if (failure !== null ? failure.mirrorId === null : random() < 0.25) return items
  const ttfb = ms + jitterMs(60, random)
  const fcp = ttfb + jitterMs(320, random)
  const lcp = fcp + jitterMs(route.asksStock === true ? 900 : 420, random)
  const page = new SegmentDraft(visit, runner(visit, 'browser'), {
    ...{
      name: route.pattern,
      op: 'pageload',
      parent: spanId,
      startMs: visit.atMs,
      ms: lcp + jitterMs(150, random),
    },
    ...(failure?.mirrorId ? { id: failure.mirrorId } : {}),
    attributes: {
      ...browserOf(visit),
      'browser.web_vital.ttfb.value': ttfb,
      'browser.web_vital.fcp.value': fcp,
    },
  })
  const shown = SHOWN.get(route.pattern) ?? SHOWN_ELSEWHERE
  page.add({
    ...{ name: shown.largest, op: 'ui.webvital.lcp', parent: page.id, startMs: visit.atMs, ms: lcp },
    attributes: { 'browser.web_vital.lcp.value': lcp },
  })
  page.add({
    ...{ name: shown.moved, op: 'ui.webvital.cls', parent: page.id, startMs: visit.atMs + lcp, ms: 0 },
    attributes: { 'browser.web_vital.cls.value': Math.round(random() ** 3 * 300) / 1_000 },
  })
  if (random() < 0.6) {
    const inp = jitterMs(110, random)
    page.add({
      ...{ name: shown.clicked, op: 'ui.interaction.click', parent: page.id },
      ...{ startMs: visit.atMs + lcp, ms: inp, attributes: { 'browser.web_vital.inp.value': inp } },
    })
  }
  addBlocking(page, { visit, script: shown.script, fcp })
  return [...items, page.item()]
}

/** Parts of a page that vitals are of. */
interface Shown {
  readonly largest: string
  readonly moved: string
  readonly clicked: string
  /** Keeps the page busy where the device is slow. */
  readonly script: string | null
}

const SHOWN_ELSEWHERE: Shown = {
  ...{ largest: 'main > h1', moved: 'main > section', clicked: 'button.add-to-cart', script: null },
}
const SHOWN: ReadonlyMap<string, Shown> = new Map([
  [
    '/',
    {
      ...{ largest: 'main > img.hero', moved: 'div.promo-banner', clicked: 'nav > a.collection' },
      script: 'https://shop.example/_next/static/chunks/recommendations.js',
    },
  ],
  [
    '/products/[slug]',
    {
      ...{
        largest: 'figure > img.product-photo',
        moved: 'aside.reviews > ul',
        clicked: 'button.add-to-cart',
      },
      script: 'https://shop.example/_next/static/chunks/reviews.js',
    },
  ],
  ['/checkout', { ...SHOWN_ELSEWHERE, largest: 'form.delivery', clicked: 'button.place-order' }],
  ['/search', { ...SHOWN_ELSEWHERE, largest: 'ul.results > li', clicked: 'input#search' }],
])

/** People per slow device. */
const SLOW_DEVICES = 3
const STYLES_MS = 42

function addBlocking(
  page: SegmentDraft,
  of: { readonly visit: Visit; readonly script: string | null; readonly fcp: number },
): void {
  const { visit, script, fcp } = of
  if (script === null) return
  page.add({
    ...{ name: '/_next/static/css/shop.css', op: 'resource.link', parent: page.id },
    ...{ startMs: visit.atMs + fcp - 2 * STYLES_MS, ms: STYLES_MS },
    attributes: { 'resource.render_blocking_status': 'blocking' },
  })
  const person = Number(visit.userId.slice(2)) || 0
  if (person % SLOW_DEVICES !== 0) return
  page.add({
    ...{ name: 'Main UI thread blocked', op: 'ui.long-animation-frame', parent: page.id },
    ...{ startMs: visit.atMs + fcp, ms: 70 + (person % 40) },
    attributes: { 'browser.script.source_url': script },
  })
}

/** The browser comes first: a link, a prefetch, an action or a call of a script. */
function fetchData(asked: Asked): readonly DemoItem[] {
  const { route, visit, kind } = asked
  const { random, failure } = visit
  const isNavigation = kind === 'page-data'
  const callId = hexId(random, 16)
  const { items, ms } = serveRequest({ ...asked, visit: { ...visit, atMs: visit.atMs + 30 } }, callId)
  const method = kind === 'action' || kind === 'route-handler' ? 'POST' : 'GET'
  const call: SpanParts = {
    ...{ name: `${method} ${route.address}`, op: 'http.client', id: callId, parent: null },
    ...{ startMs: visit.atMs + 8, ms: ms + 50, isFailed: failure !== null && kind !== 'page-data' },
    attributes: { 'http.request.method': method, 'url.path': route.address },
  }
  const own = isNavigation
    ? navigation(asked, ms)
    : { ...call, attributes: { ...call.attributes, ...browserOf(visit) } }
  const browser = new SegmentDraft(visit, runner(visit, 'browser'), own)
  if (isNavigation) browser.add({ ...call, parent: browser.id })
  if (!isNavigation && failure !== null && failure.mirrorId !== null) {
    const shown = { name: route.pattern, op: 'ui.react.render', startMs: visit.atMs + ms + 60, ms: 12 }
    browser.add({ ...shown, parent: browser.id, id: failure.mirrorId })
  }
  return [...items, browser.item()]
}

function navigation({ route, visit }: Asked, ms: number): SpanParts {
  return {
    ...{ name: route.pattern, op: 'navigation', parent: null, startMs: visit.atMs, ms: ms + 120 },
    ...(visit.failure?.mirrorId ? { id: visit.failure.mirrorId } : {}),
    attributes: browserOf(visit),
  }
}

interface Served {
  readonly items: readonly DemoItem[]
  /** That the page goes on from. */
  readonly spanId: string
  readonly ms: number
}

/** The server's segment, and that of the service it asked. */
function serveRequest(asked: Asked, parent: string | null): Served {
  const { route, visit, kind } = asked
  const { atMs, random, failure, isNewest } = visit
  const isSlower = isNewest && route.slowerNow !== undefined
  const work = jitterMs(kind === 'prefetch' ? 6 : 38, random) * (isSlower ? (route.slowerNow ?? 1) : 1)
  const runs = kind === 'prefetch' ? [] : queriesOf(route, { startMs: atMs + 4, random })
  const stockMs = route.asksStock === true && kind !== 'prefetch' ? jitterMs(45, random) : 0
  const queriedMs = runs.at(-1)?.endMs ?? atMs + 4
  const ms = queriedMs - atMs + stockMs + work
  const segment = new SegmentDraft(visit, runner(visit, 'server'), {
    ...{ name: nameOf(asked), op: 'http.server', parent, startMs: atMs, ms },
    isFailed: failure !== null,
    attributes: requestAttributes(asked),
  })
  const renderId = segment.add({
    ...{ ...innerOf(asked), parent: segment.id, startMs: atMs + 2, ms: ms - 3, isFailed: failure !== null },
    ...(failure === null ? {} : { id: failure.spanId }),
  })
  for (const { sql, startMs, endMs } of runs) {
    segment.add({
      ...{ name: sql, op: 'db', parent: renderId, startMs, ms: endMs - startMs },
      attributes: { 'db.system.name': 'postgresql', 'sentry.origin': 'auto.db.postgresjs' },
    })
  }
  if (stockMs === 0) return { items: [segment.item()], spanId: segment.id, ms }
  const callId = segment.add({
    ...{ name: 'GET http://warehouse.internal/stock', op: 'http.client', parent: renderId },
    ...{ startMs: queriedMs, ms: stockMs, attributes: { 'http.response.status_code': 200 } },
  })
  const stock = stockOf(visit, { parent: callId, startMs: queriedMs + 3, ms: stockMs - 5 })
  return { items: [stock, segment.item()], spanId: segment.id, ms }
}

function stockOf(
  visit: Visit,
  { parent, startMs, ms }: { readonly parent: string; readonly startMs: number; readonly ms: number },
): DemoItem {
  const stock = new SegmentDraft(visit, runner(visit, 'python'), {
    ...{ name: '/stock/{sku}', op: 'http.server', parent, startMs, ms },
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/stock/{sku}',
    },
  })
  stock.add({
    ...{ name: STOCK, op: 'db', parent: stock.id, startMs: startMs + 2, ms: ms * 0.7 },
    attributes: { 'db.system': 'postgresql' },
  })
  return stock.item()
}

function queriesOf(
  { queries }: Route,
  { startMs, random }: { readonly startMs: number; readonly random: () => number },
) {
  let atMs = startMs
  return queries.flatMap(({ sql, ms, runs = 1 }) =>
    Array.from({ length: runs }, () => {
      const run = { sql, startMs: atMs, endMs: atMs + jitterMs(ms, random) }
      atMs = run.endMs + 0.5
      return run
    }),
  )
}

function nameOf({ route, kind }: Asked): string {
  const isPosted = kind === 'action' || route.pattern === '/api/pay'
  return `${isPosted ? 'POST' : 'GET'} ${route.pattern}`
}

/** Returns the attributes that tell a request's kind, as stock SDKs send them. */
function requestAttributes(asked: Asked): NonNullable<SpanParts['attributes']> {
  const { route, kind, visit } = asked
  const status = visit.failure === null || kind === 'page-data' ? 200 : 500
  return {
    'http.request.method': nameOf(asked).slice(0, nameOf(asked).indexOf(' ')),
    'http.route': route.pattern,
    'http.target': kind === 'page-data' || kind === 'prefetch' ? withRsc(route.address) : route.address,
    'http.response.status_code': status,
    ...(kind === 'page-data' || kind === 'prefetch'
      ? { 'next.rsc': true, 'http.request.header.rsc': '1' }
      : {}),
    ...(kind === 'prefetch' ? { 'http.request.header.next-router-prefetch': '1' } : {}),
    ...(kind === 'action' ? { 'http.request.header.next-action': ACTION_ID } : {}),
    ...(kind === 'document' ? { 'next.rsc': false, 'http.request.header.sec-fetch-dest': 'document' } : {}),
  }
}

const ACTION_ID = '60b1f2e07c3a9d4c5f8e21a6b4d09c7713e5a82f44'

function withRsc(address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}_rsc=2Md0sTUZcnjCijMr`
}

/** The span that the framework opens inside the request. */
function innerOf({ route, kind }: Asked): Pick<SpanParts, 'name' | 'op' | 'attributes'> {
  if (kind === 'action') {
    const action = route.action ?? 'action'
    const attributes = {
      'sentry.origin': 'auto.function.nextjs.server_action',
      'sentry.description': `serverAction/${action}`,
    }
    return { name: action, op: 'function', attributes }
  }
  if (kind === 'route-handler') {
    const attributes = { 'next.span_type': 'AppRouteRouteHandlers.runHandler' }
    return { name: `executing api route (app) ${route.pattern}`, op: 'default', attributes }
  }
  const attributes = { 'next.span_type': 'AppRender.getBodyResult' }
  return { name: `render route (app) ${route.pattern}`, op: 'default', attributes }
}

function runner({ release, userId }: Visit, half: Runner['half']): Runner {
  if (half !== 'python') return { project: 'storefront', half, release, userId }
  return { project: 'warehouse', half, release: 'warehouse@2026.11.20', userId }
}

function browserOf({ userId }: Visit): NonNullable<SpanParts['attributes']> {
  const [name, version, system] = BROWSERS[Number(userId.slice(2)) % BROWSERS.length] ?? BROWSERS[0]
  return { 'browser.name': name, 'browser.version': version, 'os.name': system }
}

const BROWSERS = [
  ['Chrome', '142.0', 'Windows'],
  ['Mobile Safari', '26.1', 'iOS'],
  ['Firefox', '145.0', 'macOS'],
  ['Edge', '142.0', 'Windows'],
] as const

/** Most are near `ms`; a few take several times as long. */
function jitterMs(ms: number, random: () => number): number {
  const tail = random() < 0.04 ? 2 + 2 * random() : 1
  return Math.round(ms * (0.7 + 0.6 * random()) * tail * 10) / 10
}
