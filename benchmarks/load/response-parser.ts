/** Reads HTTP/1.1 answers off a socket: Content-Length, chunked, without a body, or ended by the connection. */

export interface ParsedResponse {
  readonly status: number
  /** The connection cannot be used again. */
  readonly closes: boolean
  /**
   * Seconds that a refusal asks to wait; `null` without one, with a date, and for any other answer, which is
   * not searched for it.
   */
  readonly retryAfterSeconds: number | null
}

const HEAD_BYTES_MAX = 64 * 1024
const CHUNK_LINE_BYTES_MAX = 1_024

type State =
  | { readonly in: 'head' }
  | { readonly in: 'body'; left: number }
  | { readonly in: 'chunk-line' }
  | { readonly in: 'chunk'; left: number }
  | { readonly in: 'trailer' }
  | { readonly in: 'until-end' }

export class ResponseParser {
  readonly #onResponse: (response: ParsedResponse) => void
  #state: State = { in: 'head' }
  /** Bytes of a head or line that has not ended; bounded by the two limits above. */
  #kept = ''
  #current: ParsedResponse = { status: 0, closes: false, retryAfterSeconds: null }

  constructor(onResponse: (response: ParsedResponse) => void) {
    this.#onResponse = onResponse
  }

  /** @throws Error when it is no HTTP answer. */
  push(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) at = this.#step(bytes, at)
  }

  /** The server ended the connection: completes an answer whose body lasts until then. */
  end(): void {
    if (this.#state.in === 'until-end') this.#finish()
  }

  #step(bytes: Buffer, at: number): number {
    const state = this.#state
    switch (state.in) {
      case 'head':
        return this.#readHead(bytes, at)
      case 'body':
      case 'chunk': {
        const taken = Math.min(state.left, bytes.length - at)
        state.left -= taken
        if (state.left === 0) this.#bodyPartEnded(state.in)
        return at + taken
      }
      case 'chunk-line':
        return this.#readChunkLine(bytes, at)
      case 'trailer':
        return this.#readTrailer(bytes, at)
      case 'until-end':
        return bytes.length
    }
  }

  #bodyPartEnded(part: 'body' | 'chunk'): void {
    if (part === 'body') this.#finish()
    else this.#state = { in: 'chunk-line' }
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#kept.length
    const text = this.#kept + bytes.toString('latin1', at)
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) {
      if (text.length > HEAD_BYTES_MAX) throw new Error('the head of an answer does not end')
      this.#kept = text
      return bytes.length
    }
    this.#kept = ''
    this.#readHeaders(text.slice(0, end))
    return at + end + 4 - before
  }

  #readHeaders(head: string): void {
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
    if (!(status >= 100)) throw new Error(`no HTTP answer: ${JSON.stringify(head.slice(0, 60))}`)
    // 100 Continue and its like announce the answer that follows.
    if (status < 200) return
    const header = (name: string) => new RegExp(`\\r\\n${name}:[ \\t]*([^\\r]*)`, 'i').exec(head)?.[1]?.trim()
    const closes = /\bclose\b/i.test(header('connection') ?? '')
    const retryAfter = status >= 400 ? header('retry-after') : undefined
    const retryAfterSeconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : null
    this.#current = { status, closes, retryAfterSeconds }
    const length = header('content-length')
    if (status === 204 || status === 304) this.#finish()
    else if (/\bchunked\b/i.test(header('transfer-encoding') ?? '')) this.#state = { in: 'chunk-line' }
    else if (length === '0') this.#finish()
    else if (length !== undefined) this.#state = { in: 'body', left: Number(length) }
    else {
      this.#current = { status, closes: true, retryAfterSeconds }
      this.#state = { in: 'until-end' }
    }
  }

  /** A size line; also the empty line behind the chunk before it. */
  #readChunkLine(bytes: Buffer, at: number): number {
    const { line, next } = this.#readLine(bytes, at)
    if (line === null || line === '') return next
    const size = Number.parseInt(line, 16)
    if (!(size >= 0)) throw new Error(`no chunk size: ${JSON.stringify(line.slice(0, 40))}`)
    this.#state = size === 0 ? { in: 'trailer' } : { in: 'chunk', left: size }
    return next
  }

  #readTrailer(bytes: Buffer, at: number): number {
    const { line, next } = this.#readLine(bytes, at)
    if (line === '') this.#finish()
    return next
  }

  /** `null` while the line has not ended. */
  #readLine(bytes: Buffer, at: number): { readonly line: string | null; readonly next: number } {
    const end = bytes.indexOf(10, at)
    const upTo = end < 0 ? bytes.length : end
    const text = this.#kept + bytes.toString('latin1', at, upTo)
    if (text.length > CHUNK_LINE_BYTES_MAX) throw new Error('a chunk line of an answer does not end')
    if (end < 0) {
      this.#kept = text
      return { line: null, next: bytes.length }
    }
    this.#kept = ''
    return { line: text.replace(/\r$/, ''), next: end + 1 }
  }

  #finish(): void {
    this.#state = { in: 'head' }
    this.#onResponse(this.#current)
  }
}
