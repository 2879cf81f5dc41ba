/** Reading request bodies: within the bound of one, and of all together. */

import type { IncomingMessage } from 'node:http'
import { assert } from '#base/errors.ts'
import { once } from '#base/once.ts'
import { max } from '#limits/limits.ts'
import type { MovingBodies } from './moving-bodies.ts'
import type { SharedBytes } from './shared-bytes.ts'

export type BodyAnswer =
  | {
      readonly ok: true
      readonly bytes: Buffer
      /** The body is no longer needed: its bytes no longer count as held. */
      release(): void
    }
  | {
      readonly ok: false
      /** Only where `spillAt` was given. */
      readonly reason: 'large'
      /** The body from its beginning on, as it comes. */
      readonly rest: OpenedBody
    }
  | {
      readonly ok: false
      readonly reason: 'too_large' | 'busy' | 'broken_off'
      /** Its beginning, where any of it came: it may say what was lost. */
      readonly begun: Uint8Array | null
    }

export type WholeBody = Exclude<BodyAnswer, { readonly reason: 'large' }>

/** A body that is read as it comes. */
export interface OpenedBody {
  readonly pieces: AsyncIterable<Buffer>
  /** Notes how many bytes of it are held; false if that is more than there is room for. */
  hold(bytes: number): boolean
  /** Cuts off a slow body, so that this one has its place; false if none is slow. */
  makeRoom(): boolean
  release(): void
}

/** A body that is not whole yet. */
interface OpenBody {
  size: number
  refuse(reason: 'busy'): void
}

export class RequestBodyReader {
  readonly #allBytesMax: number
  readonly #moving: MovingBodies | null
  readonly #shared: SharedBytes | null
  readonly #open = new Set<OpenBody>()
  #held = 0
  #looking: NodeJS.Timeout | null = null

  /**
   * `moving`: lets large bodies take longer than others, while they move. `shared`: bytes of all threads that read
   * bodies, whose bound then counts.
   */
  constructor(
    allBytesMax = max('bodiesInFlightBytesMax'),
    moving: MovingBodies | null = null,
    shared: SharedBytes | null = null,
  ) {
    this.#allBytesMax = allBytesMax
    this.#moving = moving
    this.#shared = shared
  }

  /** Bytes that bodies hold at the moment, of all requests. */
  get heldBytes(): number {
    return this.#held
  }

  /**
   * Reads a body as it comes. Whoever stops reading leaves the rest to be drained. `begun`: what was read of it already.
   */
  open(request: IncomingMessage, begun: readonly Buffer[] = []): OpenedBody {
    let held = 0
    const hold = (bytes: number) => {
      this.#hold(bytes - held)
      held = bytes
      return !this.#isFull()
    }
    const pieces = bodyPieces(request, begun)
    return {
      pieces: this.#moving?.watched(request, pieces) ?? pieces,
      ...{ hold, release: once(() => void hold(0)) },
      makeRoom: () => this.#moving?.giveWay() ?? false,
    }
  }

  /** Reads a body as `read` does; one that is larger than `spillAt` is handed over as it comes. */
  readOrOpen(request: IncomingMessage, spillAt: number): Promise<BodyAnswer> {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > max('largeBodyBytesMax')) {
      return Promise.resolve({ ok: false, reason: 'too_large', begun: null })
    }
    if (announced > spillAt) {
      return Promise.resolve({ ok: false, reason: 'large', rest: this.open(request) })
    }
    return new Promise((resolve) => this.#collect(request, spillAt, { resolve, isSpilled: true }))
  }

  /** Never rejects. After a refusal the rest of the body is still to be drained (`respond.ts` does). */
  read(request: IncomingMessage, bytesMax: number): Promise<WholeBody> {
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
      return Promise.resolve({ ok: false, reason: 'too_large', begun: null })
    }
    return new Promise((resolve) => {
      const whole = (answer: BodyAnswer) => {
        // Nothing is handed over that nobody asked for.
        if (answer.ok || answer.reason !== 'large') resolve(answer)
      }
      this.#collect(request, bytesMax, { resolve: whole, isSpilled: false })
    })
  }

  #collect(
    request: IncomingMessage,
    bytesMax: number,
    { resolve, isSpilled }: { readonly resolve: (answer: BodyAnswer) => void; readonly isSpilled: boolean },
  ): void {
    // Its client has gone while something else was waited for: none of its events comes any more.
    if (request.destroyed) {
      resolve({ ok: false, reason: 'broken_off', begun: null })
      return
    }
    let chunks: Buffer[] = []
    let isSettled = false
    // The listeners stay: taking them off again costs more than a look at `isSettled`, and without one for errors those
    // of the socket would end the process.
    const refuse = (reason: 'too_large' | 'busy' | 'broken_off') => {
      if (isSettled) return
      isSettled = true
      const [begun = null] = chunks
      chunks = []
      this.#open.delete(body)
      this.#hold(-body.size)
      resolve({ ok: false, reason, begun })
    }
    const spill = () => {
      isSettled = true
      this.#open.delete(body)
      this.#hold(-body.size)
      request.pause()
      request.off('data', onData).off('end', onEnd).off('close', onClose)
      resolve({ ok: false, reason: 'large', rest: this.open(request, chunks) })
    }
    const body: OpenBody = { size: 0, refuse }
    this.#open.add(body)
    const onData = (chunk: Buffer) => {
      if (isSettled) return
      body.size += chunk.length
      this.#hold(chunk.length)
      chunks.push(chunk)
      if (body.size > bytesMax && isSpilled) spill()
      else if (body.size > bytesMax) refuse('too_large')
      else if (this.#isFull()) this.#largest(body).refuse('busy')
    }
    const onEnd = () => {
      if (isSettled) return
      isSettled = true
      this.#open.delete(body)
      const [only] = chunks
      const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, body.size)
      chunks = []
      resolve({ ok: true, bytes, release: once(() => this.#hold(-body.size)) })
    }
    const onClose = () => refuse('broken_off')
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  }

  #hold(bytes: number): void {
    this.#held += bytes
    if (this.#shared === null) return
    this.#shared.add(bytes)
    if (this.#looking === null && this.#shared.isBeyondShare) this.#look(this.#shared)
  }

  /** True if a body of this thread has to go. */
  #isFull(): boolean {
    if (this.#shared === null) return this.#held > this.#allBytesMax
    return this.#shared.isFull && this.#shared.isBeyondShare
  }

  /** Others may fill up what is left, while bodies here take their time: theirs are within their share. */
  #look(shared: SharedBytes): void {
    this.#looking = setInterval(() => {
      const [first] = this.#open
      if (first !== undefined && this.#isFull()) this.#largest(first).refuse('busy')
      if (shared.isBeyondShare || this.#looking === null) return
      clearInterval(this.#looking)
      this.#looking = null
    }, max('bodiesLookMs'))
    this.#looking.unref()
  }

  /** Whoever sends much and never finishes holds the room of all others, who send little. */
  #largest(than: OpenBody): OpenBody {
    let largest = than
    for (const body of this.#open) if (body.size > largest.size) largest = body
    return largest
  }
}

async function* bodyPieces(
  request: IncomingMessage,
  begun: readonly Buffer[],
): AsyncGenerator<Buffer, void, void> {
  yield* begun
  // The request outlives this: it is still to be answered.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    assert(Buffer.isBuffer(piece), 'no encoding is set')
    yield piece
  }
}
