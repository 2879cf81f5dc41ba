/** Reading request bodies: within the bound of one, and of all together. */
import type { IncomingMessage } from 'node:http'
import { max } from '#base/limits.ts'

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
    const chunks: Buffer[] = []
    let size = 0
    const settle = (answer: BodyAnswer) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      // Errors after this are the socket's: without a listener they would end the process.
      request.on('error', ignore)
      if (!answer.ok) this.#held -= size
      resolve(answer)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      this.#held += chunk.length
      chunks.push(chunk)
      if (size > bytesMax) settle({ ok: false, reason: 'too_large' })
      else if (this.#held > this.#allBytesMax) settle({ ok: false, reason: 'busy' })
    }
    const onEnd = () => {
      const [only] = chunks
      const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size)
      settle({ ok: true, bytes, release: once(() => (this.#held -= size)) })
    }
    const onClose = () => settle({ ok: false, reason: 'broken_off' })
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  }
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}

function ignore(): void {}
