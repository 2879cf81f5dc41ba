/** The HTTP request of an event. docs/wire.md, section "Request". */

import { isObject, type JsonObject } from '#base/json.ts'
import { Memo } from '#base/memo.ts'
import type { EventRequest } from '#model/event.ts'
import { readAny, readBag } from './bag.ts'
import { type KeyValue, readKeyValues, readPairsOrText } from './pairs.ts'
import { type Building, type EventReader, type RawObject, typeName } from './reader.ts'

const URL_CHARS = 2_048
const DATA_CHARS = 16_384
const QUERY_LIMITS = { pairs: 100, keyChars: 200, valueChars: 1_024, chars: 4_096, separator: '&' } as const
const COOKIE_LIMITS = { pairs: 100, keyChars: 200, valueChars: 1_024, chars: 4_096, separator: ';' } as const
const HEADER_LIMITS = { pairs: 100, keyChars: 200, valueChars: 2_048, chars: 8_192 }
const DATA_LIMITS = { depth: 7, bytes: DATA_CHARS }
const ENV_LIMITS = { depth: 3, bytes: 8_192 }
/** Fields without a place of their own, kept among the rest. */
const REST = ['body_size', 'protocol', 'api_target', 'inferred_content_type'] as const

/** The request, and what of it goes to the event's `other`. */
export function readRequest(
  reader: EventReader,
  value: unknown,
): { readonly request?: EventRequest; readonly rest?: JsonObject } {
  const raw = reader.object(value, 'request')
  if (raw === undefined) return {}
  reader.enter('request')
  const request: Building<EventRequest> = {}
  const { url, query, fragment } = splitUrl(reader.trimmed(raw.url, 'url', URL_CHARS))
  if (url !== undefined) request.url = url
  const method = reader.trimmed(raw.method, 'method', 32)
  if (method !== undefined) request.method = method.toUpperCase()
  const sentQuery = raw.query_string === '' ? undefined : raw.query_string
  const pairs = readPairsOrText(reader, sentQuery ?? query, 'query_string', QUERY_LIMITS)
  if (pairs !== undefined) request.query_string = pairs
  const sentFragment = reader.trimmed(raw.fragment, 'fragment', 1_024) ?? fragment
  if (sentFragment !== undefined) request.fragment = sentFragment
  const headers = readKeyValues(reader, raw.headers, 'headers', HEADER_LIMITS)
  if (headers !== undefined)
    request.headers = headers.map(([name, text]): KeyValue => [titleCase(name), text])
  const cookies = readPairsOrText(reader, raw.cookies, 'cookies', COOKIE_LIMITS)
  if (cookies !== undefined) request.cookies = cookies
  const data = readRequestData(reader, raw.data)
  if (data !== undefined) request.data = data
  const env = readBag(reader, raw.env, 'env', ENV_LIMITS)
  if (env !== undefined && Object.keys(env).length > 0) request.env = env
  const rest = readRest(reader, raw)
  reader.leave()
  return {
    ...(Object.keys(request).length === 0 ? {} : { request }),
    ...(rest === undefined ? {} : { rest }),
  }
}

function splitUrl(url: string | undefined): { url?: string; query?: string; fragment?: string } {
  if (url === undefined) return {}
  const hash = url.indexOf('#')
  const beforeHash = hash === -1 ? url : url.slice(0, hash)
  const mark = beforeHash.indexOf('?')
  const address = mark === -1 ? beforeHash : beforeHash.slice(0, mark)
  const query = mark === -1 ? '' : beforeHash.slice(mark + 1)
  const fragment = hash === -1 ? '' : url.slice(hash + 1)
  return {
    ...(address === '' ? {} : { url: address }),
    ...(query === '' ? {} : { query }),
    ...(fragment === '' ? {} : { fragment }),
  }
}

function readRequestData(reader: EventReader, value: unknown): EventRequest['data'] {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value === 'string') return reader.text(value, 'data', DATA_CHARS)
  if (isObject(value) && Object.keys(value).length === 0) return undefined
  return readAny(reader, value, 'data', DATA_LIMITS)
}

function readRest(reader: EventReader, raw: RawObject): JsonObject | undefined {
  const rest: Record<string, string | number> = {}
  for (const key of REST) {
    const value = raw[key]
    if (typeof value === 'number' && Number.isFinite(value)) rest[key] = value
    else if (typeof value === 'string') rest[key] = reader.text(value, key, 128) ?? ''
    else if (value !== null && value !== undefined) reader.problem(key, 'invalid_type', typeName(value))
  }
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** `user-agent` → `User-Agent`: one spelling, however the framework writes it. */
function titleCase(name: string): string {
  return TITLES.of(name)
}

const TITLES = new Memo(toTitleCase, { entriesMax: 1_000, charsMax: 64 })

function toTitleCase(name: string): string {
  let text = ''
  let start = true
  for (const letter of name.trim().toLowerCase()) {
    text += start ? letter.toUpperCase() : letter
    start = letter === '-' || letter === '_' || letter === ' '
  }
  return text.replaceAll('_', '-')
}

/** First value of a header, or nothing. */
export function headerOf(request: EventRequest | undefined, name: string): string | undefined {
  return request?.headers?.find(([header]) => header === name)?.[1]
}
