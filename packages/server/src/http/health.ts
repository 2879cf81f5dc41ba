/** `GET /health`: for whoever watches the process. */

import type { Exchange } from './ingest.ts'
import { errorAnswer, jsonAnswer, send } from './respond.ts'
import type { Engine } from './types.ts'

/** 200 `{"ok":true,"detail":"…"}` while every vital part works, else 503 with the names of those that do not. */
export function answerHealth({ request, response }: Exchange, healthy: Engine['healthy']): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(request, response, errorAnswer({ code: 'method_not_allowed', headers: { allow: 'GET, HEAD' } }))
    return
  }
  const { ok, detail } = healthy()
  send(request, response, jsonAnswer(ok ? 200 : 503, { ok, detail }, { 'cache-control': 'no-store' }))
}
