/** Answers of addresses that are no pages. A failure is JSON for a script and the error page for a person. */

import { authorize } from './access-check.ts'
import type { AppTables, HandlerRoute } from './app-tables.ts'
import { withBasePath } from './base-path.ts'
import { failureDocument, refusalDocument } from './error-document.ts'
import { type FailurePlace, statusOf, stopOf } from './failure.ts'
import { notFound } from './loader.ts'
import type { Match } from './page-at.ts'
import { themeOf } from './render.ts'
import { documentResponse, jsonResponse, redirectResponse } from './respond.ts'
import { backPath, loaderContext, type Serving } from './serve-context.ts'

export async function handlerAnswer(
  tables: AppTables,
  serving: Serving,
  match: Match<HandlerRoute>,
): Promise<Response> {
  const { request, traceId } = serving
  const ctx = loaderContext(serving, match.params)
  const asksForPage = (request.headers.get('accept') ?? '').includes('text/html')
  try {
    const answer = (await match.route.handle(authorize(ctx, match.route.access), request)) ?? notFound()
    const to = answer.headers.get('location')
    if (to !== null) answer.headers.set('location', withBasePath(to))
    return guardAnswer(answer)
  } catch (thrown) {
    const place: FailurePlace = {
      requestKind: 'route-handler',
      method: request.method,
      route: match.route.path,
      traceId,
    }
    const reason = stopOf(thrown, place, { ctx, recordedPath: tables.digestPath })
    if (reason.kind === 'redirect') {
      if (asksForPage) return redirectResponse(reason.to)
      return jsonResponse({ error: { code: 'signed_out', message: 'Sign in first.' } })
    }
    if (!asksForPage) return jsonResponse({ error: reason.error })
    const { engine, nonce, path } = serving
    const options = { nonce, theme: themeOf(serving), reload: path, back: backPath(serving) }
    const html =
      reason.kind === 'failed'
        ? failureDocument(reason.error, options)
        : refusalDocument(reason.error, options)
    const isHttps = engine.publicAddress.isHttpsOnly
    return documentResponse(html, statusOf(reason.error.code), {
      ...{ nonce, isHttps, reportOrigin: null, isSecretAddress: false },
    })
  }
}

/** Adds headers to data: it runs nowhere, is framed nowhere, and no other site embeds it. */
function guardAnswer(answer: Response): Response {
  answer.headers.set('Cache-Control', 'no-store')
  answer.headers.set('X-Content-Type-Options', 'nosniff')
  answer.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  answer.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
  return answer
}
