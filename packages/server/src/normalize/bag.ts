/**
 * Bags of anything (extra data, contexts, variables), with a bound on depth, bytes and visited keys. Copy on write:
 * what is within the bounds is the parsed object itself, which belongs to this event alone.
 */
import type { Json, JsonObject } from '#base/json.ts'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { clean, cutText, type EventReader, kindOf, type RawObject } from './reader.ts'

export interface BagLimits {
  /** Levels below the bag itself that stay containers; deeper ones become their JSON text. */
  readonly depth: number
  /** Rough size of the JSON text, in UTF-16 units. */
  readonly bytes: number
  readonly stringChars?: number
}

const STRING_CHARS = max('stringCharsMax')
const KEY_CHARS = 200
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
    reader.problem(key, 'invalid_type', kindOf(value))
    return undefined
  }
  reader.enter(key)
  const walk = new BagWalk(reader, limits)
  const bag = walk.object(value, 0)
  reader.leave()
  return bag
}

/** As `readBag`, for a place that may hold any JSON value. */
export function readAny(reader: EventReader, value: unknown, key: string | number, limits: BagLimits): Json {
  reader.enter(key)
  const copy = new BagWalk(reader, limits).value(value, 0)
  reader.leave()
  return copy
}

class BagWalk {
  readonly #reader: EventReader
  readonly #depth: number
  readonly #stringChars: number
  #bytesLeft: number

  constructor(reader: EventReader, limits: BagLimits) {
    this.#reader = reader
    this.#depth = limits.depth
    this.#bytesLeft = limits.bytes
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
    for (const key in bag) {
      if (this.#bytesLeft <= 0 || --reader.visitsLeft <= 0) {
        copy ??= copyUntil(bag, key)
        this.#cutShort(Object.keys(bag).length)
        break
      }
      const name = key.length > KEY_CHARS ? cutText(clean(key), KEY_CHARS) : reader.clean(key)
      this.#bytesLeft -= name.length + 4
      const raw = bag[key]
      reader.enter(name)
      const read = this.value(raw, depth)
      reader.leave()
      if (copy === null && (read !== raw || name !== key)) copy = copyUntil(bag, key)
      if (copy !== null) setOwn(copy, name, read)
    }
    return copy ?? (bag as JsonObject) // every value of it was read, and is JSON
  }

  #container(value: object, depth: number): Json {
    if (depth >= this.#depth) return this.#flattened(value)
    return Array.isArray(value) ? this.#list(value, depth) : this.object(value, depth + 1)
  }

  #list(list: readonly unknown[], depth: number): Json {
    let copy: Json[] | null = null
    for (let at = 0; at < list.length; at++) {
      if (this.#bytesLeft <= 0 || --this.#reader.visitsLeft <= 0) {
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
    return copy ?? (list as readonly Json[]) // every value of it was read, and is JSON
  }

  #flattened(value: object): Json {
    if (Object.keys(value).length === 0) return Array.isArray(value) ? [] : {}
    this.#reader.problem(null, 'too_deep', kindOf(value))
    const text = this.#reader.jsonText(value, Math.min(DEEP_TEXT_CHARS, this.#bytesLeft))
    return this.#string(text)
  }

  #string(value: string): string {
    const text = this.#reader.clean(value)
    const limit = Math.max(0, Math.min(this.#stringChars, this.#bytesLeft))
    this.#bytesLeft -= text.length + 2
    return text.length <= limit ? text : this.#reader.cut(text, 'text', limit)
  }

  #null(): null {
    this.#bytesLeft -= 4
    return null
  }

  #cutShort(length: number): void {
    this.#reader.problem(null, 'too_many', `${length} entries`)
  }
}

/** What came before `stop`, as it is. */
function copyUntil(bag: RawObject, stop: string): Record<string, Json> {
  const copy: Record<string, Json> = {}
  for (const key in bag) {
    if (key === stop) break
    setOwn(copy, key, bag[key] as Json) // read before, and unchanged
  }
  return copy
}

/** Assigns an own property, whatever its name: `__proto__` is a key like any other. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else target[key] = value
}
