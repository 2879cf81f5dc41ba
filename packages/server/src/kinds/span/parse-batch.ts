/**
 * Parses a container of spans so that spans which say the same have one and the same object of attributes. Most spans of
 * a request differ in name and times alone, and attributes are most of the text: each wording is parsed once, and who
 * reads, bounds and scrubs them may do so once an object.
 *
 *   {"span_id":"a1…","attributes":{"sentry.op":{…}}}     as it came
 *   {"span_id":"a1…","attributes":0}                     what is parsed, beside the wordings, each once
 *
 * Sound, because what is taken out is a whole JSON object: a text that parses as an object has no beginning that does.
 * A text in which `"attributes"` may stand anywhere else, or be spelled otherwise, is parsed whole.
 */
import { isObject } from '#base/json.ts'
import { parseJson, readLenientJson } from '../lenient-json.ts'

const KEY = '"attributes"'
const OPEN = ':{'
/** Behind them an unescaped quote begins a key, or the text is no JSON. */
const BEFORE_KEY: ReadonlySet<string> = new Set(['{', ','])
const CLOSE = '}}'
const EMPTY = '{}'
/** A value may hold what looks like the end; few do. */
const ENDS_TRIED_MAX = 3
const FEW = 8

/**
 * Parses spans as `readLenientJson` reads plain JSON; in a container, attributes written alike are one
 * object, which nobody may write to.
 */
export function parseSpans(bytes: Uint8Array): unknown {
  const taken = takeAttributes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  if (taken === null) return readLenientJson(bytes)
  const raw = parseJson(taken.text)
  if (!isObject(raw) || !Array.isArray(raw.items)) return readLenientJson(bytes)
  putBack(raw.items, taken.values)
  return raw
}

interface Taken {
  /** With a number in the place of each object. */
  readonly text: string
  /** By number. */
  readonly values: readonly unknown[]
}

/** `null` where the text has none, or has the word in another place. */
function takeAttributes(text: string): Taken | null {
  const wordings = new Wordings()
  let rest = ''
  let copied = 0
  for (let at = text.indexOf(KEY); at !== -1; at = text.indexOf(KEY, copied)) {
    const start = at + KEY.length + 1
    const isKey = BEFORE_KEY.has(text[at - 1] ?? '') && text.startsWith(OPEN, start - 1)
    const found = isKey ? objectAt(text, start, wordings) : null
    if (found === null) return null
    rest += text.slice(copied, start) + found.number
    copied = found.end
  }
  return copied === 0 ? null : { text: rest + text.slice(copied), values: wordings.values }
}

/** The object that begins at `start`, and where it ends. */
function objectAt(
  text: string,
  start: number,
  wordings: Wordings,
): { readonly number: number; readonly end: number } | null {
  let from = start
  for (let tries = 0; tries < ENDS_TRIED_MAX; tries++) {
    const at = text.startsWith(EMPTY, start) ? start : text.indexOf(CLOSE, from)
    if (at === -1) return null
    const end = at + CLOSE.length
    const number = wordings.numberOf(text.slice(start, end))
    if (number !== null) return { number, end }
    from = at + 1
  }
  return null
}

/** Objects as they are written, each once. */
class Wordings {
  /** By number. */
  readonly values: unknown[] = []
  readonly #numbers = new Map<string, number>()
  /** The first ones: to compare with a few is quicker than to look a long text up. */
  readonly #few: string[] = []

  /** `null` for what is no JSON. */
  numberOf(wording: string): number | null {
    const known = this.#few.indexOf(wording)
    if (known !== -1) return known
    const number = this.#numbers.get(wording)
    if (number !== undefined) return number
    const value = parseJson(wording)
    if (value === undefined) return null
    if (this.#few.length < FEW) this.#few.push(wording)
    else this.#numbers.set(wording, this.values.length)
    return this.values.push(value) - 1
  }
}

/** Puts them where spans and links had them; elsewhere nobody reads them. */
function putBack(items: readonly unknown[], values: readonly unknown[]): void {
  for (const item of items) {
    if (!isWritable(item)) continue
    if (typeof item.attributes === 'number') item.attributes = values[item.attributes]
    if (Array.isArray(item.links)) putBack(item.links, values)
  }
}

/** True for a value that was just parsed, and may be written to. */
function isWritable(value: unknown): value is Record<string, unknown> {
  return isObject(value)
}
