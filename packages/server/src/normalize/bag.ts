/** Bags of anything (extra data, contexts, variables): copied, with a bound on depth, bytes and visited keys. */
import type { Json, JsonObject } from '#base/json.ts'
import { isObject } from '#base/json.ts'
import { max } from '#base/limits.ts'
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

/** A copy of an object within the limits; an array becomes an object of its indices; anything else is a problem. */
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
    const copy: Record<string, Json> = {}
    const reader = this.#reader
    for (const key in value) {
      if (this.#bytesLeft <= 0 || --reader.visitsLeft <= 0) {
        this.#cutShort(Object.keys(value).length)
        break
      }
      const name = key.length > KEY_CHARS ? cutText(clean(key), KEY_CHARS) : clean(key)
      this.#bytesLeft -= name.length + 4
      reader.enter(name)
      setOwn(copy, name, this.value((value as RawObject)[key], depth)) // the loop's own key
      reader.leave()
    }
    return copy
  }

  #container(value: object, depth: number): Json {
    if (depth >= this.#depth) return this.#flattened(value)
    if (!Array.isArray(value)) return this.object(value, depth + 1)
    const list: Json[] = []
    for (const entry of value) {
      if (this.#bytesLeft <= 0 || --this.#reader.visitsLeft <= 0) {
        this.#cutShort(value.length)
        break
      }
      this.#bytesLeft -= 1
      list.push(this.value(entry, depth + 1))
    }
    return list
  }

  #flattened(value: object): Json {
    if (Object.keys(value).length === 0) return Array.isArray(value) ? [] : {}
    this.#reader.problem(null, 'too_deep', kindOf(value))
    const text = this.#reader.jsonText(value, Math.min(DEEP_TEXT_CHARS, this.#bytesLeft))
    return this.#string(text)
  }

  #string(value: string): string {
    const text = clean(value)
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

/** Assigns an own property, whatever its name: `__proto__` is a key like any other. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else target[key] = value
}
