/**
 * Throws that a framework uses to steer: nothing failed. Only what is certain: an answer of 500 and above stays, and so
 * does an asset of a build that is gone, which is deploy skew. docs/wire.md, section "Control flow".
 */
import { isObject } from '#base/json.ts'
import { isAssetPath } from '#model/asset-path.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'
import { answerOfKit } from '#model/thrown-answer.ts'

/** Messages of Next.js: the whole, or what stands before the first semicolon. */
const NEXT =
  /^(?:Error: )?(NEXT_REDIRECT|NEXT_NOT_FOUND|NEXT_HTTP_ERROR_FALLBACK;40[134]|DYNAMIC_SERVER_USAGE|BAILOUT_TO_CLIENT_SIDE_RENDERING)(?:;|$)/
const NEXT_TEXTS: readonly (readonly [pattern: RegExp, example: string])[] = [
  [/^(?:Error: )?Dynamic server usage: /, 'DYNAMIC_SERVER_USAGE of Next.js'],
  [/^(?:Error: )?Bail out to client-side rendering: /, 'BAILOUT_TO_CLIENT_SIDE_RENDERING of Next.js'],
]
/** Message of the SDK in a browser if `_error` is shown for a page that does not exist. */
const NO_ERROR = /^_error\.js called with falsy error \((?:undefined|null)\)$/
const NO_ROUTE = /^(?:Error: )?No route matches URL "([^"\n]{1,1000})"/
/** An object that was thrown and is no error: the SDK tells its keys, and puts it into `extra`. */
const THROWN = /^(?:'[^'\n]{1,80}'|Object) captured as (?:exception|promise rejection) with keys: /
/** After its proxy threw and the app's `_error` has answered, Next.js answers once more. */
const ANSWERED = /^Cannot (?:append|set) headers after they are sent to the client$/
/** Message of Nuxt's own router, with status 404. */
const NO_PAGE = /^Page not found: \//
const FIRST_CHARS = new Set("NDBEO'_[P")

/** Describes control flow without text of the event; `null` for a failure. */
export function controlFlowIn(event: NormalizedEvent): string | null {
  const { type, value } = mainException(event) ?? {}
  if (type !== undefined && (isExpectedOfNuxt(event, type) || isAnswerOfNuxt(event)))
    return 'an expected error of Nuxt'
  const text = value ?? event.logentry?.formatted ?? event.message ?? ''
  if (text[0] === 'C') return secondAnswer(event, text)
  // Nearly every message begins with another letter.
  if (!FIRST_CHARS.has(text[0] ?? '')) return null
  const code = NEXT.exec(text)?.[1]
  if (code !== undefined) return `${code.split(';', 1)[0]} of Next.js`
  const known = NEXT_TEXTS.find(([pattern]) => pattern.test(text))
  if (known !== undefined) return known[1]
  if (NO_ERROR.test(text) && event.platform === 'javascript') return 'a page that is not there, in Next.js'
  const path = NO_ROUTE.exec(text)?.[1]
  if (path !== undefined) return isAssetPath(path) ? null : 'an address without a route'
  if (NO_PAGE.test(text) && (event.sdk?.name ?? '').includes('nuxt'))
    return 'an address without a page, in Nuxt'
  if (text === '[object Response]') return isAnswerOfTanStack(event) ? THROWN_ANSWER : null
  return THROWN.test(text) ? thrownResponse(event, text) : null
}

/**
 * `createError()` of Nuxt, with a status below 500. Its SDK leaves it out where the app shows its error page, and tells of it
 * where a component threw it: with the status where `extraErrorDataIntegration` adds what an error carries, as a context of
 * its name. `fatal` and `unhandled` are what such an error has beside it.
 */
function isExpectedOfNuxt({ contexts, sdk }: NormalizedEvent, type: string): boolean {
  const carried = contexts?.[type]
  if (carried?.unhandled !== false || typeof carried.fatal !== 'boolean') return false
  return (sdk?.name ?? '').includes('nuxt') && isBelow500(carried.statusCode)
}

/** `[GET] "/api/orders/7": 404 No such order`, of Nuxt’s `$fetch`. */
const REFUSED = /^\[[A-Z]{3,7}\] "[^"\n]{0,2000}": 4\d\d ([^\n]{1,500})$/

/** An error that a page makes of an answer below 500 to what it asked for: the answer’s own words, with the answer as cause. */
function isAnswerOfNuxt({ exception, sdk }: NormalizedEvent): boolean {
  const [cause, made, ...others] = exception?.values ?? []
  if (cause?.type !== 'FetchError' || made?.value === undefined || others.length > 0) return false
  return (sdk?.name ?? '').includes('nuxt') && REFUSED.exec(cause.value ?? '')?.[1] === made.value
}

const THROWN_ANSWER = 'a redirect or an answer of TanStack Start'

/**
 * `redirect()` is a `Response` there: the middleware of its SDK reports whatever a function throws, and a page that calls the
 * function without `useServerFn` rejects with it.
 */
function isAnswerOfTanStack(event: NormalizedEvent): boolean {
  const { type } = mainException(event)?.mechanism ?? {}
  if (type?.startsWith('auto.middleware.tanstackstart.') === true) return true
  const thrown: unknown = event.extra?.__serialized__
  const options: unknown = isObject(thrown) ? thrown.options : undefined
  return (event.sdk?.name ?? '').includes('tanstack') && isObject(options) && isRedirect(options)
}

function isRedirect({ to, href, statusCode }: Thrown): boolean {
  return (typeof to === 'string' || typeof href === 'string') && isBelow500(statusCode)
}

function secondAnswer({ contexts }: NormalizedEvent, text: string): string | null {
  const isNotFound = contexts?.nextjs?.router_path === '/_not-found/page'
  return isNotFound && ANSWERED.test(text) ? 'a second answer to a request that failed, in Next.js' : null
}

type Thrown = Readonly<Record<string, unknown>>

const ROUTER_KEYS = new Set(['data', 'error', 'internal', 'status', 'statusText'])

interface ThrownRule {
  readonly example: string
  readonly isMet: (thrown: Thrown, event: NormalizedEvent, text: string) => boolean
}

const THROWN_RULES: readonly ThrownRule[] = [
  {
    // `data()` and `Response` of React Router and Remix, as their router hands them on.
    example: 'a thrown response below 500',
    isMet: (thrown) => {
      const keys = Object.keys(thrown)
      const isRouters = keys.includes('internal') && keys.every((key) => ROUTER_KEYS.has(key))
      return isRouters && isBelow500(thrown.status)
    },
  },
  {
    example: 'a thrown response below 500',
    isMet: (thrown, _event, text) => text.startsWith("'Response'") && isBelow500(thrown.status),
  },
  {
    // `redirect()` and `error()` of SvelteKit, and what it hands a page of a promise that it streams.
    example: 'a redirect or an expected error of SvelteKit',
    isMet: (thrown, { sdk }) =>
      (sdk?.name ?? '').includes('sveltekit') && isBelow500(answerOfKit(thrown)?.status),
  },
  {
    // `notFound()` and `redirect()` of TanStack.
    example: 'a redirect or “not found” of TanStack Router',
    isMet: ({ isNotFound, isRedirect }) => isNotFound === true || isRedirect === true,
  },
]

function thrownResponse(event: NormalizedEvent, text: string): string | null {
  const thrown: unknown = event.extra?.__serialized__
  if (!isObject(thrown)) return null
  return THROWN_RULES.find(({ isMet }) => isMet(thrown, event, text))?.example ?? null
}

/** Unknown is no answer. */
function isBelow500(status: unknown): boolean {
  const number = typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : status
  return typeof number === 'number' && number >= 300 && number < 500
}
