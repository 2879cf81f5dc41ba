/** Posts an envelope to the address of its *configured* DSN, and reads the short answer. Follows no redirect. */
import { type Dsn, envelopeUrl } from '@errata/protocol'
import { passedBack } from './decide.ts'
import type { RelayAnswer } from './refusals.ts'
import { runUntraced } from './untraced.ts'

export interface Upstream {
  readonly dsn: Dsn
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
}

export interface UpstreamOptions {
  readonly fetch: typeof fetch
  readonly timeoutMs: number
}

/** Errata's answers are below 1 KiB. */
const ANSWER_BYTES_MAX = 64 * 1024
/** Statuses of a proxy whose server is absent. Errata's own refusals say why, and when to try again. */
const ABSENT: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Posts and returns Errata's answer; `null` if it could not be reached, or something else answered in its
 * place.
 */
export async function post(upstream: Upstream, options: UpstreamOptions): Promise<RelayAnswer | null> {
  const { dsn, headers, body } = upstream
  // By its key in the query, SDKs of the app know the request as one of their own.
  const url = `${envelopeUrl(dsn)}?sentry_version=7&sentry_key=${dsn.publicKey}`
  try {
    // A browser's types know no `duplex`; without it a stream is no body.
    const init = {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeoutMs),
    } satisfies RequestInit & { readonly duplex: 'half' }
    const answer = await runUntraced(() => options.fetch(url, init))
    const { status } = answer
    if (status < 200 || (status >= 300 && status < 400) || isAbsent(answer)) {
      await answer.body?.cancel()
      return null
    }
    const text = await boundedText(answer)
    if (text === null) return null
    return { status, headers: passedBack((name) => answer.headers.get(name)), body: text }
  } catch {
    return null // whatever the transport threw, the envelope was not taken
  }
}

function isAbsent({ status, headers }: Response): boolean {
  return ABSENT.has(status) && !headers.has('retry-after') && !headers.has('x-sentry-error')
}

/** `null` for what is longer than any answer of Errata. */
async function boundedText(answer: Response): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let left = ANSWER_BYTES_MAX
  const reader = answer.body?.getReader()
  for (;;) {
    const step = await reader?.read()
    if (step === undefined || step.done) return text + decoder.decode()
    left -= step.value.length
    if (left < 0) {
      await reader?.cancel()
      return null
    }
    text += decoder.decode(step.value, { stream: true })
  }
}
