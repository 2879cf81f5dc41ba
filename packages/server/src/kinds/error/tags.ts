/** All tags of an event: its own and those derived from its fields, so that everything can be searched one way. */

import type { Digest } from '#base/ids.ts'
import type { JsonObject } from '#base/json.ts'
import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import type { RequestPlace } from './request-kind.ts'

export interface TagFacts {
  readonly place: RequestPlace
  readonly handled: boolean | null
  readonly user: string | null
  readonly digest: Digest | null
}

export interface NamedVersion {
  readonly name: string
  readonly version: string
}

const KEY_CHARS_MAX = max('tagKeyCharsMax')
const VALUE_CHARS_MAX = max('tagValueCharsMax')
const TAGS_MAX = max('tagsMax')

/**
 * Derived tags win over own ones of the same key: `level:error` must find what the level is, not what a tag claims.
 * Each key once, sorted by key; own tags beyond the limit are left out.
 */
export function tagsOf(event: ScrubbedEvent, facts: TagFacts): readonly (readonly [string, string])[] {
  const tags = new Map<string, string>()
  for (const [key, value] of derivedTags(event, facts)) add(tags, key, value)
  for (const [key, value] of event.tags) if (!tags.has(key)) add(tags, key, value)
  return [...tags].sort(([one], [other]) => (one < other ? -1 : 1))
}

const BREAK = /[\r\n\t\0]/
const BREAKS = /[\r\n\t\0]+/g

function add(tags: Map<string, string>, key: string, value: string | null | undefined): void {
  if (value === null || value === undefined) return
  const plain = cut((BREAK.test(value) ? value.replace(BREAKS, ' ') : value).trim(), VALUE_CHARS_MAX)
  if (plain !== '' && key !== '' && key.length <= KEY_CHARS_MAX && tags.size < TAGS_MAX) tags.set(key, plain)
}

function derivedTags(
  event: ScrubbedEvent,
  facts: TagFacts,
): readonly (readonly [string, string | null | undefined])[] {
  const contexts = event.contexts ?? {}
  const browser = namedVersion(contexts.browser)
  const os = namedVersion(contexts.os) ?? namedVersion(contexts.client_os)
  const runtime = namedVersion(contexts.runtime)
  const replayId = contexts.replay?.replay_id
  return [
    ['level', event.level],
    ['environment', event.environment],
    ['release', event.release],
    ['dist', event.dist],
    ['transaction', event.transaction],
    ['server_name', event.server_name],
    ['logger', event.logger],
    ['url', urlOf(event)],
    ['user', facts.user],
    ['browser', browser === null ? null : withVersion(browser, 1)],
    ['browser.name', browser?.name],
    ['os', os === null ? null : withVersion(os, 2)],
    ['os.name', os?.name],
    ['device', deviceOf(event)],
    ['device.family', textOf(contexts.device, 'family')],
    ['runtime', runtime === null ? null : withVersion(runtime, 3)],
    ['runtime.name', runtime?.name],
    ['mechanism', event.exception?.values.at(-1)?.mechanism?.type],
    ['handled', facts.handled === null ? null : facts.handled ? 'yes' : 'no'],
    ['trace', traceIdOf(event)],
    ['replayId', typeof replayId === 'string' ? replayId : null],
    ['request_kind', facts.place.kind],
    ['route', facts.place.route],
    ['digest', facts.digest],
  ]
}

/** Name and version of a context such as `browser`, `os`, `runtime`; `null` without a name. */
export function namedVersion(context: JsonObject | undefined): NamedVersion | null {
  const name = textOf(context, 'name')
  if (name === null) return null
  return { name, version: VERSIONS.of(textOf(context, 'version') ?? '') }
}

/** `v24.21.0`, `3.12.1 (main, …)`, `6.8.0-41-generic`: the number is what people filter by. */
const VERSIONS = new Memo((text) => /\d+(?:\.\d+)*/.exec(text.slice(0, 64))?.[0] ?? '', {
  entriesMax: 1_000,
  charsMax: VALUE_CHARS_MAX,
})

/** `Chrome 141` with one part of the version, `macOS 15.1` with two. */
export function withVersion({ name, version }: NamedVersion, parts: number): string {
  const kept = firstParts(version, parts)
  return kept === '' ? name : `${name} ${kept}`
}

function firstParts(version: string, parts: number): string {
  let end = -1
  for (let count = 0; count < parts; count++) {
    end = version.indexOf('.', end + 1)
    if (end === -1) return version
  }
  return version.slice(0, end)
}

/** Model of the device, else its name or family. */
export function deviceOf(event: ScrubbedEvent): string | null {
  const device = event.contexts?.device
  return textOf(device, 'model') ?? textOf(device, 'name') ?? textOf(device, 'family')
}

/** The request's address without query and fragment. */
export function urlOf(event: ScrubbedEvent): string | null {
  const url = event.request?.url ?? ''
  const end = url.search(/[?#]/)
  const plain = end === -1 ? url : url.slice(0, end)
  return plain === '' ? null : plain
}

/** 32 lower-case hex characters. */
export function traceIdOf(event: ScrubbedEvent): string | null {
  return hexOf(event.contexts?.trace?.trace_id, 32)
}

/** 16 lower-case hex characters. */
export function spanIdOf(event: ScrubbedEvent): string | null {
  return hexOf(event.contexts?.trace?.span_id, 16)
}

const HEX = /^[0-9a-f]+$/

function hexOf(value: unknown, chars: number): string | null {
  if (typeof value !== 'string') return null
  if (value.length === chars && HEX.test(value) && !/^0+$/.test(value)) return value // as SDKs write them
  const plain = value.trim().toLowerCase().replaceAll('-', '')
  return plain.length === chars && /^[0-9a-f]+$/.test(plain) && !/^0+$/.test(plain) ? plain : null
}

function textOf(context: JsonObject | undefined, key: string): string | null {
  const value = context?.[key]
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? cut(text.trim(), VALUE_CHARS_MAX) : null
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
}
