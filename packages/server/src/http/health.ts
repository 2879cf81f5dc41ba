/** `GET /health`: for whoever watches the process. */

import type { Exchange } from './ingest.ts'
import { errorAnswer, jsonAnswer, send } from './respond.ts'
import type { Engine } from './types.ts'

/**
 * 200 `{"ok":true,"status":"ok",…}` while every vital part works, `degraded` where some of what is stored is damaged; else
 * 503 with the names of the parts that do not.
 */
export function answerHealth({ request, response }: Exchange, healthy: Engine['healthy']): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(request, response, errorAnswer({ code: 'method_not_allowed', headers: { allow: 'GET, HEAD' } }))
    return
  }
  const health = healthy()
  send(request, response, jsonAnswer(health.ok ? 200 : 503, { ...health }, { 'cache-control': 'no-store' }))
}
