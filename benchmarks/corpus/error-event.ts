/** Errors as the JavaScript SDKs send them, of two sizes; every number is another event. */
import { makeBreadcrumbs } from './breadcrumbs.ts'
import { asBuilt, debugMetaOf } from './maps.ts'
import { type Dice, diceOf } from './random.ts'
import { makeStack, type Stack, type StackShape } from './stacks.ts'
import { FIRST_NAMES, NOUNS } from './words.ts'

export interface ErrorShape {
  readonly side: 'browser' | 'node'
  readonly stack: StackShape
  readonly breadcrumbs: number
  readonly modules: number
}

/** Shapes that come to about 5 and 18 KB of JSON; two thirds of the small ones come from browsers. */
export const SMALL: readonly ErrorShape[] = [
  { side: 'browser', stack: { frames: 9, contextLines: 0 }, breadcrumbs: 11, modules: 0 },
  { side: 'browser', stack: { frames: 8, contextLines: 0 }, breadcrumbs: 12, modules: 0 },
  { side: 'node', stack: { frames: 4, contextLines: 2 }, breadcrumbs: 4, modules: 10 },
]
export const LARGE: readonly ErrorShape[] = [
  { side: 'browser', stack: { frames: 30, contextLines: 0 }, breadcrumbs: 62, modules: 0 },
  { side: 'node', stack: { frames: 16, contextLines: 5 }, breadcrumbs: 22, modules: 60 },
]

const USERS = 20_000
const SERVERS = 12
const BROWSERS = [
  [
    'Chrome',
    '156.0.0',
    'Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  ],
  [
    'Mobile Safari',
    '19.1',
    'iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  ],
  ['Firefox', '148.0', 'Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'],
  [
    'Edge',
    '156.0.0',
    'Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
  ],
] as const
const RELEASES = ['2026.11.9-1', '2026.11.12-1', '2026.11.18-1', '2026.11.20-2', '2026.11.21-1'] as const
const PACKAGES =
  'next react react-dom @sentry/nextjs pg undici zod stripe @tanstack/react-query date-fns express ioredis pino'.split(
    ' ',
  )
const INTEGRATIONS =
  'EventFilters FunctionToString LinkedErrors Dedupe RequestData Console NodeFetch OnUncaughtException OnUnhandledRejection ContextLines Context ChildProcess ProcessSession Modules Http'.split(
    ' ',
  )
const BROWSER_INTEGRATIONS =
  'InboundFilters FunctionToString BrowserApiErrors Breadcrumbs GlobalHandlers LinkedErrors Dedupe HttpContext BrowserSession BrowserTracing'.split(
    ' ',
  )

export interface ErrorRequest {
  readonly seed: number
  readonly number: number
  readonly stackNumber: number
  readonly shape: ErrorShape
  /** Milliseconds since 1970: when it happened. */
  readonly atMs: number
  /** Build that the frames are of; `undefined`: files without debug ids. */
  readonly build?: 'uploaded' | 'unknown' | undefined
}

/** 32 hex characters; two numbers of one seed never share one. */
export function eventIdOf(seed: number, number: number): string {
  const tail = number.toString(16).padStart(12, '0')
  return diceOf(seed ^ 0x1d, number).hex(20) + tail
}

export function makeErrorEvent(request: ErrorRequest): Readonly<Record<string, unknown>> {
  const { seed, number, shape } = request
  const dice = diceOf(seed, number)
  const { build } = request
  const stack = stackOf(request)
  const order = number * 7 + dice.below(7)
  const value = `Cannot complete order ${order}: ${dice.pick(NOUNS)} ${dice.hex(8)} is missing`
  const parts: Parts = { request, dice, stack, value, seconds: request.atMs / 1_000 }
  return {
    exception: {
      values: [
        {
          type: stack.type,
          value,
          stacktrace: { frames: stack.frames },
          mechanism:
            shape.side === 'browser'
              ? { type: 'auto.browser.global_handlers.onerror', handled: false }
              : { type: 'auto.function.nextjs.on_request_error', handled: false },
        },
      ],
    },
    event_id: eventIdOf(seed, number),
    level: 'error',
    platform: shape.side === 'browser' ? 'javascript' : 'node',
    ...(shape.side === 'browser' ? browserParts(parts) : nodeParts(parts)),
    ...(build === undefined ? {} : { debug_meta: debugMetaOf(stack.frames, build === 'uploaded') }),
    timestamp: parts.seconds,
    environment: dice.below(6) === 0 ? 'staging' : 'production',
    release: `shop@${dice.pick(RELEASES)}`,
    tags: {
      turbopack: true,
      plan: dice.pick(['free', 'team', 'business']),
      region: dice.pick(['eu-1', 'eu-2', 'us-1']),
    },
    transaction: shape.side === 'browser' ? stack.route : `GET ${stack.route}`,
    user: person(dice),
  }
}

interface Parts {
  readonly request: ErrorRequest
  readonly dice: Dice
  readonly stack: Stack
  readonly value: string
  readonly seconds: number
}

const STACKS_KEPT = 1_024
const stacksKept = new Map<string, Stack>()

/** Stacks of few numbers are made once: their text repeats in every event, as it does in life. */
function stackOf({ seed, stackNumber, shape, build }: ErrorRequest): Stack {
  const name = `${seed}:${stackNumber}:${shape.side}:${shape.stack.frames}:${build === undefined}`
  const kept = stacksKept.get(name)
  if (kept !== undefined) return kept
  const written = makeStack(seed, stackNumber, shape.stack)
  const made = build === undefined ? written : asBuilt(written, seed, stackNumber)
  if (stacksKept.size < STACKS_KEPT) stacksKept.set(name, made)
  return made
}

function browserParts({ request, dice, stack, seconds }: Parts) {
  const [, , , agent] = dice.pick(BROWSERS)
  return {
    contexts: {
      trace: { trace_id: dice.hex(32), span_id: dice.hex(16) },
      culture: {
        locale: dice.pick(['en-US', 'de-DE', 'fr-FR']),
        timezone: 'Europe/Berlin',
        calendar: 'gregory',
      },
    },
    breadcrumbs: makeBreadcrumbs(dice, {
      side: 'browser',
      count: request.shape.breadcrumbs,
      untilSeconds: seconds,
    }),
    request: {
      url: `https://shop.example${stack.route.replace('[id]', String(dice.below(1_000_000)))}`,
      headers: { Referer: 'https://shop.example/', 'User-Agent': agent },
    },
    sdk: sdkOf('browser'),
  }
}

function nodeParts({ request, dice, stack, value, seconds }: Parts) {
  const { breadcrumbs: count, modules } = request.shape
  const [, , , agent] = dice.pick(BROWSERS)
  const path = stack.route.replace('[id]', String(dice.below(1_000_000)))
  const crumbs = makeBreadcrumbs(dice, { side: 'node', count: count - 1, untilSeconds: seconds - 0.02 })
  return {
    contexts: nodeContexts(dice, stack, path),
    server_name: `web-${1 + dice.below(SERVERS)}`,
    breadcrumbs: [...crumbs, digestLine(stack, value, seconds)],
    request: {
      headers: {
        host: 'shop.example',
        'user-agent': agent,
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
        'sec-fetch-dest': 'document',
        'sec-fetch-mode': 'navigate',
        'accept-encoding': 'gzip, deflate, br, zstd',
        'accept-language': 'en-US,en;q=0.9',
      },
      method: 'GET',
      url: `https://shop.example${path}`,
      query_string: `page=${dice.below(50)}`,
    },
    modules: modulesOf(modules),
    sdk: sdkOf('node'),
  }
}

function nodeContexts(dice: Dice, stack: Stack, path: string) {
  return {
    trace: { trace_id: dice.hex(32), span_id: dice.hex(16) },
    nextjs: { request_path: path, router_kind: 'App Router', router_path: stack.route, route_type: 'render' },
    runtime: { name: 'node', version: 'v24.21.0' },
    app: { app_start_time: '2026-11-21T10:45:30.886Z', app_memory: 120_000_000 + dice.below(60_000_000) },
    os: { kernel_version: '6.18.44', name: 'Debian', version: '12.11' },
    device: {
      arch: 'x64',
      memory_size: 25_276_514_304,
      free_memory: dice.below(24_000_000_000),
      processor_count: 2,
    },
    culture: { locale: 'en-US', timezone: 'UTC' },
  }
}

/** The console line that carries the number of the error page. */
function digestLine(stack: Stack, value: string, timestamp: number) {
  const top = stack.frames.at(-1)
  const trace = `${stack.type}: ${value}\n    at ${top?.function} (${top?.filename}:${top?.lineno}:${top?.colno})`
  return {
    timestamp,
    category: 'console',
    data: {
      arguments: ['⨯', { message: value, name: stack.type, stack: trace, digest: stack.digest }],
      logger: 'console',
    },
    level: 'error',
    message: `⨯ ${stack.type}: ${value}`,
  }
}

function person(dice: Dice) {
  const number = dice.below(USERS)
  const name = `${FIRST_NAMES[number % FIRST_NAMES.length]}${number}`.toLowerCase()
  const [second, third] = [number >> 8, number & 0xff]
  return {
    id: String(100_000 + number),
    email: `${name}@mail.example`,
    username: name,
    ip_address: `203.0.${second}.${third}`,
  }
}

function modulesOf(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const name = PACKAGES[index % PACKAGES.length] ?? 'next'
      return [
        index < PACKAGES.length ? name : `${name}-${NOUNS[index % NOUNS.length]}`,
        `${index % 20}.${index % 7}.${index % 5}`,
      ]
    }),
  )
}

function sdkOf(side: ErrorShape['side']) {
  const name = side === 'browser' ? 'sentry.javascript.react' : 'sentry.javascript.nextjs'
  return {
    integrations: side === 'browser' ? BROWSER_INTEGRATIONS : INTEGRATIONS,
    name,
    version: '11.12.0',
    packages: [{ name: `npm:@sentry/${side === 'browser' ? 'react' : 'nextjs'}`, version: '11.12.0' }],
  }
}
