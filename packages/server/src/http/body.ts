/** Reading request bodies: within the bound of one, and of all together. */

import type { IncomingMessage } from 'node:http'
import { once } from '#base/once.ts'
import { max } from '#limits/limits.ts'

export type BodyAnswer =
  | {
      readonly ok: true
      readonly bytes: Buffer
      /** The body is no longer needed: its bytes no longer count as held. */
      release(): void
    }
  | { readonly ok: false; readonly reason: 'too_large' | 'busy' | 'broken_off' }

export class BodyReader {
  readonly #allBytesMax: number
  #held = 0

  constructor(allBytesMax = max('bodiesInFlightBytesMax')) {
    this.#allBytesMax = allBytesMax
  }

  /** Bytes that bodies hold at the moment, of all requests. */
  get heldBytes(): number {
    return this.#held
  }

  /** Never rejects. After a refusal the rest of the body is still to be drained (`respond.ts` does). */
  read(request: IncomingMessage, bytesMax: number): Promise<BodyAnswer> {
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
      return Promise.resolve({ ok: false, reason: 'too_large' })
    }
    return new Promise((resolve) => this.#collect(request, bytesMax, resolve))
  }

  #collect(request: IncomingMessage, bytesMax: number, resolve: (answer: BodyAnswer) => void): void {
    let chunks: Buffer[] = []
    let size = 0
    let isSettled = false
    // The listeners stay: taking them off again costs more than a look at `isSettled`, and without one for errors those
    // of the socket would end the process.
    const refuse = (reason: 'too_large' | 'busy' | 'broken_off') => {
      if (isSettled) return
      isSettled = true
      chunks = []
      this.#held -= size
      resolve({ ok: false, reason })
    }
    const onData = (chunk: Buffer) => {
      if (isSettled) return
      size += chunk.length
      this.#held += chunk.length
      chunks.push(chunk)
      if (size > bytesMax) refuse('too_large')
      else if (this.#held > this.#allBytesMax) refuse('busy')
    }
    const onEnd = () => {
      if (isSettled) return
      isSettled = true
      const [only] = chunks
      const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size)
      chunks = []
      resolve({ ok: true, bytes, release: once(() => (this.#held -= size)) })
    }
    const onClose = () => refuse('broken_off')
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  }
}
