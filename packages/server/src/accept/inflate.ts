/**
 * Content codings, undone within bounds. Small bodies at once, since the asynchronous form is slower for them
 * (two hops); what is or becomes large in the thread pool, a few at a time. A bomb costs at most its limit.
 */
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { openKeptGunzip } from '#base/kept-gunzip.ts'
import { max } from '#limits/limits.ts'
import type { ContentCoding } from '#model/record.ts'
import { type UsedMs, usedLess, type WorkSender } from './sender-work.ts'

export type InflateAnswer =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: 'invalid' | 'too_large' | 'busy' }

export interface Inflater {
  /** Undoes `encodings`, which are in the order they were applied. */
  inflate(
    body: Uint8Array,
    encodings: readonly ContentCoding[],
    turn?: InflateTurn,
  ): InflateAnswer | Promise<InflateAnswer>
}

/** Turn of a sender among those that wait. */
export interface InflateTurn {
  readonly name: WorkSender
  usedMs(): UsedMs
  /** Starts the sender's turn. Call the returned function when the work is done. */
  begin(): () => void
}

const NOBODY: InflateTurn = {
  name: { key: null, address: '' },
  usedMs: () => ({ ofKey: 0, own: 0 }),
  begin: () => () => {},
}

/**
 * The codings of a Content-Encoding header in the order they were applied. Unknown ones are taken as identity, as
 * is an empty header. `null` for more than anybody applies.
 */
export function readEncodings(header: string | null): readonly ContentCoding[] | null {
  if (header === null || header === '') return []
  const alone = CODINGS_ALONE.get(header)
  if (alone !== undefined) return alone
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

/** Codings of nearly every request, word for word: it is asked three times of each request. */
const CODINGS_ALONE: ReadonlyMap<string, readonly ContentCoding[]> = new Map(
  [...CODINGS].map(([name, coding]) => [name, [coding]]),
)

/** Thrown for what the main thread has to do: it has the bounds of all threads. */
export class HandedOver extends Error {}

export interface InflaterOptions {
  /** Whatever is not inflated at once is handed over. */
  readonly isSmallAlone?: true
  readonly outputBytesMax?: number
  readonly syncBytesMax?: number
  readonly heldBytesMax?: number
}

export function createInflater(options: InflaterOptions = {}): Inflater {
  const outputBytesMax = options.outputBytesMax ?? max('bodyInflatedBytesMax')
  const syncBytesMax = options.syncBytesMax ?? max('inflateSyncBytesMax')
  const gate = new InflateGate({
    atOnce: max('inflationsMax'),
    bytesMax: options.heldBytesMax ?? max('inflatedBytesInFlightMax'),
    queueMax: max('inflationQueueMax'),
  })
  const kept = openKeptGunzip()
  const one: InflateOne = (body, coding, turn) => {
    const said = saidBytes(body, coding)
    const syncOutputMax = Math.min(outputBytesMax, max('inflateSyncOutputBytesMax'))
    if (body.length <= syncBytesMax && (said ?? 0) <= syncOutputMax) {
      const bytes = said === null ? null : (kept?.gunzip(body, said) ?? null)
      if (bytes !== null) return { ok: true, bytes }
      const answer = attempt(() => inflateSync(body, coding, zlibOptions(syncOutputMax, said)))
      if (answer.ok || answer.reason !== 'too_large' || syncOutputMax === outputBytesMax) return answer
    }
    if (options.isSmallAlone) throw new HandedOver()
    if (said !== null && said > outputBytesMax) {
      return gate.run({ bytes: SLACK_BYTES, turn }, () => tooLargeOrInvalid(body, outputBytesMax))
    }
    return inflateHeld({ gate, body, coding, said, outputBytesMax, turn })
  }
  return {
    inflate(body, encodings, turn = NOBODY) {
      if (encodings.length === 0) return { ok: true, bytes: body }
      const [only] = encodings
      return encodings.length === 1 && only !== undefined
        ? one(body, only, turn)
        : chain(body, encodings, (bytes, coding) => one(bytes, coding, turn))
    },
  }
}

type InflateOne = (
  body: Uint8Array,
  coding: ContentCoding,
  turn: InflateTurn,
) => InflateAnswer | Promise<InflateAnswer>

/** Inflates in the pool; reserves memory for the size the body states, else for the largest allowed. */
async function inflateHeld(job: {
  readonly gate: InflateGate
  readonly body: Uint8Array
  readonly coding: ContentCoding
  readonly said: number | null
  readonly outputBytesMax: number
  readonly turn: InflateTurn
}): Promise<InflateAnswer> {
  const { gate, body, coding, said, outputBytesMax, turn } = job
  const whole = () => inflateAsync(body, coding, zlibOptions(outputBytesMax, null))
  if (said === null || said + SLACK_BYTES >= outputBytesMax)
    return gate.run({ bytes: outputBytesMax, turn }, whole)
  const bytes = said + SLACK_BYTES
  const answer = await gate.run({ bytes, turn }, () => inflateAsync(body, coding, zlibOptions(bytes, said)))
  if (answer.ok || answer.reason !== 'too_large') return answer
  // A body of several members says the size of its last one.
  return gate.run({ bytes: outputBytesMax, turn }, whole)
}

/** A body that says it is too large is inflated and thrown away: it may be a broken one that says nothing true. */
function tooLargeOrInvalid(body: Uint8Array, outputBytesMax: number): Promise<InflateAnswer> {
  return new Promise((resolve) => {
    let size = 0
    const stream = zlib.createGunzip({ chunkSize: CHUNK_BYTES })
    const settle = (reason: 'too_large' | 'invalid') => {
      resolve({ ok: false, reason })
      stream.destroy()
    }
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > outputBytesMax) settle('too_large')
    })
    stream.on('end', () => settle('too_large')).on('error', () => settle('invalid'))
    stream.end(body)
  })
}

/** No stream of these is denser: each byte may stand for so many. */
const DENSITY_MAX = 1_032
const GZIP_BYTES_MIN = 18
const SLACK_BYTES = 64 * 1024
const CHUNK_BYTES = 256 * 1024
const CHUNK_BYTES_MIN = 64

/**
 * Returns the inflated size that a gzip body states in its last four bytes. Anyone can write them: they are
 * believed only where possible, and only for how much memory is taken at once; zlib's checks decide. `null`
 * if nothing is stated.
 */
function saidBytes(body: Uint8Array, coding: ContentCoding): number | null {
  if (coding !== 'gzip' || body.length < GZIP_BYTES_MIN) return null
  const said = new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(body.length - 4, true)
  return said <= body.length * DENSITY_MAX ? said : null
}

interface InflateOptions {
  readonly maxOutputLength: number
  readonly chunkSize: number
}

/**
 * Builds zlib's options with one byte more than stated: with exactly as many, zlib asks for a second buffer
 * before it sees the end.
 */
function zlibOptions(maxOutputLength: number, said: number | null): InflateOptions {
  if (said === null) return { maxOutputLength, chunkSize: CHUNK_BYTES }
  return { maxOutputLength, chunkSize: Math.max(CHUNK_BYTES_MIN, Math.min(said, maxOutputLength) + 1) }
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

function inflateSync(body: Uint8Array, coding: ContentCoding, options: InflateOptions): Uint8Array {
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

async function inflateAsync(
  body: Uint8Array,
  coding: ContentCoding,
  options: InflateOptions,
): Promise<InflateAnswer> {
  try {
    if (coding === 'gzip') return { ok: true, bytes: await gunzip(body, options) }
    if (coding === 'br') return { ok: true, bytes: await brotliDecompress(body, options) }
    if (coding === 'zstd') return { ok: true, bytes: await zstdDecompress(body, options) }
    return { ok: true, bytes: await inflateEither(body, options) }
  } catch (cause) {
    return { ok: false, reason: isTooLarge(cause) ? 'too_large' : 'invalid' }
  }
}

async function inflateEither(body: Uint8Array, options: InflateOptions): Promise<Uint8Array> {
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

interface InflateJob {
  readonly bytes: number
  readonly turn: InflateTurn
}

/** So many at a time, and so many bytes of what comes out; a bounded number waits, and who used least is next. */
class InflateGate {
  readonly #bounds: { readonly atOnce: number; readonly bytesMax: number; readonly queueMax: number }
  readonly #queue: (InflateJob & { readonly start: () => void })[] = []
  #running = 0
  #bytes = 0

  constructor(bounds: { readonly atOnce: number; readonly bytesMax: number; readonly queueMax: number }) {
    this.#bounds = bounds
  }

  async run(job: InflateJob, work: () => Promise<InflateAnswer>): Promise<InflateAnswer> {
    if (this.#queue.length > 0 || !this.#fits(job.bytes)) {
      if (this.#isFull(job.turn)) return { ok: false, reason: 'busy' }
      await new Promise<void>((start) => this.#queue.push({ ...job, start }))
    } else {
      this.#take(job.bytes)
    }
    const end = job.turn.begin()
    try {
      return await work()
    } finally {
      end()
      this.#running--
      this.#bytes -= job.bytes
      this.#startNext()
    }
  }

  /** Nobody has the whole queue for themselves. */
  #isFull({ name }: InflateTurn): boolean {
    if (this.#queue.length >= this.#bounds.queueMax) return true
    const own = this.#queue.filter(
      ({ turn }) => turn.name.key === name.key && turn.name.address === name.address,
    )
    return own.length >= this.#bounds.queueMax / 4
  }

  /** True if a job may start; one alone always may. */
  #fits(bytes: number): boolean {
    if (this.#running === 0) return true
    return this.#running < this.#bounds.atOnce && this.#bytes + bytes <= this.#bounds.bytesMax
  }

  #take(bytes: number): void {
    this.#running++
    this.#bytes += bytes
  }

  #startNext(): void {
    for (let at = this.#nextAt(); at >= 0; at = this.#nextAt()) {
      const next = this.#queue[at]
      if (next === undefined || !this.#fits(next.bytes)) return
      this.#queue.splice(at, 1)
      this.#take(next.bytes)
      next.start()
    }
  }

  /**
   * Returns the index of the sender that used least; of equals, the one that waited longest. -1 if nobody
   * waits.
   */
  #nextAt(): number {
    let next = -1
    let least: UsedMs | null = null
    for (const [at, { turn }] of this.#queue.entries()) {
      const used = turn.usedMs()
      if (least !== null && !usedLess(used, least)) continue
      next = at
      least = used
    }
    return next
  }
}
