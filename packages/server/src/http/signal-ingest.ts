/** Signals without a store over HTTP: authenticated and counted by `accept`, answered as their protocols want. */
import { parseDsn } from '@errata/protocol'
import { signalOf } from '#accept/signals.ts'
import type { AcceptAnswer, AcceptRequest, QueryFields } from '#accept/types.ts'
import { max } from '#limits/limits.ts'
import {
  BODY_REFUSALS,
  describeRequest,
  type IngestOptions,
  ingestAnswer,
  type RequestExchange,
  retrySeconds,
} from './ingest-request.ts'
import { errorAnswer, type HttpAnswer } from './respond.ts'
import { protocolOf, type SignalRoute, signalAnswer } from './signal-routes.ts'

export async function answerSignal(
  exchange: RequestExchange & { readonly query: QueryFields },
  route: SignalRoute,
  options: IngestOptions,
): Promise<HttpAnswer> {
  const { request } = exchange
  const { methods } = protocolOf(route.signal)
  if (!methods.includes(request.method ?? '')) {
    return errorAnswer({ code: 'method_not_allowed', headers: { allow: [...methods, 'OPTIONS'].join(', ') } })
  }
  const answer = await takeSignal(exchange, route, options)
  if (route.signal === 'loader') return loaderScript(answer)
  const isDialog = route.signal === 'dialog' && request.method === 'GET'
  return isDialog ? dialogScript(answer) : answer
}

async function takeSignal(
  { request, query }: RequestExchange & { readonly query: QueryFields },
  route: SignalRoute,
  { accept, addresses, bodies }: IngestOptions,
): Promise<HttpAnswer> {
  const { projectRef, signal } = route
  const named = whoseOf(route, query)
  const described = { ...describeRequest(request, addresses), ...named, format: 'signal', signal } as const
  const { refused } = accept.refuseUnread(described, null)
  if (refused !== null) return ingestAnswer(refused)
  // Most bodies are not looked at: they are drained while the answer is on its way.
  if (signalOf(signal).count === undefined) {
    return signalHttpAnswer(await accept.accept({ ...described, body: NO_BODY }), described)
  }
  const body = await bodies.read(request, max('bodyBytesMax'))
  if (!body.ok) {
    const { code, reason, detail } = BODY_REFUSALS[body.reason]
    const key = named.query.get('sentry_key')
    accept.countRefusal({ projectRef, key, reason, example: detail, sent: described })
    return errorAnswer({ code, detail, retryAfterSeconds: retrySeconds(code) })
  }
  try {
    return signalHttpAnswer(await accept.accept({ ...described, body: body.bytes }), described)
  } finally {
    body.release()
  }
}

const NO_BODY = new Uint8Array()

function signalHttpAnswer(
  answer: AcceptAnswer,
  { signal, contentType }: Pick<AcceptRequest, 'contentType'> & { readonly signal: SignalRoute['signal'] },
): HttpAnswer {
  const isLimited = answer.error?.code === 'rate_limited'
  if (answer.error !== null && !(isLimited && protocolOf(signal).isNeverLimited)) return ingestAnswer(answer)
  const { status, headers, body } = signalAnswer(signal, answer, contentType)
  const limits = answer.rateLimits === null ? {} : { 'x-sentry-rate-limits': answer.rateLimits }
  return { status, headers: { ...headers, ...limits }, body }
}

/** The key of the address stands for one in the query; the dialog's is in its DSN. */
function whoseOf(
  { projectRef, key, signal }: SignalRoute,
  query: QueryFields,
): Pick<AcceptRequest, 'projectRef' | 'query'> {
  const dsn = signal === 'dialog' ? parseDsn(query.get('dsn')) : null
  const known = dsn?.publicKey ?? key
  if (known === null) return { projectRef, query }
  const get = (name: string) => query.get(name) ?? (name === 'sentry_key' ? known : null)
  return { projectRef: dsn?.projectId ?? projectRef, query: { get } }
}

/**
 * The page asked for a script. It says in the console why no dialog opens, and tells the SDK that the dialog is closed, so
 * that the page goes on. Always 200: a browser runs no script that came with an error.
 */
function dialogScript({ status, headers, body }: HttpAnswer): HttpAnswer {
  const reason = status === 200 ? 'this version of Errata stores no user feedback' : answerDetail(body)
  const text = JSON.stringify(`Errata: no dialog is shown, ${reason}.`).replaceAll('<', '\\u003c')
  const script = `console.warn(${text});\nwindow.postMessage("__sentry_reportdialog_closed__", "*");\n`
  const { 'content-type': _, ...kept } = headers
  const fixed = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' }
  return { status: 200, headers: { ...kept, ...fixed }, body: script }
}

/** Calls of a page to the loader before its SDK is there. */
const LOADER_CALLS = [
  ...['onLoad', 'forceLoad', 'init', 'captureException', 'captureMessage', 'captureEvent', 'addBreadcrumb'],
  ...[
    'configureScope',
    'withScope',
    'setUser',
    'setTag',
    'setTags',
    'setExtra',
    'setContext',
    'showReportDialog',
  ],
]

/**
 * Stands for the script that would load an SDK: it says in the console that none comes, and what the page calls of it does
 * nothing, so that the page goes on. Always 200: a browser runs no script that came with an error.
 */
function loaderScript({ status, headers, body }: HttpAnswer): HttpAnswer {
  const why = status === 200 ? '' : ` (${answerDetail(body)})`
  const text = JSON.stringify(
    `Errata: loader scripts are not supported, this page reports nothing${why}. Add the SDK to your build or load its bundle: /docs/coming-from#the-loader-script of your Errata.`,
  ).replaceAll('<', '\\u003c')
  const script = `console.warn(${text});
window.Sentry = window.Sentry || ${JSON.stringify(LOADER_CALLS)}.reduce(function (calls, name) {
  calls[name] = function () {};
  return calls;
}, {});
`
  const { 'content-type': _, ...kept } = headers
  // As long as an SDK's own loader is kept: it counts pages, not each of their loads.
  const fixed = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=300' }
  return { status: 200, headers: { ...kept, ...fixed }, body: script }
}

function answerDetail(body: HttpAnswer['body']): string {
  const answer: unknown = JSON.parse(String(body))
  return typeof answer === 'object' && answer !== null && 'detail' in answer
    ? String(answer.detail)
    : 'refused'
}
