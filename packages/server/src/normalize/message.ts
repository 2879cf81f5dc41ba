/** Messages: a text, or a template with its parameters. docs/wire.md, section "Messages". */

import { isObject, type Json } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { readAny } from './bag.ts'
import type { EventReader, RawObject } from './reader.ts'
import { cutText, scalarText } from './reader.ts'

type LogEntry = NonNullable<NormalizedEvent['logentry']>

const MESSAGE_CHARS = max('messageCharsMax')
const ALLOWANCE = 200
const PARAMS_LIMITS = { depth: 4, bytes: 8_192 }
const PLACEHOLDERS_MAX = 100

export interface Messages {
  readonly message?: string
  readonly logentry?: LogEntry
}

/**
 * `logentry`, its old name, or an object in `message` (Java and native send that); else the text of `message`.
 * A message that is only a text becomes no log entry.
 */
export function readMessages(reader: EventReader, raw: RawObject): Messages {
  const entry =
    raw.logentry ?? raw['sentry.interfaces.Message'] ?? (isObject(raw.message) ? raw.message : undefined)
  const plain = isObject(raw.message)
    ? undefined
    : reader.textOrJson(raw.message, 'message', MESSAGE_CHARS, ALLOWANCE)
  const logentry = readLogEntry(reader, entry)
  const message = plain?.trim() === '' ? undefined : plain
  return {
    ...(message === undefined ? {} : { message }),
    ...(logentry === undefined ? {} : { logentry }),
  }
}

function readLogEntry(reader: EventReader, value: unknown): LogEntry | undefined {
  const raw = typeof value === 'string' ? { formatted: value } : reader.object(value, 'logentry')
  if (raw === undefined) return undefined
  reader.enter('logentry')
  const template = reader.textOrJson(raw.message, 'message', MESSAGE_CHARS, ALLOWANCE)
  const sent = reader.textOrJson(raw.formatted, 'formatted', MESSAGE_CHARS, ALLOWANCE)
  const params = readParams(reader, raw.params)
  reader.leave()
  const formatted = sent ?? (template === undefined ? undefined : formatTemplate(template, params))
  if (formatted === undefined || formatted.trim() === '') return undefined
  return {
    ...(template === undefined || (template === formatted && params === undefined)
      ? {}
      : { message: template }),
    formatted,
    ...(params === undefined ? {} : { params }),
  }
}

/** The parameters of a template; an empty list or object is no parameters, as in Python's logging. */
function readParams(reader: EventReader, value: unknown): Json | undefined {
  if (!Array.isArray(value) && !isObject(value)) return undefined
  const params = readAny(reader, value, 'params', PARAMS_LIMITS)
  const count = Array.isArray(params) ? params.length : isObject(params) ? Object.keys(params).length : 0
  return count === 0 ? undefined : params
}

// `%%`, `%s` and kin with flags and width, `%(name)s`, `{}`, `{0}`, `{name}`.
const PLACEHOLDER =
  /%%|%\((\w{1,64})\)[sdifr]|%[-+ #0]{0,3}\d{0,3}(?:\.\d{1,3})?[sdifruxXoOjeEgGcv]|\{(\w{0,64})\}/g

/** Fills a template the way Python, C and .NET would; a placeholder without a parameter stays. */
function formatTemplate(template: string, params: Json | undefined): string {
  if (params === undefined) return template
  const list: readonly unknown[] = Array.isArray(params) ? params : []
  const named: RawObject = isObject(params) ? params : {}
  let next = 0
  let filled = 0
  const text = template.replace(PLACEHOLDER, (match: string, inPercent?: string, inBraces?: string) => {
    if (match === '%%') return '%'
    if (++filled > PLACEHOLDERS_MAX) return match
    const name = inPercent ?? (inBraces === '' ? undefined : inBraces)
    if (name === undefined) return next < list.length ? paramText(list[next++]) : match
    if (Object.hasOwn(named, name)) return paramText(named[name])
    return /^\d{1,3}$/.test(name) && Number(name) < list.length ? paramText(list[Number(name)]) : match
  })
  return cutText(text, MESSAGE_CHARS)
}

function paramText(value: unknown): string {
  return scalarText(value) ?? JSON.stringify(value) ?? 'null'
}
