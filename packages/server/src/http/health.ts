/**
 * `GET /health`: for whoever watches the process. Anybody may ask, and it stands in no queue: the answer is made a few
 * times a second at most, and who asks all the time is answered later, but never refused.
 */

import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import type { RequestExchange } from './ingest-request.ts'
import type { PacedAnswers } from './paced-answers.ts'
import { errorAnswer, type HttpAnswer, jsonAnswer, sendAnswer } from './respond.ts'
import type { Engine } from './types.ts'

export interface HealthOptions {
  readonly healthy: Engine['healthy']
  readonly clock: Clock
  /** Its own: a flood of anything else makes whoever watches wait for nothing. */
  readonly paced: PacedAnswers
}

/**
 * Makes what answers `/health`: 200 `{"ok":true,"status":"ok",…}` while every vital part works, `degraded` where some
 * of what is stored is damaged; else 503 with the names of the parts that do not.
 */
export function createHealth({
  healthy,
  clock,
  paced,
}: HealthOptions): (exchange: Pick<RequestExchange, 'request' | 'response'>) => void {
  let known: { readonly answer: HttpAnswer; readonly atMs: number } | null = null
  const answerNow = (): HttpAnswer => {
    const nowMs = clock.elapsed()
    if (known !== null && nowMs - known.atMs < max('healthKeptMs')) return known.answer
    const health = healthy()
    const answer = jsonAnswer(health.ok ? 200 : 503, { ...health }, { 'cache-control': 'no-store' })
    known = { answer, atMs: nowMs }
    return answer
  }
  return ({ request, response }) => {
    const isAsked = request.method === 'GET' || request.method === 'HEAD'
    const refused = errorAnswer({ code: 'method_not_allowed', headers: { allow: 'GET, HEAD' } })
    paced.tell(request, response, () => sendAnswer(request, response, isAsked ? answerNow() : refused))
  }
}

const RELAY_PATH = /^\/api\/relay\/healthcheck\/(live|ready)\/?$/

/** True where a client that was made for a Relay asks whether there is one. */
export function isRelayHealthPath(path: string): boolean {
  return RELAY_PATH.test(path)
}

/** `{"is_healthy":…}`: `live` while the process answers, `ready` while it takes what is sent. */
export function createRelayHealth({
  healthy,
  paced,
}: Pick<HealthOptions, 'healthy' | 'paced'>): (exchange: RequestExchange) => void {
  return ({ request, response, target }) => {
    const isHealthy = RELAY_PATH.exec(target.path)?.[1] === 'live' || healthy().ok
    const answer = jsonAnswer(
      isHealthy ? 200 : 503,
      { is_healthy: isHealthy },
      { 'cache-control': 'no-store' },
    )
    const isAsked = request.method === 'GET' || request.method === 'HEAD'
    const refused = errorAnswer({ code: 'method_not_allowed', headers: { allow: 'GET, HEAD' } })
    paced.send(request, response, isAsked ? answer : refused)
  }
}
