/**
 * Reads fields of an event leniently and notes what had to be repaired. One reader serves one event; it knows where
 * in the event it is, so that a problem's path is built only when there is a problem.
 */

import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { Problem, ProblemRule } from '#model/event.ts'
import type { SharedParts, TakenParts } from '#model/shared-parts.ts'

export type RawObject = Readonly<Record<string, unknown>>

/** Parts that were taken out of the text before it was parsed, and where they are known. */
export interface KnownParts {
  readonly taken: TakenParts
  readonly shared: SharedParts
}

/** `T` while it is being built. */
export type Building<T> = { -readonly [Key in keyof T]: T[Key] }

const STRING_CHARS = max('stringCharsMax')
const PROBLEMS = max('problemsMax')
const FOUND_CHARS = 64
const PATH_CHARS = 256
const NESTED_TEXT_DEPTH = max('jsonDepthMax')
/** Lines, columns and ids of exceptions: more is no number of them. */
const INTEGER_MAX = 2 ** 31 - 1
const ELLIPSIS = '...'

export class EventReader {
  readonly problems: Problem[] = []
  /** Problems met, those beyond the bound of the list included. */
  met = 0
  /** Keys and elements that may still be visited. */
  visitsLeft = max('eventKeysMax')
  /** Set when nesting went beyond `jsonDepthMax`: an attack, not data. */
  tooDeep = false
  /** True while no text can hold a NUL or a lone surrogate, because the JSON has no escape that writes one. */
  isPlain: boolean
  readonly parts: KnownParts | null
  /** The first `#at` entries are where the reader is. */
  readonly #path: (string | number)[] = []
  #at = 0

  constructor({ isPlain = false, parts = null }: { isPlain?: boolean; parts?: KnownParts | null } = {}) {
    this.isPlain = isPlain
    this.parts = parts
  }

  enter(key: string | number): void {
    this.#path[this.#at++] = key
  }

  leave(): void {
    this.#at--
  }

  /** Returns the text without what the stores cannot hold. */
  clean(text: string): string {
    return this.isPlain ? text : cleanText(text)
  }

  problem(key: string | number | null, rule: ProblemRule, found?: unknown): void {
    this.met++
    if (this.problems.length >= PROBLEMS) return
    const place = this.#path.slice(0, this.#at)
    if (key !== null) place.push(key)
    const path = place.join('.').slice(0, PATH_CHARS)
    const text = found === undefined ? undefined : shortly(found)
    this.problems.push(
      text === undefined ? { path: cleanText(path), rule } : { path: cleanText(path), rule, found: text },
    )
  }

  /**
   * A lenient string: numbers and booleans become text, objects are refused. Absent for `null`, `undefined` and
   * what trims to nothing. More than `limit + allowance` characters are cut to `limit`, ending in `...`.
   */
  text(value: unknown, key: string | number, limit = STRING_CHARS, allowance = 0): string | undefined {
    if (value === null || value === undefined) return undefined
    const text = typeof value === 'string' ? value : scalarText(value)
    if (text === undefined) {
      this.problem(key, 'invalid_type', typeName(value))
      return undefined
    }
    const plain = this.isPlain ? text : cleanText(text)
    if (plain === '') return undefined // nothing was said, or nothing that can be kept
    return plain.length <= limit ? plain : this.cut(plain, key, limit + allowance, limit)
  }

  /** Reads as `text`, trimmed; absent if nothing is left. */
  trimmed(value: unknown, key: string | number, limit = STRING_CHARS): string | undefined {
    if (value === null || value === undefined) return undefined
    const text = this.text(typeof value === 'string' ? value.trim() : value, key, limit)
    return text === '' ? undefined : text
  }

  /** Reads as `text`, but objects become JSON text. */
  textOrJson(value: unknown, key: string | number, limit = STRING_CHARS, allowance = 0): string | undefined {
    if (typeof value === 'object' && value !== null) {
      return this.text(this.jsonText(value, limit * 2), key, limit, allowance)
    }
    return this.text(value, key, limit, allowance)
  }

  /** A whole number, also as text; anything else is a problem. */
  integer(value: unknown, key: string | number, least = 0): number | undefined {
    if (value === null || value === undefined || value === '') return undefined
    const number = typeof value === 'string' && value.length <= 20 ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number)) {
      const whole = Math.trunc(number)
      if (whole >= least && whole <= INTEGER_MAX) return whole
      this.problem(key, 'invalid_value', value)
      return undefined
    }
    this.problem(key, 'invalid_type', typeName(value))
    return undefined
  }

  boolean(value: unknown, key: string | number): boolean | undefined {
    if (value === null || value === undefined) return undefined
    if (typeof value === 'boolean') return value
    if (value === 1 || value === 'true' || value === 'True' || value === '1') return true
    if (value === 0 || value === 'false' || value === 'False' || value === '0') return false
    this.problem(key, 'invalid_type', typeName(value))
    return undefined
  }

  /** An object, or nothing; `[]` is how PHP writes an empty object. */
  object(value: unknown, key: string | number): RawObject | undefined {
    if (isObject(value)) return value
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
      return undefined
    this.problem(key, 'invalid_type', typeName(value))
    return undefined
  }

  /** A list as `{"values": [...]}`, as a bare array, or as one object. Entries that are no objects are left out. */
  values(value: unknown, key: string): readonly RawObject[] {
    if (value === null || value === undefined) return []
    if (Array.isArray(value)) return this.#objectsOf(value, key)
    if (!isObject(value)) {
      this.problem(key, 'invalid_type', typeName(value))
      return []
    }
    if (!Object.hasOwn(value, 'values')) return Object.keys(value).length === 0 ? [] : [value]
    if (Array.isArray(value.values)) return this.#objectsOf(value.values, key)
    if (value.values !== null && value.values !== undefined) {
      if (isObject(value.values)) return [value.values]
      this.problem(key, 'invalid_type', typeName(value.values))
    }
    return []
  }

  #objectsOf(list: readonly unknown[], key: string): readonly RawObject[] {
    const objects: RawObject[] = []
    for (const [at, entry] of list.entries()) {
      if (isObject(entry)) objects.push(entry)
      else if (entry !== null && entry !== undefined)
        this.problem(`${key}.${at}`, 'invalid_type', typeName(entry))
    }
    return objects
  }

  /** Cuts what is longer than `allowed` to `limit` characters, `...` included, never inside a character. */
  cut(text: string, key: string | number | null, allowed: number, limit = allowed): string {
    if (text.length <= allowed) return text
    this.problem(key, 'too_long', `${text.length} characters`)
    return cutText(text, limit)
  }

  /** JSON text of at most about `chars` characters; sets `tooDeep` instead of overflowing the stack. */
  jsonText(value: unknown, chars: number): string {
    const budget = { left: chars }
    return this.#json(value, budget, 0)
  }

  #json(value: unknown, budget: { left: number }, depth: number): string {
    if (typeof value !== 'object' || value === null) {
      const text =
        typeof value === 'string'
          ? JSON.stringify(cutText(cleanText(value), STRING_CHARS))
          : (JSON.stringify(value) ?? 'null')
      budget.left -= text.length
      return text
    }
    if (depth >= NESTED_TEXT_DEPTH) {
      this.tooDeep = true
      return 'null'
    }
    const parts: string[] = []
    for (const key in value) {
      if (budget.left <= 0 || --this.visitsLeft <= 0) break
      budget.left -= key.length + 4
      // The loop's own key of the object it walks.
      const inner = this.#json((value as RawObject)[key], budget, depth + 1)
      parts.push(Array.isArray(value) ? inner : `${JSON.stringify(cleanText(key))}:${inner}`)
    }
    return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
  }
}

/** Text of a string, number or boolean; `undefined` for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return undefined
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Without NUL characters and lone surrogates, which no store and no UTF-8 text can hold. */
export function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.replace(LONE_SURROGATE, '')
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '') : wellFormed
}

/** At most `limit` characters, `...` at the end of what was cut. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  let end = Math.max(0, limit - ELLIPSIS.length)
  const last = text.charCodeAt(end - 1)
  if (last >= 0xd800 && last <= 0xdbff) end--
  return text.slice(0, end) + ELLIPSIS
}

/** Names the type of a value; never the value itself. */
export function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value
}

function shortly(found: unknown): string {
  const text = scalarText(found) ?? typeName(found)
  return cleanText(cutText(text, FOUND_CHARS))
}
