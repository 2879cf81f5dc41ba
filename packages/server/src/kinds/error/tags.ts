/** All tags of an event: its own and those derived from its fields, so that everything can be searched one way. */

import type { Digest } from '#base/ids.ts'
import type { JsonObject } from '#base/json.ts'
import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import { eventMechanism } from '#model/main-exception.ts'
import type { SkewKind } from '#model/recognised.ts'
import type { HydrationCause } from '#recognise/hydration/causes.ts'
import type { RequestPlace } from './request-kind.ts'

/** Surroundings of an event for rows and tags, read once. */
export interface EventSurroundings {
  readonly browser: NamedVersion | null
  readonly os: NamedVersion | null
  readonly runtime: NamedVersion | null
  readonly device: string | null
  readonly url: string | null
  readonly traceId: string | null
}

export interface TagFacts {
  readonly place: RequestPlace
  readonly around: EventSurroundings
  readonly handled: boolean | null
  readonly user: string | null
  readonly digest: Digest | null
  readonly skew: SkewKind | null
  /** The likely one of a mismatch. */
  readonly hydration: HydrationCause | null
}

interface NamedVersion {
  readonly name: string
  /** With the parts of its version that tell releases of its kind apart: `Chrome 141`, `macOS 15.1`. */
  readonly shown: string
}

const KEY_CHARS_MAX = max('tagKeyCharsMax')
const VALUE_CHARS_MAX = max('tagValueCharsMax')
const TAGS_MAX = max('tagsMax')

/**
 * Derived tags win over own ones of the same key: `level:error` must find what the level is, not what a tag claims.
 * Each key once, sorted by key; own tags beyond the limit are left out.
 */
export function tagsOf(event: ScrubbedEvent, facts: TagFacts): readonly Pair[] {
  const tags: Tags = new Map()
  addDerived(tags, event, facts)
  for (const [key, value] of event.tags) if (!tags.has(key)) addTag(tags, key, value)
  return [...tags.values()].sort((one, other) => (one[0] < other[0] ? -1 : 1))
}

type Pair = readonly [key: string, value: string]
/** By key. */
type Tags = Map<string, Pair>

/**
 * The pair that a key had last. Of two dozen pairs of an event most are those of the event before: a batch holds each of
 * them once then, which is less to collect, and they are quickly told to be the same.
 */
const LAST = new Map<string, Pair>()

function pairOf(key: string, value: string, last: Pair | undefined): Pair {
  if (last?.[1] === value) return last
  if (last === undefined && LAST.size >= TAGS_MAX) LAST.clear()
  const pair: Pair = [key, value]
  LAST.set(key, pair)
  return pair
}

const BREAK = /[\r\n\t\0]/
const BREAKS = /[\r\n\t\0]+/g
/** Length up to which a value needs no cut: half of a character may be cut off beside what is too long. */
const UNCUT_CHARS = VALUE_CHARS_MAX - 1

function addTag(tags: Tags, key: string, value: string | null | undefined): void {
  if (value === null || value === undefined || tags.size >= TAGS_MAX) return
  const last = LAST.get(key)
  // What was a tag is one as it stands, unless it was cut: before the cut may stand a blank.
  if (last?.[1] === value && value.length < UNCUT_CHARS) {
    tags.set(key, last)
    return
  }
  const plain = cutTag((BREAK.test(value) ? value.replace(BREAKS, ' ') : value).trim(), VALUE_CHARS_MAX)
  if (plain !== '' && key !== '' && key.length <= KEY_CHARS_MAX) tags.set(key, pairOf(key, plain, last))
}

/**
 * Written out: a list of pairs would be two dozen objects for each event; sorted by key, so that little is left to sort.
 */
function addDerived(tags: Tags, event: ScrubbedEvent, facts: TagFacts): void {
  const { browser, os, runtime, device, url, traceId } = facts.around
  const replayId = event.contexts?.replay?.replay_id
  addTag(tags, 'browser', browser?.shown)
  addTag(tags, 'browser.name', browser?.name)
  addTag(tags, 'device', device)
  addTag(tags, 'device.family', contextText(event.contexts?.device, 'family'))
  addTag(tags, 'digest', facts.digest)
  addTag(tags, 'dist', event.dist)
  addTag(tags, 'environment', event.environment)
  addTag(tags, 'errata.hydration', facts.hydration)
  addTag(tags, 'errata.skew', facts.skew)
  addTag(tags, 'handled', facts.handled === null ? null : facts.handled ? 'yes' : 'no')
  addTag(tags, 'level', event.level)
  addTag(tags, 'logger', event.logger)
  addTag(tags, 'mechanism', eventMechanism(event)?.type)
  addTag(tags, 'os', os?.shown)
  addTag(tags, 'os.name', os?.name)
  addTag(tags, 'release', event.release)
  addTag(tags, 'replayId', typeof replayId === 'string' ? replayId : null)
  addTag(tags, 'request_kind', facts.place.kind)
  addTag(tags, 'route', facts.place.route)
  addTag(tags, 'runtime', runtime?.shown)
  addTag(tags, 'runtime.name', runtime?.name)
  addTag(tags, 'server_name', event.server_name)
  addTag(tags, 'trace', traceId)
  addTag(tags, 'transaction', event.transaction)
  addTag(tags, 'url', url)
  addTag(tags, 'user', facts.user)
}

export function errorSurroundings(event: ScrubbedEvent): EventSurroundings {
  const { browser, os, client_os: clientOs, runtime } = event.contexts ?? {}
  return {
    browser: namedVersion(browser, 1),
    os: namedVersion(os, 2) ?? namedVersion(clientOs, 2),
    runtime: namedVersion(runtime, 3),
    device: eventDevice(event),
    url: eventUrl(event),
    traceId: eventTraceId(event),
  }
}

/** Name and first parts of the version of a context such as `browser`, `os`, `runtime`; `null` without a name. */
function namedVersion(context: JsonObject | undefined, parts: number): NamedVersion | null {
  const name = contextText(context, 'name')
  if (name === null) return null
  const version = firstParts(VERSIONS.of(versionOf(context)), parts)
  return { name, shown: version === '' ? name : `${name} ${version}` }
}

/** Kernel build number of `uname`, which Ruby's SDK sends as the version; the release stands in `build`. */
const KERNEL_BUILD = /^#\d/

function versionOf(context: JsonObject | undefined): string {
  const version = contextText(context, 'version') ?? ''
  return KERNEL_BUILD.test(version) ? (contextText(context, 'build') ?? '') : version
}

/** `v24.21.0`, `3.12.1 (main, …)`, `6.8.0-41-generic`: the number is what people filter by. */
const VERSIONS = new Memo((text) => /\d+(?:\.\d+)*/.exec(text.slice(0, 64))?.[0] ?? '', {
  entriesMax: 1_000,
  charsMax: VALUE_CHARS_MAX,
})

function firstParts(version: string, parts: number): string {
  let end = -1
  for (let count = 0; count < parts; count++) {
    end = version.indexOf('.', end + 1)
    if (end === -1) return version
  }
  return version.slice(0, end)
}

/** Model of the device, else its name or family. */
function eventDevice(event: ScrubbedEvent): string | null {
  const device = event.contexts?.device
  return contextText(device, 'model') ?? contextText(device, 'name') ?? contextText(device, 'family')
}

/** The request's address without query and fragment. */
function eventUrl(event: ScrubbedEvent): string | null {
  const url = event.request?.url ?? ''
  const end = url.search(/[?#]/)
  const plain = end === -1 ? url : url.slice(0, end)
  return plain === '' ? null : plain
}

/** 32 lower-case hex characters. */
function eventTraceId(event: ScrubbedEvent): string | null {
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

function contextText(context: JsonObject | undefined, key: string): string | null {
  const value = context?.[key]
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.trim() !== '' ? cutTag(text.trim(), VALUE_CHARS_MAX) : null
}

function cutTag(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
}
