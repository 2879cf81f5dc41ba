/**
 * An envelope read as it comes, for one whose payloads are too large to hold. It reads what `readEnvelope` reads, and
 * breaks where that does; a test holds the two together. docs/wire.md, section "Envelope".
 */
import {
  ENVELOPE_LIMITS_DEFAULT,
  type EnvelopeLimits,
  type EnvelopeProblem,
  type HeaderFields,
  joinBytes,
  readJsonObject,
} from './envelope.ts'

/** A part of an envelope in the order of its bytes, which are views of what was pushed. */
export type EnvelopePart =
  | { readonly kind: 'header'; readonly header: HeaderFields }
  | {
      readonly kind: 'item'
      readonly index: number
      readonly type: string
      readonly header: HeaderFields
      /** Length of the payload as the header states it; `null`: it ends with the line. */
      readonly length: number | null
    }
  /** A stretch of the last item's payload. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The last item's payload is whole. */
  | { readonly kind: 'end' }

/** The framing is broken: nothing that came is an envelope. */
export class EnvelopeBroken extends Error {
  readonly problem: EnvelopeProblem
  constructor(problem: EnvelopeProblem) {
    super(problem.cause)
    this.name = 'EnvelopeBroken'
    this.problem = problem
  }
}

const NEWLINE = 0x0a

type State = 'first' | 'between' | 'item' | 'counted' | 'line' | 'newline'

export class EnvelopeStream {
  readonly #limits: EnvelopeLimits
  #state: State = 'first'
  /** Header line so far. */
  #line: Uint8Array[] = []
  #lineBytes = 0
  /** Bytes still to come of a payload whose length is known. */
  #left = 0
  #items = 0
  /** Newlines where an item may begin: nothing but newlines may follow more than none. */
  #newlines = 0
  #at = 0

  constructor(limits: EnvelopeLimits = ENVELOPE_LIMITS_DEFAULT) {
    this.#limits = limits
  }

  /** A `Buffer` is searched for line ends ten times as fast as a plain array. @throws EnvelopeBroken */
  *push(bytes: Uint8Array): Generator<EnvelopePart, void, void> {
    for (let from = 0; from < bytes.length; ) {
      const before = from
      switch (this.#state) {
        case 'first':
        case 'item': {
          const end = bytes.indexOf(NEWLINE, from)
          this.#addToLine(bytes.subarray(from, end === -1 ? bytes.length : end))
          from = end === -1 ? bytes.length : end + 1
          if (end !== -1) yield* this.#lineEnded(false)
          break
        }
        case 'between':
          if (bytes[from] === NEWLINE) {
            this.#newlines++
            from++
          } else this.#beginItem()
          break
        case 'counted': {
          const part = bytes.subarray(from, from + this.#left)
          this.#left -= part.length
          from += part.length
          yield { kind: 'bytes', bytes: part }
          if (this.#left === 0) yield* this.#payloadEnded('newline')
          break
        }
        case 'line': {
          const end = bytes.indexOf(NEWLINE, from)
          const part = bytes.subarray(from, end === -1 ? bytes.length : end)
          from = end === -1 ? bytes.length : end + 1
          if (part.length > 0) yield { kind: 'bytes', bytes: part }
          if (end !== -1) yield* this.#payloadEnded('between')
          break
        }
        case 'newline':
          if (bytes[from] !== NEWLINE) throw this.#broken('missing_newline', 'missing newline after payload')
          from++
          this.#state = 'between'
          break
      }
      this.#at += from - before
    }
  }

  /** Called once, when everything was pushed. @throws EnvelopeBroken */
  *end(): Generator<EnvelopePart, void, void> {
    switch (this.#state) {
      case 'first':
        if (this.#at === 0) throw this.#broken('empty', 'empty request body')
        yield* this.#lineEnded(true)
        return
      case 'item':
        yield* this.#lineEnded(true)
        return
      case 'counted':
        throw this.#broken('truncated', 'unexpected end of file')
      case 'line':
        yield* this.#payloadEnded('between')
        return
      default:
    }
  }

  #beginItem(): void {
    if (this.#newlines > 0) throw this.#broken('invalid_item_header', 'invalid item header')
    const { itemsMax } = this.#limits
    if (this.#items >= itemsMax) throw this.#broken('too_many_items', `more than ${itemsMax} items`)
    this.#state = 'item'
  }

  #addToLine(bytes: Uint8Array): void {
    this.#lineBytes += bytes.length
    const isFirst = this.#state === 'first'
    if (this.#lineBytes > (isFirst ? this.#limits.headerBytesMax : this.#limits.itemHeaderBytesMax)) {
      if (isFirst) throw this.#broken('header_too_large', 'envelope header exceeds its limit')
      throw this.#broken('item_header_too_large', 'item header exceeds its limit')
    }
    // A copy: what was pushed may be written over before the line ends.
    if (bytes.length > 0) this.#line.push(new Uint8Array(bytes))
  }

  *#lineEnded(isLast: boolean): Generator<EnvelopePart, void, void> {
    const line = joinBytes(this.#line)
    const header = readJsonObject(line, 0, line.length)
    this.#line = []
    this.#lineBytes = 0
    if (this.#state === 'first') {
      if (header === null) throw this.#broken('invalid_header', 'invalid envelope header')
      this.#state = 'between'
      yield { kind: 'header', header }
      return
    }
    if (header === null) throw this.#broken('invalid_item_header', 'invalid item header')
    const { type } = header
    if (typeof type !== 'string') throw this.#broken('missing_item_type', 'invalid item header: no type')
    const length = this.#lengthOf(header.length)
    if (isLast && length !== null && length > 0) throw this.#broken('truncated', 'unexpected end of file')
    this.#left = length ?? 0
    yield { kind: 'item', index: this.#items++, type, header, length }
    if (isLast || length === 0) yield* this.#payloadEnded(isLast ? 'between' : 'newline')
    else this.#state = length === null ? 'line' : 'counted'
  }

  *#payloadEnded(next: 'newline' | 'between'): Generator<EnvelopePart, void, void> {
    this.#state = next
    this.#newlines = 0
    yield { kind: 'end' }
  }

  #lengthOf(length: unknown): number | null {
    if (length === undefined || length === null) return null
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
      throw this.#broken('invalid_length', 'invalid item header: length is not a whole number')
    }
    return length
  }

  #broken(code: EnvelopeProblem['code'], cause: string): EnvelopeBroken {
    return new EnvelopeBroken({ code, cause, at: this.#at })
  }
}
