/**
 * Classifies a segment: kind of request, route, and end. From what stock SDKs send; docs/specification.md,
 * section "Request kinds", has the rules in words.
 */
import { Memo } from '#base/memo.ts'
import { textAttribute } from '#model/attributes.ts'
import { REQUEST_KINDS, type RequestKind } from '#model/event.ts'
import type { Attributes, Fragment, RequestEnd, Span } from '#model/span.ts'
import type { Sandbox } from '#ports/requests.ts'
import {
  FETCHING_SDKS,
  HANDLER,
  handlerWork,
  isFailedPrerender,
  isFetchedPage,
  isFromCache,
  isHandlerSpan,
  isRenderSpan,
  isRouteHandlerPath,
  spanType,
} from './framework-spans.ts'
import {
  actionIn,
  functionIn,
  isActionAddress,
  isDataAddress,
  isFilesPath,
  isRead,
  isStaticPath,
  NEXT_SDK,
  RENDERING_SDKS,
} from './request-paths.ts'
import {
  calledFunction,
  foundRoute,
  pathOf,
  type RouteSource,
  requestPath,
  routeOf,
  statedRoute,
} from './segment-routes.ts'
import {
  actionNameOf,
  hasThrown,
  isHttpStatus,
  isRemoteFunction,
  isSvelteKit,
  resolvedStatus,
  runsAction,
  withoutSubRequests,
} from './sveltekit-spans.ts'

export interface SegmentFacts {
  readonly kind: RequestKind
  /** The framework's own pattern, without method, query and `.data`; `null` where the name is no route. */
  readonly route: string | null
  /** Id of a server function whose name is the route. */
  readonly functionId: string | null
  /** How its route is known; `null`: nothing tells. */
  readonly routeSource: RouteSource | null
  readonly method: string | null
  readonly httpStatus: number | null
  /** `null` for what is no request of the app, and for a segment whose own span is not among the spans. */
  readonly end: RequestEnd | null
  /** Name of a server action. */
  readonly action: string | null
  /** Id of the action that a wrapper names. */
  readonly wraps: string | null
  /** False for what is no traffic of the app: the relay's own path, work of a start. Kept, and in no figure. */
  readonly isTraffic: boolean
  readonly sandbox: Sandbox | null
  /** Spans of it that come apart may know its kind or its end better: `segment-hints.ts`. */
  readonly isOpen: boolean
  /** It answered from a cache; what threw was making the next answer, which nobody waited for. */
  readonly isRevalidation: boolean
}

export function segmentFacts(sent: Fragment): SegmentFacts {
  const fragment = withoutSubRequests(sent)
  const root = fragment.root === null ? undefined : fragment.spans[fragment.root]
  const attributes = root?.attributes ?? {}
  const name = fragment.segmentName ?? ''
  const method = methodOf(attributes, name)
  const path = pathOf(attributes, fragment)
  const kind = kindOf({ root, attributes, path, method, fragment })
  const httpStatus =
    statusIn(attributes, 'http.response.status_code', 'http.status_code') ?? resolvedStatus(fragment)
  const { route, source: routeSource } = foundRoute(fragment, { attributes, kind, path })
  const isOfApp = !isRelay({ fragment, attributes, path, method }) && isWork(root, { kind, route })
  const ended =
    root === undefined || !isOfApp || !isRequest(kind, root)
      ? null
      : endOf({ root, attributes, kind, httpStatus, fragment })
  const isTraffic = isOfApp && !(ended === 'answered' && isAskedByItself(kind, attributes, fragment))
  const end = isTraffic ? ended : null
  const sandbox = root === undefined ? null : sandboxOf(root, fragment)
  return {
    kind,
    route,
    functionId: calledFunction(fragment, path)?.id ?? null,
    routeSource,
    method,
    httpStatus,
    end,
    action: kind === 'action' || isWrapper(root) ? actionOf(fragment, attributes) : null,
    wraps: isWrapper(root) ? headerIn(attributes, fragment, 'next-action') : null,
    isTraffic,
    sandbox,
    isOpen: root !== undefined && end !== null && mayBeHinted({ root, fragment, kind, method }),
    isRevalidation:
      end === 'answered' && (isRemade(fragment) || (sandbox === null && isKept(fragment, attributes))),
  }
}

interface Root {
  /** `undefined`: it is not among the spans. */
  readonly root: Span | undefined
  readonly attributes: Attributes
  /** Address without origin and query. */
  readonly path: string | null
  readonly method: string | null
  readonly fragment: Fragment
}

/** True if a cached route answered: it states a route and its spans come from a cache. */
function isKept({ spans }: Fragment, attributes: Attributes): boolean {
  return statedRoute(attributes) !== null && isFromCache(spans)
}

function isRemade({ spans }: Fragment): boolean {
  return handlerWork(spans) === 'thrown' || spans.some(isFailedPrerender)
}

/**
 * True if other spans may say more: not for a segment that states it, or is recognised by more than its
 * address.
 */
function mayBeHinted({
  root,
  fragment,
  kind,
  method,
}: Pick<SegmentFacts, 'kind' | 'method'> & {
  readonly root: Span
  readonly fragment: Fragment
}): boolean {
  if (root.attributes !== undefined && 'errata.request_kind' in root.attributes) return false
  if (spanType(root) === HANDLER || isSvelteKit(fragment.sdk)) return true
  return kind === 'route-handler' && isRead(method) && RENDERING_SDKS.test(fragment.sdk ?? '')
}

const BROWSER_OPS = /^(?:pageload|navigation|ui\.|browser|resource|mark|measure)/

function kindOf(of: Root): RequestKind {
  const { root, attributes, path, method, fragment } = of
  if (isBrowser(root, fragment)) return 'browser'
  if (root === undefined || !isServer(root) || isWrapper(root)) return 'other'
  const said = REQUEST_KINDS.find((known) => known === attributes['errata.request_kind'])
  if (said !== undefined) return said
  const header = (name: string) => headerIn(attributes, fragment, name)
  const isPrefetch =
    header('next-router-prefetch') !== null ||
    header('x-middleware-prefetch') !== null ||
    /\bprefetch\b/.test(header('sec-purpose') ?? header('purpose') ?? header('errata-purpose') ?? '')
  if (isAction(of, header)) return 'action'
  if (isPrefetch || header('next-router-segment-prefetch') !== null) return 'prefetch'
  if (isPageData(of, header)) return 'page-data'
  if (path !== null && isFilesPath(path)) return 'static'
  if (isRouteHandler(of)) return 'route-handler'
  if (path !== null && isStaticPath(path) && !isNamedPage(of, header)) return 'static'
  if (!isDocument(of, header, method)) return 'route-handler'
  return method === 'POST' && RENDERING_SDKS.test(fragment.sdk ?? '') ? 'action' : 'document'
}

/**
 * True for a page whose address looks like a file, such as `/files/a.txt` of the route `/files/*`: a browser shows
 * it, and its route holds more than one.
 */
function isNamedPage({ attributes, fragment: { nameSource, segmentName } }: Root, header: Header): boolean {
  if (header('sec-fetch-dest') !== 'document') return false
  const named = statedRoute(attributes) ?? (nameSource === 'route' ? segmentName : null)
  return /[:*[]/.test(named ?? '')
}

/** SDKs of edge runtimes name the platform of a browser. */
function isBrowser(root: Span | undefined, { platform }: Fragment): boolean {
  const op = root?.op ?? ''
  return BROWSER_OPS.test(op) || (platform === 'javascript' && !op.startsWith('http.server'))
}

type Header = (name: string) => string | null

function isPageData({ root, attributes, method, path, fragment }: Root, header: Header): boolean {
  return (
    attributes['next.rsc'] === true ||
    attributes['sveltekit.is_data_request'] === true ||
    header('rsc') !== null ||
    /^RSC /.test(textAttribute(attributes, 'next.span_name') ?? '') ||
    header('x-nextjs-data') !== null ||
    header('errata-page') === 'data' ||
    isDataAddress(requestPath(attributes, fragment), method) ||
    (path !== null &&
      FETCHING_SDKS.test(fragment.sdk ?? '') &&
      isFetchedPage({ dest: header('sec-fetch-dest'), method, path })) ||
    (method !== 'POST' && isPartOfPage(root, fragment) && header('sec-fetch-dest') !== 'document')
  )
}

/** A sandbox is told of no header, `rsc` among them; a browser sends no trace along when it asks for a document. */
function isPartOfPage(root: Span | undefined, fragment: Fragment): boolean {
  if (root?.parent_span_id == null || root.attributes?.['next.rsc'] !== false) return false
  return spanType(root) === HANDLER && sandboxOf(root, fragment) === 'inside'
}

/**
 * Operations of frameworks that name what they run: forms of React Router and SvelteKit, and its remote
 * functions.
 */
const ACTION_OP = /action$|\.sveltekit\.remote$/
const ACTION_NAME = /^serverAction\//
const ACTION_HEADERS: readonly string[] = ['next-action', 'errata-action', 'x-sveltekit-action']

function isAction({ attributes, method, fragment }: Root, header: Header): boolean {
  if (ACTION_HEADERS.some((name) => header(name) !== null)) return true
  if (method === null || method === 'GET' || method === 'HEAD') return false
  const isAsked = isActionAddress(requestPath(attributes, fragment), method)
  return isAsked || hasSpan(fragment, ACTION_OP) || runsAction(fragment)
}

/**
 * True for the segment that `withServerActionInstrumentation` sends within the request that runs the action.
 * It names the action and is not a request.
 */
function isWrapper(root: Span | undefined): boolean {
  return (
    root !== undefined &&
    !root.op.startsWith('http.') &&
    (root.op === 'function.server_action' || root.origin === 'auto.function.nextjs.server_action')
  )
}

function hasSpan(fragment: Fragment, op: RegExp): boolean {
  return fragment.spans.some((span) => op.test(span.op))
}

/** An address may begin with the app's base path; the route never does. */
function isRouteHandler({ attributes, path, fragment }: Root): boolean {
  if (isRouteHandlerPath(path ?? '') || isRouteHandlerPath(statedRoute(attributes) ?? '')) return true
  return fragment.spans.some(isHandlerSpan)
}

/** True for a segment that renders, or that a browser asked for as a document. */
function isDocument({ attributes, fragment }: Root, header: Header, method: string | null): boolean {
  const wants = header('sec-fetch-dest')
  if (wants !== null) return wants === 'document' || wants === 'iframe'
  if (/text\/html/.test(header('accept') ?? '')) return true
  if (attributes['next.rsc'] === false) return true
  return fragment.spans.some(isRenderSpan) && (method === null || method === 'GET' || method === 'HEAD')
}

/**
 * Next.js asks itself for the page that an action redirects to, and sends both in one answer: nobody asked for it. Where it
 * fails, this is all that tells.
 */
function isAskedByItself(kind: RequestKind, attributes: Attributes, fragment: Fragment): boolean {
  return kind === 'page-data' && headerIn(attributes, fragment, 'x-action-redirect') !== null
}

/**
 * True if the fragment is work of its own; if the segment's span is absent, its costs are known only if its
 * name is a route.
 */
function isWork(
  root: Span | undefined,
  { kind, route }: { readonly kind: RequestKind; readonly route: string | null },
): boolean {
  if (root === undefined) return route !== null
  return !isWrapper(root) && (kind !== 'other' || isServer(root))
}

/** Which side of the sandbox of Next.js's edge runtime a request's segment may be on: `told-twice.ts` has the rule. */
function sandboxOf(root: Span, fragment: Fragment): Sandbox | null {
  const { op, attributes = {} } = root
  if (!op.startsWith('http.server') || spanType(root) === '' || !NEXT_SDK.test(fragment.sdk ?? ''))
    return null
  if (isMiddleware(attributes)) return null
  const isNamed = statedRoute(attributes) !== null
  const hasOwn = Object.keys(attributes).some((name) => name.startsWith('http.request.header.'))
  // A transaction tells its request on either side; the SDK of the inside names the platform of a browser.
  if (!hasOwn && fragment.platform === 'javascript') return isNamed ? 'inside' : null
  if (hasOwn || hasHeaders(fragment)) return isNamed ? null : 'outside'
  return isNamed ? 'inside' : null
}

function hasHeaders({ contexts: { request } }: Fragment): boolean {
  if (typeof request !== 'object' || request === null || !('headers' in request)) return false
  return Array.isArray(request.headers) && request.headers.length > 0
}

/**
 * True for a server's span. Code before a page, and in a sandbox for it, has segments of its own beside the
 * request's: Next.js's `middleware GET`, and in the edge runtime `executing api route (app) /api/near` and
 * `prepare route module`.
 */
function isServer(span: Span): boolean {
  const { op, name, attributes = {} } = span
  if (/(?:^|\.)middleware$/.test(op) || isMiddleware(attributes)) return false
  if (/^http\.server/.test(op)) return true
  if (isRemoteFunction(span)) return true
  const type = spanType(span)
  if (type !== '' && type !== HANDLER) return false
  return textAttribute(attributes, 'sentry.kind') === 'server' && methodOf(attributes, name) !== null
}

/**
 * Middleware of Next.js's sandbox runs in a request of its own, which tells the same headers as the one that follows it,
 * and no more of how that is answered than that it was handed back.
 */
function isMiddleware(attributes: Attributes): boolean {
  return attributes['next.bubble'] === true
}

function isRequest(kind: RequestKind, root: Span): boolean {
  return kind !== 'other' && (kind !== 'browser' || /^(?:pageload|navigation)$/.test(root.op))
}

/** Redirects and 4xx are answers; an action that nobody knows is a failure; who went away aborted. */
function endOf({
  root,
  attributes,
  kind,
  httpStatus,
  fragment,
}: {
  readonly fragment: Fragment
  readonly root: Span
  readonly attributes: Attributes
  readonly kind: RequestKind
  readonly httpStatus: number | null
}): RequestEnd {
  if (root.status === 'cancelled' || root.status === 'aborted' || httpStatus === 499) return 'aborted'
  const work = handlerWork(fragment.spans)
  if (work === 'aborted') return 'aborted'
  if (httpStatus !== null && httpStatus >= 500) return 'failed'
  if (isUnknownAction(fragment, attributes, { kind, httpStatus })) return 'failed'
  if (httpStatus !== null && httpStatus >= 300) return 'answered'
  // Where the status came apart, it tells the rest.
  if ((httpStatus === null || httpStatus >= 200) && hasThrown(fragment)) return 'failed-behind-200'
  if (root.status === 'ok' || isControlFlow(root, attributes)) return 'answered'
  if (work === 'thrown' && httpStatus !== null && httpStatus >= 200) return 'answered'
  return httpStatus !== null && httpStatus >= 200 ? 'failed-behind-200' : 'failed'
}

/**
 * `forbidden()`, `unauthorized()` and `notFound()` of a page whose status was sent: Next.js marks its span as failed, and
 * names no error as it does of everything else that was thrown.
 */
function isControlFlow(root: Span, attributes: Attributes): boolean {
  const isTold = 'error.type' in attributes || 'sentry.status.message' in attributes
  return spanType(root) === HANDLER && attributes['next.rsc'] === true && !isTold
}

/** Next.js's own: other frameworks answer 404 for much else. An action that calls `notFound()` renders what is shown then. */
export function isUnknownAction(
  fragment: Fragment,
  attributes: Attributes,
  { kind, httpStatus }: Pick<SegmentFacts, 'kind' | 'httpStatus'>,
): boolean {
  if (kind !== 'action' || (httpStatus !== 404 && httpStatus !== 409)) return false
  const isAsked = Object.keys(attributes).some((name) => /^http\.request\.header\.next[-_]action$/.test(name))
  if (httpStatus === 409) return isAsked || isForm(fragment, attributes)
  return isAsked && !fragment.spans.some((span) => spanType(span).endsWith('.createComponentTree'))
}

/**
 * Posted by a browser that runs no JavaScript: the body alone names the action, to a page of the App Router. One of the
 * Pages Router has its own `getServerSideProps`, which may answer as it likes.
 */
function isForm(fragment: Fragment, attributes: Attributes): boolean {
  if (attributes['next.rsc'] !== false || fragment.spans.some((span) => PAGES.test(spanType(span))))
    return false
  // Some servers' spans tell of no header at all.
  return /^(?:$|multipart\/form-data\b)/.test(headerIn(attributes, fragment, 'content-type') ?? '')
}

const PAGES = /^Render\./

/** Wrapped actions have a name of their own; others have the id that the build gave them. */
function actionOf(fragment: Fragment, attributes: Attributes): string | null {
  const own = textAttribute(attributes, 'errata.action')
  if (own !== null) return own
  const wrapped = fragment.spans.find(
    ({ origin, attributes: own }) =>
      origin === 'auto.function.nextjs.server_action' ||
      ACTION_NAME.test(textAttribute(own ?? {}, 'sentry.description') ?? ''),
  )
  if (wrapped !== undefined) {
    const said = textAttribute(wrapped.attributes ?? {}, 'sentry.description') ?? wrapped.name
    return said.replace(ACTION_NAME, '')
  }
  const asked = functionIn(pathOf(attributes, fragment) ?? '')
  const named = fragment.spans.map((span) => actionNamedBy(span, asked)).find((name) => name !== null)
  if (named !== undefined) return named
  if (ACTION_NAME.test(fragment.segmentName ?? ''))
    return (fragment.segmentName ?? '').replace(ACTION_NAME, '')
  const header = (name: string) => headerIn(attributes, fragment, name)
  return header('next-action') ?? header('errata-action') ?? actionIn(requestPath(attributes, fragment))
}

/**
 * `null` for nearly every span. The SDK of TanStack Start knows a function's name, its address only the id; one that it calls in
 * turn is not what was asked for.
 */
function actionNamedBy(span: Span, asked: string | null): string | null {
  if (span.op !== 'function.tanstackstart') return actionNameOf(span)
  const id = textAttribute(span.attributes ?? {}, 'tanstackstart.function.id')
  return id === null || asked === null || id === asked ? (FUNCTION_NAME.exec(span.name)?.[1] ?? null) : null
}

const FUNCTION_NAME = /^[A-Z]{3,7} \/_serverFn\/(\w{1,200})/
const METHOD = /^(?:RSC )?(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/

function methodOf(attributes: Attributes, name: string): string | null {
  const said = textAttribute(attributes, 'http.request.method', 'http.method')
  return said?.toUpperCase() ?? METHOD.exec(name)?.[1] ?? null
}

const RELAY_PATH = /\/(?:monitoring|_?sentry-?tunnel)$/
/** The SDK's own relay, at whatever path: organisation and project in numbers. */
const RELAY_QUERY = /\?(?:.{0,200}&)?o=[\w-]{1,40}&p=\d{1,20}(?:&|$)/

/**
 * True for the relay in an app, which passes browsers' envelopes on. A page of that name is fetched and not
 * posted to.
 */
function isRelay({ fragment, attributes, path, method }: Omit<Root, 'root'>): boolean {
  if (method !== null && method !== 'POST' && method !== 'OPTIONS') return false
  if (RELAY_QUERY.test(requestPath(attributes, fragment))) return true
  return RELAY_PATH.test(path ?? routeOf(fragment, { attributes, kind: 'other', path }) ?? '')
}

/** Spellings of the few headers that are read. A kept text finds an attribute faster than one just made. */
const SPELLINGS = new Memo(
  (name: string) => {
    const dashes = `http.request.header.${name}`
    return [dashes, dashes.replaceAll('-', '_')]
  },
  { entriesMax: 64, charsMax: 64 },
)

/**
 * Returns a header of the request: attributes spell it with dashes or underscores, transactions have it in
 * their request.
 */
function headerIn(attributes: Attributes, fragment: Fragment, name: string): string | null {
  const found = textAttribute(attributes, ...SPELLINGS.of(name))
  if (found !== null) return found
  const request = fragment.contexts.request
  if (typeof request !== 'object' || request === null || !('headers' in request)) return null
  const headers: readonly unknown[] = Array.isArray(request.headers) ? request.headers : []
  for (const pair of headers) {
    if (Array.isArray(pair) && String(pair[0]).toLowerCase() === name) return String(pair[1])
  }
  return null
}

function statusIn(attributes: Attributes, ...names: readonly string[]): number | null {
  const text = textAttribute(attributes, ...names)
  const number = text === null ? null : Number(text)
  return isHttpStatus(number) ? number : null
}
