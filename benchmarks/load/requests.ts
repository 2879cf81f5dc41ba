/** Whole POST requests, made before a run so that the run costs the generator next to nothing. */
import { type CorpusSpec, corpusEvent, envelopeOf, gzipped } from '../corpus/corpus.ts'

/** Address that events go to. The same bytes serve the sink, which reads no address. */
export interface IngestAddress {
  /** Value of the `Host` header. */
  readonly host: string
  readonly project: string
  readonly key: string
}

export interface RequestsSpec {
  readonly corpus: CorpusSpec
  readonly first: number
  readonly count: number
  readonly address: IngestAddress
  /** When the first happened, milliseconds since 1970, and how far the others lie apart. Default: until now, 1 ms. */
  readonly fromMs?: number
  readonly stepMs?: number
}

export interface MadeRequests {
  readonly requests: readonly Buffer[]
  /** Means over all events: JSON of the event; body as sent. Over one event in `SAMPLED`: gzip-6 of the event alone. */
  readonly jsonBytes: number
  readonly bodyBytes: number
  readonly gzipBytes: number
}

const SAMPLED = 16
/** Events lie this far apart, so that no two have one time. */
const STEP_MS = 1

export function makeRequests(spec: RequestsSpec): MadeRequests {
  const { corpus, first, count, address, stepMs = STEP_MS } = spec
  const requests: Buffer[] = []
  const fromMs = spec.fromMs ?? Date.now() - count * STEP_MS
  let [jsonBytes, bodyBytes, gzipBytes, sampled] = [0, 0, 0, 0]
  for (let number = first; number < first + count; number++) {
    const atMs = Math.round(fromMs + (number - first) * stepMs)
    const event = corpusEvent(corpus, number, atMs)
    const body = gzipped(envelopeOf(corpus, event, atMs))
    requests.push(requestOf(address, body))
    jsonBytes += Buffer.byteLength(event.json)
    bodyBytes += body.length
    if (number % SAMPLED !== 0) continue
    gzipBytes += gzipped(event.json).length
    sampled++
  }
  return {
    requests,
    jsonBytes: jsonBytes / count,
    bodyBytes: bodyBytes / count,
    gzipBytes: sampled === 0 ? bodyBytes / count : gzipBytes / sampled,
  }
}

/** The bytes of one POST as the Node SDK's transport sends it, with a length instead of chunks. */
export function requestOf({ host, project, key }: IngestAddress, body: Buffer): Buffer {
  const query = `sentry_version=7&sentry_key=${key}&sentry_client=sentry.javascript.nextjs%2F11.12.0`
  const head = [
    `POST /api/${project}/envelope/?${query} HTTP/1.1`,
    `Host: ${host}`,
    'User-Agent: sentry.javascript.nextjs/11.12.0',
    'Content-Encoding: gzip',
    `Content-Length: ${body.length}`,
    'Connection: keep-alive',
  ].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body])
}
