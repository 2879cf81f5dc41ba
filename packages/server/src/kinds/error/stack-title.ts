/** Titles of events with neither exception nor message: threads only, the end of a process. */
import { safeLine } from '#group/v1/sentence.ts'
import type { Frame, ScrubbedEvent, ThreadValue } from '#model/event.ts'

const NATIVE = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'rust'])
const UNNAMED = /^(?:\?|<anonymous>|<unknown>|<redacted>)?$/
const HANG = /(?:^|[^a-z])(?:anr|app.?hang|hang|not.?responding)(?:[^a-z]|$)/i
const NAME_CHARS_MAX = 200

interface Seen {
  readonly frame: Frame | null
  readonly thread: ThreadValue | undefined
}

/** Empty where the event tells nothing at all. */
export function stackTitle(event: ScrubbedEvent, { frame, thread }: Seen): string {
  const place = framePlace(frame)
  const where = place === '' ? '' : ` in ${place}`
  const hasThreads = (event.threads?.values.length ?? 0) > 0
  if (thread?.crashed === true) return `Crash${where}${ofThread(thread)}`
  // What a process left when it ended: a minidump beside the event, or nothing.
  if (isNativeCrash(event)) return `Native crash${where}${ofProcess(event)}`
  if (isHang(event)) return `Not responding${where}${ofThread(thread)}`
  if (hasThreads)
    return `${hasMany(event) ? 'Stacks of threads' : 'Stack of a thread'}${where}${ofThread(thread)}`
  return place === '' ? '' : `Stack trace${where}`
}

/** True for a crash that native SDKs send, or Electron's, which a tag marks. */
function isNativeCrash({ platform, level, tags, sdk }: ScrubbedEvent): boolean {
  if (NATIVE.has(platform) && level === 'fatal') return true
  const isMarked = tags.some(([key, value]) => key === 'event.environment' && value === 'native')
  return isMarked || NATIVE_SDK.test(sdk?.name ?? '')
}

const NATIVE_SDK = /(?:^|[.-])(?:native|crashpad|breakpad)(?:[.-]|$)/

/** True for a hang, as SDKs and people mark it when they send threads only. */
function isHang({ fingerprint = [], logger = '', tags }: ScrubbedEvent): boolean {
  const told = [...fingerprint, logger, ...tags.flat()]
  return told.some((text) => HANG.test(text))
}

function hasMany(event: ScrubbedEvent): boolean {
  return (event.threads?.values.length ?? 0) > 1
}

function ofThread(thread: ThreadValue | undefined): string {
  const name = safeLine(thread?.name ?? '')
  return name === '' ? '' : ` (thread ${name.slice(0, NAME_CHARS_MAX)})`
}

/** Returns the process that Electron names. */
function ofProcess({ tags }: ScrubbedEvent): string {
  const told = (name: string) =>
    safeLine(tags.find(([key]) => key === name)?.[1] ?? '').slice(0, NAME_CHARS_MAX)
  const [name, reason] = [told('event.process'), told('exit.reason')]
  return [name === '' ? '' : ` (${name} process)`, reason === '' ? '' : `: ${reason}`].join('')
}

function framePlace(frame: Frame | null): string {
  const name = (frame?.function ?? '').trim()
  const text = UNNAMED.test(name) ? (frame?.filename ?? frame?.module ?? frame?.package ?? '') : name
  return safeLine(text).slice(0, NAME_CHARS_MAX)
}
