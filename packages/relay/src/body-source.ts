/** A request's body, piece by piece, whatever server it comes from. */

export interface BodySource {
  /** The next piece; `null` at the end. Fails where the client went away. */
  next(): Promise<Uint8Array | null>
  /** Ends the source; nobody reads the rest. */
  stop(): void
}

export function streamSource(stream: ReadableStream<Uint8Array>): BodySource {
  const reader = stream.getReader()
  return {
    next: async () => {
      const step = await reader.read()
      return step.done ? null : step.value
    },
    stop: () => void reader.cancel().catch(ignoreGoneClient),
  }
}

/** Returns a source of bytes that have already been read. */
export function bytesSource(bytes: Uint8Array): BodySource {
  let isRead = false
  return {
    next: async () => {
      if (isRead) return null
      isRead = true
      return bytes
    },
    stop: ignoreGoneClient,
  }
}

/** Most bytes read of a refused body, so that the client can hear why. */
const DRAINED_BYTES_MAX = 1024 * 1024
const ENCODER = new TextEncoder()

/** Node's own request. Ending its iterator closes the connection, so the rest is read away first. */
export function iterableSource(iterable: AsyncIterable<Uint8Array | string>): BodySource {
  const pieces = iterable[Symbol.asyncIterator]()
  const next = async () => {
    const step = await pieces.next()
    if (step.done === true) return null
    return typeof step.value === 'string' ? ENCODER.encode(step.value) : step.value
  }
  const drain = async () => {
    for (let left = DRAINED_BYTES_MAX; left > 0; ) {
      const piece = await next()
      if (piece === null) return
      left -= piece.length
    }
    await pieces.return?.()
  }
  return { next, stop: () => void drain().catch(ignoreGoneClient) }
}

function ignoreGoneClient(): void {
  // Nothing is left to stop: the client went away first.
}
