/** Sends of the sample, to this process's own ingest endpoint. */

/** Longest time of one try, on a machine that does much else. */
const SEND_MS = 60_000
const TRIES_MAX = 20
const WAIT_MS_MAX = 30_000
/** Answers that say: later. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/** Sends an envelope; where the endpoint has too much to do, as soon as it says, at most half a minute later each time. */
export async function sendSample(target: URL, body: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(target, { method: 'POST', body, signal: AbortSignal.timeout(SEND_MS) })
    await answer.body?.cancel()
    if (answer.ok) return
    if (!BUSY.has(answer.status) || tries === TRIES_MAX)
      throw new Error(
        `the ingest endpoint answered ${answer.status}${tries === 1 ? '' : `, the last of ${tries} times`}`,
      )
    await new Promise((resolve) => setTimeout(resolve, waitMs(answer.headers.get('retry-after'))))
  }
}

function waitMs(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? '1')
  return Math.min(Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : 1_000, WAIT_MS_MAX)
}
