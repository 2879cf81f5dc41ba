/**
 * What a segment is to the app it ran in: which kind of request, of which route, and how it ended. From what stock SDKs
 * send; docs/specification.md, section "Request kinds", has the rules in words.
 */
import { REQUEST_KINDS, type RequestKind } from '#model/event.ts'
import type { Attributes, Fragment, RequestEnd, Span } from '#model/span.ts'

export interface SegmentFacts {
  readonly kind: RequestKind
  /** The framework's own pattern, without method, query and `.data`; `null` where the name is no route. */
  readonly route: string | null
  readonly method: string | null
  readonly httpStatus: number | null
  /** `null` for what is no request, and for a segment whose own span is not among the spans. */
  readonly end: RequestEnd | null
  /** Of a server action. */
  readonly action: string | null
  /** False for what is no traffic of the app: the relay's own path, work of a start. Kept, and in no figure. */
  readonly isTraffic: boolean
}

export function segmentFacts(fragment: Fragment): SegmentFacts {
  const root = fragment.root === null ? undefined : fragment.spans[fragment.root]
  const attributes = root?.attributes ?? {}
  const name = fragment.segmentName ?? ''
  const method = methodOf(attributes, name)
  const path = pathOf(attributes, fragment)
  const kind = kindOf({ root, attributes, path, method, fragment })
  const httpStatus = numberIn(attributes, 'http.response.status_code', 'http.status_code')
  const route = routeOf(fragment, { attributes, kind, path })
  return {
    kind,
    route,
    method,
    httpStatus,
    end: root === undefined || !isRequest(kind, root) ? null : endOf({ root, attributes, httpStatus }),
    action: kind === 'action' ? actionOf(fragment, attributes) : null,
    isTraffic: !isRelay(path) && !isRelay(route) && isWork(root, { kind, route }),
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

const BROWSER_OPS = /^(?:pageload|navigation|ui\.|browser|resource|mark|measure)/

function kindOf(of: Root): RequestKind {
  const { root, attributes, path, method, fragment } = of
  if (fragment.platform === 'javascript' || BROWSER_OPS.test(root?.op ?? '')) return 'browser'
  if (root === undefined || !isServer(root)) return 'other'
  const said = REQUEST_KINDS.find((known) => known === attributes['errata.request_kind'])
  if (said !== undefined) return said
  const header = (name: string) => headerIn(attributes, fragment, name)
  const isPrefetch =
    header('next-router-prefetch') !== null ||
    /\bprefetch\b/.test(header('sec-purpose') ?? header('purpose') ?? header('x-sveltekit-prefetch') ?? '')
  const isData = isPageData(of, header)
  if (isPrefetch && (isData || header('next-router-segment-prefetch') !== null)) return 'prefetch'
  if (isAction(of, header)) return 'action'
  if (isData) return 'page-data'
  if (isPrefetch) return 'prefetch'
  if (isStatic(path)) return 'static'
  if (isRouteHandler(of)) return 'route-handler'
  return isDocument(of, header, method) ? 'document' : 'route-handler'
}

type Header = (name: string) => string | null

const ROUTE_HANDLER = /AppRouteRouteHandlers|executing api route/
const API_PATH = /^\/(?:api|_api|trpc|graphql)(?:\/|$)/

function isPageData({ attributes, path, fragment }: Root, header: Header): boolean {
  return (
    attributes['next.rsc'] === true ||
    header('rsc') !== null ||
    /^RSC /.test(textIn(attributes, 'next.span_name') ?? '') ||
    /^\/_next\/data\//.test(path ?? '') ||
    /\.(?:data|rsc)$/.test(path ?? '') ||
    /\/(?:__data\.json|_payload\.json|_payload\.js)$/.test(path ?? '') ||
    /[?&]_data=/.test(targetOf(attributes, fragment) ?? '') ||
    header('x-nextjs-data') !== null
  )
}

const ACTION_NAME = /^serverAction\//
const ACTION_PATH = /^\/_(?:serverFn|server|actions)\//

function isAction({ attributes, path, method, fragment, root }: Root, header: Header): boolean {
  if (header('next-action') !== null || ACTION_NAME.test(fragment.segmentName ?? '')) return true
  if (ACTION_PATH.test(path ?? '')) return true
  if (method === null || method === 'GET' || method === 'HEAD') return false
  if (/[?&]\/\w/.test(targetOf(attributes, fragment) ?? '') && fragment.sdk?.includes('sveltekit'))
    return true
  return /\.data$/.test(path ?? '') || root?.op === 'function.server_action' || hasSpan(fragment, /action$/)
}

function hasSpan(fragment: Fragment, op: RegExp): boolean {
  return fragment.spans.some((span) => op.test(span.op))
}

function isRouteHandler({ path, fragment }: Root): boolean {
  if (API_PATH.test(path ?? '')) return true
  return fragment.spans.some(
    ({ name, attributes }) =>
      ROUTE_HANDLER.test(textIn(attributes ?? {}, 'next.span_type') ?? '') || ROUTE_HANDLER.test(name),
  )
}

const RENDER =
  /AppRender|render route|getServerSideProps|\bPage\b|renderToString|template\.render|page\.render/

/** What renders, or what a browser asked for as a document. */
function isDocument({ attributes, fragment }: Root, header: Header, method: string | null): boolean {
  const wants = header('sec-fetch-dest')
  if (wants !== null) return wants === 'document' || wants === 'iframe'
  if (/text\/html/.test(header('accept') ?? '')) return true
  if (attributes['next.rsc'] === false) return true
  const renders = fragment.spans.some(
    ({ name, op, attributes: own }) =>
      RENDER.test(textIn(own ?? {}, 'next.span_type') ?? '') || RENDER.test(name) || RENDER.test(op),
  )
  return renders && (method === null || method === 'GET' || method === 'HEAD')
}

const STATIC =
  /^\/(?:_next\/(?:static|image)|assets|build|_nuxt|_app\/immutable|_astro|static)\/|\.(?:js|mjs|css|map|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|txt|xml|webmanifest)$/

function isStatic(path: string | null): boolean {
  return path !== null && STATIC.test(path)
}

/** Of a segment that is not among the spans, what they cost is known where its name is a route. */
function isWork(
  root: Span | undefined,
  { kind, route }: { readonly kind: RequestKind; readonly route: string | null },
): boolean {
  return root === undefined ? route !== null : kind !== 'other' || isServer(root)
}

function isServer({ op, attributes }: Span): boolean {
  return /^http\.server/.test(op) || textIn(attributes ?? {}, 'sentry.kind') === 'server'
}

function isRequest(kind: RequestKind, root: Span): boolean {
  return kind !== 'other' && (kind !== 'browser' || /^(?:pageload|navigation)$/.test(root.op))
}

/** Redirects and 4xx are answers; an action that nobody knows is a failure; who went away aborted. */
function endOf({
  root,
  attributes,
  httpStatus,
}: {
  readonly root: Span
  readonly attributes: Attributes
  readonly httpStatus: number | null
}): RequestEnd {
  if (root.status === 'cancelled' || root.status === 'aborted' || httpStatus === 499) return 'aborted'
  if (httpStatus !== null && httpStatus >= 500) return 'failed'
  if (isUnknownAction(attributes, httpStatus)) return 'failed'
  if (httpStatus !== null && httpStatus >= 300) return 'answered'
  if (root.status === 'ok') return 'answered'
  return httpStatus !== null && httpStatus >= 200 ? 'failed-behind-200' : 'failed'
}

function isUnknownAction(attributes: Attributes, httpStatus: number | null): boolean {
  const isAsked = Object.keys(attributes).some((name) => /^http\.request\.header\.next[-_]action$/.test(name))
  return isAsked && (httpStatus === 404 || httpStatus === 409)
}

/** Wrapped actions have a name of their own; others have the id that the build gave them. */
function actionOf(fragment: Fragment, attributes: Attributes): string | null {
  const own = textIn(attributes, 'errata.action')
  if (own !== null) return own
  const wrapped = fragment.spans.find(
    ({ origin, attributes: own }) =>
      origin === 'auto.function.nextjs.server_action' ||
      ACTION_NAME.test(textIn(own ?? {}, 'sentry.description') ?? ''),
  )
  if (wrapped !== undefined) {
    const said = textIn(wrapped.attributes ?? {}, 'sentry.description') ?? wrapped.name
    return said.replace(ACTION_NAME, '')
  }
  if (ACTION_NAME.test(fragment.segmentName ?? ''))
    return (fragment.segmentName ?? '').replace(ACTION_NAME, '')
  return headerIn(attributes, fragment, 'next-action')
}

const METHOD = /^(?:RSC )?(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/

function methodOf(attributes: Attributes, name: string): string | null {
  const said = textIn(attributes, 'http.request.method', 'http.method')
  return said?.toUpperCase() ?? METHOD.exec(name)?.[1] ?? null
}

function targetOf(attributes: Attributes, fragment: Fragment): string | null {
  const request = fragment.contexts.request
  const url = typeof request === 'object' && request !== null && 'url' in request ? String(request.url) : null
  return (
    textIn(attributes, 'http.target', 'url.full', 'http.url', 'url.path', 'nextjs.request_path', 'url') ?? url
  )
}

function pathOf(attributes: Attributes, fragment: Fragment): string | null {
  const target = targetOf(attributes, fragment)
  if (target === null) return null
  const path = target.replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  return path === '' ? '/' : path
}

const PATTERN_NAMES: readonly string[] = ['http.route', 'next.route', 'url.template', 'sentry.route']
const NAMED = /^(?:RSC )?(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\/\S*)$/
/** Parts of an address that name one thing of many. */
const ID_PART = /^(?:\d+|[0-9a-f]{8,}|[0-9a-f-]{32,36})$/i

function routeOf(
  fragment: Fragment,
  {
    attributes,
    kind,
    path,
  }: { readonly attributes: Attributes; readonly kind: RequestKind; readonly path: string | null },
): string | null {
  const said = textIn(attributes, ...PATTERN_NAMES)
  const name = fragment.segmentName
  const named = name === null ? null : (NAMED.exec(name)?.[1] ?? (name.startsWith('/') ? name : null))
  const isPattern = fragment.nameSource === 'route' || fragment.nameSource === null
  const found = said ?? (isPattern ? named : null) ?? (kind === 'static' ? null : patternOf(named ?? path))
  if (found === null) return null
  const route = found.replace(/[?#].*$/s, '').replace(/\.(?:data|rsc)$/, '')
  return cleanRoute(route)
}

/** Route groups and the files of pages are no part of what people see. */
function cleanRoute(route: string): string {
  const shown = route
    .replace(/\/(?:page|route)$/, '')
    .replace(/\/\([^/)]+\)/g, '')
    .replace(/\/(?:_root)?$/, '')
  return shown === '' ? '/' : shown.startsWith('/') ? shown : `/${shown}`
}

function patternOf(path: string | null): string | null {
  if (path === null) return null
  return path
    .split('/')
    .map((part) => (ID_PART.test(part) ? '*' : part))
    .join('/')
}

function isRelay(path: string | null): boolean {
  return path === '/monitoring' || /^\/_?sentry-?tunnel/.test(path ?? '')
}

/** Of the request: attributes spell it with dashes or underscores, transactions have it in their request. */
function headerIn(attributes: Attributes, fragment: Fragment, name: string): string | null {
  const dashes = `http.request.header.${name}`
  const found = textIn(attributes, dashes, dashes.replaceAll('-', '_'))
  if (found !== null) return found
  const request = fragment.contexts.request
  if (typeof request !== 'object' || request === null || !('headers' in request)) return null
  const headers: readonly unknown[] = Array.isArray(request.headers) ? request.headers : []
  for (const pair of headers) {
    if (Array.isArray(pair) && String(pair[0]).toLowerCase() === name) return String(pair[1])
  }
  return null
}

function textIn(attributes: Attributes, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = attributes[name]
    const first = typeof value === 'object' ? value[0] : value
    if (first !== undefined && first !== '') return String(first)
  }
  return null
}

function numberIn(attributes: Attributes, ...names: readonly string[]): number | null {
  const text = textIn(attributes, ...names)
  const number = text === null ? Number.NaN : Number(text)
  return Number.isInteger(number) ? number : null
}
