/**
 * Bags of anything (extra data, contexts, variables), with a bound on depth, bytes and visited keys. Copy on write:
 * what is within the bounds is the parsed object itself, which belongs to this event alone.
 *
 * What is kept is charged, not what came. Once a value asks for more than half of what is left, each key that is still
 * to come has a little set aside, so that one large value takes no other with it.
 */
import type { Json, JsonObject } from '#base/json.ts'
import { isObject, setOwn } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { cleanText, cutText, type EventReader, type RawObject, typeName } from './reader.ts'

export interface BagLimits {
  /** Levels below the bag itself that stay containers; deeper ones become their JSON text. */
  readonly depth: number
  /** Rough size of the JSON text, in UTF-16 units. */
  readonly bytes: number
  readonly stringChars?: number
}

const STRING_CHARS = max('stringCharsMax')
const KEY_CHARS = 200
/** A name and a short value, such as `customer_id: 4711`. */
const LITTLE_BYTES = 96
const DEEP_TEXT_CHARS = 2_048

export const EXTRA_LIMITS: BagLimits = { depth: max('bagDepthMax'), bytes: max('bagBytesMax') }
export const CONTEXT_LIMITS: BagLimits = { depth: max('bagDepthMax'), bytes: max('contextBytesMax') }
export const VARS_LIMITS: BagLimits = { depth: 5, bytes: max('frameVarsBytesMax'), stringChars: 1_024 }

/** An object within the limits; an array becomes an object of its indices; anything else is a problem. */
export function readBag(
  reader: EventReader,
  value: unknown,
  key: string | number,
  limits: BagLimits,
): JsonObject | undefined {
  if (value === null || value === undefined) return undefined
  if (!isObject(value) && !Array.isArray(value)) {
    reader.problem(key, 'invalid_type', typeName(value))
    return undefined
  }
  reader.enter(key)
  const walk = new BagWalk(reader, limits)
  const bag = walk.object(value, 0)
  reader.leave()
  return bag
}

/** Reads any JSON value as `readBag` does. */
export function readAny(reader: EventReader, value: unknown, key: string | number, limits: BagLimits): Json {
  reader.enter(key)
  const copy = new BagWalk(reader, limits).value(value, 0)
  reader.leave()
  return copy
}

/** A container that the walk is in. */
interface OpenContainer {
  container: object
  /** Keys or elements reached, the one at hand included. */
  visited: number
  /** Set aside for each that is still to come, of `count` in all; 0 while the budget is not short. */
  little: number
  count: number
}

class BagWalk {
  readonly #reader: EventReader
  readonly #depth: number
  readonly #stringChars: number
  /** Bytes left for the bag; `#setAside` of them are for keys still to come. */
  #bytesLeft: number
  /** A bag takes half of the event's visits that are left at most. */
  readonly #visitsMin: number
  readonly #bytesShort: number
  #setAside = 0
  /** True once the budget is short and something is set aside. */
  #isShort = false
  /** The containers that the walk is in, outermost first: the first `#level` entries. */
  readonly #open: OpenContainer[] = []
  #level = 0

  constructor(reader: EventReader, limits: BagLimits) {
    this.#reader = reader
    this.#depth = limits.depth
    this.#bytesLeft = limits.bytes
    this.#visitsMin = Math.floor(reader.visitsLeft / 2)
    this.#bytesShort = limits.bytes / 2
    this.#stringChars = Math.min(limits.stringChars ?? STRING_CHARS, limits.bytes)
  }

  value(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'string':
        return this.#string(value)
      case 'number':
        this.#bytesLeft -= 8
        return Number.isFinite(value) ? value : String(value)
      case 'boolean':
        this.#bytesLeft -= 5
        return value
      case 'object':
        return value === null ? this.#null() : this.#container(value, depth)
      default:
        return null
    }
  }

  object(value: object, depth: number): JsonObject {
    // An array becomes an object of its indices.
    let copy: Record<string, Json> | null = Array.isArray(value) ? {} : null
    const bag = value as RawObject // arrays have keys as well
    const reader = this.#reader
    const open = this.#enter(bag)
    for (const key in bag) {
      this.#next(open)
      if (this.#free() <= 0 || --reader.visitsLeft <= this.#visitsMin) {
        copy ??= copyBagUntil(bag, key)
        this.#cutShort(Object.keys(bag).length)
        break
      }
      const name = key.length > KEY_CHARS ? cutText(cleanText(key), KEY_CHARS) : reader.clean(key)
      this.#bytesLeft -= name.length + 4
      const raw = bag[key]
      reader.enter(name)
      const read = this.value(raw, depth)
      reader.leave()
      if (copy === null && (read !== raw || name !== key)) copy = copyBagUntil(bag, key)
      if (copy !== null) setOwn(copy, name, read)
    }
    this.#leave(open)
    return copy ?? (bag as JsonObject) // every value of it was read, and is JSON
  }

  #container(value: object, depth: number): Json {
    if (depth >= this.#depth) return this.#flattened(value)
    return Array.isArray(value) ? this.#list(value, depth) : this.object(value, depth + 1)
  }

  #list(list: readonly unknown[], depth: number): Json {
    let copy: Json[] | null = null
    const open = this.#enter(list)
    for (let at = 0; at < list.length; at++) {
      this.#next(open)
      if (this.#free() <= 0 || --this.#reader.visitsLeft <= this.#visitsMin) {
        copy ??= list.slice(0, at) as Json[] // those read so far
        this.#cutShort(list.length)
        break
      }
      this.#bytesLeft -= 1
      const raw = list[at]
      const read = this.value(raw, depth + 1)
      if (copy === null && read !== raw) copy = list.slice(0, at) as Json[] // those read so far
      copy?.push(read)
    }
    this.#leave(open)
    return copy ?? (list as readonly Json[]) // every value of it was read, and is JSON
  }

  #flattened(value: object): Json {
    if (Object.keys(value).length === 0) return Array.isArray(value) ? [] : {}
    this.#reader.problem(null, 'too_deep', typeName(value))
    const text = this.#reader.jsonText(value, Math.min(DEEP_TEXT_CHARS, this.#bytesLeft))
    return this.#string(text)
  }

  #string(value: string): string {
    const text = this.#reader.clean(value)
    if (!this.#isShort && this.#bytesLeft - Math.min(text.length, this.#stringChars) < this.#bytesShort)
      this.#setLittleAside()
    const limit = Math.max(0, Math.min(this.#stringChars, this.#free()))
    this.#bytesLeft -= Math.min(text.length, limit) + 2
    return text.length <= limit ? text : this.#reader.cut(text, null, limit)
  }

  /** Bytes that the value at hand may take. */
  #free(): number {
    return this.#bytesLeft - this.#setAside
  }

  #enter(container: object): OpenContainer {
    const open = this.#open[this.#level] ?? { container, visited: 0, little: 0, count: 0 }
    this.#open[this.#level] = open
    open.container = container
    open.visited = 0
    open.little = 0
    this.#level++
    if (this.#isShort) this.#setAsideIn(open)
    return open
  }

  /** The next key takes what was set aside for it. */
  #next(open: OpenContainer): void {
    if (!this.#isShort && this.#bytesLeft < this.#bytesShort) this.#setLittleAside()
    open.visited++
    this.#setAside -= open.little
  }

  #leave(open: OpenContainer): void {
    this.#level--
    if (open.little > 0) this.#setAside -= open.little * (open.count - open.visited)
  }

  #setLittleAside(): void {
    this.#isShort = true
    for (let level = 0; level < this.#level; level++) {
      const open = this.#open[level]
      if (open !== undefined) this.#setAsideIn(open)
    }
  }

  /** At most half of what is free, so that the value at hand has as much as all that come after it. */
  #setAsideIn(open: OpenContainer): void {
    const { container, visited } = open
    // Elements of a list are alike: the first ones whole say more than a little of each.
    if (Array.isArray(container)) return
    open.count = Object.keys(container).length
    const toCome = open.count - visited
    if (toCome <= 0) return
    open.little = Math.max(0, Math.min(LITTLE_BYTES, Math.floor(this.#free() / 2 / toCome)))
    this.#setAside += open.little * toCome
  }

  #null(): null {
    this.#bytesLeft -= 4
    return null
  }

  #cutShort(length: number): void {
    this.#reader.problem(null, 'too_many', `${length} entries`)
  }
}

/** Copies what came before `stop`, unchanged. */
function copyBagUntil(bag: RawObject, stop: string): Record<string, Json> {
  const copy: Record<string, Json> = {}
  for (const key in bag) {
    if (key === stop) break
    setOwn(copy, key, bag[key] as Json) // read before, and unchanged
  }
  return copy
}
