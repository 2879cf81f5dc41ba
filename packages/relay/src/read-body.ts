/** Reading a request's body while it streams, within bounds that hold without a Content-Length too. */

export type BodyAnswer =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly reason: 'too_large' | 'line_too_long' | 'broken_off' | 'refused' }

export interface BodyBounds {
  readonly bytesMax: number
  /** Bytes of the first line. */
  readonly lineBytesMax: number
  /** Called once, with the first line, as soon as it is there; `false` stops reading. */
  readonly onFirstLine: (line: Uint8Array) => Promise<boolean>
}

const NEWLINE = 0x0a

/** Reads a body whole. What is refused by its first line is not read further. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  bounds: BodyBounds,
): Promise<BodyAnswer> {
  const chunks: Uint8Array[] = []
  let size = 0
  let isLineSeen = false
  const reader = body?.getReader()
  try {
    for (;;) {
      const step = await reader?.read()
      if (step === undefined || step.done) break
      const lineEnd = isLineSeen ? -1 : step.value.indexOf(NEWLINE)
      chunks.push(step.value)
      if (!isLineSeen && (lineEnd >= 0 ? size + lineEnd : size + step.value.length) > bounds.lineBytesMax) {
        return await stop(reader, 'line_too_long')
      }
      size += step.value.length
      if (size > bounds.bytesMax) return await stop(reader, 'too_large')
      if (lineEnd >= 0) {
        isLineSeen = true
        const line = joined(chunks, size).subarray(0, size - step.value.length + lineEnd)
        if (!(await bounds.onFirstLine(line))) return await stop(reader, 'refused')
      }
    }
  } catch {
    return { ok: false, reason: 'broken_off' } // the client went away: nobody is left to hear why
  }
  const bytes = joined(chunks, size)
  if (!isLineSeen && !(await bounds.onFirstLine(bytes))) return { ok: false, reason: 'refused' }
  return { ok: true, bytes }
}

async function stop(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  reason: 'too_large' | 'line_too_long' | 'refused',
): Promise<BodyAnswer> {
  await reader?.cancel()
  return { ok: false, reason }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
