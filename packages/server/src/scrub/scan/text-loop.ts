/**
 * Reads names and texts in a scan of bytes; `loop.ts` reads events with it. The WebAssembly module does the
 * same.
 */
import { WIDTH_BITS } from '../marks.ts'
import {
  AT,
  BEYOND,
  BLANK,
  BRACE,
  DIGIT,
  JOINING,
  LETTER,
  NAME_BEFORE_SIGN,
  NAME_BYTES_MAX,
  NAMES_MAX,
  NAMING,
  NEW_NAMES_MAX,
  NO_SELECTOR,
  OF_BASE64,
  SIGN,
  SLOTS,
  START,
  TOLD_SIZE,
  UPPER,
  WHITE,
  WORD,
} from './layout.ts'
import {
  ALWAYS,
  BESIDE_GIVEN,
  BLOB_RUN,
  CARD_RUN,
  CHARS_MIN,
  CODED,
  DIGITS_MIN,
  GIVEN,
  IN_WORDS,
  ISSUED,
  LONG_RUN,
  NATIONAL,
  NATIONAL_DIGITS,
  OF_VALUES,
  QUOTING,
  SEED_CHARS_MIN,
  WORD_RUN,
} from './rules.ts'
import { newText, type TextSeen } from './text-seen.ts'

/** A name that nobody asked for yet: what follows is read, for its names. */
export const UNKNOWN = 2
/** Most names with one hash that are looked for: whoever makes them up costs no time. */
export const PROBES_MAX = 16
/** Six changes of case, without a digit. */
export const UPPERS_MIN = 3
/** Two letters and two digits behind neither, as an IBAN begins: two bits each. */
export const IBAN = 0b00_10_10_01_01
export const IBAN_MASK = 0x3ff
/** Letters of a word of a seed; the one read first may go on behind what is read. */
export const SEED_LETTERS_MIN = 3
export const SEED_LETTERS_MAX = 8
export const SEED_RUN_MAX = SEED_LETTERS_MIN + SEED_LETTERS_MAX
const CLASS = 63
export const QUOTE = 0x22
const BACKSLASH = 0x5c
export const COMMA = 0x2c
const COLON = 0x3a
const EQUALS = 0x3d
const MORE = 0x3e
const BRACKET = 0x28
const SLASH = 0x2f
const DASH = 0x2d
const APOSTROPHE = 0x27
const BACKTICK = 0x60
const BLANK_SIGN = 0x20
const CODE_DIGITS = 3
const LETTER_A = 0x61
const LETTER_F = 0x66
const LETTER_Z = 0x7a
const LETTER_T = 0x54
export const OPEN = 0x7b
export const CLOSE = 0x7d
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d

/** Reads names, values and texts of bytes in the memory; what reads events of them is in `loop.ts`. */
export class TextLoop {
  readonly mem: Uint8Array
  readonly kinds: Int32Array
  readonly next: Uint16Array
  readonly bits: Int32Array
  readonly slots: Int32Array
  readonly starts: Int32Array
  readonly lengths: Int32Array
  readonly flags: Int32Array
  readonly newNames: Int32Array
  readonly told: Int32Array
  end = 0
  isDirty = 0
  newCount = 0
  hasEscape = 0

  constructor(memory: ArrayBuffer) {
    this.mem = new Uint8Array(memory)
    this.kinds = new Int32Array(memory, AT.kinds, 256)
    this.next = new Uint16Array(memory, AT.next, (AT.bits - AT.next) >> 1)
    this.bits = new Int32Array(memory, AT.bits, (AT.slots - AT.bits) >> 2)
    this.slots = new Int32Array(memory, AT.slots, SLOTS)
    this.starts = new Int32Array(memory, AT.nameStarts, NAMES_MAX)
    this.lengths = new Int32Array(memory, AT.nameLengths, NAMES_MAX)
    this.flags = new Int32Array(memory, AT.flags, NAMES_MAX)
    this.newNames = new Int32Array(memory, AT.newNames, NEW_NAMES_MAX * 2)
    this.told = new Int32Array(memory, AT.told, TOLD_SIZE)
  }

  byte(at: number): number {
    return this.mem[at] ?? 0
  }

  kindAt(at: number): number {
    return this.kinds[this.byte(at)] ?? 0
  }

  skipWhite(from: number): number {
    let at = from
    while (at < this.end && (this.kindAt(at) & WHITE) !== 0) at++
    return at
  }

  /** From behind the quote that opens a text to behind the one that closes it. */
  skipText(from: number): number {
    let at = from
    this.hasEscape = 0
    while (at < this.end && this.byte(at) !== QUOTE) {
      if (this.byte(at) === BACKSLASH) {
        this.hasEscape = 1
        at++
      }
      at++
    }
    return at + 1
  }

  skipValue(from: number): number {
    let at = from
    let depth = 0
    while (at < this.end) {
      const code = this.byte(at)
      if (code === QUOTE) {
        at = this.skipText(at + 1)
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

  /** Returns what is known of a name; 0 if nobody asked yet, and it is noted as new. */
  flagsOf(start: number, stop: number): number {
    const length = stop - start
    if (length === 0 || length > NAME_BYTES_MAX || (this.kindAt(start) & DIGIT) !== 0) return 0
    let hash = 0
    for (let at = start; at < stop; at++) hash = (Math.imul(hash, 31) + this.byte(at)) | 0
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const name = this.slots[(hash + probe) & (SLOTS - 1)] ?? 0
      if (name === 0) break
      if (this.lengths[name - 1] !== length || this.isSame(this.starts[name - 1] ?? 0, start, length) === 0)
        continue
      const known = this.flags[name - 1] ?? 0
      if (known !== 0) return known
      break
    }
    if (this.newCount < NEW_NAMES_MAX) {
      this.newNames[2 * this.newCount] = start
      this.newNames[2 * this.newCount + 1] = length
      this.newCount++
    }
    return 0
  }

  isSame(one: number, other: number, length: number): number {
    for (let at = 0; at < length; at++) if (this.byte(one + at) !== this.byte(other + at)) return 0
    return 1
  }

  /** Returns where the name that ends at `at` begins, within a text. */
  nameStart(from: number, at: number): number {
    let start = at
    while (start > from && at - start <= NAME_BYTES_MAX && (this.kindAt(start - 1) & NAMING) !== 0) start--
    return start
  }

  /** 1 where the name before `=` or `:` may name a secret, or what stands there is no name; `UNKNOWN`; else 0. */
  mayName(start: number, at: number, code: number): number {
    if (code === COLON && this.byte(at + 1) === SLASH && this.byte(at + 2) === SLASH) return 0
    if (start === at || this.byte(start) === DASH) return 1
    let digit = start
    while (digit < at && (this.kindAt(digit) & DIGIT) !== 0) digit++
    if (digit === at || this.isHour(start, at) !== 0) return 0
    const known = this.flagsOf(start, at)
    if (known === 0) return UNKNOWN
    return (known & NAME_BEFORE_SIGN) === 0 ? 1 : 0
  }

  /**
   * True for an hour such as `2026-11-21T10` before a colon: its digits and its letter are no name, unless the
   * project has such a key.
   */
  isHour(start: number, at: number): number {
    if (at - start !== 13 || this.byte(start + 10) !== LETTER_T) return 0
    if (this.byte(start + 4) !== DASH || this.byte(start + 7) !== DASH) return 0
    let digits = 0
    for (let place = start; place < at; place++) if ((this.kindAt(place) & DIGIT) !== 0) digits++
    return digits === 10 ? 1 : 0
  }

  /** Same as that of `triggers.ts`. */
  hasCardRun(from: number, to: number): number {
    let run = 0
    let before = 0
    for (let at = from; at < to; at++) {
      const kind = this.kindAt(at)
      if ((kind & DIGIT) !== 0) {
        if (++run === CARD_RUN) return 1
      } else if ((kind & JOINING) === 0 || ((before & DIGIT) === 0 && this.byte(at) !== BLANK_SIGN)) run = 0
      before = kind
    }
    return 0
  }

  /** Three digits before a blank. */
  mayBeCode(from: number, to: number): number {
    let run = 0
    for (let at = from; at < to; at++) {
      if ((this.kindAt(at) & DIGIT) !== 0) run++
      else {
        if (run >= CODE_DIGITS && this.byte(at) === BLANK_SIGN) return 1
        run = 0
      }
    }
    return 0
  }

  /** A hexadecimal number of the length that ids have, or a UUID. */
  isId(from: number, to: number): number {
    const length = to - from
    if (length !== 16 && length !== 32 && length !== 36) return 0
    for (let at = from; at < to; at++) {
      const code = this.byte(at)
      const isDigit = (this.kindAt(at) & DIGIT) !== 0 || (code >= LETTER_A && code <= LETTER_F)
      if (!isDigit && (code !== DASH || length !== 36 || this.isDashOfId(at - from) === 0)) return 0
    }
    return 1
  }

  isDashOfId(place: number): number {
    return place === 8 || place === 13 || place === 18 || place === 23 ? 1 : 0
  }

  /** Same as that of `triggers.ts`, for ASCII; it says yes a little more often. */
  isTokenLike(from: number, to: number): number {
    let run = 0
    let kindsOfRun = 0
    let uppers = 0
    let blob = 0
    let kindsOfBlob = 0
    for (let at = from; at < to; at++) {
      const kind = this.kindAt(at)
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

  /**
   * Same as that of `seeds.ts`, but for words in a row as long as twelve are at least. It reads backwards, and goes on
   * behind what no seed has: of most texts it reads a third.
   */
  mayHoldSeed(from: number, to: number): number {
    let start = from
    while (start + SEED_CHARS_MIN <= to) {
      let at = start + SEED_CHARS_MIN - 1
      let letters = SEED_LETTERS_MIN // those behind are not counted
      let most = SEED_RUN_MAX
      while (at >= start) {
        const code = this.byte(at)
        if (code >= LETTER_A && code <= LETTER_Z) {
          letters++
          if (letters > most) break
        } else {
          if ((code !== BLANK_SIGN && code !== COMMA) || (letters !== 0 && letters < SEED_LETTERS_MIN)) break
          letters = 0
          most = SEED_LETTERS_MAX
        }
        at--
      }
      if (at < start) return 1
      start = at + 1
    }
    return 0
  }

  mayHoldIban(from: number, to: number): number {
    let tail = 0
    for (let at = from; at < to; at++) {
      const kind = this.kindAt(at)
      tail = (tail << 2) | ((kind & DIGIT) !== 0 ? 1 : 0) | ((kind & LETTER) !== 0 ? 2 : 0)
      if ((tail & IBAN_MASK) === IBAN) return 1
    }
    return 0
  }

  /** Reads a text from behind its opening quote; what may be a secret makes the crumb dirty. */
  text(from: number): number {
    const seen = newText(from)
    let at = from
    let state = START
    while (at < this.end && this.byte(at) !== QUOTE) {
      let code = this.byte(at)
      let width = 1
      if (code === BACKSLASH) {
        this.hasEscape = 1
        if (this.byte(at + 1) !== QUOTE) {
          this.isDirty |= 1
          return this.skipText(at)
        }
        code = QUOTE
        width = 2
      }
      const kind = this.kinds[code] ?? 0
      seen.kinds |= kind
      state = this.next[(state << WIDTH_BITS) + (kind & CLASS)] ?? 0
      seen.found |= this.bits[state] ?? 0
      if ((kind & SIGN) !== 0) this.sign(seen, at, code)
      if ((kind & BLANK) !== 0) seen.blank |= seen.run
      seen.run = (kind & WORD) !== 0 ? seen.run + 1 : 0
      seen.runs |= seen.run
      if ((kind & DIGIT) !== 0) seen.digits++
      at += width
    }
    if (at - from >= CHARS_MIN) this.isDirty |= this.judged(seen, at)
    return at + 1
  }

  sign(seen: TextSeen, at: number, code: number): void {
    if (code === EQUALS || code === COLON) {
      seen.named = this.nameStart(seen.from, at)
      seen.bad |= this.mayName(seen.named, at, code)
      if (code === EQUALS && this.byte(at + 1) !== BACKSLASH) seen.noSelector = 1
    } else if (code === QUOTE) this.quote(seen, at)
    else if (code === OPEN_LIST) {
      if ((this.kindAt(at - 1) & NAMING) === 0 && this.byte(at - 1) !== CLOSE_LIST) seen.noSelector = 1
      if ((this.kindAt(at + 1) & LETTER) === 0) seen.noSelector = 1
    } else if (code === MORE) {
      if (this.byte(at - 1) === DASH) seen.bad |= 1
    } else if (code === BRACKET) {
      const behind = this.byte(at + 1)
      if (behind === BACKSLASH || behind === APOSTROPHE || behind === BACKTICK) seen.bad |= 1
    } else seen.bad |= 1
  }

  /** Reads a quote of a selector: `[name=` before an opening one, a word and `]` around a closing one. */
  quote(seen: TextSeen, at: number): void {
    seen.quotes++
    if ((seen.quotes & 1) !== 0) {
      if (this.byte(at - 1) !== EQUALS || this.byte(seen.named - 1) !== OPEN_LIST) seen.noSelector = 1
      seen.quoteAt = at + 2
      return
    }
    const isWord = seen.run !== 0 && seen.run === at - seen.quoteAt
    if (!isWord || this.byte(at + 2) !== CLOSE_LIST) seen.noSelector = 1
  }

  /** Not 0 where a rule may match. */
  judged({ from, found, kinds, ...seen }: TextSeen, to: number): number {
    let bad = seen.bad
    const first = this.byte(from)
    if (first === OPEN || first === OPEN_LIST || first <= 0x20) bad |= 1
    if ((kinds & BEYOND) !== 0 || (found & ALWAYS) !== 0) bad |= 1
    if ((kinds & WHITE) !== 0 && (found & IN_WORDS) !== 0) bad |= 1
    if (bad === 0 && (kinds & WHITE) !== 0 && (found & CODED) !== 0) bad = this.mayBeCode(from, to)
    if (seen.blank !== 0 && (found & OF_VALUES) !== 0) bad |= 1
    const mayBeGiven = (kinds & (WHITE | BRACE)) !== 0 || seen.quotes !== 0
    if (mayBeGiven && (found & GIVEN) !== 0 && ((found & BESIDE_GIVEN) !== 0 || (first | 0x20) === 0x65))
      bad |= 1
    if (seen.quotes === 0) {
      if ((found & QUOTING) !== 0) bad |= 1
    } else if (seen.noSelector !== 0 || (seen.quotes & 1) !== 0 || (kinds & NO_SELECTOR) !== 0) bad |= 1
    if (seen.digits >= NATIONAL_DIGITS && (found & NATIONAL) !== 0) bad |= 1
    if (bad === 0 && seen.digits >= DIGITS_MIN) bad = this.mayHoldIban(from, to)
    if (bad === 0 && seen.runs >= LONG_RUN && (found & ISSUED) !== 0) bad = 1
    if (bad === 0 && seen.digits >= CARD_RUN) bad = this.hasCardRun(from, to)
    if (bad === 0) bad = this.mayHoldSeed(from, to)
    if (bad === 0 && seen.runs >= LONG_RUN && this.isId(from, to) === 0) bad = this.isTokenLike(from, to)
    return bad
  }
}
