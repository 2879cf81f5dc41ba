/**
 * Part of grouping version 1. The browser's echo of a failure on the server: a text that a framework puts in
 * place of the real message, the same for every failure, so that only a digest or a trace says which one it echoes.
 */

import { type Digest, digest } from '#base/ids.ts'
import type { ExceptionValue, ScrubbedEvent } from '#model/event.ts'
import { thrownException } from './exceptions.ts'

export interface Mirror {
  readonly digest?: Digest
  readonly traceId?: string
}

/** Prefixes of a message that reached the SDK as text. */
const PREFIX = /^(?:Uncaught |Unhandled |\(in promise\) |[A-Za-z]{0,24}Error: ){0,3}/
/** React in production: a number and the address that explains it; or the address alone. */
const REACT_CODE =
  /^(?:Minified (?:React error|exception occurred)[;:]? ?#?(?:441|419)(?!\d)|(?:Minified React error; visit |visit )?https:\/\/(?:react\.dev\/errors\/|(?:[a-z]{2}\.)?reactjs\.org\/docs\/error-decoder(?:\.html)?\/?\?invariant=)(?:441|419)(?!\d))/
/** The same two in development, and where React is bundled unminified. */
const REACT_TEXT =
  /^(?:An error occurred in the Server Components render|The server could not finish this Suspense boundary|Switched to client rendering because the server rendering errored)/
/** React Router's replacement, the whole message. */
const ROUTER_TEXT = /^Unexpected Server Error\.?$/
const ROUTER_SDK = /react-?router|remix/

const DIGEST = /^(\d{1,20})(?:[@;][A-Za-z]\w{0,63})?$/
const DIGEST_IN_TEXT =
  /\bdigest["'`]?\s{0,4}[:=]\s{0,4}["'`]?(\d{1,20})(?![\w.])|\bERROR (\d{5,20})(?![\w.])/i
const DEPTH_MAX = 6
const VISITS_MAX = 2_000
const CRUMBS_MAX = 200

/**
 * Recognises the browser's echo of a server failure. `null` for everything that is no mirror, the server's own event
 * above all.
 */
export function recogniseMirror(event: ScrubbedEvent): Mirror | null {
  const exception = thrownException(event)
  const text = exception === undefined ? (event.logentry?.formatted ?? event.message) : exception.value
  if (text === undefined || !isMirrorText(text, exception, event)) return null
  const found = digestOf(event, text)
  const traceId = event.contexts?.trace?.trace_id
  return {
    ...(found === null ? {} : { digest: found }),
    ...(typeof traceId === 'string' && /^[0-9a-f]{32}$/i.test(traceId)
      ? { traceId: traceId.toLowerCase() }
      : {}),
  }
}

function isMirrorText(text: string, exception: ExceptionValue | undefined, event: ScrubbedEvent): boolean {
  const plain = text.slice(0, 1_024).trim().replace(PREFIX, '')
  if (REACT_CODE.test(plain) || REACT_TEXT.test(plain)) return true
  return ROUTER_TEXT.test(plain) && isRouterCopy(exception, event)
}

/**
 * React Router copies an error without its stack. The same words with a stack are somebody's own error, except
 * where the SDK of a React Router app wrapped the copy in the browser.
 */
function isRouterCopy(exception: ExceptionValue | undefined, event: ScrubbedEvent): boolean {
  if (event.platform !== 'javascript' && event.platform !== 'node') return false
  if (exception?.type !== undefined && exception.type !== 'Error' && exception.type !== 'UnhandledRejection')
    return false
  const hasFrames = (exception?.stacktrace?.frames.length ?? 0) > 0
  return !hasFrames || (event.platform === 'javascript' && ROUTER_SDK.test(event.sdk?.name ?? ''))
}

function digestOf(event: ScrubbedEvent, text: string): Digest | null {
  const tag = event.tags.find(([key]) => /(?:^|[._-])digest$/i.test(key))?.[1]
  return (
    readMirrorDigest(tag) ??
    searchIn(thrownException(event)?.mechanism?.data) ??
    searchIn(event.contexts) ??
    searchIn(event.extra) ??
    digestInText(text) ??
    digestOfCrumbs(event, text)
  )
}

function readMirrorDigest(value: unknown): Digest | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  const digits = typeof text === 'string' ? DIGEST.exec(text.trim())?.[1] : undefined
  return digits === undefined ? null : digest(digits)
}

function digestInText(text: string): Digest | null {
  const match = DIGEST_IN_TEXT.exec(text.slice(0, 8_192))
  const digits = match?.[1] ?? match?.[2]
  return digits === undefined ? null : digest(digits)
}

/** The first value of a key `digest`, near the surface first. */
function searchIn(bag: unknown): Digest | null {
  let level: readonly unknown[] = [bag]
  let visits = 0
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const [key, child] of Object.entries(value)) {
        visits += 1
        if (visits > VISITS_MAX) return null
        const found = key.toLowerCase() === 'digest' ? readMirrorDigest(child) : null
        if (found !== null) return found
        next.push(child)
      }
    }
    level = next
  }
  return null
}

/** The newest line of the console whose error says what this event says; else the newest line, unless it says otherwise. */
function digestOfCrumbs(event: ScrubbedEvent, text: string): Digest | null {
  const lines = (event.breadcrumbs?.values ?? [])
    .slice(-CRUMBS_MAX)
    .filter((crumb) => crumb.category === 'console' && crumb.level === 'error')
    .reverse()
    .map((crumb) => (Array.isArray(crumb.data?.arguments) ? crumb.data.arguments : []))
  for (const line of lines) {
    const found = digestOfLine(line, (message) => message === text)
    if (found !== null) return found
  }
  return digestOfLine(lines[0] ?? [], (message) => message === null || hidden(message) || hidden(text))
}

/** Returns the digest in a line's first argument, if its message is accepted (`null`: it has none). */
function digestOfLine(line: readonly unknown[], accepts: (message: string | null) => boolean): Digest | null {
  for (const argument of line) {
    if (typeof argument === 'string') {
      const found = digestInText(argument)
      const message = firstMirrorLine(argument)
      if (found !== null && (accepts(message) || accepts(message.replace(PREFIX, '')))) return found
      continue
    }
    const found = searchIn(argument)
    if (found !== null && accepts(argumentMessage(argument))) return found
  }
  return null
}

function argumentMessage(argument: unknown): string | null {
  if (typeof argument !== 'object' || argument === null || !('message' in argument)) return null
  return typeof argument.message === 'string' ? argument.message : null
}

function firstMirrorLine(text: string): string {
  return text.slice(0, 8_192).replace(/\n.*$/s, '')
}

/** Scrubbing took a part of it, so that equality cannot be expected. */
function hidden(text: string): boolean {
  return text.includes('[Filtered]')
}
