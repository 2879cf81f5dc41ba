/**
 * What was thrown and is no error: a text, an object, React Router's `data()`. It has no stack of its own; the one that
 * comes with it is of whoever reported it, which differs for each of those that report one throw.
 */
import { isObject } from '#base/json.ts'
import type { ExceptionValue, Frame, ScrubbedEvent } from '#model/event.ts'

/** An answer that was thrown, as React Router hands it to the page. */
export interface ThrownResponse {
  readonly status: number
  readonly statusText: string
  /** Its body; an object as JSON. */
  readonly text: string
}

export type Thrown =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'response'; readonly response: ThrownResponse }

const PLATFORMS = new Set(['javascript', 'node'])
const ON_REQUEST_ERROR = 'auto.function.nextjs.on_request_error'
/** Hooks and wrappers of SDKs: what was thrown is handed to them, or caught by them. */
const HOOK = /^(?:auto\.function\.|react-router$)/
/** What SDKs write of an object, with its class or its own `name` in quotes; the object itself is beside it. */
const CAPTURED = /^(?:Object|'[^']{1,200}') captured as exception(?: with (?:keys|message)\b|$)/
const NEXT_FILE = /[\\/]next[\\/]dist[\\/]/
/** Functions that are handed what others threw. */
const REPORTER = /(?:Boundary|GlobalError|handleError\d?|onError|componentDidCatch)$/
/** Of the runtime: it has no file. */
const NO_FILE = /^(?:<anonymous>|index \d{1,6})$/
/** As minifiers name them, where no source map says more. */
const MINIFIED = /^(?:\?|(?:[\w$]{1,100}\.)?[\w$]{1,2})$/
const TEXT_CHARS_MAX = 8_192
const DEPTH_MAX = 8

/** `null` for errors, for messages, and where the app's own code is on the stack: it says which capture it was. */
export function thrownValue(event: ScrubbedEvent): Thrown | null {
  const [exception, ...others] = event.exception?.values ?? []
  if (exception === undefined || others.length > 0 || !PLATFORMS.has(event.platform)) return null
  if (exception.type !== 'Error' || exception.value === undefined) return null
  if (!isMadeUp(exception, event.platform)) return null
  const told = CAPTURED.test(exception.value) ? event.extra?.__serialized__ : undefined
  const response = responseOf(told)
  if (response !== null) return { kind: 'response', response }
  const text = isObject(told) ? JSON.stringify(sorted(told)) : plainText(exception.value)
  return text === '' ? null : { kind: 'value', text: text.slice(0, TEXT_CHARS_MAX) }
}

/** By the SDK, or by Next.js before its SDK hears of it. */
function isMadeUp({ mechanism, stacktrace }: ExceptionValue, platform: string): boolean {
  const isSynthetic = mechanism?.synthetic === true
  if (!isSynthetic && mechanism?.type !== ON_REQUEST_ERROR) return false // as nearly all are: no frame is looked at
  // Bundlers put the hook of an SDK into a file of the app's.
  if (isSynthetic && HOOK.test(mechanism.type)) return true
  const frames = stacktrace?.frames ?? []
  const own = frames.findLast((frame) => isOwn(frame, platform))
  if (isSynthetic) return own === undefined || REPORTER.test(own.function ?? '')
  if (own !== undefined) return false
  const newest = frames.findLast(({ filename }) => filename?.startsWith('node:') === false)
  return NEXT_FILE.test(newest?.filename ?? '')
}

/** In a browser's bundle every frame is said to be, those of the SDK too: without a name it tells of no capture. */
function isOwn({ in_app: inApp, filename, function: name }: Frame, platform: string): boolean {
  if (inApp !== true || NO_FILE.test(filename ?? '<anonymous>')) return false
  return platform !== 'javascript' || !MINIFIED.test(name ?? '?')
}

/** By what React Router's own `isRouteErrorResponse` looks at. */
function responseOf(told: unknown): ThrownResponse | null {
  if (!isObject(told)) return null
  const { status, statusText, internal, data } = told
  if (typeof status !== 'number' || typeof statusText !== 'string' || typeof internal !== 'boolean')
    return null
  const text = typeof data === 'string' ? data : data === undefined ? '' : JSON.stringify(data)
  return { status, statusText, text: text.slice(0, TEXT_CHARS_MAX) }
}

/** Next.js writes an object as JSON, in the order that its keys were set in. */
function plainText(value: string): string {
  const text = value.trim()
  if (!text.startsWith('{') || text.length > TEXT_CHARS_MAX) return text
  try {
    return JSON.stringify(sorted(JSON.parse(text)))
  } catch {
    return text // A text that begins as JSON does.
  }
}

function sorted(value: unknown, depth = 0): unknown {
  if (depth >= DEPTH_MAX || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => sorted(each, depth + 1))
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each, depth + 1)]))
}
