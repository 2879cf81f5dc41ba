/**
 * Answers in fewer bytes: Brotli or gzip, on the thread pool. What is left out, because its length could tell a
 * stranger what is in it, is in docs/decisions/009-compressed-answers.md.
 */
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { max } from '#limits/limits.ts'

export type Coding = 'br' | 'gzip'

const TEXT = /^(?:text\/(?:html|plain|csv)|application\/json)\b/
const VARY = 'Accept-Encoding'

/**
 * Levels for speed. An issue list of 175 KB takes 0.8 ms of the thread pool and leaves 10 KB with Brotli, 0.4 and 14
 * with gzip (AMD EPYC, 2026-11-22); Brotli's next level takes twice as long for a twelfth.
 */
const COMPRESS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_LGWIN]: 18,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => gzipped(bytes, { level: 3 }),
}
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** The answer as it is sent: text that is long enough in a coding that the client takes. */
export async function compressAnswer(answer: Response, request: IncomingMessage): Promise<Response> {
  const isText = TEXT.test(answer.headers.get('content-type') ?? '')
  if (answer.body === null || !isText || answer.headers.has('content-encoding')) return answer
  // A file that is handed out is a stream: it would lie in memory whole.
  if (answer.headers.has('content-disposition')) return answer
  const headers = new Headers(answer.headers)
  headers.append('vary', VARY)
  const coding = mayCompress(request) ? preferredCoding(request.headers['accept-encoding']) : null
  const { status } = answer
  if (coding === null) return new Response(answer.body, { status, headers })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (bytes.length < max('compressedBytesMin') || bytes.length > max('compressedBytesMax'))
    return new Response(bytes, { status, headers })
  const sent = new Uint8Array(await COMPRESS[coding](bytes))
  headers.set('content-encoding', coding)
  headers.set('content-length', String(sent.length))
  return new Response(sent, { status, headers })
}

/**
 * True if the answer may be compressed. Secrets are shown once, in the answer to a POST, beside what was
 * typed; and whoever could measure lengths makes a browser ask from another site, which browsers report.
 */
function mayCompress({ method, headers }: IncomingMessage): boolean {
  const from = headers['sec-fetch-site']
  return method === 'GET' && (from === undefined || from === 'same-origin' || from === 'none')
}

/** Brotli where both are as welcome; `null` where neither is. */
export function preferredCoding(accepted: string | undefined): Coding | null {
  const [br, gz] = [weightOf('br', accepted), weightOf('gzip', accepted)]
  if (br === 0 && gz === 0) return null
  return br >= gz ? 'br' : 'gzip'
}

function weightOf(coding: Coding, accepted = ''): number {
  const parts = accepted.toLowerCase().split(',')
  const weights = new Map(
    parts.map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight) || 0] as const
    }),
  )
  return weights.get(coding) ?? weights.get('*') ?? 0
}
