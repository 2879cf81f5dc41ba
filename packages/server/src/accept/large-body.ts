/** A body that is read as it comes: its codings undone piece by piece, its source told apart from its content. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { assert } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { ContentCoding } from '#model/record.ts'
import { encodingInvalid } from './refusal.ts'

/** The client went away, or was cut off. */
export class BrokenOff extends Error {
  /** Its beginning, where any of it came: it says what was lost. */
  readonly begun: Uint8Array | null
  constructor(cause: unknown, begun: Uint8Array | null) {
    super('the body broke off', { cause })
    this.name = 'BrokenOff'
    this.begun = begun
  }
}

/**
 * Undoes the codings, which are in the order they were applied. Ends the source only if all of it was read.
 * @throws Refused for what is not of its coding, BrokenOff for a source that fails
 */
export async function* inflatedPieces(
  source: AsyncIterable<Uint8Array>,
  encodings: readonly ContentCoding[],
): AsyncGenerator<Uint8Array, void, void> {
  if (encodings.length === 0) {
    yield* markedSource(source)
    return
  }
  const { steps, done } = await inflateSteps(source, encodings)
  const last = steps.at(-1)
  if (last === undefined) return
  // Told by the loop below; the promise is only waited for.
  const ended = done.catch(() => {})
  try {
    for await (const piece of last) {
      assert(piece instanceof Uint8Array, 'streams of zlib yield buffers')
      yield piece
    }
  } catch (cause) {
    if (cause instanceof BrokenOff) throw cause
    throw encodingInvalid('the body could not be decompressed')
  } finally {
    for (const step of steps) step.destroy()
    await ended
  }
}

async function* markedSource(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let begun: Uint8Array | null = null
  const pieces = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await pieces.next().catch((cause: unknown) => {
        throw new BrokenOff(cause, begun)
      })
      if (next.done === true) return
      begun ??= next.value.subarray(0, max('lostBytesReadMax'))
      yield next.value
    }
  } finally {
    await pieces.return?.()
  }
}

async function inflateSteps(source: AsyncIterable<Uint8Array>, encodings: readonly ContentCoding[]) {
  const marked = markedSource(source)
  const first = await marked.next()
  const beginning = first.done === true ? new Uint8Array() : first.value
  const steps = encodings.toReversed().map((coding, at) => inflaterOf(coding, at === 0 ? beginning : null))
  const whole = Readable.from(joinBody(beginning, marked), { objectMode: false })
  return { steps, done: pipeline([whole, ...steps]) }
}

async function* joinBody(
  beginning: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    if (beginning.length > 0) yield beginning
    yield* rest
  } finally {
    // Also where nothing was asked of it: what is left of a request can be drained only then.
    await rest.return()
  }
}

/** `beginning`: of the body, where it is known; some clients send deflate without its zlib wrapper. */
function inflaterOf(coding: ContentCoding, beginning: Uint8Array | null) {
  const options = { chunkSize: max('largeInflateChunkBytes') }
  if (coding === 'gzip') return zlib.createGunzip(options)
  if (coding === 'br') return zlib.createBrotliDecompress(options)
  if (coding === 'zstd') return zlib.createZstdDecompress(options)
  return beginning !== null && !isZlib(beginning)
    ? zlib.createInflateRaw(options)
    : zlib.createInflate(options)
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}

/** Keeps a body as it comes, for one that turns out to hold nothing large. */
export class RawBody {
  readonly #bytesMax: number
  #pieces: Uint8Array[] | null = []
  bytes = 0

  /** `bytesMax`: of a larger one nothing is kept. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  async *kept(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of source) {
      this.#pieces?.push(piece)
      if (this.#pieces !== null) this.bytes += piece.length
      if (this.bytes > this.#bytesMax) this.drop()
      yield piece
    }
  }

  drop(): void {
    this.#pieces = null
    this.bytes = 0
  }

  /** `null` where it was too large, or dropped. */
  whole(): Uint8Array | null {
    return this.#pieces === null ? null : Buffer.concat(this.#pieces)
  }
}
