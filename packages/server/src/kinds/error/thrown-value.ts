/**
 * Thrown values that are not errors: a text, an object, React Router's `data()`. They have no stack of their
 * own; the one that comes with them is the reporter's, which differs between those that report one throw.
 */
import { isObject } from '#base/json.ts'
import { ofValue, safeLine } from '#group/v1/sentence.ts'
import type { ExceptionValue, Frame, ScrubbedEvent } from '#model/event.ts'

/** An answer that was thrown, as React Router hands it to the page. */
export interface ThrownResponse {
  readonly status: number
  readonly statusText: string
  /** Its body; an object as JSON. */
  readonly text: string
}

export type Thrown =
  | {
      readonly kind: 'value'
      /** Text of the value; else its JSON. */
      readonly text: string
      /** Name of the value, or the SDK's name for what happened to it. */
      readonly type: string
      /** The app's own code handed it over: its stack says which capture it was. */
      readonly isFromApp: boolean
    }
  | { readonly kind: 'response'; readonly response: ThrownResponse }

const PLATFORMS = new Set(['javascript', 'node'])
const ON_REQUEST_ERROR = 'auto.function.nextjs.on_request_error'
/** Hooks and wrappers of SDKs: what was thrown is handed to them, or caught by them. */
const HOOK = /^(?:auto\.function\.|auto\.middleware\.tanstackstart\.|react-router$)/
/**
 * Texts of SDKs about an object, with its class or its own `name` in quotes; the object itself is beside it.
 */
const CAPTURED =
  /^(?:(?:Object|'[^']{1,200}') captured as (?:exception|promise rejection)(?: with (?:keys|message)\b|$)|Non-Error (?:exception|promise rejection) captured with keys\b)/
/** Text about a page's event that was thrown: which event of what. */
const CAPTURED_EVENT =
  /^Event `(?<type>[^`]{1,100})` (?:\(type=[^)]{0,100}\) )?captured as (?:exception|promise rejection)\b(?: with message `(?<message>.{1,2000})`$)?/s
/** Types that an SDK gives to what has none. */
const MADE_UP = new Set(['Error', 'UnhandledRejection'])
const NEXT_FILE = /[\\/]next[\\/]dist[\\/]/
/** Functions that are handed what others threw. */
const REPORTER = /(?:Boundary|GlobalError|handleError\d?|onError|componentDidCatch)$/
/** Files of the runtime's own frames, which have none. */
const NO_FILE = /^(?:<anonymous>|index \d{1,6})$/
/** Names by minifiers, if no source map says more. */
const MINIFIED = /^(?:\?|(?:[\w$]{1,100}\.)?[\w$]{1,2})$/
const TEXT_CHARS_MAX = 8_192
const DEPTH_MAX = 8

/** Returns what an app threw that is no error. `null` for errors and messages. */
export function thrownValue(event: ScrubbedEvent): Thrown | null {
  const [exception, ...others] = event.exception?.values ?? []
  if (exception === undefined || others.length > 0 || !PLATFORMS.has(event.platform)) return null
  const { type = '', value, mechanism } = exception
  if (value === undefined || (mechanism?.synthetic !== true && mechanism?.type !== ON_REQUEST_ERROR))
    return null
  const eventTold = CAPTURED_EVENT.exec(value)
  const happened = eventTold !== null
  const captured = CAPTURED.test(value)
  if (!happened && !captured && !MADE_UP.has(type)) return null
  const told = happened || captured ? event.extra?.__serialized__ : undefined
  const isMade = isMadeUp(exception, event.platform)
  if (!isMade && mechanism.synthetic !== true) return null
  const response = isMade ? responseOf(told) : null
  if (response !== null) return { kind: 'response', response }
  const held = isObject(told) ? told : jsonOf(value)
  const text =
    eventTold?.groups?.message?.trim() ||
    (held === null ? (textOfList(told) ?? value.trim()) : heldValueText(held, happened))
  const ownName = typeof held?.name === 'string' ? safeLine(held.name).slice(0, 128) : ''
  const shownType = ownName !== '' && ownName !== 'Object' && !happened ? ownName : type
  return text === ''
    ? null
    : { kind: 'value', text: text.slice(0, TEXT_CHARS_MAX), type: shownType, isFromApp: !isMade }
}

/** A list that was thrown. */
function textOfList(told: unknown): string | null {
  if (!Array.isArray(told) || told.length === 0) return null
  return ofValue(told) ?? JSON.stringify(told)
}

/** `error at body > script#pay`, the message, else the object as JSON. */
function heldValueText(held: Readonly<Record<string, unknown>>, isEvent: boolean): string {
  const said = ofValue(held)
  const { status, statusText, type, target } = held
  if (said !== null && said === statusText && typeof status === 'number') return `${status} ${said}`
  if (said !== null) return said
  if (!isEvent || typeof type !== 'string') return JSON.stringify(sortKeys(held))
  const asked = isObject(target) ? xhrRequest(target) : ''
  if (asked !== '') return `${type} at ${asked}`
  const place = typeof target === 'string' ? target.replace(/^\[[\w ]{1,60}: (.{1,500})\]$/s, '$1') : ''
  return place === '' || place.startsWith('[') ? type : `${type} at ${place}`
}

/** `GET https://api.shop.test/orders`: what the SDK notes at a request of the page. */
function xhrRequest({ __sentry_xhr_v3__: request }: Readonly<Record<string, unknown>>): string {
  if (!isObject(request) || typeof request.url !== 'string') return ''
  const method = typeof request.method === 'string' ? `${request.method} ` : ''
  return `${method}${request.url.replace(/[?#].*$/s, '')}`.slice(0, 300)
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

/**
 * True for the app's own frames. In a browser's bundle every frame is said to be, the SDK's too: without a
 * name it tells of no capture.
 */
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
function jsonOf(value: string): Readonly<Record<string, unknown>> | null {
  const text = value.trim()
  if (!text.startsWith('{') || text.length > TEXT_CHARS_MAX) return null
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? read : null
  } catch {
    return null // A text that begins as JSON does.
  }
}

function sortKeys(value: unknown, depth = 0): unknown {
  if (depth >= DEPTH_MAX || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => sortKeys(each, depth + 1))
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each, depth + 1)]))
}
