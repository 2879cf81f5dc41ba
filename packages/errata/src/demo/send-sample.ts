/** Sends of the sample, to this process's own ingest endpoint. */
import { setTimeout as delay } from 'node:timers/promises'

/** Longest time of one try, on a machine that does much else. */
const SEND_MS = 60_000
const TRIES_MAX = 20
const WAIT_MS_MAX = 30_000
/** Answers that say: later. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/** Sends an envelope; where the endpoint has too much to do, as soon as it says, at most half a minute later each time, unless `stop` comes first. */
export async function sendSample(target: URL, body: string, stop: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(SEND_MS)])
    const answer = await fetch(target, { method: 'POST', body, signal }).catch(refuse)
    await answer.body?.cancel()
    if (answer.ok) return
    if (!BUSY.has(answer.status) || tries === TRIES_MAX)
      throw new Error(
        `the ingest endpoint answered ${answer.status}${tries === 1 ? '' : `, the last of ${tries} times`}`,
      )
    await delay(waitMs(answer.headers.get('retry-after')), undefined, { signal: stop }).catch(refuse)
  }
}

function refuse(cause: unknown): never {
  const message = 'the sample was not filled to its end: the ingest endpoint is stopping, or does not answer'
  throw new Error(message, { cause })
}

function waitMs(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? '1')
  return Math.min(Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : 1_000, WAIT_MS_MAX)
}
