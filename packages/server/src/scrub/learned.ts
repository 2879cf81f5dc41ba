/**
 * A secret found by its name often stands elsewhere without one: the parameter of a message, an argument in a local
 * variable. What was learned is taken out of the whole event. Copy on write: most values hold none.
 */
import { isObject } from '#base/json.ts'
import { FILTERED } from './filtered.ts'

/** Fields whose values are ids and times, never secrets. */
const SKIPPED: ReadonlySet<string> = new Set([
  'event_id',
  'timestamp',
  'received',
  'level',
  'platform',
  'debug_meta',
])

const CHARS_MIN = 8
const TOKEN_CHARS_MIN = 4
const DIGITS_MIN = 5
const PHRASE_CHARS_MIN = 24
const CHARS_MAX = 4_096
/** Passwords of examples, and words that stand in every event. */
const COMMON: ReadonlySet<string> = new Set(
  `admin administrator root user username guest test tester testing demo example password secret token default public private
  production staging development localhost google github facebook microsoft oauth postgres mysql redis mongodb server client
  bearer basic string number object undefined error message required invalid expired changeme welcome login logout`.split(
    /\s+/,
  ),
)

/** Facts of a walk over an event that its end needs. */
interface Walked {
  /** Secrets that it took out by name. */
  readonly learned: ReadonlySet<string>
  enter(key: string | number): void
  leave(): void
  note(rule: string): void
}

const COOKIE_CHARS_MIN = 20

/** True if a secret tells enough to be looked for elsewhere: not what stands in an event for other reasons. */
export function isLearnable(rule: string, plain: string): boolean {
  if (plain.length < TOKEN_CHARS_MIN || plain.length > CHARS_MAX || COMMON.has(plain.toLowerCase()))
    return false
  if (/:\/\/|\[Filtered\]|^[{[]/.test(plain)) return false
  // Cookies hold regions and versions too: only what is long enough for an id is looked for elsewhere.
  if (rule === 'cookie' && plain.length < COOKIE_CHARS_MIN) return false
  if (/\s/.test(plain)) return plain.length >= PHRASE_CHARS_MIN && rule === 'secret'
  if (/^[\d.,:/-]+$/.test(plain))
    return plain.length >= DIGITS_MIN && /^\d+$/.test(plain) && rule !== 'session'
  if (/\d/.test(plain)) return plain.length >= CHARS_MIN || !/^(?:v?\d+(?:\.\w+)*|[a-z]{1,3}\d)$/i.test(plain)
  // Without a digit, it may be a word: only what is a password for certain, and long enough.
  return plain.length >= 6 && (rule === 'password' || /[a-z][A-Z]|[!@#$%^&*+]/.test(plain))
}

/** Shorter ones, and those that may be words or numbers, go where they are whole words alone. */
function isWholeWord(secret: string): boolean {
  return secret.length < CHARS_MIN || !/\d/.test(secret) || /^\d+$/.test(secret)
}

/** Takes what `walk` learned out of the fields, in place; true when it stood anywhere. */
export function replaceLearned(event: Record<string, unknown>, walk: Walked): boolean {
  let isChanged = false
  const secrets = [...walk.learned].toSorted((a, b) => b.length - a.length)
  const shortest = secrets.at(-1)?.length ?? 0
  const search: Search = { secrets, shortest, walk }
  for (const key in event) {
    if (SKIPPED.has(key)) continue
    walk.enter(key)
    const replaced = replaceIn(event[key], search)
    walk.leave()
    if (replaced === event[key]) continue
    event[key] = replaced
    isChanged = true
  }
  return isChanged
}

interface Search {
  /** The longest first: one may be part of another. */
  readonly secrets: readonly string[]
  readonly shortest: number
  readonly walk: Walked
}

function replaceIn(value: unknown, search: Search): unknown {
  if (typeof value === 'string') return replaceText(value, search)
  if (Array.isArray(value)) return replaceInList(value, search)
  return isObject(value) ? replaceInBag(value, search) : value
}

function replaceInList(list: readonly unknown[], search: Search): readonly unknown[] {
  let copy: unknown[] | null = null
  for (let at = 0; at < list.length; at++) {
    search.walk.enter(at)
    const replaced = replaceIn(list[at], search)
    search.walk.leave()
    if (copy === null && replaced !== list[at]) copy = list.slice(0, at)
    copy?.push(replaced)
  }
  return copy ?? list
}

function replaceInBag(bag: Readonly<Record<string, unknown>>, search: Search): object {
  let entries: [string, unknown][] | null = null
  for (const key in bag) {
    const value = bag[key]
    search.walk.enter(key)
    const name = replaceText(key, search)
    const replaced = replaceIn(value, search)
    search.walk.leave()
    if (entries === null && (name !== key || replaced !== value)) entries = entriesBefore(bag, key)
    entries?.push([name, replaced])
  }
  return entries === null ? bag : Object.fromEntries(entries)
}

function entriesBefore(bag: Readonly<Record<string, unknown>>, stop: string): [string, unknown][] {
  const entries: [string, unknown][] = []
  for (const key in bag) {
    if (key === stop) break
    entries.push([key, bag[key]])
  }
  return entries
}

function replaceText(text: string, { secrets, shortest, walk }: Search): string {
  if (text.length < shortest) return text
  let out = text
  for (const secret of secrets) {
    if (out.length < secret.length || !out.includes(secret)) continue
    const replaced = isWholeWord(secret) ? replaceWords(out, secret) : out.replaceAll(secret, FILTERED)
    if (replaced === out) continue
    out = replaced
    walk.note('repeated_secret')
  }
  return out
}

function replaceWords(text: string, secret: string): string {
  let out = ''
  let copied = 0
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
    const end = at + secret.length
    if (isWordSign(text[at - 1]) || isWordSign(text[end])) continue
    out += text.slice(copied, at) + FILTERED
    copied = end
  }
  return copied === 0 ? text : out + text.slice(copied)
}

function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_]/u.test(sign)
}
