/**
 * Content codings, undone within bounds. Small bodies at once, since the asynchronous form is slower for them
 * (two hops); what is or becomes large in the thread pool, a few at a time. A bomb costs at most its limit.
 */
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { max } from '#base/limits.ts'
import type { ContentCoding } from '#journal/record.ts'

export type InflateAnswer =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: 'invalid' | 'too_large' | 'busy' }

export interface Inflater {
  /** Undoes `encodings`, which are in the order they were applied. */
  inflate(body: Uint8Array, encodings: readonly ContentCoding[]): InflateAnswer | Promise<InflateAnswer>
}

/**
 * The codings of a Content-Encoding header in the order they were applied. Unknown ones are taken as identity, as
 * is an empty header. `null` for more than anybody applies.
 */
export function readEncodings(header: string | null): readonly ContentCoding[] | null {
  if (header === null || header === '') return []
  const tokens = header
    .split(',', max('bodyEncodingsMax') + 2)
    .map((token) => CODINGS.get(token.trim().toLowerCase()))
    .filter((coding) => coding !== undefined)
  return tokens.length > max('bodyEncodingsMax') ? null : tokens
}

const CODINGS: ReadonlyMap<string, ContentCoding> = new Map<string, ContentCoding>([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
])

export interface InflaterOptions {
  readonly outputBytesMax?: number
  readonly syncBytesMax?: number
}

export function createInflater(options: InflaterOptions = {}): Inflater {
  const outputBytesMax = options.outputBytesMax ?? max('bodyInflatedBytesMax')
  const syncBytesMax = options.syncBytesMax ?? max('inflateSyncBytesMax')
  const gate = new Gate(max('inflationsMax'), max('inflationQueueMax'))
  const one = (body: Uint8Array, coding: ContentCoding): InflateAnswer | Promise<InflateAnswer> => {
    if (body.length <= syncBytesMax) {
      const bytesMax = Math.min(outputBytesMax, max('inflateSyncOutputBytesMax'))
      const answer = attempt(() => inflateSync(body, coding, bytesMax))
      if (answer.ok || answer.reason !== 'too_large' || bytesMax === outputBytesMax) return answer
    }
    return gate.run(() => inflateAsync(body, coding, outputBytesMax))
  }
  return {
    inflate(body, encodings) {
      if (encodings.length === 0) return { ok: true, bytes: body }
      const [only] = encodings
      return encodings.length === 1 && only !== undefined ? one(body, only) : chain(body, encodings, one)
    },
  }
}

async function chain(
  body: Uint8Array,
  encodings: readonly ContentCoding[],
  one: (body: Uint8Array, coding: ContentCoding) => InflateAnswer | Promise<InflateAnswer>,
): Promise<InflateAnswer> {
  let bytes = body
  for (const coding of encodings.toReversed()) {
    const answer = await one(bytes, coding)
    if (!answer.ok) return answer
    bytes = answer.bytes
  }
  return { ok: true, bytes }
}

function inflateSync(body: Uint8Array, coding: ContentCoding, maxOutputLength: number): Uint8Array {
  const options = { maxOutputLength }
  if (coding === 'gzip') return zlib.gunzipSync(body, options)
  if (coding === 'br') return zlib.brotliDecompressSync(body, options)
  if (coding === 'zstd') return zlib.zstdDecompressSync(body, options)
  try {
    return zlib.inflateSync(body, options)
  } catch (cause) {
    if (isTooLarge(cause)) throw cause
    return zlib.inflateRawSync(body, options) // some clients send deflate without its zlib wrapper
  }
}

const gunzip = promisify(zlib.gunzip)
const inflateZlib = promisify(zlib.inflate)
const inflateRaw = promisify(zlib.inflateRaw)
const brotliDecompress = promisify(zlib.brotliDecompress)
const zstdDecompress = promisify(zlib.zstdDecompress)
const CHUNK_BYTES = 256 * 1024

async function inflateAsync(
  body: Uint8Array,
  coding: ContentCoding,
  maxOutputLength: number,
): Promise<InflateAnswer> {
  const options = { maxOutputLength, chunkSize: CHUNK_BYTES }
  try {
    if (coding === 'gzip') return { ok: true, bytes: await gunzip(body, options) }
    if (coding === 'br') return { ok: true, bytes: await brotliDecompress(body, options) }
    if (coding === 'zstd') return { ok: true, bytes: await zstdDecompress(body, options) }
    return { ok: true, bytes: await inflateEither(body, options) }
  } catch (cause) {
    return { ok: false, reason: isTooLarge(cause) ? 'too_large' : 'invalid' }
  }
}

async function inflateEither(body: Uint8Array, options: zlib.ZlibOptions): Promise<Uint8Array> {
  try {
    return await inflateZlib(body, options)
  } catch (cause) {
    if (isTooLarge(cause)) throw cause
    return inflateRaw(body, options)
  }
}

function attempt(run: () => Uint8Array): InflateAnswer {
  try {
    return { ok: true, bytes: run() }
  } catch (cause) {
    // zlib throws for what the client sent: that is an answer, not a failure of ours.
    return { ok: false, reason: isTooLarge(cause) ? 'too_large' : 'invalid' }
  }
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
}

/** So many at a time; a bounded number waits. */
class Gate {
  readonly #atOnce: number
  readonly #queueMax: number
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(atOnce: number, queueMax: number) {
    this.#atOnce = atOnce
    this.#queueMax = queueMax
  }

  async run(work: () => Promise<InflateAnswer>): Promise<InflateAnswer> {
    if (this.#running >= this.#atOnce) {
      if (this.#queue.length >= this.#queueMax) return { ok: false, reason: 'busy' }
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    } else {
      this.#running++
    }
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#running--
      else next() // takes over this place
    }
  }
}
