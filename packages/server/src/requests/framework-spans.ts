/** Spans within a request by which its framework says what it did: rendered a page, ran a handler, made a page anew. */
import { textAttribute } from '#model/attributes.ts'
import type { Span } from '#model/span.ts'
import type { SegmentTold } from '#ports/requests.ts'
import { isRead } from './request-paths.ts'

/** Name of Next.js's span of a request. */
export const HANDLER = 'BaseServer.handleRequest'

/** Names of route handlers in Next.js and SvelteKit. */
const ROUTE_HANDLERS: readonly string[] = [
  'AppRouteRouteHandlers',
  'executing api route',
  'sveltekit.endpoint',
]
const API_PATH = /^\/(?:api|_api|trpc|graphql)(?:\/|$)/
const RENDER =
  /AppRender|render route|getServerSideProps|\bPage\b|renderToString|template\.render|page\.render|sveltekit\.load/
const FINDS_PAGE = 'NextNodeServer.findPageComponents'
const PRERENDER = /^prerender route /

/** Fields that tell it of a span, wherever it is read. */
export type SaidSpan = Pick<Span, 'name' | 'op' | 'status' | 'attributes'>

/** Next.js names each of its own; `''` for others. */
export function spanType({ attributes }: Pick<Span, 'attributes'>): string {
  const hasType = attributes !== undefined && 'next.span_type' in attributes
  return hasType ? (textAttribute(attributes, 'next.span_type') ?? '') : ''
}

export function isRouteHandlerPath(path: string): boolean {
  return API_PATH.test(path)
}

/** Their clients fetch pages themselves. */
export const FETCHING_SDKS = /astro/i

/**
 * The client of Astro asks for a page as anybody would for anything: what is no endpoint by its address is taken for one.
 */
export function isFetchedPage(asked: {
  readonly dest: string | null | undefined
  readonly method: string | null
  readonly path: string
}): boolean {
  const { dest, method, path } = asked
  if (dest !== 'empty' || !isRead(method)) return false
  return !isRouteHandlerPath(path) && !/\.\w{1,20}$/.test(path)
}

export function isHandlerSpan(span: SaidSpan): boolean {
  const type = spanType(span)
  return ROUTE_HANDLERS.some((words) => span.name.includes(words) || type.includes(words))
}

export function isRenderSpan(span: SaidSpan): boolean {
  return RENDER.test(spanType(span)) || RENDER.test(span.name) || RENDER.test(span.op)
}

/** How a handler of the App Router ended that answered nothing; `null` where none is among them that failed. */
export function handlerWork(spans: readonly SaidSpan[]): SegmentTold['work'] {
  const failed = spans.find(
    (span) => span.status !== 'ok' && spanType(span).startsWith('AppRouteRouteHandlers.'),
  )
  if (failed === undefined) return null
  return isGivenUp(failed) ? 'aborted' : 'thrown'
}

/** True for a page that Next.js makes anew for its cache, and that failed. */
export function isFailedPrerender(span: SaidSpan): boolean {
  return span.status !== 'ok' && PRERENDER.test(span.name) && spanType(span).startsWith('AppRender.')
}

/** Next.js found the page and rendered nothing for it: its cache had the answer. */
export function isFromCache(spans: readonly SaidSpan[]): boolean {
  return (
    spans.some((span) => spanType(span) === FINDS_PAGE) &&
    !spans.some((span) => isRenderSpan(span) || isHandlerSpan(span))
  )
}

/** The routes of pages that a request looked for. */
export function routesLookedFor(spans: readonly SaidSpan[]): readonly string[] {
  const found = spans.filter((span) => spanType(span) === FINDS_PAGE)
  return found.flatMap(({ attributes = {} }) => textAttribute(attributes, 'next.route') ?? [])
}

/** The client went away: what Next.js throws then into whatever waits on `request.signal`, and Node into who reads the body. */
function isGivenUp({ status, attributes = {} }: SaidSpan): boolean {
  const type = textAttribute(attributes, 'error.type')
  if (type === 'ResponseAborted') return true
  const message = textAttribute(attributes, 'sentry.status.message')
  return type === 'Error' && (message === 'aborted' || status === 'aborted')
}
