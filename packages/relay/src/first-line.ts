/** The first line of a compressed envelope, without inflating the rest. */

const NEWLINE = 0x0a

/** Part of `DecompressionStream` in use; Node's types and a browser's differ in the rest. */
interface Inflater {
  readonly readable: {
    getReader(): {
      read(): Promise<
        | { readonly done: false; readonly value: Uint8Array }
        | { readonly done: true; readonly value?: unknown }
      >
      cancel(): Promise<void>
    }
  }
  readonly writable: {
    getWriter(): {
      write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
      close(): Promise<void>
      readonly closed: Promise<unknown>
    }
  }
}

/** By the names that HTTP gives the formats; `null` for what this runtime does not read. */
function inflater(encoding: string): Inflater | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return new DecompressionStream('gzip')
    case 'deflate':
      return new DecompressionStream('deflate')
    case 'br':
      return ofNode('createBrotliDecompress')
    case 'zstd':
      return ofNode('createZstdDecompress')
    default:
      return null
  }
}

/**
 * Creates a decoder that no supported Node's `DecompressionStream` has. `getBuiltinModule` is not an import:
 * other runtimes refuse those.
 */
function ofNode(name: 'createBrotliDecompress' | 'createZstdDecompress'): Inflater | null {
  const builtin = globalThis.process?.getBuiltinModule
  const make = builtin?.('node:zlib')[name]
  return make === undefined ? null : builtin('node:stream').Duplex.toWeb(make())
}

/** A beginning may be cut so that nothing comes of it, and nothing says that nothing will. */
const PATIENCE_MS = 1_000

/**
 * Inflates the beginning of a body until its first line ends. `unreadable`: not in that encoding, or an encoding that
 * this runtime does not know. `too_large`: no end within so many bytes.
 */
export async function inflatedFirstLine(
  beginning: Uint8Array<ArrayBuffer>,
  given: { readonly encoding: string; readonly lineBytesMax: number; readonly isWhole: boolean },
): Promise<Uint8Array | 'unreadable' | 'too_large'> {
  const pair = inflater(given.encoding)
  if (pair === null) return 'unreadable'
  const writer = pair.writable.getWriter()
  writer.closed.catch(ignoreFailure)
  // Ended only where the body has ended: else the end is missing, which would throw away what was read.
  writer
    .write(beginning)
    .then(() => (given.isWhole ? writer.close() : undefined))
    .catch(ignoreFailure)
  const reader = pair.readable.getReader()
  const patience = setTimeout(() => void reader.cancel().catch(ignoreFailure), PATIENCE_MS)
  const line: number[] = []
  try {
    for (;;) {
      const step = await reader.read()
      if (step.done) return Uint8Array.from(line)
      const end = step.value.indexOf(NEWLINE)
      const piece = end === -1 ? step.value : step.value.subarray(0, end)
      if (line.length + piece.length > given.lineBytesMax) return 'too_large'
      for (const byte of piece) line.push(byte)
      if (end !== -1) return Uint8Array.from(line)
    }
  } catch {
    return 'unreadable' // corrupt, or cut off before its first line ended
  } finally {
    clearTimeout(patience)
    reader.cancel().catch(ignoreFailure)
  }
}

function ignoreFailure(): void {
  // The same failure reaches the reader.
}
