/** Pair lists: an object, a list of pairs, or (cookies and queries) one text to take apart. */
import { isObject } from '#base/json.ts'
import { type EventReader, typeName } from './reader.ts'

export type KeyValue = readonly [string, string]

export interface PairLimits {
  readonly pairs: number
  readonly keyChars: number
  readonly valueChars: number
  /** Characters of all pairs together, as far as a pair has more than a little. */
  readonly chars: number
}

const LITTLE_CHARS = 96

/** Pairs of an object or a list of pairs, in order. An array as a value gives a pair for each of its elements. */
export function readKeyValues(
  reader: EventReader,
  value: unknown,
  field: string,
  limits: PairLimits,
): KeyValue[] | undefined {
  if (value === null || value === undefined) return undefined
  const sink = new PairSink(reader, field, limits)
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) if (!sink.entry(entry, at)) break
  } else if (isObject(value)) {
    for (const key in value) if (!sink.pair(key, value[key])) break
  } else {
    reader.problem(field, 'invalid_type', typeName(value))
    return undefined
  }
  return sink.pairs.length === 0 ? undefined : sink.pairs
}

/**
 * Reads pairs as `readPairs` does, and text such as `a=1&b=2` (separator `&`) or `a=1; b=2` (separator `;`).
 */
export function readPairsOrText(
  reader: EventReader,
  value: unknown,
  field: string,
  { separator, ...limits }: PairLimits & { readonly separator: '&' | ';' },
): KeyValue[] | undefined {
  if (typeof value !== 'string') return readKeyValues(reader, value, field, limits)
  const sink = new PairSink(reader, field, limits)
  if (value.includes('%00')) reader.isPlain = false // an escape that the event's JSON does not show
  const text = reader.cut(value.startsWith('?') ? value.slice(1) : value, field, limits.chars)
  for (const part of text.split(separator, limits.pairs + 1)) {
    const piece = part.trim()
    if (piece === '') continue
    const at = piece.indexOf('=')
    const [name, rest] = at === -1 ? [piece, ''] : [piece.slice(0, at), piece.slice(at + 1)]
    const decoded =
      separator === '&'
        ? ([decodeForm(name), decodeForm(rest)] as const)
        : ([name.trim(), rest.trim()] as const)
    if (!sink.pair(decoded[0], decoded[1])) break
  }
  return sink.pairs.length === 0 ? undefined : sink.pairs
}

class PairSink {
  readonly pairs: KeyValue[] = []
  readonly #reader: EventReader
  readonly #field: string
  readonly #limits: PairLimits
  #charsLeft: number

  constructor(reader: EventReader, field: string, limits: PairLimits) {
    this.#reader = reader
    this.#field = field
    this.#limits = limits
    this.#charsLeft = limits.chars
  }

  /** False when there is no more room. */
  entry(entry: unknown, at: number): boolean {
    if (Array.isArray(entry) && entry.length >= 1) return this.pair(entry[0], entry[1])
    if (isObject(entry) && (Object.hasOwn(entry, 'key') || Object.hasOwn(entry, 'name'))) {
      return this.pair(entry.key ?? entry.name, entry.value)
    }
    if (entry !== null && entry !== undefined) {
      this.#reader.problem(`${this.#field}.${at}`, 'invalid_type', typeName(entry))
    }
    return true
  }

  pair(key: unknown, value: unknown): boolean {
    if (
      Array.isArray(value) &&
      value.length <= this.#limits.pairs &&
      value.every((one) => typeof one === 'string')
    ) {
      return value.every((one) => this.#add(key, one))
    }
    return this.#add(key, value)
  }

  #add(key: unknown, value: unknown): boolean {
    const reader = this.#reader
    if (this.pairs.length >= this.#limits.pairs || --reader.visitsLeft <= 0) {
      reader.problem(this.#field, 'too_many')
      return false
    }
    reader.enter(this.#field)
    const name = reader.trimmed(key, this.pairs.length, this.#limits.keyChars)
    if (name !== undefined) {
      // One takes half of what is left at most, and each a little: a large value takes no later one with it.
      const limit = Math.min(this.#limits.valueChars, Math.max(LITTLE_CHARS, Math.floor(this.#charsLeft / 2)))
      const text = reader.textOrJson(value, name, limit) ?? ''
      this.#charsLeft -= name.length + text.length
      this.pairs.push([name, text])
    }
    reader.leave()
    return true
  }
}

/** Percent-decoding that never throws: what is no valid escape stays as it is. */
function decodeForm(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced // a broken escape is kept as it was sent
  }
}
