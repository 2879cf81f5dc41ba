/**
 * The routes that an app's SDKs have stated, by which requests are named that are told by their address alone: data of a
 * page of React Router, documents of TanStack Start, failed calls of Nuxt. docs/wire.md, section "Request kinds".
 */
import type { RequestKind } from './event.ts'

/**
 * A route as an SDK states it, of what a page asks for or of what answers with something else; of a server function whose
 * address has an id, that id and the route that its name makes, with a space between.
 */
export interface StatedRoute {
  readonly of: 'pages' | 'handlers' | 'functions'
  readonly route: string
}

/** `null`: of requests that have no route. */
type Sort = Exclude<StatedRoute['of'], 'functions'>

const SORTS: Readonly<Record<RequestKind, Sort | null>> = {
  ...{ document: 'pages', 'page-data': 'pages', prefetch: 'pages', action: 'pages', browser: 'pages' },
  ...{ 'route-handler': 'handlers', static: null, other: null },
}

export class KnownRoutes {
  readonly #roots: Readonly<Record<Sort, Place>> = { pages: newPlace(), handlers: newPlace() }

  readonly #stated: ReadonlySet<string>
  readonly #functions = new Map<string, string>()

  constructor(routes: readonly StatedRoute[]) {
    for (const { of, route } of routes) {
      if (of !== 'functions') addRoute(this.#roots[of], routeParts(route), route)
      else this.#functions.set(route.replace(/ .*$/, ''), route.replace(/^.* /, ''))
    }
    this.#stated = new Set(routes.map(({ route }) => route))
  }

  /** The route of a server function; `null` where nobody has said its name. */
  ofFunction(id: string): string | null {
    return this.#functions.get(id) ?? null
  }

  /** True where no SDK has stated any. */
  get isEmpty(): boolean {
    return this.#stated.size === 0
  }

  isStated(route: string): boolean {
    return this.#stated.has(route)
  }

  /** The route that `address`, in which ids are `*`, is of; as it is where none is known. What is told apart best wins. */
  nameOf(address: string, kind: RequestKind): string {
    const sort = SORTS[kind]
    if (this.#stated.size === 0) return address
    const parts = routeParts(address)
    if (sort === null || parts.length > PARTS_MAX || PATTERN.test(address)) return address
    return find(this.#roots[sort], parts, 0) ?? address
  }
}

/**
 * Returns what each part of a route matches; `null` if a part, or all of them, cannot be told from others.
 */
export function partsOfRoute(route: string): readonly Part[] | null {
  const parts = routeParts(route).map((part, at, all) => partOf(part, at === all.length - 1))
  const known = parts.filter((part) => part !== null)
  if (known.filter((part) => part === 'maybe').length > MAYBE_MAX) return null
  // Anything would be of a route without a part of its own.
  return known.length === parts.length && parts.length <= PARTS_MAX && parts.includes('own') ? known : null
}

/** Signs of a pattern in any framework; no address that a browser asks for contains them. */
const PATTERN = /[:$[\]{}()]/
/** Deeper than any app's routes. */
const PARTS_MAX = 32
/** Each doubles the ways of a route. */
const MAYBE_MAX = 3

/** The routes that go on after some parts. */
interface Place {
  route: string | null
  readonly own: Map<string, Place>
  any: Place | null
  /** Route that holds whatever follows, also nothing; `null` if there is none. */
  rest: string | null
}

type Part = 'own' | 'any' | 'maybe' | 'rest'

/** `null` for one that is partly a name, or takes several amid others: what else it would match is not told. */
function partOf(part: string, isLast: boolean): Part | null {
  // An id in what was taken from an address.
  if (part === '*' && !isLast) return 'any'
  if (part === '*' || part === '$' || /^(?:\[\[?\.\.\.|:[\w-]{1,100}(?:\(\.\*\)\*?|\*\??|\+)$)/.test(part))
    return isLast ? 'rest' : null
  if (/^(?::[\w-]{1,100}\?|\[\[[\w-]{1,100}\]\]|\{-\$\w{1,100}\})$/.test(part)) return 'maybe'
  if (/^(?::[\w-]{1,100}|\$\w{1,100}|\[[\w-]{1,100}\])$/.test(part)) return 'any'
  return part.includes('*') || PATTERN.test(part) ? null : 'own'
}

function routeParts(route: string): readonly string[] {
  return route.split('/').filter((part) => part !== '')
}

function newPlace(): Place {
  return { route: null, own: new Map(), any: null, rest: null }
}

function addRoute(at: Place, [part, ...after]: readonly string[], route: string): void {
  if (part === undefined) {
    at.route ??= route
    return
  }
  const is = partOf(part, after.length === 0)
  if (is === 'rest') at.rest ??= route
  if (is === 'maybe') addRoute(at, after, route)
  if (is === 'any' || is === 'maybe') {
    at.any ??= newPlace()
    addRoute(at.any, after, route)
  }
  if (is === 'own') {
    const next = at.own.get(part) ?? newPlace()
    at.own.set(part, next)
    addRoute(next, after, route)
  }
}

/** Own parts before any, and any before the rest. */
function find(at: Place, parts: readonly string[], place: number): string | null {
  const part = parts[place]
  if (part === undefined) return at.route ?? at.rest
  const own = at.own.get(part)
  const found = own === undefined ? null : find(own, parts, place + 1)
  return found ?? (at.any === null ? null : find(at.any, parts, place + 1)) ?? at.rest
}
