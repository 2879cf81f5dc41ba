/** Exceptions and threads. docs/wire.md, sections "Exceptions" and "Threads". */

import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import type { ExceptionValue, Mechanism, Stacktrace, ThreadValue } from '#model/event.ts'
import { rootLast } from '#model/exception-tree.ts'
import { readBag } from './bag.ts'
import { type Building, type EventReader, type RawObject, scalarText } from './reader.ts'
import { readStacktrace } from './stacktrace.ts'

const EXCEPTIONS = max('exceptionsMax')
const THREADS = max('threadsMax')
const MESSAGE_CHARS = max('messageCharsMax')
const MESSAGE_ALLOWANCE = 200
const TYPE_CHARS = 256
const TYPE_ALLOWANCE = 20
const MECHANISM_LIMITS = { depth: 4, bytes: 4_096 }

/** Oldest cause first, the thrown error last, by their ids where they have some. Of too many, the newest stay. */
export function readExceptions(
  reader: EventReader,
  value: unknown,
  platform: string,
): { readonly values: readonly ExceptionValue[] } | undefined {
  const all = rootLast(reader.values(value, 'exception'), sentPlace)
  const skipped = Math.max(0, all.length - EXCEPTIONS)
  if (skipped > 0) reader.problem('exception', 'too_many', `${all.length} exceptions`)
  reader.enter('exception')
  reader.enter('values')
  const values: ExceptionValue[] = []
  for (const [at, raw] of all.entries()) {
    if (at < skipped) continue
    // By the place it is stored at.
    reader.enter(values.length)
    const exception = readException(reader, raw, platform)
    if (exception !== undefined) values.push(exception)
    reader.leave()
  }
  reader.leave()
  reader.leave()
  return values.length === 0 ? undefined : { values }
}

/** Returns the place of an exception that the SDK states, before it is read. */
function sentPlace(raw: RawObject): Mechanism | undefined {
  const { mechanism } = raw
  if (!isObject(mechanism)) return undefined
  const place: Building<Mechanism> = { type: '' }
  for (const key of ['exception_id', 'parent_id'] as const) {
    const id = mechanism[key]
    if (typeof id === 'number' && Number.isSafeInteger(id)) place[key] = id
  }
  if (mechanism.is_exception_group === true) place.is_exception_group = true
  return place
}

function readException(reader: EventReader, raw: RawObject, platform: string): ExceptionValue | undefined {
  const exception: Building<ExceptionValue> = {}
  const type = reader.textOrJson(raw.type, 'type', TYPE_CHARS, TYPE_ALLOWANCE)
  if (type !== undefined) exception.type = type
  const value = reader.textOrJson(raw.value, 'value', MESSAGE_CHARS, MESSAGE_ALLOWANCE)
  if (value !== undefined) exception.value = value
  const module = reader.text(raw.module, 'module', TYPE_CHARS, TYPE_ALLOWANCE)
  if (module !== undefined) exception.module = module
  const thread = readThreadId(reader, raw.thread_id, 'thread_id')
  if (thread !== undefined) exception.thread_id = thread
  const mechanism = readMechanism(reader, raw.mechanism)
  if (mechanism !== undefined) exception.mechanism = mechanism
  const read =
    readStacktrace(reader, raw.stacktrace, 'stacktrace', platform) ??
    readStacktrace(reader, raw.raw_stacktrace, 'raw_stacktrace', platform)
  const isTold = type === 'UnrecognizedActionError' && read !== undefined
  const stacktrace = isTold ? withoutMessage(read, value ?? '') : read
  if (stacktrace !== undefined) exception.stacktrace = stacktrace
  if (type === undefined && value === undefined && stacktrace === undefined) {
    reader.problem(null, 'missing', 'type and value')
    return undefined
  }
  return exception
}

/**
 * A browser's stack begins with the message, and SDKs take a line of it that ends with an address for a call: `Read more:`
 * in `https://nextjs.org/docs/…`, without a place in that file. Of errors that no stack groups: others would part.
 */
function withoutMessage(trace: Stacktrace, value: string): Stacktrace | undefined {
  const lines = new Set(value.split('\n').map((line) => line.trim()))
  const frames = trace.frames.filter(({ filename, function: name = '', lineno }) => {
    if (lineno !== undefined || filename?.includes('://') !== true) return true
    return !lines.has(filename) && !lines.has(`${name.trim()} ${filename}`)
  })
  if (frames.length === trace.frames.length) return trace
  return frames.length === 0 ? undefined : { ...trace, frames }
}

function readMechanism(reader: EventReader, value: unknown): Mechanism | undefined {
  // Old clients send the type alone.
  const raw = typeof value === 'string' ? { type: value } : reader.object(value, 'mechanism')
  if (raw === undefined || Object.keys(raw).length === 0) return undefined
  reader.enter('mechanism')
  const mechanism: Building<Mechanism> = { type: reader.trimmed(raw.type, 'type', 128) ?? 'generic' }
  for (const key of ['handled', 'synthetic', 'is_exception_group'] as const) {
    const flag = reader.boolean(raw[key], key)
    if (flag !== undefined) mechanism[key] = flag
  }
  for (const key of ['description', 'help_link', 'source'] as const) {
    const text = reader.text(raw[key], key, 1_024)
    if (text !== undefined) mechanism[key] = text
  }
  for (const key of ['exception_id', 'parent_id'] as const) {
    const id = reader.integer(raw[key], key)
    if (id !== undefined) mechanism[key] = id
  }
  for (const key of ['data', 'meta'] as const) {
    const bag = readBag(reader, raw[key], key, MECHANISM_LIMITS)
    if (bag !== undefined && Object.keys(bag).length > 0) mechanism[key] = bag
  }
  reader.leave()
  return mechanism
}

/** Threads; of too many, those that crashed or are current stay, then the first ones. */
export function readThreads(
  reader: EventReader,
  value: unknown,
  platform: string,
): { readonly values: readonly ThreadValue[] } | undefined {
  const all = reader.values(value, 'threads')
  const kept = all.length > THREADS ? mostTelling(all) : all
  if (kept !== all) reader.problem('threads', 'too_many', `${all.length} threads`)
  reader.enter('threads')
  reader.enter('values')
  const values = kept.map((raw, at) => {
    reader.enter(at)
    const thread = readThread(reader, raw, platform)
    reader.leave()
    return thread
  })
  reader.leave()
  reader.leave()
  const filled = values.filter((thread) => Object.keys(thread).length > 0)
  return filled.length === 0 ? undefined : { values: filled }
}

function mostTelling(all: readonly RawObject[]): readonly RawObject[] {
  const telling = new Set(all.filter((raw) => raw.crashed === true || raw.current === true).slice(0, THREADS))
  for (const raw of all) {
    if (telling.size >= THREADS) break
    telling.add(raw)
  }
  return all.filter((raw) => telling.has(raw))
}

function readThread(reader: EventReader, raw: RawObject, platform: string): ThreadValue {
  const thread: Building<ThreadValue> = {}
  const id = readThreadId(reader, raw.id, 'id')
  if (id !== undefined) thread.id = id
  const name = reader.text(raw.name, 'name', 256)
  if (name !== undefined) thread.name = name
  for (const key of ['crashed', 'current', 'main'] as const) {
    const flag = reader.boolean(raw[key], key)
    if (flag !== undefined) thread[key] = flag
  }
  const state = reader.text(raw.state, 'state', 64)
  if (state !== undefined) thread.state = state
  const stacktrace = readStacktrace(reader, raw.stacktrace, 'stacktrace', platform)
  if (stacktrace !== undefined) thread.stacktrace = stacktrace
  return thread
}

function readThreadId(reader: EventReader, value: unknown, key: string): string | number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'object' && value !== null) {
    reader.problem(key, 'invalid_type', 'object')
    return undefined
  }
  const text = scalarText(value)
  return text === undefined ? undefined : reader.trimmed(text, key, 128)
}
