/**
 * The scan itself: which breadcrumbs of an event's JSON can hold no secret, told from its bytes in one pass. What this
 * cannot tell for certain is left to the walk over the event. The WebAssembly module does the same; this is what takes its
 * place where there is none, and what its tests compare it with.
 *
 * The bytes must be valid JSON: nothing is checked here that a parser has checked.
 */
import { WIDTH_BITS } from '../marks.ts'
import {
  AT,
  BEYOND,
  BLANK,
  CRUMBS_AT,
  CRUMBS_MAX,
  DIGIT,
  LETTER,
  NAME_BEFORE_SIGN,
  NAME_BYTES_MAX,
  NAME_ENTRY,
  NAME_OF_ARGUMENTS,
  NAME_OF_FIELD,
  NAME_OF_KEY,
  NAME_OF_STATEMENT,
  NAME_OF_TIME,
  NAMES_MAX,
  NAMING,
  NEW_NAMES_MAX,
  NO_SELECTOR,
  OF_BASE64,
  SIGN,
  SLOTS,
  START,
  UPPER,
  VALUE_ENTRY,
  VALUES_AT,
  WHITE,
  WORD,
} from './layout.ts'
import {
  ALWAYS,
  BESIDE_GIVEN,
  BLOB_RUN,
  CARD_RUN,
  CHARS_MIN,
  DIGITS_MIN,
  GIVEN,
  IN_WORDS,
  ISSUED,
  LONG_RUN,
  NATIONAL,
  NATIONAL_DIGITS,
  OF_VALUES,
  QUOTING,
  WORD_RUN,
} from './rules.ts'
import { newText, type TextSeen } from './text-seen.ts'

/** Finds crumbs in the first `length` bytes of the input; how many there are, or -1 where nothing can be told. */
export type Scan = (length: number) => number

export const DEPTH_MAX = 8
/** A crumb that is not clean because of a name that nobody asked for yet: what follows is read, for its names. */
export const UNKNOWN = 2
/** Of names whose hashes fall together, more are not looked for: whoever makes them up costs no time. */
export const PROBES_MAX = 16
const CLASS = 63
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const EQUALS = 0x3d
const MORE = 0x3e
const BRACKET = 0x28
const SLASH = 0x2f
const DASH = 0x2d
const APOSTROPHE = 0x27
const BACKTICK = 0x60
const OPEN = 0x7b
const CLOSE = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
/** Six changes of case, without a digit. */
export const UPPERS_MIN = 3
/** Two letters and two digits behind neither, as an IBAN begins: two bits each. */
export const IBAN = 0b00_10_10_01_01
export const IBAN_MASK = 0x3ff

/** As `Scan` of the memory, in plain TypeScript. */
export function scanOf(memory: ArrayBuffer): Scan {
  const scan = new PlainScan(memory)
  return (length) => scan.scan(length)
}

class PlainScan {
  readonly #mem: Uint8Array
  readonly #kinds: Int32Array
  readonly #next: Uint16Array
  readonly #bits: Int32Array
  readonly #slots: Int32Array
  readonly #starts: Int32Array
  readonly #lengths: Int32Array
  readonly #flags: Int32Array
  readonly #newNames: Int32Array
  readonly #told: Int32Array
  #end = 0
  #isDirty = 0
  #newCount = 0
  #crumbCount = 0
  #hasEscape = 0

  constructor(memory: ArrayBuffer) {
    this.#mem = new Uint8Array(memory)
    this.#kinds = new Int32Array(memory, AT.kinds, 256)
    this.#next = new Uint16Array(memory, AT.next, (AT.bits - AT.next) >> 1)
    this.#bits = new Int32Array(memory, AT.bits, (AT.slots - AT.bits) >> 2)
    this.#slots = new Int32Array(memory, AT.slots, SLOTS)
    this.#starts = new Int32Array(memory, AT.nameStarts, NAMES_MAX)
    this.#lengths = new Int32Array(memory, AT.nameLengths, NAMES_MAX)
    this.#flags = new Int32Array(memory, AT.flags, NAMES_MAX)
    this.#newNames = new Int32Array(memory, AT.newNames, NEW_NAMES_MAX * 2)
    this.#told = new Int32Array(memory, AT.newCount, 1)
  }

  #byte(at: number): number {
    return this.#mem[at] ?? 0
  }

  #kindAt(at: number): number {
    return this.#kinds[this.#byte(at)] ?? 0
  }

  #skipWhite(from: number): number {
    let at = from
    while (at < this.#end && (this.#kindAt(at) & WHITE) !== 0) at++
    return at
  }

  /** From behind the quote that opens a text to behind the one that closes it. */
  #skipText(from: number): number {
    let at = from
    this.#hasEscape = 0
    while (at < this.#end && this.#byte(at) !== QUOTE) {
      if (this.#byte(at) === BACKSLASH) {
        this.#hasEscape = 1
        at++
      }
      at++
    }
    return at + 1
  }

  #skipValue(from: number): number {
    let at = from
    let depth = 0
    while (at < this.#end) {
      const code = this.#byte(at)
      if (code === QUOTE) {
        at = this.#skipText(at + 1)
        if (depth === 0) return at
        continue
      }
      if (code === OPEN || code === OPEN_LIST) depth++
      else if (code === CLOSE || code === CLOSE_LIST) {
        if (depth === 0) return at
        depth--
        if (depth === 0) return at + 1
      } else if (code === COMMA && depth === 0) return at
      at++
    }
    return at
  }

  /** What is known of a name; 0, and it is noted as new, where nobody asked yet. */
  #flagsOf(start: number, stop: number): number {
    const length = stop - start
    if (length === 0 || length > NAME_BYTES_MAX || (this.#kindAt(start) & DIGIT) !== 0) return 0
    let hash = 0
    for (let at = start; at < stop; at++) hash = (Math.imul(hash, 31) + this.#byte(at)) | 0
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const name = this.#slots[(hash + probe) & (SLOTS - 1)] ?? 0
      if (name === 0) break
      if (
        this.#lengths[name - 1] !== length ||
        this.#isSame(this.#starts[name - 1] ?? 0, start, length) === 0
      )
        continue
      const known = this.#flags[name - 1] ?? 0
      if (known !== 0) return known
      break
    }
    if (this.#newCount < NEW_NAMES_MAX) {
      this.#newNames[2 * this.#newCount] = start
      this.#newNames[2 * this.#newCount + 1] = length
      this.#newCount++
    }
    return 0
  }

  #isSame(one: number, other: number, length: number): number {
    for (let at = 0; at < length; at++) if (this.#byte(one + at) !== this.#byte(other + at)) return 0
    return 1
  }

  /** Where the name that ends at `at` begins, within a text. */
  #nameStart(from: number, at: number): number {
    let start = at
    while (start > from && at - start <= NAME_BYTES_MAX && (this.#kindAt(start - 1) & NAMING) !== 0) start--
    return start
  }

  /** 1 where the name before `=` or `:` may name a secret, or what stands there is no name; `UNKNOWN`; else 0. */
  #mayName(start: number, at: number, code: number): number {
    if (code === COLON && this.#byte(at + 1) === SLASH && this.#byte(at + 2) === SLASH) return 0
    if (start === at || this.#byte(start) === DASH) return 1
    let digit = start
    while (digit < at && (this.#kindAt(digit) & DIGIT) !== 0) digit++
    if (digit === at) return 0
    const known = this.#flagsOf(start, at)
    if (known === 0) return UNKNOWN
    return (known & NAME_BEFORE_SIGN) === 0 ? 1 : 0
  }

  /** As that of `triggers.ts`, of ASCII; it says yes to a little more. */
  #isTokenLike(from: number, to: number): number {
    let run = 0
    let kindsOfRun = 0
    let uppers = 0
    let blob = 0
    let kindsOfBlob = 0
    for (let at = from; at < to; at++) {
      const kind = this.#kindAt(at)
      const isWord = (kind & WORD) !== 0
      run = isWord ? run + 1 : 0
      kindsOfRun = isWord ? kindsOfRun | kind : 0
      uppers = isWord ? uppers + ((kind & UPPER) === 0 ? 0 : 1) : 0
      if (run >= WORD_RUN && ((kindsOfRun & DIGIT) !== 0 || uppers >= UPPERS_MIN)) return 1
      const inBlob = isWord || (kind & OF_BASE64) !== 0
      blob = inBlob ? blob + 1 : 0
      kindsOfBlob = inBlob ? kindsOfBlob | kind : 0
      if (blob >= BLOB_RUN && (kindsOfBlob & UPPER) !== 0 && (kindsOfBlob & DIGIT) !== 0) return 1
    }
    return 0
  }

  #mayHoldIban(from: number, to: number): number {
    let tail = 0
    for (let at = from; at < to; at++) {
      const kind = this.#kindAt(at)
      tail = (tail << 2) | ((kind & DIGIT) !== 0 ? 1 : 0) | ((kind & LETTER) !== 0 ? 2 : 0)
      if ((tail & IBAN_MASK) === IBAN) return 1
    }
    return 0
  }

  /** Reads a text from behind its opening quote; what may be a secret makes the crumb dirty. */
  #text(from: number): number {
    const seen = newText(from)
    let at = from
    let state = START
    while (at < this.#end && this.#byte(at) !== QUOTE) {
      let code = this.#byte(at)
      let width = 1
      if (code === BACKSLASH) {
        if (this.#byte(at + 1) !== QUOTE) {
          this.#isDirty |= 1
          return this.#skipText(at)
        }
        code = QUOTE
        width = 2
      }
      const kind = this.#kinds[code] ?? 0
      seen.kinds |= kind
      state = this.#next[(state << WIDTH_BITS) + (kind & CLASS)] ?? 0
      seen.found |= this.#bits[state] ?? 0
      if ((kind & SIGN) !== 0) this.#sign(seen, at, code)
      if ((kind & BLANK) !== 0) seen.blank |= seen.run
      seen.run = (kind & WORD) !== 0 ? seen.run + 1 : 0
      seen.runs |= seen.run
      if ((kind & DIGIT) !== 0) seen.digits++
      at += width
    }
    if (at - from >= CHARS_MIN) this.#isDirty |= this.#judged(seen, at)
    return at + 1
  }

  #sign(seen: TextSeen, at: number, code: number): void {
    if (code === EQUALS || code === COLON) {
      seen.named = this.#nameStart(seen.from, at)
      seen.bad |= this.#mayName(seen.named, at, code)
      if (code === EQUALS && this.#byte(at + 1) !== BACKSLASH) seen.noSelector = 1
    } else if (code === QUOTE) this.#quote(seen, at)
    else if (code === OPEN_LIST) {
      if ((this.#kindAt(at - 1) & NAMING) === 0 && this.#byte(at - 1) !== CLOSE_LIST) seen.noSelector = 1
      if ((this.#kindAt(at + 1) & LETTER) === 0) seen.noSelector = 1
    } else if (code === MORE) {
      if (this.#byte(at - 1) === DASH) seen.bad |= 1
    } else if (code === BRACKET) {
      const behind = this.#byte(at + 1)
      if (behind === BACKSLASH || behind === APOSTROPHE || behind === BACKTICK) seen.bad |= 1
    } else seen.bad |= 1
  }

  /** Of a selector: `[name=` before one that opens, a word and `]` around one that closes. */
  #quote(seen: TextSeen, at: number): void {
    seen.quotes++
    if ((seen.quotes & 1) !== 0) {
      if (this.#byte(at - 1) !== EQUALS || this.#byte(seen.named - 1) !== OPEN_LIST) seen.noSelector = 1
      seen.quoteAt = at + 2
      return
    }
    const isWord = seen.run !== 0 && seen.run === at - seen.quoteAt
    if (!isWord || this.#byte(at + 2) !== CLOSE_LIST) seen.noSelector = 1
  }

  /** Not 0 where a rule may match. */
  #judged({ from, found, kinds, ...seen }: TextSeen, to: number): number {
    let bad = seen.bad
    const first = this.#byte(from)
    if (first === OPEN || first === OPEN_LIST || first <= 0x20) bad |= 1
    if ((kinds & BEYOND) !== 0 || (found & ALWAYS) !== 0) bad |= 1
    if ((kinds & WHITE) !== 0 && (found & IN_WORDS) !== 0) bad |= 1
    if (seen.blank !== 0 && (found & OF_VALUES) !== 0) bad |= 1
    if ((found & GIVEN) !== 0 && ((found & BESIDE_GIVEN) !== 0 || (first | 0x20) === 0x65)) bad |= 1
    if (seen.quotes === 0) {
      if ((found & QUOTING) !== 0) bad |= 1
    } else if (seen.noSelector !== 0 || (seen.quotes & 1) !== 0 || (kinds & NO_SELECTOR) !== 0) bad |= 1
    if (seen.digits >= CARD_RUN || (seen.digits >= NATIONAL_DIGITS && (found & NATIONAL) !== 0)) bad |= 1
    if (bad === 0 && seen.digits >= DIGITS_MIN) bad = this.#mayHoldIban(from, to)
    if (bad === 0 && seen.runs >= LONG_RUN) bad = (found & ISSUED) !== 0 ? 1 : this.#isTokenLike(from, to)
    return bad
  }

  /** Behind a number, `true`, `false` or `null`. */
  #scalar(from: number): number {
    let at = from
    let count = 0
    let isWhole = 1
    while (at < this.#end) {
      const code = this.#byte(at)
      if (code === COMMA || code === CLOSE || code === CLOSE_LIST || (this.#kindAt(at) & WHITE) !== 0) break
      // An exponent; `true` and `false` begin with a letter.
      if ((code | 0x20) === 0x65 && (this.#kindAt(from) & LETTER) === 0) this.#isDirty |= 1
      if (code === 0x2e) isWhole = 0
      count += isWhole
      at++
    }
    if (count >= CARD_RUN) this.#isDirty |= 1
    return at
  }

  #value(at: number, level: number): number {
    const code = this.#byte(at)
    if (code === QUOTE) return this.#text(at + 1)
    if (code !== OPEN && code !== OPEN_LIST) return this.#scalar(at)
    if (level >= DEPTH_MAX || (this.#isDirty & 1) !== 0) {
      this.#isDirty |= 1
      return this.#skipValue(at)
    }
    return code === OPEN ? this.#bag(at + 1, level + 1) : this.#list(at + 1, level + 1)
  }

  #behindComma(from: number): number {
    const at = this.#skipWhite(from)
    return this.#byte(at) === COMMA ? this.#skipWhite(at + 1) : at
  }

  /** Of a list with a neighbour to its first element, that one may announce the second. */
  #list(from: number, level: number): number {
    let at = this.#skipWhite(from)
    let count = 0
    while (at < this.#end && this.#byte(at) !== CLOSE_LIST) {
      if (++count > 1) this.#isDirty |= 1
      at = this.#behindComma((this.#isDirty & 1) !== 0 ? this.#skipValue(at) : this.#value(at, level))
    }
    return at + 1
  }

  #bag(from: number, level: number): number {
    let at = this.#skipWhite(from)
    let seen = 0
    while (at < this.#end && this.#byte(at) !== CLOSE) {
      const start = at + 1
      at = this.#skipText(start)
      const known = this.#hasEscape !== 0 ? 0 : this.#flagsOf(start, at - 1)
      if (known === 0) this.#isDirty |= UNKNOWN
      else if ((known & NAME_OF_KEY) === 0) this.#isDirty |= 1
      if ((known & NAME_OF_ARGUMENTS) !== 0 && level !== 1) this.#isDirty |= 1
      seen |= known
      at = this.#skipWhite(this.#skipWhite(at) + 1)
      at = this.#behindComma((this.#isDirty & 1) !== 0 ? this.#skipValue(at) : this.#value(at, level))
    }
    if ((seen & NAME_ENTRY) !== 0 && (seen & VALUE_ENTRY) !== 0) this.#isDirty |= 1
    if ((seen & NAME_OF_ARGUMENTS) !== 0 && (seen & NAME_OF_STATEMENT) !== 0) this.#isDirty |= 1
    return at + 1
  }

  #crumb(from: number): number {
    let at = this.#skipWhite(from)
    this.#isDirty = 0
    while (at < this.#end && this.#byte(at) !== CLOSE) {
      const start = at + 1
      at = this.#skipText(start)
      const known = this.#hasEscape !== 0 ? 0 : this.#flagsOf(start, at - 1)
      if (known === 0) this.#isDirty |= UNKNOWN
      else if ((known & NAME_OF_FIELD) === 0) this.#isDirty |= 1
      at = this.#skipWhite(this.#skipWhite(at) + 1)
      // A time stays no text, however it was written.
      const isSkipped = (this.#isDirty & 1) !== 0 || (known & NAME_OF_TIME) !== 0
      at = this.#behindComma(isSkipped ? this.#skipValue(at) : this.#value(at, 0))
    }
    return at + 1
  }

  /** The list of crumbs; -1 where it holds what is none. */
  #crumbs(from: number): number {
    let at = this.#skipWhite(from)
    while (at < this.#end && this.#byte(at) !== CLOSE_LIST) {
      if (this.#byte(at) !== OPEN || this.#crumbCount >= CRUMBS_MAX) return -1
      at = this.#crumb(at + 1)
      this.#mem[AT.verdicts + this.#crumbCount] = this.#isDirty === 0 ? 1 : 0
      this.#crumbCount++
      at = this.#behindComma(at)
    }
    return at + 1
  }

  /** `{"values": […]}`, or the list alone. */
  #crumbsOf(from: number): number {
    if (this.#byte(from) === OPEN_LIST) return this.#crumbs(from + 1)
    if (this.#byte(from) !== OPEN) return -1
    let at = this.#skipWhite(from + 1)
    let seen = 0
    while (at < this.#end && this.#byte(at) !== CLOSE) {
      const start = at + 1
      at = this.#skipText(start)
      if (this.#hasEscape !== 0) return -1
      const isValues = this.#isWord(start, at - 1, VALUES_AT, 6)
      at = this.#skipWhite(this.#skipWhite(at) + 1)
      if (isValues !== 0) {
        if (seen !== 0 || this.#byte(at) !== OPEN_LIST) return -1
        seen = 1
        at = this.#crumbs(at + 1)
        if (at < 0) return -1
      } else at = this.#skipValue(at)
      at = this.#behindComma(at)
    }
    return seen === 0 ? -1 : at + 1
  }

  #isWord(start: number, stop: number, word: number, length: number): number {
    return stop - start === length ? this.#isSame(start, word, length) : 0
  }

  scan(length: number): number {
    this.#end = AT.input + length
    this.#newCount = 0
    this.#crumbCount = 0
    this.#told[0] = 0
    let seen = 0
    let at = this.#skipWhite(AT.input)
    if (this.#byte(at) !== OPEN) return -1
    at = this.#skipWhite(at + 1)
    while (at < this.#end && this.#byte(at) !== CLOSE) {
      const start = at + 1
      at = this.#skipText(start)
      if (this.#hasEscape !== 0) return -1
      const isCrumbs = this.#isWord(start, at - 1, CRUMBS_AT, 11)
      at = this.#skipWhite(this.#skipWhite(at) + 1)
      if (isCrumbs !== 0) {
        if (seen !== 0) return -1
        seen = 1
        at = this.#crumbsOf(at)
        if (at < 0) return -1
        this.#told[0] = this.#newCount
      } else at = this.#skipValue(at)
      at = this.#behindComma(at)
    }
    return seen === 0 ? -1 : this.#crumbCount
  }
}
