/**
 * `GET /health`: for whoever watches the process. Anybody may ask, and it stands in no queue: the answer is made a few
 * times a second at most, and who asks all the time is answered later, but never refused.
 */

import { addressKey } from '#base/address-key.ts'
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { AddressPace } from './address-pace.ts'
import type { ClientAddresses } from './client-address.ts'
import type { Exchange } from './ingest.ts'
import { type Answer, errorAnswer, jsonAnswer, send } from './respond.ts'
import type { Engine } from './types.ts'

export interface HealthOptions {
  readonly healthy: Engine['healthy']
  readonly addresses: Pick<ClientAddresses, 'client'>
  readonly clock: Clock
  /** How long an answer waits that is one too many. */
  readonly heldMs: number
}

/**
 * 200 `{"ok":true,"status":"ok",…}` while every vital part works, `degraded` where some of what is stored is damaged; else
 * 503 with the names of the parts that do not.
 */
export function createHealth({
  healthy,
  addresses,
  clock,
  heldMs,
}: HealthOptions): (exchange: Pick<Exchange, 'request' | 'response'>) => void {
  const pace = new AddressPace(max('healthAnswersPerSecond'))
  let known: { readonly answer: Answer; readonly atMs: number } | null = null
  const answerNow = (): Answer => {
    const nowMs = clock.elapsed()
    if (known !== null && nowMs - known.atMs < max('healthKeptMs')) return known.answer
    const health = healthy()
    const answer = jsonAnswer(health.ok ? 200 : 503, { ...health }, { 'cache-control': 'no-store' })
    known = { answer, atMs: nowMs }
    return answer
  }
  return ({ request, response }) => {
    const isAsked = request.method === 'GET' || request.method === 'HEAD'
    const tell = () => {
      const answer = isAsked
        ? answerNow()
        : errorAnswer({ code: 'method_not_allowed', headers: { allow: 'GET, HEAD' } })
      send(request, response, answer)
    }
    if (pace.takes(addressKey(addresses.client(request)), clock.elapsed())) {
      tell()
      return
    }
    const held = setTimeout(tell, heldMs)
    response.once('close', () => clearTimeout(held))
  }
}
