/**
 * The scan itself: which parts of an event's JSON can hold no secret, told from its bytes in one pass: breadcrumbs,
 * contexts, what apps add, and the texts of exceptions and requests. What this cannot tell for certain is left to the walk
 * over the event. The WebAssembly module does the same; this is what takes its place where there is none, and what its
 * tests compare it with.
 *
 * The bytes must be valid JSON: nothing is checked here that a parser has checked.
 */
import {
  AT,
  CONTEXTS_AT,
  CONTEXTS_MAX,
  CRUMBS_AT,
  CRUMBS_MAX,
  DIGIT,
  EXCEPTION_AT,
  EXTRA_AT,
  HEADERS_AT,
  LETTER,
  MESSAGE_AT,
  NAME_ENTRY,
  NAME_OF_ARGUMENTS,
  NAME_OF_FIELD,
  NAME_OF_KEY,
  NAME_OF_STATEMENT,
  NAME_OF_TIME,
  REQUEST_AT,
  TEXT_BYTES_MIN,
  TEXTS_MAX,
  URL_AT,
  VALUE_AT,
  VALUE_ENTRY,
  VALUES_AT,
  WHITE,
} from './layout.ts'
import { CARD_RUN } from './rules.ts'
import { CLOSE, CLOSE_LIST, COMMA, OPEN, OPEN_LIST, QUOTE, TextLoop, UNKNOWN } from './text-loop.ts'

/** Reads the first `length` bytes of the input; 1 where what it found is told, else 0. */
export type Scan = (length: number) => number

export const DEPTH_MAX = 8

/** Scans the memory as `Scan` does, in plain TypeScript. */
export function scanOf(memory: ArrayBuffer): Scan {
  const scan = new PlainScan(memory)
  return (length) => scan.scan(length)
}

class PlainScan extends TextLoop {
  readonly cleanTexts: Int32Array
  crumbCount = 0
  hasCrumbs = 0
  /** -1 where nothing is told of them. */
  contextCount = 0
  textCount = 0
  extraCount = 0
  isExtraClean = 0

  constructor(memory: ArrayBuffer) {
    super(memory)
    this.cleanTexts = new Int32Array(memory, AT.texts, 2 * TEXTS_MAX)
  }

  /** Behind a number, `true`, `false` or `null`. */
  scalar(from: number): number {
    let at = from
    let count = 0
    let isWhole = 1
    while (at < this.end) {
      const code = this.byte(at)
      if (code === COMMA || code === CLOSE || code === CLOSE_LIST || (this.kindAt(at) & WHITE) !== 0) break
      // An exponent; `true` and `false` begin with a letter.
      if ((code | 0x20) === 0x65 && (this.kindAt(from) & LETTER) === 0) this.isDirty |= 1
      if (code === 0x2e) isWhole = 0
      count += isWhole
      at++
    }
    if (count >= CARD_RUN) this.isDirty |= 1
    return at
  }

  value(at: number, level: number): number {
    const code = this.byte(at)
    if (code === QUOTE) return this.text(at + 1)
    if (code !== OPEN && code !== OPEN_LIST) return this.scalar(at)
    if (level >= DEPTH_MAX || (this.isDirty & 1) !== 0) {
      this.isDirty |= 1
      return this.skipValue(at)
    }
    return code === OPEN ? this.bag(at + 1, level + 1, 0) : this.list(at + 1, level + 1)
  }

  behindColon(from: number): number {
    return this.skipWhite(this.skipWhite(from) + 1)
  }

  behindComma(from: number): number {
    const at = this.skipWhite(from)
    return this.byte(at) === COMMA ? this.skipWhite(at + 1) : at
  }

  /** Reads a list with a neighbour to its first element, which may announce the second. */
  list(from: number, level: number): number {
    let at = this.skipWhite(from)
    let count = 0
    while (at < this.end && this.byte(at) !== CLOSE_LIST) {
      if (++count > 1) this.isDirty |= 1
      at = this.behindComma((this.isDirty & 1) !== 0 ? this.skipValue(at) : this.value(at, level))
    }
    return at + 1
  }

  /** `roles`: of keys that it is taken to have. */
  bag(from: number, level: number, roles: number): number {
    let at = this.skipWhite(from)
    let seen = roles
    while (at < this.end && this.byte(at) !== CLOSE) {
      const start = at + 1
      at = this.skipText(start)
      const known = this.hasEscape !== 0 ? 0 : this.flagsOf(start, at - 1)
      if (known === 0) this.isDirty |= UNKNOWN
      else if ((known & NAME_OF_KEY) === 0) this.isDirty |= 1
      if ((known & NAME_OF_ARGUMENTS) !== 0 && level !== 1) this.isDirty |= 1
      seen |= known
      at = this.behindColon(at)
      at = this.behindComma((this.isDirty & 1) !== 0 ? this.skipValue(at) : this.value(at, level))
    }
    if ((seen & NAME_ENTRY) !== 0 && (seen & VALUE_ENTRY) !== 0) this.isDirty |= 1
    if ((seen & NAME_OF_ARGUMENTS) !== 0 && (seen & NAME_OF_STATEMENT) !== 0) this.isDirty |= 1
    return at + 1
  }

  crumb(from: number): number {
    let at = this.skipWhite(from)
    this.isDirty = 0
    while (at < this.end && this.byte(at) !== CLOSE) {
      const start = at + 1
      at = this.skipText(start)
      const known = this.hasEscape !== 0 ? 0 : this.flagsOf(start, at - 1)
      if (known === 0) this.isDirty |= UNKNOWN
      else if ((known & NAME_OF_FIELD) === 0) this.isDirty |= 1
      at = this.behindColon(at)
      // A time stays no text, however it was written.
      const isSkipped = (this.isDirty & 1) !== 0 || (known & NAME_OF_TIME) !== 0
      at = this.behindComma(isSkipped ? this.skipValue(at) : this.value(at, 0))
    }
    return at + 1
  }

  /** The list of crumbs; -1 where it holds what is none. */
  crumbs(from: number): number {
    let at = this.skipWhite(from)
    while (at < this.end && this.byte(at) !== CLOSE_LIST) {
      if (this.byte(at) !== OPEN || this.crumbCount >= CRUMBS_MAX) return -1
      at = this.crumb(at + 1)
      this.mem[AT.verdicts + this.crumbCount] = this.isDirty === 0 ? 1 : 0
      this.crumbCount++
      at = this.behindComma(at)
    }
    return at + 1
  }

  /** `{"values": […]}`, or the list alone. */
  crumbsOf(from: number): number {
    if (this.byte(from) === OPEN_LIST) return this.crumbs(from + 1)
    if (this.byte(from) !== OPEN) return -1
    let at = this.skipWhite(from + 1)
    let seen = 0
    while (at < this.end && this.byte(at) !== CLOSE) {
      const start = at + 1
      at = this.skipText(start)
      if (this.hasEscape !== 0) return -1
      const isValues = this.isWord(start, at - 1, VALUES_AT, 6)
      at = this.behindColon(at)
      if (isValues !== 0) {
        if (seen !== 0 || this.byte(at) !== OPEN_LIST) return -1
        seen = 1
        at = this.crumbs(at + 1)
        if (at < 0) return -1
      } else at = this.skipValue(at)
      at = this.behindComma(at)
    }
    return seen === 0 ? -1 : at + 1
  }

  /** Contexts by their order; none is told of where one has a name that a parser would put elsewhere. */
  contextsOf(from: number): number {
    if (this.contextCount !== 0 || this.byte(from) !== OPEN) {
      this.contextCount = -1
      return this.skipValue(from)
    }
    let at = this.skipWhite(from + 1)
    while (at < this.end && this.byte(at) !== CLOSE) {
      const start = at + 1
      this.isDirty = 0
      at = this.skipText(start)
      if (this.hasEscape !== 0 || (this.kindAt(start) & DIGIT) !== 0 || this.contextCount >= CONTEXTS_MAX)
        this.contextCount = -1
      const known = this.hasEscape !== 0 ? 0 : this.flagsOf(start, at - 1)
      if (known === 0) this.isDirty |= UNKNOWN
      else if ((known & NAME_OF_KEY) === 0) this.isDirty |= 1
      at = this.behindColon(at)
      if (this.contextCount < 0 || this.byte(at) !== OPEN) {
        this.isDirty |= 1
        at = this.skipValue(at)
      } else at = this.bag(at + 1, 2, NAME_ENTRY) // it gets a type where it has none
      if (this.contextCount >= 0) {
        this.mem[AT.contexts + this.contextCount] = this.isDirty === 0 ? 1 : 0
        this.contextCount++
      }
      at = this.behindComma(at)
    }
    return at + 1
  }

  /** Reads what apps add of their own; of two of them nothing is told. */
  extraOf(from: number): number {
    this.extraCount++
    if (this.byte(from) !== OPEN) return this.skipValue(from)
    this.isDirty = 0
    const at = this.bag(from + 1, 2, 0)
    this.isExtraClean = this.isDirty === 0 ? 1 : 0
    return at
  }

  /** A text that is clean wherever it stands: noted by its place, where it is long enough. */
  textOf(from: number): number {
    if (this.byte(from) !== QUOTE) return this.skipValue(from)
    this.isDirty = 0
    this.hasEscape = 0
    const at = this.text(from + 1)
    const length = at - from - 2
    if (this.isDirty !== 0 || this.hasEscape !== 0 || length < TEXT_BYTES_MIN) return at
    if (this.textCount >= TEXTS_MAX) return at
    this.cleanTexts[2 * this.textCount] = from + 1
    this.cleanTexts[2 * this.textCount + 1] = length
    this.textCount++
    return at
  }

  /** Reads the texts under a key of the bag at `from`; all of them if it is 0. */
  textsOf(from: number, word: number, length: number): number {
    if (this.byte(from) !== OPEN) return this.skipValue(from)
    let at = this.skipWhite(from + 1)
    while (at < this.end && this.byte(at) !== CLOSE) {
      const start = at + 1
      at = this.skipText(start)
      const isWanted = word === 0 ? 1 : this.isWord(start, at - 1, word, length)
      at = this.behindColon(at)
      at = this.behindComma(isWanted !== 0 ? this.textOf(at) : this.skipValue(at))
    }
    return at + 1
  }

  /** The messages of exceptions. */
  exceptionsOf(from: number): number {
    if (this.byte(from) === OPEN_LIST) {
      let at = this.skipWhite(from + 1)
      while (at < this.end && this.byte(at) !== CLOSE_LIST)
        at = this.behindComma(this.textsOf(at, VALUE_AT, 5))
      return at + 1
    }
    if (this.byte(from) !== OPEN) return this.skipValue(from)
    let at = this.skipWhite(from + 1)
    while (at < this.end && this.byte(at) !== CLOSE) {
      const start = at + 1
      at = this.skipText(start)
      const isValues = this.isWord(start, at - 1, VALUES_AT, 6)
      at = this.behindColon(at)
      const isList = isValues !== 0 && this.byte(at) === OPEN_LIST
      at = this.behindComma(isList ? this.exceptionsOf(at) : this.skipValue(at))
    }
    return at + 1
  }

  /** A request's address and headers. */
  requestOf(from: number): number {
    if (this.byte(from) !== OPEN) return this.skipValue(from)
    let at = this.skipWhite(from + 1)
    while (at < this.end && this.byte(at) !== CLOSE) {
      const start = at + 1
      at = this.skipText(start)
      const isUrl = this.isWord(start, at - 1, URL_AT, 3)
      const isHeaders = this.isWord(start, at - 1, HEADERS_AT, 7)
      at = this.behindColon(at)
      if (isUrl !== 0) at = this.textOf(at)
      else if (isHeaders !== 0) at = this.textsOf(at, 0, 0)
      else at = this.skipValue(at)
      at = this.behindComma(at)
    }
    return at + 1
  }

  isWord(start: number, stop: number, word: number, length: number): number {
    return stop - start === length ? this.isSame(start, word, length) : 0
  }

  field(start: number, stop: number, from: number): number {
    if (this.isWord(start, stop, CRUMBS_AT, 11) !== 0) {
      if (this.hasCrumbs !== 0) return -1
      this.hasCrumbs = 1
      return this.crumbsOf(from)
    }
    if (this.isWord(start, stop, CONTEXTS_AT, 8) !== 0) return this.contextsOf(from)
    if (this.isWord(start, stop, EXCEPTION_AT, 9) !== 0) return this.exceptionsOf(from)
    if (this.isWord(start, stop, REQUEST_AT, 7) !== 0) return this.requestOf(from)
    if (this.isWord(start, stop, EXTRA_AT, 5) !== 0) return this.extraOf(from)
    if (this.isWord(start, stop, MESSAGE_AT, 7) !== 0) return this.textOf(from)
    return this.skipValue(from)
  }

  scan(length: number): number {
    this.end = AT.input + length
    this.newCount = 0
    this.crumbCount = 0
    this.hasCrumbs = 0
    this.contextCount = 0
    this.textCount = 0
    this.extraCount = 0
    this.isExtraClean = 0
    this.told[0] = 0
    let at = this.skipWhite(AT.input)
    if (this.byte(at) !== OPEN) return 0
    at = this.skipWhite(at + 1)
    while (at < this.end && this.byte(at) !== CLOSE) {
      const start = at + 1
      at = this.skipText(start)
      if (this.hasEscape !== 0) return 0
      at = this.field(start, at - 1, this.behindColon(at))
      if (at < 0) return 0
      at = this.behindComma(at)
    }
    this.told[0] = this.newCount
    this.told[1] = this.crumbCount
    this.told[2] = this.contextCount
    this.told[3] = this.textCount
    this.told[4] = this.extraCount === 1 ? this.isExtraClean : 0
    return 1
  }
}
