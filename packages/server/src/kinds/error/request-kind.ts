/**
 * How the request of an event reached a server-rendered app, and the framework's pattern of its route: from the
 * framework's own words where it says, else from the headers that its client sends. docs/wire.md, "Request kinds".
 */

import { isObject } from '#base/json.ts'
import { Memo } from '#base/memo.ts'
import { REQUEST_KINDS, type RequestKind, type ScrubbedEvent } from '#model/event.ts'
import type { KnownRoutes } from '#model/known-routes.ts'
import { eventMechanism } from '#model/main-exception.ts'
import { FETCHING_SDKS, isFetchedPage, isRouteHandlerPath } from '#requests/framework-spans.ts'
import {
  BRACKET_SDKS,
  fileRoute,
  functionIn,
  isActionAddress,
  isDataAddress,
  isFilesPath,
  isMount,
  isRouteOf,
  isStaticPath,
  NESTING_SDKS,
  nestedRoute,
  pagePath,
  patternOf,
  RENDERING_SDKS,
  shownRoute,
  withoutQuery,
} from '#requests/request-paths.ts'

export interface RequestPlace {
  readonly kind: RequestKind
  /** Route such as `/orders/[id]`: no method, query or `.data`. */
  readonly route: string | null
}

const ROUTE_CHARS_MAX = 200
const SERVER_RUNTIMES = /vercel-edge|edge|cloudflare|workerd|deno|bun|node|lambda/i
const SERVER_SDKS =
  /\.(?:node|bun|deno|cloudflare|vercel-edge|aws-serverless|google-cloud-serverless|nestjs|hono|elysia)(?:$|\.)/
const HEADER_ATTRIBUTE = /^http\.request\.header\./
/** `Page Server Component (/(shop)/orders/[id])`, `Page.generateMetadata (/orders/[id])`, `getServerSideProps (/orders)`. */
const NEXT_COMPONENT = /^(?:[A-Z]|get)[\w.-]{0,60}(?: Server Component)? \((\/\S{0,300})\)$/

type Hints = {
  readonly headers: ReadonlyMap<string, string>
  readonly attributes: Readonly<Record<string, unknown>>
  readonly method: string
  /** Path without query, may be empty. */
  readonly path: string
  /** The same with the query. */
  readonly target: string
  readonly mechanism: string
  readonly transaction: string
}

/**
 * Returns the place with the route as its server spells it, and as its segment has it; groups keep what the
 * event says.
 */
export function shownPlace(event: ScrubbedEvent, routes?: KnownRoutes): RequestPlace {
  const { kind, route } = requestPlace(event)
  if (route === null) return { kind, route }
  const spelled = kind === 'browser' ? fileRoute(route, event.sdk?.name ?? '') : route
  if (routes === undefined || routes.isEmpty || !isNamedByAddress(event, route))
    return { kind, route: spelled }
  const called = route.startsWith('/_serverFn/') ? functionIn(hintsOf(event).path) : null
  const named = called === null ? null : routes.ofFunction(called)
  return { kind, route: named ?? routes.nameOf(spelled, kind) }
}

/** No attribute states it, and it is the address of what was asked for, or of what its page asked for. */
function isNamedByAddress(event: ScrubbedEvent, route: string): boolean {
  const { path, attributes, transaction } = hintsOf(event)
  if (event.contexts?.nextjs !== undefined || 'http.route' in attributes || 'url.template' in attributes)
    return false
  const called = addressPath(transaction.replace(/^[A-Z]{3,7} /, ''))
  return [path, called].some(
    (address) => address !== '' && plainRoute(patternOf(pagePath(address))) === route,
  )
}

export function requestPlace(event: ScrubbedEvent): RequestPlace {
  const hints = hintsOf(event)
  return { kind: eventRequestKind(event, hints), route: eventRoute(event, hints) }
}

function eventRequestKind(event: ScrubbedEvent, hints: Hints): RequestKind {
  return (
    taggedKind(event) ??
    (isBrowserEvent(event) ? 'browser' : (nextKind(event, hints) ?? serverKind(event, hints)))
  )
}

/** An app, and Errata itself, may say it outright. */
function taggedKind(event: ScrubbedEvent): RequestKind | null {
  const tag = tagOf(event, 'request_kind')
  if (tag === undefined) return null
  return REQUEST_KINDS.find((kind) => kind === tag) ?? null
}

/** By their places: taking each pair apart would cost more than all that is looked at. */
function tagOf({ tags }: ScrubbedEvent, name: string): string | undefined {
  for (const tag of tags) if (tag[0] === name) return tag[1]
  return undefined
}

function isBrowserEvent(event: ScrubbedEvent): boolean {
  if (event.platform !== 'javascript') return false
  const runtime = event.contexts?.runtime?.name
  if (typeof runtime === 'string' && SERVER_RUNTIMES.test(runtime)) return false
  return !SERVER_SDKS.test(event.sdk?.name ?? '')
}

/** Returns the kind that Next.js states in its context, the mechanism, or the transaction's name. */
function nextKind(event: ScrubbedEvent, hints: Hints): RequestKind | null {
  switch (event.contexts?.nextjs?.route_type) {
    case 'action':
      return 'action'
    case 'route':
      return 'route-handler'
    case 'middleware':
    case 'proxy':
      return serverKind(event, hints)
    case 'render':
      // A form that was sent without JavaScript posts to its page.
      return clientKind(event, hints) ?? (hints.method === 'POST' ? 'action' : 'document')
    default:
  }
  if (hints.transaction.startsWith('serverAction/') || hints.mechanism.endsWith('.server_action'))
    return 'action'
  if (/\.(?:route_handler|wrap_api_handler|api_handler)$/.test(hints.mechanism)) return 'route-handler'
  if (/\.wrap_middleware$/.test(hints.mechanism)) return serverKind(event, hints)
  const isComponent = /\.(?:server_component|page_function|page_class|generation_function)$/.test(
    hints.mechanism,
  )
  if (isComponent || / Server Component \(/.test(hints.transaction))
    return clientKind(event, hints) ?? 'document'
  return null
}

function serverKind(event: ScrubbedEvent, hints: Hints): RequestKind {
  if (isInnerCall(event, hints)) return 'route-handler'
  const asked = clientKind(event, hints)
  if (asked !== null) return asked
  if (isFilesPath(hints.path) || (isStaticPath(hints.path) && isMissingPage(event))) return 'static'
  if (hints.path === '' && hints.method === '' && hints.headers.size === 0) return 'other'
  const isDocument =
    hints.headers.get('sec-fetch-dest') === 'document' ||
    hints.headers.get('sec-fetch-mode') === 'navigate' ||
    (!hints.headers.has('sec-fetch-dest') && /\btext\/html\b/.test(hints.headers.get('accept') ?? ''))
  if (!isDocument) return 'route-handler'
  const isForm = hints.method === 'POST' && RENDERING_SDKS.test(event.sdk?.name ?? '')
  return isForm ? 'action' : 'document'
}

/**
 * True if a page of Nuxt calls its own API while it renders: the event has the page's request, and is named
 * by the call.
 */
function isInnerCall({ sdk }: ScrubbedEvent, { transaction, path }: Hints): boolean {
  if (!(sdk?.name ?? '').includes('nuxt') || path === '') return false
  const called = addressPath(transaction.replace(/^[A-Z]{3,7} /, ''))
  return isRouteHandlerPath(called) && called !== path
}

/** A file that is not there. Another failure is of code that answers under a file's name, such as `/sitemap.xml`. */
function isMissingPage(event: ScrubbedEvent): boolean {
  return (event.exception?.values.at(-1)?.value ?? '').startsWith('No route matches URL')
}

/**
 * Returns the kind by what the framework's client in the browser put on its request; `null` for a plain
 * request.
 */
function clientKind(event: ScrubbedEvent, hints: Hints): RequestKind | null {
  const { headers, method, target } = hints
  const sdk = event.sdk?.name ?? ''
  if (headers.has('next-action') || headers.has('errata-action') || headers.has('x-sveltekit-action'))
    return 'action'
  if (isActionAddress(target, method)) return 'action'
  if (isPrefetch(headers)) return 'prefetch'
  const asksData =
    isDataAddress(target, method) ||
    isOn(headers.get('rsc')) ||
    isOn(headers.get('x-nextjs-data')) ||
    headers.get('errata-page') === 'data' ||
    hints.attributes['next.rsc'] === true ||
    (FETCHING_SDKS.test(sdk) &&
      isFetchedPage({ dest: headers.get('sec-fetch-dest'), method, path: hints.path }))
  if (!asksData) return null
  return method === 'POST' ? 'action' : 'page-data'
}

/** The id of the server action that was asked for; `null` for other requests. */
export function actionIdOf(event: ScrubbedEvent): string | null {
  return hintsOf(event).headers.get('next-action') ?? null
}

function isPrefetch(headers: ReadonlyMap<string, string>): boolean {
  return (
    isOn(headers.get('next-router-prefetch')) ||
    headers.has('next-router-segment-prefetch') ||
    isOn(headers.get('x-middleware-prefetch')) ||
    /\bprefetch\b/.test(headers.get('sec-purpose') ?? '') ||
    /\bprefetch\b/.test(headers.get('purpose') ?? '') ||
    /\bprefetch\b/.test(headers.get('errata-purpose') ?? '')
  )
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}

/** The event that was asked about last: its kind, route and name are each asked for by their own. */
let latest: { readonly event: ScrubbedEvent; readonly hints: Hints } | null = null

function hintsOf(event: ScrubbedEvent): Hints {
  if (latest?.event !== event) latest = { event, hints: readHints(event) }
  return latest.hints
}

function readHints(event: ScrubbedEvent): Hints {
  const attributes = attributesOf(event)
  const { request } = event
  const method =
    request?.method ?? firstText(attributes['http.request.method']) ?? firstText(attributes['http.method'])
  const address =
    request?.url ??
    firstText(attributes['http.target']) ??
    firstText(attributes['url.path']) ??
    firstText(attributes['url.full'])
  return {
    headers: headersOf(event, attributes),
    attributes,
    method: (method ?? transactionMethod(event.transaction)).toUpperCase(),
    path: addressPath(address ?? ''),
    target: requestTarget(address ?? '', request?.query_string),
    mechanism: eventMechanism(event)?.type ?? '',
    transaction: event.transaction ?? '',
  }
}

function attributesOf(event: ScrubbedEvent): Hints['attributes'] {
  const bag: unknown = event.contexts?.trace?.data
  return isObject(bag) ? bag : {}
}

/** Names in lower case with dashes: attributes spell them with underscores and give lists. */
function headersOf(event: ScrubbedEvent, attributes: Hints['attributes']): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const key in attributes) {
    if (HEADER_ATTRIBUTE.test(key))
      headers.set(headerName(key.replace(HEADER_ATTRIBUTE, '')), firstText(attributes[key]) ?? '')
  }
  for (const pair of event.request?.headers ?? []) headers.set(headerName(pair[0]), pair[1].trim())
  return headers
}

function headerName(name: string): string {
  return HEADER_NAMES.of(name)
}

const HEADER_NAMES = new Memo((name) => name.trim().toLowerCase().replaceAll('_', '-'), {
  entriesMax: 1_000,
  charsMax: 64,
})

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'string') return first
  return typeof first === 'number' || typeof first === 'boolean' ? String(first) : undefined
}

function addressPath(address: string): string {
  if (address === '') return ''
  return withoutOrigin(address.replace(/[?#].*$/s, ''))
}

function withoutOrigin(address: string): string {
  return address.replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/]*/i, '')
}

function requestTarget(
  address: string,
  query: NonNullable<ScrubbedEvent['request']>['query_string'],
): string {
  const target = address.replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*/i, '')
  if (query === undefined || query.length === 0 || target.includes('?')) return target
  const text = typeof query === 'string' ? query : query.map(([key, value]) => `${key}=${value}`).join('&')
  return `${target}?${text.replace(/^\?/, '')}`
}

function transactionMethod(transaction: string | undefined): string {
  return /^([A-Z]{3,7}) \//.exec(transaction ?? '')?.[1] ?? ''
}

function eventRoute(event: ScrubbedEvent, hints: Hints): string | null {
  const stated = [
    tagOf(event, 'route'),
    routerPath(event, hints),
    firstText(hints.attributes['http.route']),
    firstText(hints.attributes['next.route']),
    firstText(hints.attributes['url.template']),
  ]
  const isMounted = (name: string) => isMount(name, hints.target)
  for (const candidate of stated) {
    const route = candidate !== undefined && isMounted(candidate) ? null : plainRoute(candidate)
    if (route !== null) return wholeRoute(route, event, hints)
  }
  // As the request's own segment is called, which it is joined with.
  if (stated.some((name) => name !== undefined && isMounted(name)) || isMounted(hints.transaction))
    return hints.path === '' ? null : plainRoute(patternOf(pagePath(hints.path)))
  const named = routeOfTransaction(hints.transaction)
  if (named === null) return null
  if (!holdsValue(named)) return wholeRoute(named, event, hints)
  // By its address, as its segment is called.
  return isRenderedByServer(event) ? plainRoute(patternOf(named)) : null
}

function isRenderedByServer(event: ScrubbedEvent): boolean {
  return !isBrowserEvent(event) && RENDERING_SDKS.test(event.sdk?.name ?? '')
}

/** A browser's event is at the address that it left, and named by the route that it goes to. */
function wholeRoute(route: string, event: ScrubbedEvent, { path, method }: Hints): string {
  const name = event.sdk?.name ?? ''
  if (path === '' || isBrowserEvent(event)) return route
  if (NESTING_SDKS.test(name)) return nestedRoute(route, path)
  if (!BRACKET_SDKS.test(name)) return route
  const shown = shownRoute(route)
  // A remote function that changes something is of the page that calls it.
  if (isActionAddress(path, method) || isRouteOf(shown, path)) return shown
  return patternOf(pagePath(path))
}

/** The edge runtime, and a form that was sent without JavaScript, say the file, not the address. */
function routerPath(event: ScrubbedEvent, { path }: Hints): string | undefined {
  const { router_path: said, route_type: type } = event.contexts?.nextjs ?? {}
  const stated = firstText(said)
  const file = type === 'route' ? 'route' : type === 'render' || type === 'action' ? 'page' : null
  if (file === null || path.endsWith(`/${file}`) || !stated?.endsWith(`/${file}`)) return stated
  return shownRoute(stated)
}

/** `GET /orders/[id]`, `Page Server Component (/orders/[id])`, `/orders/:id`; anything else names no route. */
function routeOfTransaction(transaction: string): string | null {
  const component = NEXT_COMPONENT.exec(transaction)?.[1]
  if (component !== undefined) return plainRoute(shownRoute(component))
  return plainRoute(/^(?:[A-Z]{3,7} )?(\/\S{0,300})$/.exec(transaction)?.[1])
}

function plainRoute(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  const path = withoutOrigin(withoutQuery(text.trim().replace(/^[A-Z]{3,7} /, '')))
  if (!path.startsWith('/') || /\s/.test(path)) return null
  const plain = pagePath(path)
  const trimmed = plain.length > 1 ? plain.replace(/\/{1,8}$/, '') : plain
  return trimmed.length > ROUTE_CHARS_MAX ? null : trimmed === '' ? '/' : trimmed
}

/** A segment that is a number or an id: an address, not a pattern. */
function holdsValue(route: string): boolean {
  return route
    .split('/')
    .some((part) => /^\d{1,64}$/.test(part) || /^[0-9a-f-]{16,64}$/i.test(part) || part === '[Filtered]')
}
