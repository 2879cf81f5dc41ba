/** Contexts, SDK, modules, debug images, fingerprint. docs/wire.md, section "Contexts". */

import { isObject, type Json, type JsonObject, setOwn } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { CONTEXT_LIMITS, readBag } from './bag.ts'
import type { CleanMarks } from './clean-parts.ts'
import { keptWhenClean, knownValue } from './known.ts'
import { type EventReader, type RawObject, scalarText, typeName } from './reader.ts'
import { readUserAgent } from './user-agent.ts'

const CONTEXTS = max('contextsMax')
const FINGERPRINT_PARTS = max('fingerprintPartsMax')
const PART_CHARS = 512
const SDK_LIMITS = { depth: 4, bytes: 16_384 }
const MODULES_MAX = 1_000
const MODULES_CHARS = 65_536
const DEBUG_LIMITS = { depth: 5, bytes: 131_072 }

type Contexts = Record<string, JsonObject>

/** Each context within its own bounds, with a `type`; what the User-Agent header tells is added where absent. */
export function readContexts(
  reader: EventReader,
  value: unknown,
  { userAgent, clean }: { userAgent?: string | undefined; clean?: CleanMarks | undefined } = {},
): Contexts | undefined {
  const raw = reader.object(value, 'contexts') ?? {}
  const verdicts = verdictsOf(raw, clean)
  const contexts: Contexts = {}
  reader.enter('contexts')
  let count = 0
  let place = -1
  for (const key in raw) {
    const context = raw[key]
    place++
    if (context === null || context === undefined) continue
    if (count >= CONTEXTS) {
      reader.problem(null, 'too_many', `${Object.keys(raw).length} contexts`)
      break
    }
    const bag = readContextObject(reader, key, {
      value: context,
      objects: verdicts?.[place] === 1 ? clean?.objects : undefined,
    })
    if (bag === undefined) continue
    count++
    setOwn(contexts, key.slice(0, 200), bag)
  }
  reader.leave()
  if (userAgent !== undefined) addUserAgent(contexts, userAgent)
  return Object.keys(contexts).length === 0 ? undefined : contexts
}

/** Returns the verdicts, one a context; `null` if their number differs, because a name was sent twice. */
function verdictsOf(raw: RawObject, clean: CleanMarks | undefined): Uint8Array | null {
  const verdicts = clean?.contexts ?? null
  return verdicts !== null && verdicts.length === Object.keys(raw).length ? verdicts : null
}

interface SentContext {
  readonly value: unknown
  /** Set of clean objects, to which a context is added if it stays as it was sent. */
  readonly objects: Set<object> | undefined
}

function readContextObject(
  reader: EventReader,
  key: string,
  { value, objects }: SentContext,
): JsonObject | undefined {
  // A scalar or list where a context should be is kept as its value.
  const whole = isObject(value) ? value : { value }
  const bag = readBag(reader, whole, key, CONTEXT_LIMITS)
  if (bag === undefined || Object.keys(bag).length === 0) return undefined
  const typed = typeof bag.type === 'string' && bag.type !== '' ? bag : withOwn(bag, 'type', key)
  const version = typed.version
  if (typeof version === 'string' && version !== version.trim())
    return withOwn(typed, 'version', version.trim())
  if (bag === value) objects?.add(typed)
  return typed
}

function withOwn(bag: JsonObject, key: string, value: Json): JsonObject {
  const copy: Record<string, Json | undefined> = {}
  for (const name of Object.keys(bag)) setOwn(copy, name, bag[name])
  setOwn(copy, key, value)
  return copy
}

function addUserAgent(contexts: Contexts, header: string): void {
  const facts = readUserAgent(header)
  if (facts.browser !== undefined && contexts.browser === undefined) {
    contexts.browser = { ...facts.browser, type: 'browser' }
  }
  if (facts.os !== undefined && contexts.os === undefined && contexts.client_os === undefined) {
    // Beside a server's runtime the header tells the client's system, which is not the one the code ran on.
    const name = contexts.runtime === undefined ? 'os' : 'client_os'
    contexts[name] = { ...facts.os, type: 'os' }
  }
  if (facts.device !== undefined && contexts.device === undefined) {
    contexts.device = { ...facts.device, type: 'device' }
  }
}

/** The SDK of the event, else that of the envelope, else the client that authenticated (`name/version`). */
export function readSdk(reader: EventReader, value: unknown, fallback: SdkFallback): NormalizedEvent['sdk'] {
  return readPart(reader, {
    kind: 'sdk',
    value,
    read: (own) => readSdkOf(reader, own, fallback),
    // Without a name it is that of the envelope, or of the client: no part of the event.
    isKept: (own) => isObject(own) && namesSdk(own),
  })
}

interface SdkFallback {
  readonly envelope: unknown
  readonly client: string | null
}

function readSdkOf(reader: EventReader, value: unknown, fallback: SdkFallback): NormalizedEvent['sdk'] {
  const own = reader.object(value, 'sdk')
  const raw = namesSdk(own) ? own : isObject(fallback.envelope) ? fallback.envelope : undefined
  if (raw !== own) reader.isPlain = false // the envelope's header has escapes of its own
  const bag = readBag(reader, raw, 'sdk', SDK_LIMITS) ?? {}
  const [clientName, clientVersion] = (fallback.client ?? '').slice(0, 128).split('/', 2)
  const name = scalarText(bag.name)?.trim() || clientName?.trim()
  if (name === undefined || name === '') return undefined
  const version =
    scalarText(bag.version)?.trim() || (bag.name === undefined ? clientVersion?.trim() : '') || 'unknown'
  return { ...bag, name: name.slice(0, 128), version: version.slice(0, 64) }
}

function namesSdk(raw: RawObject | undefined): raw is RawObject {
  return raw !== undefined && typeof raw.name === 'string' && raw.name.trim() !== ''
}

/** Names of packages with their versions: the same in every event of a release. Go sends an empty name, which is left out. */
export function readModules(
  reader: EventReader,
  value: unknown,
): Readonly<Record<string, string>> | undefined {
  return readPart(reader, { kind: 'modules', value, read: (own) => readModuleList(reader, own) })
}

interface PartReading<T> {
  readonly kind: 'modules' | 'sdk' | 'debug_meta'
  readonly value: unknown
  readonly read: (value: unknown) => T | undefined
  /** False for what is made of more than the part. */
  readonly isKept?: (value: unknown) => boolean
}

/** Read once where several events hold the same. */
function readPart<T extends JsonObject>(
  reader: EventReader,
  { kind, value, read, isKept = () => true }: PartReading<T>,
): T | undefined {
  const part = reader.parts?.taken.use(value, kind) ?? null
  if (part === null) return read(value)
  const known = knownValue(reader, part, '')
  if (known !== null) return known as T // what `read` made of a part of this kind
  const own: unknown = JSON.parse(part.bytes.toString('utf8'))
  return isKept(own) ? keptWhenClean(reader, part, { platform: '', read: () => read(own) }) : read(own)
}

function readModuleList(reader: EventReader, value: unknown): Readonly<Record<string, string>> | undefined {
  const raw = reader.object(value, 'modules')
  if (raw === undefined) return undefined
  const modules: Record<string, string> = {}
  let count = 0
  let chars = 0
  for (const key in raw) {
    if (++count > MODULES_MAX || chars > MODULES_CHARS || --reader.visitsLeft <= 0) {
      reader.problem('modules', 'too_many', `${Object.keys(raw).length} modules`)
      break
    }
    const name = reader.trimmed(key, 'modules', 200)
    if (name === undefined) continue
    const version = reader.text(raw[key], `modules.${name}`, 200) ?? ''
    setOwn(modules, name, version)
    chars += name.length + version.length
  }
  return Object.keys(modules).length === 0 ? undefined : modules
}

/** Parts of an explicit fingerprint as text; `[]`, and a list without any usable part, are none. */
export function readFingerprint(reader: EventReader, value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return undefined
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > FINGERPRINT_PARTS) reader.problem('fingerprint', 'too_many', `${list.length} parts`)
  const parts: string[] = []
  for (const [at, part] of list.slice(0, FINGERPRINT_PARTS).entries()) {
    if (typeof part === 'object' && part !== null) {
      reader.problem(`fingerprint.${at}`, 'invalid_type', typeName(part))
      continue
    }
    const text = reader.text(part, `fingerprint.${at}`, PART_CHARS)
    if (text !== undefined && text.trim() !== '') parts.push(text)
  }
  return parts.length === 0 ? undefined : parts
}

/** Which files a build made, by their debug ids. */
export function readDebugMeta(reader: EventReader, value: unknown): JsonObject | undefined {
  return readPart(reader, { kind: 'debug_meta', value, read: (own) => readDebugBag(reader, own) })
}

function readDebugBag(reader: EventReader, value: unknown): JsonObject | undefined {
  const bag = readBag(reader, value, 'debug_meta', DEBUG_LIMITS)
  return bag === undefined || Object.keys(bag).length === 0 ? undefined : bag
}
