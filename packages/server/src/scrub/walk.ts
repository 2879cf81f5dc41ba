/**
 * Walks values and scrubs them by key and by text. Copy on write: what holds no secret keeps its reference, so that
 * most of an event is looked at and not rebuilt.
 */
import { setOwn } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { ScrubbedPath } from '#model/event.ts'
import type { PartValue, SharedParts } from '#model/shared-parts.ts'
import type { ScrubOptions } from '#ports/projects.ts'
import { addressesIn, namesAddress, reduceAddress } from './addresses.ts'
import { announcedRule } from './announced.ts'
import type { TextMode } from './assignments.ts'
import { textOfBytes } from './byte-lists.ts'
import { CLEAN_CHARS_MIN, type Clean } from './clean.ts'
import { secretArgument } from './commands.ts'
import { isPlainCookie, keptCookies } from './cookies.ts'
import { FILTERED } from './filtered.ts'
import { isPlainUnder } from './harmless.ts'
import { ruleOf, type SecretKeys } from './keys.ts'
import { isLearnable } from './learned.ts'
import { OF_FIELD } from './named-calls.ts'
import { isCard } from './numbers.ts'
import { scrubParameters } from './parameters.ts'
import { scrubSelectors } from './selectors.ts'
import {
  headerNamed,
  holdsParameters,
  isEntryValue,
  isSealed,
  type NamedList,
  namedEntry,
  namedList,
  namedVariables,
} from './shapes.ts'
import { type BoundColumns, boundColumns, scrubBinding } from './statements.ts'
import { scrubText, type TextScrubOptions } from './text.ts'
import { copyUntil, setFree } from './walk-copies.ts'
import { mayHold, namesPublicRun } from './walked-texts.ts'
import {
  isAccount,
  isNestedKey,
  isOfParser,
  isPasswordOfPair,
  isSecret,
  isTokenPair,
  LISTS_NAMES,
} from './worth.ts'

export interface WalkOptions {
  readonly keys: SecretKeys
  readonly addresses: readonly (readonly [address: string, replacement: string])[]
  readonly addressPolicy: ScrubOptions['clientAddress']
  /** Ids and names of the event itself: a secret that repeats one does not take it away. */
  readonly known: () => ReadonlySet<string>
  readonly shared?: SharedParts | undefined
  readonly clean?: Clean | undefined
}

const PATHS_MAX = max('scrubbedPathsMax')
const PATH_CHARS = 256
const DEPTH_MAX = max('jsonDepthMax')
/** How far above its parameters a statement may stand. */
const BAGS_ABOVE = 3
const LEARNED_MAX = 32
const LABEL_CHARS = 400
/** Characters read of one event, rounds and decoded spellings included: an ordinary event has a hundredth of it. */
const BUDGET_CHARS = max('scrubCharsMax')
const KEY_CHARS_MIN = 8
const NOTHING: ReadonlySet<string> = new Set()

type Bag = Readonly<Record<string, unknown>>

export class ScrubWalk {
  readonly #found: ScrubbedPath[] = []
  /** How often anything was found. */
  noteCount = 0
  /** Values taken out by name: the same value may stand elsewhere in the event without one. */
  readonly learned = new Set<string>()
  /** The first `#at` entries are where the walk is; overwritten, never shortened: every value of an event passes. */
  readonly #path: (string | number)[] = []
  #at = 0
  readonly #options: WalkOptions
  readonly #text: TextScrubOptions
  readonly #source: TextScrubOptions
  readonly #keepsAddresses: boolean
  #depth = 0
  /** The first `#bagsAt` are those that the walk is within, as far as their statements matter. */
  readonly #bags: Bag[] = []
  #bagsAt = 0
  /** A statement outside of any bag. */
  #statement: string | null = null
  #known: { readonly statement: string; readonly columns: BoundColumns | null } | null = null
  #budget = BUDGET_CHARS

  constructor(options: WalkOptions) {
    this.#options = options
    this.#keepsAddresses = options.addresses.length === 0
    this.#text = {
      mode: 'text',
      keys: options.keys,
      addresses: options.addresses,
      onRule: (rule) => this.note(rule),
      onFound: (rule, value) => {
        this.note(rule)
        this.learn(rule, value)
      },
      json: (value) => this.value(value),
      spend: (chars) => this.#spend(chars),
    }
    this.#source = { ...this.#text, mode: 'source', asText: this.#text }
  }

  enter(key: string | number): void {
    this.#path[this.#at++] = key
  }

  leave(): void {
    this.#at--
  }

  /** True once texts were taken out unread. */
  get isSpent(): boolean {
    return this.#budget < 0
  }

  /** Takes from the event's budget; what is left when it is used up is replaced, and listed as such. */
  #spend(chars: number): boolean {
    this.#budget -= chars + 1
    if (this.#budget >= 0) return true
    this.note('scrub_budget')
    return false
  }

  /** Returns findings by paths that hold no secret themselves: keys come from clients too. */
  places(): readonly ScrubbedPath[] {
    const silent = { ...this.#text, onFound: () => {}, onRule: () => {}, spend: () => true }
    return this.#found.map(({ path, rule }) => {
      let shown = scrubText(path, silent)
      for (const secret of this.learned) shown = shown.replaceAll(secret, FILTERED)
      return { path: shown, rule }
    })
  }

  /** Whether nothing of this very part needs a look. */
  isClean(part: unknown): boolean {
    return this.#options.clean?.objects.has(part) === true
  }

  /**
   * Scrubs as `scrub`, unless several events share the value and an earlier one of them showed that it holds
   * no secret.
   */
  shared<T extends PartValue>(value: T, scrub: () => T): T {
    const { shared, keys, addresses } = this.#options
    const json = shared?.jsonOf(value)
    if (shared === undefined || json === undefined) return scrub()
    const holdsAddress = addresses.some(([address]) => json.includes(address))
    if (!holdsAddress && shared.isCleanFor(value, keys)) return value
    const before = this.noteCount
    const scrubbed = scrub()
    if (scrubbed === value && this.noteCount === before) shared.markClean(value, keys)
    return scrubbed
  }

  /** Scrubs as `scrub`, unless an earlier event showed that the line holds no secret. */
  repeated(line: string, scrub: () => string): string {
    const { shared, keys, addresses } = this.#options
    if (shared === undefined) return scrub()
    const verdict = shared.lines.of(line)
    if (verdict.cleanFor === keys && !mayHold(line, addresses)) return line
    const before = this.noteCount
    const scrubbed = scrub()
    if (scrubbed === line && this.noteCount === before) verdict.cleanFor = keys
    return scrubbed
  }

  note(rule: string): void {
    this.noteCount++
    if (this.#found.length >= PATHS_MAX) return
    const path = this.#path.slice(0, this.#at).join('.').slice(0, PATH_CHARS)
    const last = this.#found.at(-1)
    if (last?.path !== path || last.rule !== rule) this.#found.push({ path, rule })
  }

  /** Remembers a secret that is telling enough to be looked for elsewhere. */
  learn(rule: string, value: string): void {
    if (this.learned.size >= LEARNED_MAX) return
    const plain = value.trim().replace(/^(?:bearer|basic|token)\s+/i, '')
    // `auth: token=X`: elsewhere X may stand alone.
    const own = /^[\w.-]{2,40}=([^\s=]{8,512})$/.exec(plain)?.[1]
    for (const one of own === undefined ? [plain] : [plain, own])
      if (isLearnable(rule, one) && !this.#options.known().has(one)) this.learned.add(one)
  }

  text(text: string, mode: TextMode = 'text'): string {
    if (mode !== 'text') return scrubText(text, this.#source)
    const isClean = text.length >= CLEAN_CHARS_MIN && this.#options.clean?.texts.has(text) === true
    return isClean ? text : scrubText(text, this.#text)
  }

  /** A name as a text: most are those of the event before. */
  name(name: string): string {
    const isHarmless = this.#keepsAddresses && this.#options.keys.verdictOf(name).isHarmless
    return isHarmless ? name : this.text(name)
  }

  /** A record of a bound parameter, by the names that an earlier record's statement has. */
  binding(statement: string, text: string): string {
    return scrubBinding(statement, text, this.#text)
  }

  /** Options for callers that scrub texts by rules of their own. */
  get textOptions(): TextScrubOptions {
    return this.#text
  }

  isSecretName(key: string): boolean {
    return this.#options.keys.ruleOf(key) !== null
  }

  /** Whether a selector or a label is of a field for a secret. */
  asksForSecret(label: string): boolean {
    const words = label.slice(0, LABEL_CHARS).match(/[\p{L}_][\p{L}\d_-]{2,40}/gu) ?? []
    return words.some((word) => this.isSecretName(word.replace(OF_FIELD, '')))
  }

  /** Whether `key` makes a secret of this very value. */
  isNamed(key: string, value: string): boolean {
    return this.#options.keys.ruleFor(key, value) !== null
  }

  /** The value of `key` within a bag or pair list. */
  keyed(key: string, value: unknown): unknown {
    return this.#judged(key, this.#options.keys.ruleFor(key, value), value)
  }

  #judged(key: string, rule: string | null, value: unknown): unknown {
    const hidden = rule !== null && isSecret(key, value) ? rule : null
    if (hidden !== null && (!isPlainUnder(hidden, value) || isAccount(key, value)))
      return this.#taken(hidden, value)
    const isAddress = this.#options.addressPolicy !== 'keep' && typeof value === 'string' && namesAddress(key)
    const scrubbed = isAddress
      ? this.address(value)
      : rule === null && namesPublicRun(key, value) && this.text(`id: ${value}`).endsWith(value)
        ? value
        : this.value(value)
    // A sentence that held a secret may be none any more: then it was none to begin with.
    const isTorn = hidden !== null && scrubbed !== value && !isPlainUnder(hidden, scrubbed)
    return isTorn ? this.#taken(hidden, value) : scrubbed
  }

  /** Replaces a value; cookies that hide nothing stay. */
  #taken(rule: string, value: unknown): unknown {
    if (rule !== 'cookie') return this.take(rule, value)
    const { keys } = this.#options
    if (typeof value === 'string') {
      const kept = keptCookies(value, keys, (one) => this.take(rule, one))
      return kept === null ? this.take(rule, value) : this.text(kept)
    }
    const cookies = Object.entries(value ?? {})
    if (Array.isArray(value) || !cookies.some(([name, one]) => isPlainCookie(name, one, keys)))
      return this.take(rule, value)
    return Object.fromEntries(
      cookies.map(([name, one]) => [
        this.text(name),
        one === FILTERED || isPlainCookie(name, one, keys) ? one : this.take(rule, one),
      ]),
    )
  }

  /** Takes a value out, and learns what it was. */
  take(rule: string, value: unknown): typeof FILTERED {
    this.note(rule)
    if (typeof value === 'string') this.learn(rule, value)
    else if (typeof value === 'number') this.learn(rule, String(value))
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

  /** Returns what `scrub` makes of what stands under `key`. */
  under<T>(key: string | number, scrub: () => T): T {
    this.enter(key)
    const scrubbed = scrub()
    this.leave()
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
      if (skip !== NOTHING && skip.has(key)) continue
      const value = fields[key]
      this.enter(key)
      const scrubbed = this.value(value)
      this.leave()
      if (scrubbed === value) continue
      if (copy === null) copy = Object.assign<Record<string, unknown>, T>({}, fields)
      copy[key] = scrubbed
    }
    return copy === null ? fields : (copy as T) // same keys; texts stay texts, bags bags
  }

  bag<T extends Bag>(bag: T): T {
    let copy: Record<string, unknown> | null = null
    const entry = namedEntry(bag)
    this.#bags[this.#bagsAt++] = bag
    for (const key in bag) {
      const value = bag[key]
      this.enter(key)
      const verdict = this.#options.keys.verdictOf(key)
      const name =
        key.length < KEY_CHARS_MIN || (verdict.isHarmless && this.#keepsAddresses) ? key : this.text(key)
      let scrubbed: unknown
      if (entry !== null && isEntryValue(entry, key)) scrubbed = this.keyed(entry.name, value)
      else if (verdict.bound !== null && holdsParameters(verdict.bound, value))
        scrubbed = this.#bound(key, value)
      else if (key === 'p' && isPasswordOfPair(bag)) scrubbed = this.#judged(key, 'password', value)
      else if ((key === 'access' || key === 'refresh') && isTokenPair(bag))
        scrubbed = this.#judged(key, 'token', value)
      else if (key === 'token' && isOfParser(bag)) scrubbed = this.value(value)
      else if (key === 'variables' && typeof bag.query === 'string') scrubbed = this.#variables(bag, value)
      else if (isSealed(bag, key) || this.#isNested(key, value)) scrubbed = this.keyed('credentials', value)
      else if (name === key) scrubbed = this.#judged(key, ruleOf(verdict, value), value)
      else scrubbed = this.keyed(this.#telling(key, name), value)
      if (copy === null && (scrubbed !== value || name !== key)) copy = copyUntil(bag, key)
      if (copy !== null) setFree(copy, name, scrubbed)
      this.leave()
    }
    this.#bagsAt--
    return copy === null ? bag : (copy as T) // same keys; values only ever become text
  }

  #isNested(key: string, value: unknown): boolean {
    return isNestedKey(key, { above: this.#path[this.#at - 2], keys: this.#options.keys, value })
  }

  /** Scrubs what may be parameters: by the statement beside them, or the nearest above. */
  #bound(key: string, value: unknown): unknown {
    const named = this.#namesNear()
    if (named !== null) return scrubParameters(this, { key, value, named })
    return key === 'data' && this.#bags[this.#bagsAt - 1]?.type === 'Buffer'
      ? this.#bytes(value)
      : this.keyed(key, value)
  }

  #namesNear(): NamedList | null {
    for (let at = this.#bagsAt - 1; at >= Math.max(0, this.#bagsAt - BAGS_ABOVE); at--) {
      const named = namedList(this.#bags[at] ?? {}, (statement) => this.#columnsOf(statement))
      if (named !== null) return named
    }
    return this.#statement === null ? null : this.#columnsOf(this.#statement)
  }

  /** Asked for each parameter that has a key of its own. */
  #columnsOf(statement: string): BoundColumns | null {
    if (this.#known?.statement !== statement) this.#known = { statement, columns: boundColumns(statement) }
    return this.#known.columns
  }

  /** Scrubs what Node wrote of a text as bytes. */
  #bytes(value: unknown): unknown {
    const text = textOfBytes(value)
    if (text === null) return this.value(value)
    return this.text(text) === text ? value : FILTERED
  }

  /** Returns what `scrub` makes of what stands below a statement. */
  below<T>(statement: string | undefined, scrub: () => T): T {
    const above = this.#statement
    if (statement !== undefined) this.#statement = statement
    const scrubbed = scrub()
    this.#statement = above
    return scrubbed
  }

  /** Scrubs a crumb about the fields of a page. */
  selectors(text: string, isTyped: boolean): string {
    const { keys, onFound } = this.#text
    return scrubSelectors(text, { keys, onFound, isTyped })
  }

  /**
   * Scrubs the variables of a GraphQL request, each by the argument that it is given to, or by its own name.
   */
  #variables(request: Bag, value: unknown): unknown {
    const names = namedVariables(request)
    const scrubbed = this.value(value)
    if (names === null || typeof scrubbed !== 'object' || scrubbed === null) return scrubbed
    const entries = Object.entries(scrubbed).map(([variable, one]: [string, unknown]) => {
      const name = names.get(variable)
      return { variable, one, taken: name === undefined ? one : this.keyed(name, one) }
    })
    if (entries.every(({ one, taken }) => one === taken)) return scrubbed
    const copy: Record<string, unknown> = {}
    for (const { variable, taken } of entries) setOwn(copy, variable, taken)
    return copy
  }

  /** A pair of a list of pairs, its name scrubbed as well; the pair itself when it holds no secret. */
  pair(pair: readonly [string, string]): readonly [string, string] {
    const [name, value] = pair
    this.enter(name)
    const shown = this.name(name)
    const scrubbed = this.keyed(this.#telling(name, shown), value)
    this.leave()
    return shown === name && scrubbed === value ? pair : [shown, String(scrubbed)]
  }

  /** Returns the one that means a secret, of a name and what scrubbing made of it. */
  #telling(name: string, shown: string): string {
    return name !== shown && this.isSecretName(shown) ? shown : name
  }

  list(list: readonly unknown[]): readonly unknown[] {
    let copy: unknown[] | null = null
    for (let at = 0; at < list.length; at++) {
      this.enter(at)
      const scrubbed = this.#element(list, at, copy)
      this.leave()
      if (copy === null && scrubbed !== list[at]) copy = list.slice(0, at)
      copy?.push(scrubbed)
    }
    return copy ?? list
  }

  #element(list: readonly unknown[], at: number, copy: readonly unknown[] | null): unknown {
    const value = list[at]
    if (at === 0) return this.value(value)
    const header = headerNamed(list, at)
    const rule =
      (header === null ? null : this.#options.keys.ruleFor(header, value)) ??
      this.#announced(list, at, copy?.[at - 1])
    const hidden = rule !== null && isSecret('', value) ? rule : null
    if (hidden !== null && !isPlainUnder(hidden, value)) return this.#taken(hidden, value)
    const argument = secretArgument(list, at)
    if (argument === null || typeof value !== 'string') {
      const scrubbed = this.value(value)
      const isTorn = hidden !== null && scrubbed !== value && !isPlainUnder(hidden, scrubbed)
      return isTorn ? this.#taken(hidden, value) : scrubbed
    }
    const from = value.lastIndexOf(argument)
    return value.slice(0, from) + this.take('password', argument) + value.slice(from + argument.length)
  }

  /** `["password:", "x"]` as consoles log it, `["--token", "x"]` of a command line, `["cookie", "x"]` of a pair. */
  #announced(list: readonly unknown[], at: number, shown: unknown): string | null {
    const raw = list[at - 1]
    const told = { keys: this.#options.keys, isOfNames: this.#listsNames() }
    const rule = announcedRule(list, at, { ...told, previous: raw })
    return rule !== null || shown === undefined || shown === raw
      ? rule
      : announcedRule(list, at, { ...told, previous: shown })
  }

  /** `cookieNames: ['sid', 'theme']` */
  #listsNames(): boolean {
    return LISTS_NAMES.test(String(this.#path[this.#at - 2] ?? ''))
  }
}
