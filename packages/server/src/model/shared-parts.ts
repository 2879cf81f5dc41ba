/**
 * Parts that event after event holds in the same words: the frames of a stack trace, the list of modules, what an SDK
 * says of itself, the debug ids of a build. A part that was seen before leaves the JSON text before it is parsed, and
 * what the steps made of it the last time stands in its place: it is not parsed, normalised, scrubbed, taken apart for
 * grouping or written as JSON again. Of an error that repeats, that is half of the text and more than half of the work.
 *
 *   {"exception":{"values":[{"stacktrace":{"frames":[{…},{…}]}}]}}     as it came
 *   {"exception":{"values":[{"stacktrace":{"frames":"TOKEN:0"}}]}}     what is parsed
 *
 * Sound, because a part is a whole JSON value, compared character by character, behind a key: in valid JSON an
 * unescaped `{"frames":[` or `,"frames":[` is never inside a string. Who parses must ask for every token it was given
 * (`isUsedUp`); a text of which it did not is parsed whole. A token holds a secret of this process, so that no client
 * can write one.
 */

import { randomBytes } from 'node:crypto'
import type { JsonObject } from '#base/json.ts'
import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'
import type { Frame } from './event.ts'

export type PartKind = 'frames' | 'modules' | 'sdk' | 'debug_meta'
/** Normalised value of a part; shared between events, so never to be written to. */
export type PartValue = readonly Frame[] | JsonObject

export interface SharedPart {
  readonly kind: PartKind
  /** JSON as it came, in UTF-8. */
  readonly bytes: Buffer
  /** Normalised value for one platform, if no problem was found; `null` until then. */
  normalized: { readonly value: PartValue; readonly platform: string; readonly visits: number } | null
}

/** The tokens of one text, until they are used up. */
export interface TakenParts {
  /** The JSON with a token for each part, and the same in UTF-8. */
  readonly text: string
  readonly bytes: Buffer
  /** The part behind a token, once. */
  use(token: unknown, kind: PartKind): SharedPart | null
  /** True when every token was asked for: none is left among what was parsed. */
  isUsedUp(): boolean
}

interface Written {
  /** UTF-8. */
  readonly json: Buffer
  /** Scrubbers for which it holds no secret. */
  readonly cleanFor: WeakSet<object>
}

interface Place {
  readonly start: number
  readonly part: SharedPart
}

const BYTES_MIN = 256
const BYTES_MAX = max('sharedPartBytesMax')
const PARTS_MAX = max('sharedPartsMax')
const ALL_BYTES_MAX = max('sharedPartsBytesMax')
const PLACES_TRIED_MAX = 64
const ENDS_TRIED_MAX = 3
const TAIL_BYTES = 96
const BRACE = 0x7b
const BRACE_END = 0x7d
const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** End of a part; `null` if it ends with its own brace. */
interface Shape {
  readonly kind: PartKind
  readonly end: Buffer | null
  /** An event has one such field: the text behind it is not searched. */
  readonly isOne: boolean
}
const FRAMES: Shape = { kind: 'frames', end: Buffer.from('}]'), isOne: false }
const MODULES: Shape = { kind: 'modules', end: Buffer.from('"}'), isOne: true }
const SDK: Shape = { kind: 'sdk', end: null, isOne: true }
const DEBUG_META: Shape = { kind: 'debug_meta', end: null, isOne: true }
/**
 * Beginning of a part with two characters before it: behind `{` or `,` a quote opens a key. One pattern for
 * all reads a text once, in half the time of a search for each.
 */
const BEGINNING = /[{,]"(?:frames":\[\{|modules":\{"|sdk":\{"|debug_meta":\{")/g

/** The shape that begins with this letter. */
function partShape(letter: number | undefined): Shape {
  if (letter === 0x66) return FRAMES
  if (letter === 0x6d) return MODULES
  return letter === 0x73 ? SDK : DEBUG_META
}

/**
 * Works on bytes: a text put together from pieces is parsed a third slower than one that was decoded whole, and the
 * strings of its values are slower to read afterwards.
 */
export class SharedParts {
  /** Clean source lines around frames. */
  readonly lines = new CleanLines()
  readonly #secret = randomBytes(16).toString('hex')
  /** By length and last characters; the younger half and the older one. */
  #young = new Map<string, SharedPart>()
  #old = new Map<string, SharedPart>()
  #youngBytes = 0
  /** Seen once: what never comes again is not worth keeping. */
  #seen = new Set<string>()
  /** Tokens in UTF-8, quotes included, by number. */
  readonly #tokens: Buffer[] = []
  /** Seen, and no whole value: the end that was guessed is inside of it. */
  #broken = new Set<string>()
  readonly #written = new WeakMap<PartValue, Written>()

  /** Takes the known parts out of JSON in UTF-8; `null` when it holds none. */
  take(json: Uint8Array): TakenParts | null {
    const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
    const places = this.#placesIn(bytes)
    if (places.length === 0) return null
    const pieces: Buffer[] = []
    const parts: SharedPart[] = []
    let copied = 0
    for (const { start, part } of places) {
      pieces.push(bytes.subarray(copied, start), this.#token(parts.length))
      copied = start + part.bytes.length
      parts.push(part)
    }
    pieces.push(bytes.subarray(copied))
    return this.#taken(Buffer.concat(pieces), parts)
  }

  /** Notes what normalising made of a part. */
  keep(part: SharedPart, value: PartValue, { platform, visits }: { platform: string; visits: number }): void {
    part.normalized = { value, platform, visits }
    this.keepDerived(value)
  }

  /** Notes what a step made of a shared value, where it makes the same of it every time. */
  keepDerived(value: PartValue): void {
    this.#written.set(value, { json: Buffer.from(JSON.stringify(value)), cleanFor: new WeakSet() })
  }

  /** True if several events share the value. */
  has(value: PartValue): boolean {
    return this.#written.has(value)
  }

  /** The JSON of a shared value, in UTF-8. */
  jsonOf(value: PartValue): Buffer | undefined {
    return this.#written.get(value)?.json
  }

  /** True for a value in which the scrubber (whatever stands for it) found nothing before. */
  isCleanFor(value: PartValue, scrubber: object): boolean {
    return this.#written.get(value)?.cleanFor.has(scrubber) === true
  }

  markClean(value: PartValue, scrubber: object): void {
    this.#written.get(value)?.cleanFor.add(scrubber)
  }

  /** Returns a text that can stand for a part while an event is written: no event can hold it. */
  get placeholder(): string {
    return this.#secret
  }

  #token(number: number): Buffer {
    const token = this.#tokens[number] ?? Buffer.from(`"${this.#secret}:${number}"`)
    this.#tokens[number] = token
    return token
  }

  #taken(bytes: Buffer, parts: readonly SharedPart[]): TakenParts {
    const prefix = `${this.#secret}:`
    const left: (SharedPart | null)[] = [...parts]
    let leftCount = parts.length
    return {
      text: bytes.toString('utf8'),
      bytes,
      use(token, kind) {
        if (typeof token !== 'string' || !token.startsWith(prefix)) return null
        const place = Number(token.slice(prefix.length))
        const part = left[place]
        if (part?.kind !== kind) return null
        left[place] = null
        leftCount--
        return part
      },
      isUsedUp: () => leftCount === 0,
    }
  }

  /** Returns the places of parts in order; none lies inside another. */
  #placesIn(bytes: Buffer): readonly Place[] {
    const places: Place[] = []
    const done = new Set<Shape>()
    const text = bytes.toString('latin1') // a character a byte
    BEGINNING.lastIndex = 0
    for (let tries = 0; tries < PLACES_TRIED_MAX; tries++) {
      const match = BEGINNING.exec(text)
      if (match === null) break
      const start = BEGINNING.lastIndex - 2
      const shape = partShape(bytes[match.index + 2])
      if (done.has(shape)) continue
      const part = this.#partAt(bytes, start, shape)
      if (part === null) continue
      places.push({ start, part })
      if (shape.isOne) done.add(shape)
      BEGINNING.lastIndex = start + part.bytes.length
    }
    return places
  }

  #partAt(bytes: Buffer, start: number, { kind, end }: Pick<Shape, 'kind' | 'end'>): SharedPart | null {
    if (end === null) {
      const stop = endOfObject(bytes, start)
      if (stop - start < BYTES_MIN) return null
      return this.#find(bytes, start, stop) ?? this.#admit(bytes.subarray(start, stop), kind)
    }
    let stop = start
    for (let tries = 0; tries < ENDS_TRIED_MAX; tries++) {
      const at = bytes.indexOf(end, stop)
      if (at === -1) return null
      stop = at + end.length
      if (stop - start > BYTES_MAX) return null
      if (stop - start < BYTES_MIN || (bytes[stop] !== BRACE_END && bytes[stop] !== COMMA)) continue
      const part = this.#find(bytes, start, stop) ?? this.#admit(bytes.subarray(start, stop), kind)
      if (part !== null) return part
    }
    return null
  }

  #find(bytes: Buffer, start: number, stop: number): SharedPart | null {
    const key = partKey(bytes, start, stop)
    const young = this.#young.get(key)
    const part = young ?? this.#old.get(key)
    if (part === undefined || part.bytes.compare(bytes, start, stop) !== 0) return null
    if (young === undefined) this.#insert(key, part)
    return part
  }

  /** A part whose like was seen before, if it is a whole value. */
  #admit(bytes: Buffer, kind: PartKind): SharedPart | null {
    const key = partKey(bytes, 0, bytes.length)
    if (this.#broken.has(key)) return null
    if (!this.#seen.has(key)) {
      addBounded(this.#seen, key)
      return null
    }
    if (!isWhole(bytes)) {
      addBounded(this.#broken, key)
      return null
    }
    // Bytes of its own: a view would keep the whole event alive.
    const part: SharedPart = { kind, bytes: Buffer.copyBytesFrom(bytes), normalized: null }
    this.#insert(key, part)
    return part
  }

  #insert(key: string, part: SharedPart): void {
    if (this.#young.size >= PARTS_MAX / 2 || this.#youngBytes > ALL_BYTES_MAX / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(key, part)
    this.#youngBytes += part.bytes.length
  }
}

/** Behind the brace that closes the object at `start`; 0 where there is none within the bound. */
function endOfObject(bytes: Buffer, start: number): number {
  const last = Math.min(bytes.length, start + BYTES_MAX)
  let depth = 0
  let isText = false
  for (let at = start; at < last; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === BRACE) depth++
    else if (byte === BRACE_END && --depth === 0) return at + 1
  }
  return 0
}

function addBounded(keys: Set<string>, key: string): void {
  if (keys.size >= PARTS_MAX) keys.clear()
  keys.add(key)
}

/** Length and last characters: the last frame is the one that failed. */
function partKey(bytes: Buffer, start: number, stop: number): string {
  return `${stop - start}:${bytes.toString('latin1', Math.max(start, stop - TAIL_BYTES), stop)}`
}

function isWhole(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false // the end that was guessed is inside of it
  }
}

/**
 * Lines of source that were looked at and hold no secret: the same lines stand around the frames of event after event,
 * also where no two stacks are alike. Bounded in lines, and forgetful by halves.
 */
class CleanLines {
  readonly #known = new Memo<Verdict>(() => ({ cleanFor: null }), {
    entriesMax: max('cleanLinesMax'),
    charsMax: max('cleanLineCharsMax'),
  })

  /** Returns what is known of a line; a line too long to remember is unknown each time. */
  of(line: string): Verdict {
    return this.#known.of(line)
  }
}

interface Verdict {
  /** By which keys it was judged to hold none; `null` until then. */
  cleanFor: object | null
}
