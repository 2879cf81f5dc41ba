/** The wire's front door: a request comes in, one of the answers of docs/wire.md goes out. */

import type { Engine, PageHandler, PageRequest } from '@errata/server/http'
import type { FormOutcome, WireError } from './answers.ts'
import type { AppTables, HandlerRoute } from './app-tables.ts'
import type { Assets } from './assets.ts'
import { withoutBase } from './base-path.ts'
import type { Documents } from './documents.ts'
import { failureDocument, refusalDocument } from './error-document.ts'
import { statusOf, stopOf } from './failure.ts'
import { echoOf } from './form-body.ts'
import { handlerAnswer } from './handler-answer.ts'
import { type HeldAction, HeldActions } from './held-actions.ts'
import { HELD_FIELD } from './names.ts'
import { type AskedRoute, noteRequest } from './own-request.ts'
import type { Packages } from './packages.ts'
import type { Match } from './page-at.ts'
import { createRender, type RenderInput, type RenderPage, themeOf } from './render.ts'
import {
  documentResponse,
  jsonResponse,
  methodNotAllowed,
  noSuchFile,
  redirectResponse,
  withoutBody,
} from './respond.ts'
import type { PageRoute } from './route.ts'
import { type RanAction, runAction, runHeld } from './run-action.ts'
import { readPart, runLoaders } from './run-loaders.ts'
import {
  anonymousServing,
  backPath,
  failurePlace,
  loaderContext,
  type Serving,
  serving,
} from './serve-context.ts'
import { staleBuildAnswer } from './stale-build.ts'
import { type TableMatcher, tableMatcher } from './table-matcher.ts'

export interface PageHandlerOptions {
  readonly engine: Engine
  /** Names this build; pages of another one reload themselves. */
  readonly build: string
  readonly tables: AppTables
  readonly assets: Assets
  readonly packages?: Packages
  readonly documents?: Documents | null
  readonly now?: () => number
}

export function createPageHandler(options: PageHandlerOptions): PageHandler {
  const { engine, assets, packages, documents = null, tables, build, now = Date.now } = options
  let rendering: Promise<RenderPage> | null = null
  const render: RenderPage = async (input) => {
    rendering ??= createRender(tables, assets, build)
    return (await rendering)(input)
  }
  const [handlerAt, pageAt] = [tableMatcher(tables.handlers), tableMatcher(tables.pages)]
  const held = new HeldActions()
  const wire: Parts = { engine, tables, build, render, handlerAt, pageAt, held, documents }
  return async (page) => {
    const { pathname } = new URL(page.request.url)
    const { method } = page.request
    if (!METHODS.includes(method)) return methodNotAllowed()
    // Files wait in no queue, and nobody is shown one: what is none of them is no page either.
    if (pathname.startsWith('/assets/'))
      return method === 'POST' ? methodNotAllowed() : (assets.serve(page.request, pathname) ?? noSuchFile())
    const packed = method === 'POST' ? null : packages?.serve(page.request, pathname)
    if (packed) return packed
    const answer = await answerSafely(wire, page, now())
    return method === 'HEAD' ? withoutBody(answer) : answer
  }
}

/**
 * Answers a request. A failure before it is known who asks and for what (the session store, a match) is a
 * failure like any other.
 */
async function answerSafely(wire: Parts, page: PageRequest, nowMs: number): Promise<Response> {
  const { engine } = wire
  const startedMs = performance.now()
  try {
    const current = await serving(page, engine, nowMs)
    const answer = await answerTo(wire, current)
    const ms = performance.now() - startedMs
    noteRequest(wire.tables, current, { route: routeOf(wire, current), status: answer.status, ms })
    return answer
  } catch (thrown) {
    const current = anonymousServing(page, engine, nowMs)
    const ctx = loaderContext(current, {})
    const where = { ctx, recordedPath: wire.tables.digestPath }
    const reason = stopOf(thrown, failurePlace(current, '*'), where)
    if (reason.kind === 'redirect') return redirectResponse(reason.to)
    if (current.wanted !== 'document') return jsonResponse({ error: reason.error })
    return failureAnswer(wire, current, reason.error)
  }
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST']

interface Parts {
  readonly engine: Engine
  readonly tables: AppTables
  readonly build: string
  readonly render: RenderPage
  readonly handlerAt: TableMatcher<HandlerRoute>
  readonly pageAt: TableMatcher<PageRoute>
  readonly held: HeldActions
  readonly documents: Documents | null
}

function routeOf(wire: Parts, { url, request }: Serving): AskedRoute {
  const handler = request.method === 'POST' ? null : wire.handlerAt(url.pathname)
  if (handler !== null) return { path: handler.route.path, isHandler: true }
  const document = wire.documents?.patternOf(url.pathname) ?? null
  if (document !== null) return { path: document, isHandler: true }
  return { path: wire.pageAt(url.pathname)?.route.path ?? '*', isHandler: false }
}

async function answerTo(wire: Parts, current: Serving): Promise<Response> {
  const { tables, build } = wire
  const handler = wire.handlerAt(current.url.pathname)
  if (handler !== null && current.request.method !== 'POST') {
    const answer = await handlerAnswer(tables, current, handler)
    const to = answer.headers.get('location')
    if (handler.route.confirms && to !== null) releaseHeld(wire, current, withoutBase(to))
    return answer
  }
  if (wire.documents !== null && wire.documents.patternOf(current.url.pathname) !== null) {
    if (current.request.method === 'POST') return methodNotAllowed()
    await current.turn()
    return wire.documents.answer(current)
  }
  const match = wire.pageAt(current.url.pathname)
  if (match === null) throw new Error('the table of pages has no page for "*"')
  if (current.request.method === 'POST') return actionAnswer(wire, current, match)
  if (current.wanted === 'document') return documentAnswer(wire, current, match)
  const stale = staleBuildAnswer(tables, current, { build, route: match.route.path })
  if (stale !== null) return jsonResponse({ error: stale })
  const loaded = await runLoaders(tables, current, match)
  await current.turn()
  if (loaded.kind === 'data') return jsonResponse({ data: loaded.data })
  return jsonResponse(loaded.kind === 'redirect' ? { redirect: loaded.to } : { error: loaded.error })
}

/** True where something waits there for whoever asks. */
function releaseHeld({ held }: Parts, { viewer, nowMs }: Serving, to: string | null): boolean {
  return viewer !== null && to !== null && held.release(viewer.session.id, to, nowMs)
}

async function documentAnswer(wire: Parts, current: Serving, match: Match<PageRoute>): Promise<Response> {
  if (current.viewer !== null && current.request.method === 'GET') {
    const sent = wire.held.take(current.viewer.session.id, current.path, current.nowMs)
    if (sent !== null) return heldAnswer(wire, { current, match }, sent)
    const typed = wire.held.typed(current.url.searchParams.get(HELD_FIELD) ?? '', current.nowMs)
    if (typed !== null) return typedAnswer(wire, { current, match }, typed)
  }
  const loaded = await runLoaders(wire.tables, current, match)
  switch (loaded.kind) {
    case 'redirect':
      return redirectResponse(loaded.to)
    case 'failed':
      return failureAnswer(wire, current, loaded.error)
    case 'refused':
      return renderPage(
        wire,
        { serving: current, match, data: loaded.data, error: loaded.error, form: null },
        statusOf(loaded.error.code),
      )
    case 'data':
      return renderPage(wire, { serving: current, match, data: loaded.data, error: null, form: null }, 200)
  }
}

/** A page as a document; what rendering throws is a failure like any other. */
async function renderPage(wire: Parts, input: RenderInput, status: number): Promise<Response> {
  const { serving: current, match } = input
  try {
    return documentResponse(await wire.render(input), status, documentHeaders(wire, current))
  } catch (thrown) {
    const ctx = loaderContext(current, match.params)
    const where = { ctx, recordedPath: wire.tables.digestPath }
    const reason = stopOf(thrown, failurePlace(current, match.route.path), where)
    if (reason.kind === 'redirect') return redirectResponse(reason.to)
    return failureAnswer(wire, current, reason.error)
  }
}

function failureAnswer(wire: Parts, current: Serving, error: WireError): Response {
  const html = failureDocument(error, errorOptions(current))
  return documentResponse(html, statusOf(error.code), documentHeaders(wire, current))
}

function errorOptions(current: Serving) {
  return { nonce: current.nonce, theme: themeOf(current), reload: current.path, back: backPath(current) }
}

function documentHeaders({ pageAt }: Pick<Parts, 'pageAt'>, { nonce, engine, url }: Serving) {
  const target = engine.selfTarget?.() ?? null
  const isElsewhere = target !== null && target.tunnel === null && URL.canParse(target.dsn)
  return {
    nonce,
    isHttps: engine.publicAddress.isHttpsOnly,
    reportOrigin: isElsewhere ? new URL(target.dsn).origin : null,
    isSecretAddress: pageAt(url.pathname)?.params.code !== undefined || url.searchParams.has('code'),
  }
}

async function actionAnswer(wire: Parts, current: Serving, match: Match<PageRoute>): Promise<Response> {
  const ran = await runAction(wire.tables, current, match, { build: wire.build, held: wire.held })
  const answer =
    current.wanted === 'action'
      ? await scriptedAnswer(wire, { current, match, ran })
      : await plainAnswer(wire, { current, match, ran })
  for (const cookie of ran.cookies) answer.headers.append('Set-Cookie', cookie)
  return answer
}

type Asked = Pick<Answering, 'current' | 'match'>

/** The page with what became of an action that has waited for its sender. */
async function heldAnswer(wire: Parts, { current, match }: Asked, sent: HeldAction): Promise<Response> {
  const ran = await runHeld(wire.tables, current, match, { sent, held: wire.held })
  const answer = await plainAnswer(wire, { current, match, ran, isHeld: true })
  for (const cookie of ran.cookies) answer.headers.append('Set-Cookie', cookie)
  return answer
}

/** The page with what was typed on it before its sender had to sign in again: nothing has run. */
async function typedAnswer(wire: Parts, { current, match }: Asked, typed: HeldAction): Promise<Response> {
  const action = wire.tables.actions.find(({ name }) => name === typed.action) ?? null
  const error: WireError = {
    code: 'signed_out',
    message: 'Your session had ended, so nothing was changed. Check what you typed, then send it again.',
  }
  const ran: RanAction = {
    ...{ outcome: { kind: 'refused', error }, action, input: typed.input, form: typed.form, cookies: [] },
  }
  const answer = await plainAnswer(wire, { current, match, ran })
  return new Response(answer.body, { status: 200, headers: answer.headers })
}

interface Answering {
  readonly current: Serving
  readonly match: Match<PageRoute>
  readonly ran: RanAction
  /** It has waited, and is asked for by GET: its result is shown, whatever it is. */
  readonly isHeld?: true
}

/** Answers a hydrated page: JSON, with fresh page data beside the result, or what changed of it. */
async function scriptedAnswer(wire: Parts, { current, match, ran }: Answering): Promise<Response> {
  const { outcome } = ran
  if (outcome.kind === 'redirect') {
    const isReleased = ran.action?.confirms === true && releaseHeld(wire, current, outcome.to)
    return jsonResponse({ redirect: outcome.to, ...(isReleased && { isDocument: true }) })
  }
  if (outcome.kind !== 'result') return jsonResponse({ error: outcome.error })
  const fresh = await again(current)
  const part = await readPart(wire.tables, fresh, { match, part: ran.action?.part ?? null })
  if (part !== null) return jsonResponse({ result: outcome.result, ...part })
  const after = await runLoaders(wire.tables, fresh, match)
  if (after.kind === 'data') return jsonResponse({ result: outcome.result, data: after.data })
  // The page is gone or elsewhere after the change: the revalidation that follows finds out by itself.
  return jsonResponse({ result: outcome.result })
}

/** Answers a plain form: back to the page (PRG), or the page itself with the refusal and the typed values. */
async function plainAnswer(wire: Parts, { current, match, ran, isHeld }: Answering): Promise<Response> {
  const { outcome } = ran
  if (outcome.kind === 'redirect') return redirectResponse(outcome.to)
  if (outcome.kind === 'failed') return failureAnswer(wire, current, outcome.error)
  if (outcome.kind === 'result' && ran.action?.rendersResult !== true && isHeld !== true)
    return redirectResponse(current.path)
  const error = outcome.kind === 'refused' ? outcome.error : null
  const status = error === null ? 200 : statusOf(error.code)
  const after = ran.action === null ? null : await runLoaders(wire.tables, await again(current), match)
  if (after?.kind === 'redirect') return redirectResponse(after.to)
  if (after?.kind !== 'data')
    return refusalAnswer(wire, current, error ?? { code: 'not_found', message: 'The page is gone.' })
  const form: FormOutcome = {
    form: ran.form,
    action: ran.action?.name ?? '',
    error,
    result: outcome.kind === 'result' ? outcome.result : null,
    values: error === null && isHeld === true && ran.action?.rendersResult === true ? {} : echoOf(ran.input),
  }
  const answer = await renderPage(
    wire,
    { serving: current, match, data: after.data, error: null, form },
    status,
  )
  if (error?.retryAfterSeconds !== undefined)
    answer.headers.set('Retry-After', String(error.retryAfterSeconds))
  return answer
}

function refusalAnswer(wire: Parts, current: Serving, error: WireError): Response {
  const html = refusalDocument(error, errorOptions(current))
  return documentResponse(html, statusOf(error.code), documentHeaders(wire, current))
}

/** The same request after a change: the viewer's roles or theme may be others now. */
async function again(current: Serving): Promise<Serving> {
  const { request, engine, nowMs, clientAddress } = current
  const { viewer } = await serving({ request, clientAddress }, engine, nowMs)
  return { ...current, viewer }
}
