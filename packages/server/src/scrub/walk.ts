/**
 * Walks values and scrubs them by key and by text. Copy on write: what holds no secret keeps its reference, so that
 * most of an event is looked at and not rebuilt.
 */
import type { ScrubbedPath } from '#base/event.ts'
import { max } from '#base/limits.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { addressesIn, namesAddress, reduceAddress } from './addresses.ts'
import { isHarmlessWord, isWorkingDirectory, type TextMode } from './assignments.ts'
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'
import { isCard } from './numbers.ts'
import { scrubText, type TextScrubOptions } from './text.ts'

export interface WalkOptions {
  readonly keys: SecretKeys
  readonly addresses: readonly (readonly [address: string, replacement: string])[]
  readonly addressPolicy: ScrubOptions['clientAddress']
  /** Ids and names of the event itself: a secret that repeats one does not take it away. */
  readonly known: ReadonlySet<string>
}

const PATHS_MAX = max('scrubbedPathsMax')
const PATH_CHARS = 256
const DEPTH_MAX = max('jsonDepthMax')
const LEARNED_MAX = 32
const LEARNED_CHARS_MIN = 8
const COOKIE_CHARS_MIN = 20
const LEARNED_CHARS_MAX = 4_096
const KEY_CHARS_MIN = 8
/** Fields that name an entry's key when its value stands beside it: `{name: "password", value: "…"}`. */
const KEY_FIELDS = ['name', 'key', 'header', 'field'] as const

const NOTHING: ReadonlySet<string> = new Set()
const ENTRY_NAME = /^[\w.$-]{1,64}$/

type Bag = Readonly<Record<string, unknown>>

export class ScrubWalk {
  readonly #found: ScrubbedPath[] = []
  /** Values taken out by name: the same value may stand elsewhere in the event without one. */
  readonly learned = new Set<string>()
  readonly #path: (string | number)[] = []
  readonly #options: WalkOptions
  readonly #text: TextScrubOptions
  readonly #source: TextScrubOptions
  #depth = 0

  constructor(options: WalkOptions) {
    this.#options = options
    this.#text = {
      mode: 'text',
      keys: options.keys,
      addresses: options.addresses,
      onRule: (rule) => this.note(rule),
      onFound: (rule, value) => {
        this.note(rule)
        this.learn(value)
      },
      json: (value) => this.value(value),
    }
    this.#source = { ...this.#text, mode: 'source' }
  }

  enter(key: string | number): void {
    this.#path.push(key)
  }

  leave(): void {
    this.#path.pop()
  }

  /** What was found, in paths that hold no secret themselves: keys come from clients too. */
  places(): readonly ScrubbedPath[] {
    const silent = { ...this.#text, onFound: () => {}, onRule: () => {} }
    return this.#found.map(({ path, rule }) => {
      let shown = scrubText(path, silent)
      for (const secret of this.learned) shown = shown.replaceAll(secret, FILTERED)
      return { path: shown, rule }
    })
  }

  note(rule: string): void {
    if (this.#found.length >= PATHS_MAX) return
    const path = this.#path.join('.').slice(0, PATH_CHARS)
    const last = this.#found.at(-1)
    if (last?.path !== path || last.rule !== rule) this.#found.push({ path, rule })
  }

  /** Remembers a secret that is telling enough to be looked for elsewhere. */
  learn(value: string, charsMin = LEARNED_CHARS_MIN): void {
    if (this.learned.size >= LEARNED_MAX) return
    const plain = value.trim().replace(/^(?:bearer|basic|token)\s+/i, '')
    if (plain.length < charsMin || plain.length > LEARNED_CHARS_MAX || this.#options.known.has(plain)) return
    // Words, numbers and addresses stand in an event for other reasons than the secret.
    if (!/\d/.test(plain) || /^[\d.,:-]+$/.test(plain) || /[\s]|:\/\/|\[Filtered\]/.test(plain)) return
    this.learned.add(plain)
  }

  text(text: string, mode: TextMode = 'text'): string {
    return scrubText(text, mode === 'text' ? this.#text : this.#source)
  }

  isSecretName(key: string): boolean {
    return this.#options.keys.ruleOf(key) !== null
  }

  /** The value of `key` within a bag or pair list. */
  keyed(key: string, value: unknown): unknown {
    const rule = this.#options.keys.ruleOf(key)
    if (rule !== null && isSecret(key, value)) return this.take(rule, value)
    if (this.#options.addressPolicy !== 'keep' && typeof value === 'string' && namesAddress(key)) {
      return this.address(value)
    }
    return this.value(value)
  }

  /** Takes a value out, and learns what it was. */
  take(rule: string, value: unknown): typeof FILTERED {
    this.note(rule)
    // Cookies hold regions and versions too: only what is long enough for an id is looked for elsewhere.
    if (typeof value === 'string') this.learn(value, rule === 'cookie' ? COOKIE_CHARS_MIN : LEARNED_CHARS_MIN)
    return FILTERED
  }

  /** A text known to hold client addresses. */
  address(text: string): string {
    const policy = this.#options.addressPolicy
    if (policy === 'drop') {
      if (text === FILTERED || text === '') return text
      this.note('client_address')
      return FILTERED
    }
    let out = this.text(text)
    for (const address of addressesIn(out)) {
      const reduced = reduceAddress(address, policy)
      if (reduced !== address) this.note('client_address')
      out = out.replace(address, reduced)
    }
    return out
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (typeof value === 'number') return this.#number(value)
    if (typeof value !== 'object' || value === null) return value
    if (this.#depth >= DEPTH_MAX) {
      this.note('too_deep')
      return FILTERED
    }
    this.#depth++
    const scrubbed = Array.isArray(value) ? this.list(value) : this.bag(value as Bag) // an object and no array
    this.#depth--
    return scrubbed
  }

  #number(value: number): unknown {
    if (value < 1e12 || !Number.isSafeInteger(value) || !isCard(String(value))) return value
    this.note('credit_card')
    return FILTERED
  }

  /**
   * Fields of a typed part of the event (a frame, a breadcrumb): their names are the wire's own and mean no secret,
   * whatever keys a project adds. Those named in `skip` stay for their caller.
   */
  fields<T extends object>(fields: T, skip: ReadonlySet<string> = NOTHING): T {
    let copy: Record<string, unknown> | null = null
    for (const key in fields) {
      if (skip.has(key)) continue
      this.#path.push(key)
      const scrubbed = this.value(fields[key])
      this.#path.pop()
      if (scrubbed === fields[key]) continue
      if (copy === null) copy = Object.assign<Record<string, unknown>, T>({}, fields)
      copy[key] = scrubbed
    }
    return copy === null ? fields : (copy as T) // same keys; texts stay texts, bags bags
  }

  bag<T extends Bag>(bag: T): T {
    let copy: Record<string, unknown> | null = null
    const entry = namedEntry(bag)
    for (const key in bag) {
      const value = bag[key]
      this.#path.push(key)
      const name = key.length >= KEY_CHARS_MIN ? this.text(key) : key
      const scrubbed = this.keyed(entry !== null && key === 'value' ? entry : this.#telling(key, name), value)
      if (copy === null && (scrubbed !== value || name !== key)) copy = copyUntil(bag, key)
      if (copy !== null) setFree(copy, name, scrubbed)
      this.#path.pop()
    }
    return copy === null ? bag : (copy as T) // same keys; values only ever become text
  }

  /** A pair of a list of pairs, its name scrubbed as well. */
  pair(name: string, value: string): readonly [string, string] {
    this.#path.push(name)
    const shown = this.text(name)
    const scrubbed = this.keyed(this.#telling(name, shown), value)
    this.#path.pop()
    return [shown, String(scrubbed)]
  }

  /** Of a name and what scrubbing made of it, the one that means a secret. */
  #telling(name: string, shown: string): string {
    return name !== shown && this.isSecretName(shown) ? shown : name
  }

  list(list: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | null = null
    for (let at = 0; at < list.length; at++) {
      const value = list[at]
      this.#path.push(at)
      const rule = at > 0 ? this.#announced(list[at - 1], copy?.[at - 1], list.length) : null
      const scrubbed = rule !== null && isSecret('', value) ? this.take(rule, value) : this.value(value)
      this.#path.pop()
      if (copy === null && scrubbed !== value) copy = list.slice(0, at)
      copy?.push(scrubbed)
    }
    return copy ?? list
  }

  /** `["password:", "x"]` as consoles log it, `["--token", "x"]` of a command line, `["cookie", "x"]` of a pair. */
  #announced(raw: unknown, shown: unknown, length: number): string | null {
    const rule = this.#announcedRule(raw, length)
    return rule !== null || shown === undefined || shown === raw ? rule : this.#announcedRule(shown, length)
  }

  #announcedRule(previous: unknown, length: number): string | null {
    if (typeof previous !== 'string' || previous.length > 128) return null
    const last = previous.trimEnd().at(-1)
    if (last === ':' || last === '=' || last === '>') {
      const name = /(?<![\w.-])([\w.-]{2,64})["']?\s{0,2}(?:[:=]|=>)\s{0,2}$/.exec(previous)?.[1]
      return name === undefined ? null : this.#options.keys.ruleOf(name)
    }
    if (previous.startsWith('-') || (length === 2 && /^[\w.-]+$/.test(previous))) {
      return this.#options.keys.ruleOf(previous)
    }
    return null
  }
}

/** Whether a value under a secret's name is worth hiding; flags and empty values are not. */
export function isSecret(key: string, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value !== FILTERED && !isHarmlessWord(value) && !isWorkingDirectory(key, value)
    case 'number':
      return !/(?:tokens|sessions|cookies|counts?)$/i.test(key)
    case 'object':
      return value !== null && !isFilteredAlready(value)
    default:
      return false
  }
}

/** Empty containers, and those that hold nothing but what was taken out before. */
function isFilteredAlready(value: object): boolean {
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return inner.length === 0
}

function namedEntry(bag: Bag): string | null {
  if (!Object.hasOwn(bag, 'value')) return null
  for (const field of KEY_FIELDS) {
    const name = bag[field]
    if (typeof name === 'string' && ENTRY_NAME.test(name)) return name
  }
  return null
}

function copyUntil(bag: Bag, stop: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key in bag) {
    if (key === stop) break
    setFree(copy, key, bag[key])
  }
  return copy
}

/** Sets an own property under a free name: two keys that both held secrets must not become one. */
function setFree(copy: Record<string, unknown>, name: string, value: unknown): void {
  let free = name
  for (let count = 2; count < 100 && Object.hasOwn(copy, free); count++) free = `${name} (${count})`
  setOwn(copy, free, value)
}

/** Sets an own property, whatever its name: `__proto__` is a key like any other. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
