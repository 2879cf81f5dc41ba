/**
 * Reads addresses of requests by framework: the same rules for spans and for errors, which are joined by
 * them.
 */

const DATA_PATH = /^\/_next\/data\/|\.(?:data|rsc)$|\/(?:__data\.json|_payload\.(?:json|js))$/
const FILES = /^\/(?:_next\/(?:static|image)|assets|build|_nuxt|_app\/immutable|_astro|static)\//
const FILE_NAME = /\.(?:js|mjs|css|map|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|txt|xml|webmanifest)$/
const FUNCTION_PATH = /^\/_(?:serverFn|server|actions|app\/remote)(?:\/|$)/

/** Asks for the data of a page: `target` is an address without origin. */
export function isDataAddress(target: string, method: string | null): boolean {
  const path = pathIn(target)
  if (DATA_PATH.test(path) || /[?&]_(?:data|rsc)=/.test(target)) return true
  // What a loader asks of a function that only reads.
  return isRead(method) && FUNCTION_PATH.test(path) && !path.startsWith('/_actions')
}

/** Runs a function of the server that may change something. */
export function isActionAddress(target: string, method: string | null): boolean {
  if (isRead(method)) return false
  const path = pathIn(target)
  return FUNCTION_PATH.test(path) || DATA_PATH.test(path) || /[?&](?:\/\w|_data=|_action=)/.test(target)
}

/**
 * Returns the action that an address names: `?/save`, `?_action=save`, `/_actions/save`, `/_serverFn/ID`,
 * `/_app/remote/FILE/save`.
 */
export function actionIn(target: string): string | null {
  const remote =
    /^\/_app\/remote\/[^/?#]{1,40}\/([^/?#]{1,200})|[?&]\/remote=[^%/&#]{1,40}(?:%2F|\/)([\w.-]{1,200})/i.exec(
      target,
    )
  if (remote !== null) return remote[1] ?? remote[2] ?? null
  const named = /[?&](?:\/|_action=)([\w.-]{1,200})/.exec(target)?.[1]
  return named ?? /^\/_(?:serverFn|server|actions)\/([^/?#]{1,200})/.exec(target)?.[1] ?? null
}

/** By which TanStack Start knows a server function; `null` for other addresses. */
export function functionIn(path: string): string | null {
  return /^\/_serverFn\/([\w-]{1,1000})$/.exec(path)?.[1] ?? null
}

/** The page that an address for its data stands for; any other path as it is. */
export function pagePath(path: string): string {
  const page = /^\/_next\/data\/[^/]{1,200}(\/.{1,2000})\.json$/s.exec(path)?.[1]
  if (page !== undefined) return page.replace(/^\/index$/, '/')
  const plain = path
    .replace(/\/(?:__data\.json|_payload\.(?:json|js))$/, '')
    // Of the root, and of an address that ends in a slash.
    .replace(/\/_(?:root)?\.data$/, '/')
    .replace(/\.(?:data|rsc)$/, '')
    .replace(/\/_root$/, '/')
  return plain === '' ? '/' : plain
}

/**
 * True for a server of its own that hands every address on to the app: what Express says of the one in
 * `react-router-serve`, and no route of the app. Nor are the pages on which Next.js and Nuxt say that another one
 * failed, and what the former calls the proxy before all of them. `/*` is one: what React Router calls a page for all
 * that is left. Of an address for data (`target`) it is where a server, such as Hono's, handed it on, since SDKs name
 * documents alone by their route.
 */
export function isMount(route: string, target = ''): boolean {
  if (/^(?:[A-Z]{3,7} )?\/\*$/.test(route)) return DATA_PATH.test(pathIn(target))
  return /^(?:[A-Z]{3,7} )?(?:\*|\/?\{\/?\*\w{1,40}\}|\/?\*\w{1,40}|\/?\(\.\*\)|\/_error|\/__nuxt_error|middleware [A-Z]{3,7})$/.test(
    route,
  )
}

/** True for a file, or where one of a build would be. */
export function isStaticPath(path: string): boolean {
  return isFilesPath(path) || FILE_NAME.test(path)
}

/**
 * True for paths that no code of an app answers: a route handler may make `/sitemap.xml` and the like, but
 * not these.
 */
export function isFilesPath(path: string): boolean {
  return FILES.test(path)
}

/**
 * Returns a route as people see it, without route groups, parallel slots and page files. An intercepting
 * part, `(.)visit`, stays: another page stands in its place.
 */
export function shownRoute(route: string): string {
  const shown = route
    .replace(/\/(?:page|route)$/, '')
    .replace(/\/(?:\([^/).][^/)]{0,200}\)|@[\w-]{1,200})(?=\/|$)/g, '')
    // As Vue's router has it of a part without a pattern of its own.
    .replace(/(?<=:\w{1,100})\(\)/g, '')
    .replace(/\/(?:_root)?$/, '')
  return shown === '' ? '/' : shown.startsWith('/') ? shown : `/${shown}`
}

/** Removes the query of a pattern or address. An optional part, `/:id?`, is not a query. */
export function withoutQuery(route: string): string {
  return route.replace(/(?:#|\?(?!(?<=\/:[\w-]{1,100}\?)(?:\/|$))).*$/s, '')
}

/** Within these, a route that is nested in others is called by its own part alone. */
export const NESTING_SDKS = /react-?router/i

/**
 * SDK 10 names a nested route by what its own file adds, `/:shelf` of `/shelves/:shelf`, so that all of an app's `/:id` would
 * be one. What stands before it is taken from the address.
 */
export function nestedRoute(route: string, path: string): string {
  const parts = partsOf(route)
  const given = partsOf(pagePath(path))
  const places = given.slice(0, PARTS_MAX).map((_, place) => place)
  const found = places.find((place) => matches(parts, given.slice(place)))
  if (found === undefined || found === 0) return route
  return `${patternOf(`/${given.slice(0, found).join('/')}`)}${route}`
}

/** Deeper than any app's routes. */
const PARTS_MAX = 32

/** Whether a pattern is the whole of an address: `:id`, `:id?` and `*`, or `[id]`, `[[id]]` and `[...rest]`. */
function matches(parts: readonly string[], given: readonly string[]): boolean {
  if (parts.length > PARTS_MAX || given.length > PARTS_MAX) return false
  let places = new Set([0])
  for (const part of parts) places = placesAfter(part, given, places)
  return places.has(given.length)
}

/** Returns where in the address the rest may begin; several places if a part is optional. */
function placesAfter(part: string, given: readonly string[], places: ReadonlySet<number>): Set<number> {
  const after = new Set<number>()
  const isOptional = part.endsWith('?') || part.startsWith('[[')
  for (const place of places) {
    if (part === '*' || /^\[\[?\.\.\./.test(part)) {
      for (let next = place; next <= given.length; next += 1) after.add(next)
      continue
    }
    if (isOptional) after.add(place)
    const isAny = part.startsWith(':') || part.includes('[')
    if (place < given.length && (isAny || part.replace(/\?$/, '') === given[place])) after.add(place + 1)
  }
  return after
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '')
}

/** Its routes are written with groups and parts in brackets, in spans and in errors alike. */
export const BRACKET_SDKS = /sveltekit/i

/**
 * True if the path is one of the route. An error in what a page asks of its own app names the route of what was asked,
 * and the page's address.
 */
export function isRouteOf(route: string, path: string): boolean {
  return matches(partsOf(route), partsOf(pagePath(path)))
}

export const NEXT_SDK = /nextjs/

/**
 * The browser's SDK of Next.js calls a page as a router would, `/orders/:id`, `/docs/:path*`; its server by its files,
 * `/orders/[id]`, `/docs/[...path]`. It is one page.
 */
export function fileRoute(route: string, sdk: string): string {
  if (!route.includes('/:') || !NEXT_SDK.test(sdk)) return route
  return route
    .split('/')
    .map((part) => {
      const [, name = '', more = ''] = ROUTER_PART.exec(part) ?? []
      if (name === '') return part
      return more === '' ? `[${name}]` : more === '*' ? `[...${name}]` : `[[...${name}]]`
    })
    .join('/')
}

const ROUTER_PART = /^:([\w-]{1,100})(\*\??)?$/

/** Parts of an address that name one thing of many. */
const ID_PART = /^(?:\d+|[0-9a-f]{8,}|[0-9a-f-]{32,36})$/i

/** Returns a pattern that stands for the route of a bare address. */
export function patternOf(path: string): string {
  return path
    .split('/')
    .map((part) => (ID_PART.test(part) ? '*' : part))
    .join('/')
}

/** A form that posts to its own page works without JavaScript in these: such a document is an action. */
export const RENDERING_SDKS = /nextjs|react-?router|remix|sveltekit|nuxt|astro|solidstart|tanstack|errata/i

/** Changes nothing; what names no method is taken for one. */
export function isRead(method: string | null): boolean {
  return method === null || method === '' || method === 'GET' || method === 'HEAD'
}

function pathIn(target: string): string {
  return target.replace(/[?#].*$/s, '')
}
