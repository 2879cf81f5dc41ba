/** Runs one action: origin, build, name, permission, input, then the change itself. */

import { checkOrigin, deviceCookie, originHeaders, sessionCookie, usedOrigin } from '@errata/server/access'
import { max } from '@errata/server/limits'
import { authorize } from './access-check.ts'
import type { WireError } from './answers.ts'
import type { AppTables } from './app-tables.ts'
import type { Action } from './define-action.ts'
import { stopOf } from './failure.ts'
import { FORM_TOO_LARGE, readActionBody } from './form-body.ts'
import type { HeldAction, HeldActions } from './held-actions.ts'
import { confirmPath, signInPath } from './loader.ts'
import { HEADERS, HELD_FIELD } from './names.ts'
import type { Match } from './page-at.ts'
import type { PageRoute } from './route.ts'
import { failurePlace, loaderContext, type Serving } from './serve-context.ts'
import { staleBuildAnswer } from './stale-build.ts'
import type { SessionControl } from './types.ts'

export interface RanAction {
  readonly outcome:
    | { readonly kind: 'result'; readonly result: unknown }
    | { readonly kind: 'redirect'; readonly to: string }
    | { readonly kind: 'refused'; readonly error: WireError }
    | { readonly kind: 'failed'; readonly error: WireError }
  readonly action: Action | null
  readonly input: unknown
  readonly form: string
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[]
}

export async function runAction(
  tables: AppTables,
  serving: Serving,
  match: Match<PageRoute>,
  { build, held }: { readonly build: string; readonly held: HeldActions },
): Promise<RanAction> {
  const early = refusedBeforeBody(tables, serving, { build, route: match.route.path })
  if (early !== null) return nothingRan(early)
  const bytesMax = max(serving.viewer === null ? 'formBytesMax' : 'longFormBytesMax')
  const body = await readActionBody(serving.request, bytesMax)
  if (!body.ok) return nothingRan({ code: body.code, message: body.message })
  const name = serving.request.headers.get(HEADERS.action) ?? body.action
  const action = tables.actions.find((one) => one.name === name)
  if (action === undefined) {
    return nothingRan({
      code: 'action_unknown',
      message: 'This page is out of date. Reload it.',
    })
  }
  if (body.sizeBytes > (action.bodyBytesMax ?? max('formBytesMax'))) return nothingRan(FORM_TOO_LARGE)
  const cookies: string[] = []
  const sent: HeldAction = {
    ...{ path: serving.path, action: action.name, input: body.input, form: body.form },
    usedOrigin: usedOrigin(originHeaders(serving.request.headers)),
  }
  const outcome = await callAction(tables, { serving, match, action, sent, held, cookies })
  const session = serving.viewer?.session.id
  if (action.confirms && outcome.kind === 'redirect' && session !== undefined)
    held.release(session, outcome.to, serving.nowMs)
  return { outcome, action, input: body.input, form: body.form, cookies }
}

/** Runs an action that waited for its sender to confirm who they are, as it was sent. */
export async function runHeld(
  tables: AppTables,
  serving: Serving,
  match: Match<PageRoute>,
  { sent, held }: { readonly sent: HeldAction; readonly held: HeldActions },
): Promise<RanAction> {
  const { input, form } = sent
  const action = tables.actions.find(({ name }) => name === sent.action)
  if (action === undefined)
    return nothingRan({ code: 'action_unknown', message: 'This page is out of date.' })
  const cookies: string[] = []
  const outcome = await callAction(tables, { serving, match, action, sent, held, cookies })
  return { outcome, action, input, form, cookies }
}

interface Call {
  readonly serving: Serving
  readonly match: Match<PageRoute>
  readonly action: Action
  readonly sent: HeldAction
  readonly held: HeldActions
  readonly cookies: string[]
}

async function callAction(tables: AppTables, call: Call): Promise<RanAction['outcome']> {
  const { serving, match, action, sent, held, cookies } = call
  const { input } = sent
  const ctx = { ...loaderContext(serving, match.params), usedOrigin: sent.usedOrigin }
  try {
    const checked = authorize(ctx, action.access)
    const answer = await action.call({ ...checked, session: sessionControl(serving, cookies) }, input)
    if ('redirect' in answer) return { kind: 'redirect', to: answer.redirect }
    if ('error' in answer && answer.error.code === 'confirm_needed') {
      const session = serving.viewer?.session.id
      if (session !== undefined) held.hold(session, sent, serving.nowMs)
      return { kind: 'redirect', to: confirmPath(serving.path, aboutOf(action, input)) }
    }
    if ('error' in answer) return { kind: 'refused', error: answer.error }
    return { kind: 'result', result: answer.result ?? null }
  } catch (thrown) {
    const place = failurePlace(serving, match.route.path)
    const reason = stopOf(thrown, place, { ctx, recordedPath: tables.digestPath })
    const isSignedOut = reason.kind === 'redirect' && serving.viewer === null && action.access !== 'anyone'
    if (isSignedOut && serving.wanted === 'action') {
      return {
        kind: 'refused',
        error: { code: 'signed_out', message: SIGNED_OUT },
      }
    }
    if (!isSignedOut) return reason
    const id = held.keep(sent, serving.nowMs)
    return { kind: 'redirect', to: signInPath(withHeld(serving.url, id)) }
  }
}

const SIGNED_OUT =
  'Your session has ended. Sign in again in another tab, then submit it again. What you typed is still here.'

/** The address of the page with what was typed on it. */
function withHeld(url: URL, id: string): URL {
  const found = new URL(url)
  found.searchParams.set(HELD_FIELD, id)
  return found
}

/** Describes the action for the page that asks again. */
function aboutOf({ name }: Action, input: unknown): Parameters<typeof confirmPath>[1] {
  const user = typeof input === 'object' && input !== null && 'user' in input ? input.user : undefined
  return typeof user === 'string' ? { action: name, of: user } : { action: name }
}

/**
 * Refuses without the body: forms and scripts of other sites, and pages of an older build (never a plain
 * form).
 */
function refusedBeforeBody(
  tables: AppTables,
  serving: Serving,
  at: { readonly build: string; readonly route: string },
): WireError | null {
  const { request, wanted, engine } = serving
  const isOurs = checkOrigin({
    method: request.method,
    ...originHeaders(request.headers),
    ownOrigin: engine.publicAddress.isFixed ? engine.publicAddress.origin : null,
  })
  if (!isOurs) return crossOrigin(serving)
  return wanted === 'action' ? staleBuildAnswer(tables, serving, at) : null
}

const BEHIND_A_PROXY =
  'If Errata runs behind a proxy, have the proxy forward the Host header, or start Errata with --url.'

/** From our own page at another address than `--url` says, it helps to know the right one. */
function crossOrigin({ request, engine, path }: Serving): WireError {
  const code = 'cross_origin'
  const headers = originHeaders(request.headers)
  if (usedOrigin(headers) === null) {
    const message = 'This came from another site, so nothing was changed.'
    // Over plain http a browser does not say that it is our own page, and a proxy may have written another Host.
    const mayBeOurs = headers.secFetchSite === null && !engine.publicAddress.isFixed
    return { code, message: mayBeOurs ? `${message} ${BEHIND_A_PROXY}` : message }
  }
  const message = `The address of this Errata is ${engine.publicAddress.url}. Changes from other addresses are refused.`
  return { code, message, address: engine.publicAddress.link(path) }
}

function nothingRan(error: WireError): RanAction {
  return { outcome: { kind: 'refused', error }, action: null, input: null, form: '', cookies: [] }
}

function sessionControl({ engine, request }: Serving, cookies: string[]): SessionControl {
  const used = usedOrigin(originHeaders(request.headers))
  const cookie = sessionCookie(engine.publicAddress, used)
  const known = deviceCookie(engine.publicAddress, used)
  return {
    start({ device, ...signedIn }) {
      cookies.push(cookie.set(signedIn.cookie, signedIn.maxAgeSeconds))
      if (device !== undefined) cookies.push(known.set(device.cookie, device.maxAgeSeconds))
    },
    end: () => void cookies.push(...cookie.clear()),
  }
}
