import { envelopeUrl } from '@errata/protocol'
import type { RelayedEnvelope } from './relay.ts'

export interface SendToDsnOptions {
  /** Until the monitor's answer has begun; 30 s. */
  readonly timeoutMs?: number
  /** Reads of a monitor's answer end here; 64 KiB. Its answers are below 1 KiB. */
  readonly answerBytesMax?: number
  readonly fetch?: typeof fetch
}

const TIMEOUT_MS = 30_000
const ANSWER_BYTES_MAX = 64 * 1024

/**
 * Sends relayed envelopes over HTTP, to the address of the *configured* DSN. Follows no redirect: the monitor's own
 * answer is the answer.
 */
export function sendToDsn(options: SendToDsnOptions = {}): (envelope: RelayedEnvelope) => Promise<Response> {
  const send = options.fetch ?? fetch
  return async ({ dsn, body, headers }) => {
    const url = `${envelopeUrl(dsn)}?sentry_version=7&sentry_key=${dsn.publicKey}`
    const answer = await send(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    })
    if (answer.status < 200 || (answer.status >= 300 && answer.status < 400)) {
      await answer.body?.cancel()
      throw new Error(`the monitor answered ${answer.status}`)
    }
    const text = await boundedText(answer, options.answerBytesMax ?? ANSWER_BYTES_MAX)
    return new Response(answer.status === 204 ? null : text, {
      status: answer.status,
      headers: answer.headers,
    })
  }
}

async function boundedText(answer: Response, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = bytesMax
  const reader = answer.body?.getReader()
  for (;;) {
    const step = await reader?.read()
    if (step === undefined || step.done) return text + decoder.decode()
    left -= step.value.length
    if (left < 0) {
      await reader?.cancel()
      throw new Error('the monitor’s answer exceeds its limit')
    }
    text += decoder.decode(step.value, { stream: true })
  }
}
