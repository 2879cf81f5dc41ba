/** The digests of one event, from every place that frameworks, SDKs and apps put them. docs/wire.md, "Digests". */

import type { Digest } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { findNamedDigests, readDigest } from '#model/digest-text.ts'
import type { Breadcrumb, ScrubbedEvent } from '#model/event.ts'

export interface FoundDigest {
  readonly digest: Digest
  /** True or false where message and stack are on the event and the framework's formula can be applied. */
  readonly verified: boolean | null
}

type Texts = readonly string[]

const DIGESTS_MAX = max('digestsPerEventMax')
const DEPTH_MAX = 6
const VISITS_MAX = 5_000
const TEXT_CHARS_MAX = max('messageCharsMax')
const DIGEST_NAME = /^(?:error[._-]?)?digest$/i
const TAG = /(?:^|[._-])digest$/i
/** Text that scrubbing leaves in place of a secret. */
const FILTERED = '[Filtered]'
const CRUMBS_MAX = max('breadcrumbsMax')

/**
 * Every digest of this event's own error, most certain place first, each once. `mirrorDigest` is the one grouping
 * already found. A breadcrumb may tell of an earlier error: its digest counts only if its message is this event's.
 */
export function digestsOf(event: ScrubbedEvent, mirrorDigest?: Digest): readonly FoundDigest[] {
  const found = new Map<Digest, boolean | null>()
  const add = (digest: Digest | null | undefined, verified: boolean | null = null) => {
    if (digest === null || digest === undefined) return
    if (found.get(digest) == null) found.set(digest, verified)
  }
  for (const [key, value] of event.tags) if (TAG.test(key)) add(readDigest(value))
  for (const exception of event.exception?.values ?? []) searchDigests(exception.mechanism?.data, add)
  searchDigests(event.contexts, add)
  searchDigests(event.extra, add)
  const texts = errorTexts(event)
  for (const text of texts) for (const digest of findNamedDigests(text)) add(digest)
  add(mirrorDigest)
  for (const { digest, verified } of digestsOfConsole(event, texts)) add(digest, verified)
  return [...found].slice(0, DIGESTS_MAX).map(([digest, verified]) => ({ digest, verified }))
}

/** The main exception's message first: it is the one an error page shows the digest of. */
function errorTexts(event: ScrubbedEvent): Texts {
  const values = (event.exception?.values ?? []).map((exception) => exception.value).reverse()
  const messages = values.length > 0 ? values : [event.logentry?.formatted, event.message]
  return messages.filter((text) => text !== undefined && text !== '').map((text) => text ?? '')
}

/** Values of keys named `digest` at any depth up to `DEPTH_MAX`, near the surface first. */
function searchDigests(bag: unknown, add: (digest: Digest | null) => void): void {
  let level: readonly unknown[] = [bag]
  let visits = 0
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const key in value) {
        const child: unknown = Reflect.get(value, key)
        visits += 1
        if (visits > VISITS_MAX) return
        if (isDigestName(key)) add(readDigest(child))
        if (typeof child === 'object' && child !== null) next.push(child)
      }
    }
    level = next
  }
}

/** `digest`, `errorDigest`, `error.digest`: by their length first, which no other name of most events has. */
function isDigestName(key: string): boolean {
  return (key.length === 6 || key.length === 11 || key.length === 12) && DIGEST_NAME.test(key)
}

interface LoggedError {
  readonly digest: Digest
  readonly message: string | null
  readonly stack: string | null
}

/** From the newest console line that tells of this event's error; of none when the lines tell of others. */
function digestsOfConsole(event: ScrubbedEvent, texts: Texts): readonly FoundDigest[] {
  const all = event.breadcrumbs?.values ?? []
  if (!all.some(isConsoleError)) return []
  const crumbs = all.slice(-CRUMBS_MAX).filter(isConsoleError).reverse()
  const lines = crumbs.map(errorsOfLine)
  for (const line of lines) {
    const own = line.filter((error) => error.message !== null && saysSame(error.message, texts))
    if (own.length > 0) return own.map(checkDigest)
  }
  // Scrubbing may have changed one side only, and an argument cut by the SDK may have no message.
  const isHidden = texts.length === 0 || texts.some((text) => text.includes(FILTERED))
  const newest = (lines[0] ?? []).filter(
    (error) => error.message === null || isHidden || error.message.includes(FILTERED),
  )
  return newest.map(checkDigest)
}

function isConsoleError(crumb: Breadcrumb): boolean {
  return crumb.category === 'console' && (crumb.level === 'error' || crumb.level === 'fatal')
}

function errorsOfLine(crumb: Breadcrumb): readonly LoggedError[] {
  const errors: LoggedError[] = []
  const list = crumb.data?.arguments
  for (const argument of Array.isArray(list) ? list.slice(0, 20) : []) {
    if (typeof argument === 'string') errors.push(...errorsOfText(argument))
    else errors.push(...errorsOfObject(argument))
  }
  return errors.length > 0 || crumb.message === undefined ? errors : errorsOfText(crumb.message)
}

function errorsOfObject(argument: unknown): readonly LoggedError[] {
  if (typeof argument !== 'object' || argument === null) return []
  const message = stringOf(argument, 'message')
  const stack = stringOf(argument, 'stack')
  const errors: LoggedError[] = []
  searchDigests(argument, (digest) => {
    if (digest !== null) errors.push({ digest, message, stack })
  })
  return errors
}

/** `Error: boom\n    at …\n { digest: '2741933020' }`, as a console prints an error. */
function errorsOfText(text: string): readonly LoggedError[] {
  const bounded = text.slice(0, TEXT_CHARS_MAX)
  const message = bounded.replace(/\n\s{1,16}at .*$/s, '').trim()
  return findNamedDigests(bounded).map((digest) => ({ digest, message, stack: null }))
}

function stringOf(bag: object, key: string): string | null {
  const value: unknown = Object.hasOwn(bag, key) ? Reflect.get(bag, key) : undefined
  return typeof value === 'string' ? value : null
}

function saysSame(message: string, texts: Texts): boolean {
  return texts.some((text) => {
    if (message === text) return true
    // A printed error begins with its type, and ends with what the console added.
    const at = message.indexOf(text)
    return (
      at >= 0 &&
      /^(?:.{0,60}: )?$/.test(message.slice(0, at)) &&
      /^\s{0,8}(?:$|\n|\{)/.test(message.slice(at + text.length))
    )
  })
}

function checkDigest({ digest, message, stack }: LoggedError): FoundDigest {
  if (message === null || stack === null || isTouched(message) || isTouched(stack))
    return { digest, verified: null }
  return { digest, verified: nextDigest(message + stack) === digest }
}

function isTouched(text: string): boolean {
  return text.includes(FILTERED) || text.endsWith('...') || text.endsWith('…')
}

/**
 * Next.js' digest of an error thrown in a Server Component or action: the text of message and stack, hashed from the
 * end by `hash × 33 ⊕ character`, as an unsigned 32-bit number.
 */
export function nextDigest(text: string): string {
  let hash = 5381
  for (let at = text.length - 1; at >= 0; at -= 1) hash = Math.imul(hash, 33) ^ text.charCodeAt(at)
  return String(hash >>> 0)
}
