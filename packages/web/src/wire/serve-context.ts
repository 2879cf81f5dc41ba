/** Request on its way through the wire: who asks, for what, and how the answer must look. */
import { randomBytes } from 'node:crypto'
import { deviceCookie, originHeaders, sessionCookie, usedOrigin } from '@errata/server/access'
import { askedAt, type Engine, type PageRequest } from '@errata/server/http'
import { withoutBase } from './base-path.ts'
import type { FailurePlace } from './failure.ts'
import { localPath } from './loader.ts'
import { HEADERS, RAIL_COOKIE } from './names.ts'
import type { LoaderContext } from './types.ts'

/** How the answer is wanted: a document, page data, or an action's reply. */
export type Wanted = 'document' | 'page-data' | 'prefetch' | 'action'

export interface Serving {
  readonly request: Request
  readonly url: URL
  readonly path: string
  readonly wanted: Wanted
  /** Build of the page that asks; `null` when it does not say. */
  readonly clientBuild: string | null
  readonly viewer: LoaderContext['viewer']
  readonly nonce: string
  readonly traceId: string
  /** The browser’s span that asked; `null` where it does not say. */
  readonly parentSpanId: string | null
  readonly nowMs: number
  readonly clientAddress: string | null
  readonly engine: Engine
  /** Awaited before the thread is kept busy: envelopes come first. */
  readonly turn: () => Promise<void>
  /** Runs what needs time but not the thread: another request has its turn meanwhile. */
  readonly aside: NonNullable<PageRequest['aside']>
  readonly waitsFor: NonNullable<PageRequest['waitsFor']>
}

/** Reads what the request says about itself and who sends it. */
export async function serving(page: PageRequest, engine: Engine, nowMs: number): Promise<Serving> {
  const cookie = sessionCookie(engine.publicAddress, null).read(page.request.headers.get('cookie'))
  const viewer = cookie === null ? null : await engine.access.authenticateSession(cookie, nowMs)
  return { ...anonymousServing(page, engine, nowMs), viewer }
}

/** The same without asking who it is. */
export function anonymousServing(page: PageRequest, engine: Engine, nowMs: number): Serving {
  const { request, clientAddress, turn = atOnce, aside = (work) => work(), waitsFor = () => null } = page
  const asked = new URL(request.url)
  const url = new URL(`${asked.pathname.replace(/^\/+/, '/')}${asked.search}`, engine.publicAddress.url)
  return {
    request,
    url,
    path: `${url.pathname}${url.search}`,
    wanted: wantedOf(request),
    clientBuild: request.headers.get(HEADERS.build),
    viewer: null,
    nonce: randomBytes(16).toString('base64'),
    ...readTraceHeader(request.headers.get('sentry-trace')),
    nowMs,
    clientAddress,
    engine,
    turn,
    aside,
    waitsFor,
  }
}

async function atOnce(): Promise<void> {}

function wantedOf({ headers, method }: Request): Wanted {
  if (method === 'POST') return headers.has(HEADERS.action) ? 'action' : 'document'
  if (headers.get(HEADERS.page) !== 'data') return 'document'
  return headers.get(HEADERS.purpose) === 'prefetch' ? 'prefetch' : 'page-data'
}

/** The trace that the browser says it is in, or a new one. */
function readTraceHeader(header: string | null): Pick<Serving, 'traceId' | 'parentSpanId'> {
  const [, traceId, parentSpanId = null] = /^([0-9a-f]{32})-([0-9a-f]{16})/.exec(header ?? '') ?? []
  return traceId === undefined
    ? { traceId: randomBytes(16).toString('hex'), parentSpanId: null }
    : { traceId, parentSpanId }
}

export function loaderContext(serving: Serving, params: LoaderContext['params']): LoaderContext {
  return {
    engine: serving.engine,
    viewer: serving.viewer,
    params,
    url: serving.url,
    address: serving.clientAddress,
    userAgent: serving.request.headers.get('user-agent')?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
    device: deviceCookie(serving.engine.publicAddress, null).read(serving.request.headers.get('cookie')),
    rail: railIn(serving.request.headers.get('cookie') ?? ''),
    usedOrigin: usedOrigin(originHeaders(serving.request.headers)),
    openedAt: askedAddress(serving),
    nowMs: serving.nowMs,
    aside: serving.aside,
    waitsFor: serving.waitsFor,
    unread: new Map(),
  }
}

function railIn(cookies: string): LoaderContext['rail'] {
  const [, value] = RAIL.exec(cookies) ?? []
  return value === 'open' || value === 'collapsed' ? value : null
}

const RAIL = new RegExp(`(?:^|; )${RAIL_COOKIE}=([a-z]+)`)

const USER_AGENT_CHARS_MAX = 300

/** Returns the address where this request reached us, as its client or a proxy states. */
export function askedAddress({ request, engine }: Serving): string {
  return askedAt(request.headers, engine.publicAddress)
}

/** Returns the place under which a failure of this request is filed. */
export function failurePlace(serving: Serving, route: string): FailurePlace {
  const isPost = serving.request.method === 'POST'
  return {
    requestKind: isPost ? 'action' : serving.wanted,
    method: serving.request.method,
    route,
    traceId: serving.traceId,
  }
}

/** Returns the target of "Back" without script: the page of this site the person came from, or home. */
export function backPath({ request, engine }: Serving): string {
  const referer = request.headers.get('referer')
  const url = referer !== null && URL.canParse(referer) ? new URL(referer) : null
  const isOurs = url?.origin === engine.publicAddress.origin || url?.host === request.headers.get('host')
  if (url === null || !isOurs) return '/'
  return localPath(`${withoutBase(url.pathname)}${url.search}`)
}
