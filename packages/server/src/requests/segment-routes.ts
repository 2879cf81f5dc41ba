/** Finds a segment's address and route in what stock SDKs send. */
import { textAttribute } from '#model/attributes.ts'
import type { RequestKind } from '#model/event.ts'
import type { Attributes, Fragment } from '#model/span.ts'
import { routesLookedFor } from './framework-spans.ts'
import {
  fileRoute,
  functionIn,
  isMount,
  NESTING_SDKS,
  nestedRoute,
  pagePath,
  patternOf,
  shownRoute,
  withoutQuery,
} from './request-paths.ts'

/** Without its origin; `''` where nothing says it. */
export function requestPath(attributes: Attributes, fragment: Fragment): string {
  return (targetOf(attributes, fragment) ?? '').replace(/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*/i, '')
}

/** Without origin and query; `null` where nothing says it. */
export function pathOf(attributes: Attributes, fragment: Fragment): string | null {
  if (targetOf(attributes, fragment) === null) return null
  const path = requestPath(attributes, fragment).replace(/[?#].*$/s, '')
  return path === '' ? '/' : path
}

function targetOf(attributes: Attributes, fragment: Fragment): string | null {
  const request = fragment.contexts.request
  const url = typeof request === 'object' && request !== null && 'url' in request ? String(request.url) : null
  return (
    textAttribute(
      attributes,
      'http.target',
      'url.full',
      'http.url',
      'url.path',
      'nextjs.request_path',
      'url',
    ) ?? url
  )
}

/** SvelteKit's name for a request that no route matches. */
const NO_ROUTE = 'unknown'
const PATTERN_NAMES: readonly string[] = ['http.route', 'next.route', 'url.template', 'sentry.route']
const NAMED = /^(?:RSC )?(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\/\S*)$/

/** How the name of a route is known: as the framework stated it, or from the address alone. */
export type RouteSource = 'stated' | 'address'

export interface FoundRoute {
  /** The framework's own pattern; `null` where nothing names one. */
  readonly route: string | null
  /** `null`: nothing tells. */
  readonly source: RouteSource | null
}

/** Returns a segment's route without method, query and the mark of a data request. */
export function routeOf(fragment: Fragment, of: Parameters<typeof foundRoute>[1]): string | null {
  return foundRoute(fragment, of).route
}

export function foundRoute(
  fragment: Fragment,
  {
    attributes,
    kind,
    path,
  }: { readonly attributes: Attributes; readonly kind: RequestKind; readonly path: string | null },
): FoundRoute {
  const called = calledFunction(fragment, path)
  if (called !== null) return { route: called.route, source: 'stated' }
  const target = requestPath(attributes, fragment)
  const said = statedRoute(attributes, target)
  const isNamed = fragment.segmentName !== null && !isMount(fragment.segmentName, target)
  const name = isNamed ? fragment.segmentName : null
  const named = name === null ? null : (NAMED.exec(name)?.[1] ?? (name.startsWith('/') ? name : null))
  const isPattern = fragment.nameSource === 'route' || fragment.nameSource === null
  const stated = said ?? failedRoute(fragment, attributes) ?? (isPattern ? named : null)
  const found = stated ?? (kind === 'static' ? null : addressPattern(named ?? path))
  if (found === null) return { route: null, source: null }
  const isSaid = said !== null || fragment.nameSource === 'route'
  const source = stated === null ? 'address' : isSaid ? 'stated' : null
  const route = shownRoute(pagePath(withoutQuery(found)))
  if (path !== null && NESTING_SDKS.test(fragment.sdk ?? ''))
    return { route: nestedRoute(route, path), source }
  return { route: kind === 'browser' ? fileRoute(route, fragment.sdk ?? '') : route, source }
}

export interface CalledFunction {
  readonly id: string
  readonly route: string
}

/** The server function that a segment was asked for, where one of its spans says the name: `POST /_serverFn/saveBoat`. */
export function calledFunction({ spans }: Fragment, path: string | null): CalledFunction | null {
  const id = path === null ? null : functionIn(path)
  if (id === null) return null
  const isOf = ({ op, attributes = {} }: Fragment['spans'][number]) =>
    op === 'function.tanstackstart' && textAttribute(attributes, 'tanstackstart.function.id') === id
  const route = FUNCTION_NAME.exec(spans.find(isOf)?.name ?? '')?.[1] ?? null
  return route === null ? null : { id, route }
}

const FUNCTION_NAME = /^[A-Z]{3,7} (\/_serverFn\/[\w$]{1,150})$/

/** Returns the route of a request named `/_error`, which Next.js shows in place of the page that failed. */
function failedRoute({ spans }: Fragment, attributes: Attributes): string | null {
  if (
    textAttribute(attributes, 'next.route') !== '/_error' &&
    textAttribute(attributes, 'http.route') !== '/_error'
  )
    return null
  return routesLookedFor(spans).find((route) => !isMount(route) && !ERROR_PAGES.has(route)) ?? null
}

/** Pages that Next.js looks for after a failure. */
const ERROR_PAGES: ReadonlySet<string> = new Set(['/500', '/404', '/_not-found'])

/** Returns the route that an attribute states, unless it is a router's mount at `target`. */
export function statedRoute(attributes: Attributes, target = ''): string | null {
  const stated = PATTERN_NAMES.map((name) => textAttribute(attributes, name))
  return (
    stated.find((pattern) => pattern !== null && pattern !== NO_ROUTE && !isMount(pattern, target)) ?? null
  )
}

function addressPattern(path: string | null): string | null {
  return path === null ? null : patternOf(pagePath(path))
}
