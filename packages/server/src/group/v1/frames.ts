/** Part of grouping version 1. From a stack trace to the keys that are hashed. */
import type { Frame, ScrubbedEvent, Stacktrace } from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { frameAddressKey, imagesOf } from './addresses.ts'
import { frameKind, framesBehindAwait, isOwnCall } from './frame-kinds.ts'
import { functionKey, moduleKey } from './functions.ts'
import { fileKey, isPageAddress } from './paths.ts'
import { type Family, platformFamily } from './rules/families.ts'
import { withoutGenerated } from './rules/name-rules.ts'
import { framesToldTwice } from './told-twice.ts'

/** Frames considered, the newest. */
const FRAMES_MAX = 50
const CONTEXT_LINE_CHARS_MAX = 120
/** A repetition of up to this many frames counts once: recursion, mutual recursion. */
const REPETITION_MAX = 8
/** Names this short are a minifier's, and change with every build. */
const MINIFIED_CHARS_MAX = 2
/** dart2js takes longer names, and all of an app is in one file. */
const DART_FILE = /\.dart\.js$/
const DART_MINIFIED = /^[A-Za-z_$][\w$]{0,3}$/

const WITH_SOURCE: ReadonlySet<Family> = new Set<Family>(['javascript', 'python', 'php', 'ruby'])

export interface FrameKey {
  /** Module, or file name without install path and content hash; may be empty. */
  readonly place: string
  /** Cleaned function, or the collapsed source line; empty where neither can be trusted. */
  readonly code: string
  /** How `code` was found. */
  readonly by: 'function' | 'source line' | 'address' | 'line of page' | 'nothing'
  /** It stands in a page: no file tells which script it is. */
  readonly isInline?: true
  /** The function was named by a minifier. */
  readonly isMinified: boolean
}

/** Frames that did not count, by why. */
export interface LeftOutFrames {
  readonly library: number
  /** Number of frames made by the engine or runtime, by compilers' helpers and by the SDK. */
  readonly made: number
  /** Behind `await`, where not every engine tells them. */
  readonly waiting: number
}

export interface StackKeys {
  /** Oldest call first, repetitions collapsed. */
  readonly keys: readonly FrameKey[]
  /** False where no frame of the app contributes: then the value decides too. */
  readonly inAppOnly: boolean
  readonly leftOut: () => LeftOutFrames
  /** No frame tells by name or source where it failed: the value must decide. */
  readonly isVague: boolean
}

interface KnownKeys {
  readonly platform: string
  readonly keys: StackKeys | null
}
/** Keys of frame lists that several events share: the list is the same object, so its keys are too. */
const KNOWN = new WeakMap<readonly Frame[], KnownKeys>()

export interface StackContext {
  readonly event: ScrubbedEvent
  /** Trace of the code that ran, if `trace` is of the sources. */
  readonly ran?: Stacktrace | undefined
  readonly shared?: SharedParts | undefined
}

/** Returns the parts of a stack that make up its group. `null` when there is no frame to go by. */
export function stackKeys(stacktrace: Stacktrace | undefined, context: StackContext): StackKeys | null {
  if (stacktrace === undefined) return null
  const { frames } = stacktrace
  const { shared } = context
  const { platform } = context.event
  const known = shared === undefined ? undefined : KNOWN.get(frames)
  if (known?.platform === platform) return known.keys
  const keys = keysOfTrace(stacktrace, context)
  if (shared?.has(frames) === true) KNOWN.set(frames, { platform, keys })
  return keys
}

function keysOfTrace(trace: Stacktrace, { event, ran }: StackContext): StackKeys | null {
  const { frames } = trace
  const { platform } = event
  // A server has one engine, which always tells who waits; of browsers some tell nothing.
  const behind = platform === 'javascript' ? behindAwait(trace, ran, platform) : 0
  const twice = platform === 'javascript' ? framesToldTwice(event, ran) : NONE
  const chosen = keysOf(frames, { event, from: behind, twice, isCounted: isOwnCall })
  const inAppOnly = chosen.length > 0
  const others = inAppOnly ? chosen : keysOf(frames, { event, from: behind, twice, isCounted: isCallFrame })
  const keys = others.length > 0 ? others : lineOfPage(frames, event)
  if (keys.length === 0) return null
  return {
    keys,
    inAppOnly,
    leftOut: () => leftOutNote(frames, { platform, behind, inAppOnly, twice: twice.size }),
    isVague: isVague(keys),
  }
}

/**
 * Returns the place of the newest call in its page, where nothing else says which of a page's scripts failed. Beside anything
 * that does it would only differ from page to page.
 */
function lineOfPage(frames: readonly Frame[], event: ScrubbedEvent): readonly FrameKey[] {
  const newest = frames.findLast(
    (frame) => isCallFrame(frame, event.platform) && isInline(frame, event) && frame.lineno !== undefined,
  )
  if (newest === undefined) return []
  const code = `line ${newest.lineno}`
  return [{ place: '', code, by: 'line of page', isInline: true, isMinified: false }]
}

function isInline(frame: Frame, { platform, request }: ScrubbedEvent): boolean {
  return (
    platformFamily(frame.platform ?? platform) === 'javascript' &&
    isPageAddress(frame.filename ?? frame.abs_path ?? '', request?.url)
  )
}

/**
 * Returns the number of frames behind the newest `await`. If nothing stands before it, the waiting call is
 * all that tells where it failed, and counts.
 */
function behindAwait(trace: Stacktrace, ran: Stacktrace | undefined, platform: string): number {
  const { frames } = trace
  const behind = framesBehindAwait(trace, ran, platform)
  if (behind === 0 || frames.some((frame, at) => at >= behind && isCallFrame(frame, platform))) return behind
  const waiting = frames.findLastIndex((frame, at) => at < behind && isOwnCall(frame, platform))
  return waiting < 0 ? behind : waiting
}

/** A call of the app or of a library. */
function isCallFrame(frame: Frame, platform: string): boolean {
  const kind = frameKind(frame, platform)
  return kind === null || kind === 'library'
}

function leftOutNote(
  frames: readonly Frame[],
  {
    platform,
    behind,
    inAppOnly,
    twice,
  }: {
    readonly platform: string
    readonly behind: number
    readonly inAppOnly: boolean
    readonly twice: number
  },
): LeftOutFrames {
  const count = (isOne: (frame: Frame, at: number) => boolean) => frames.filter(isOne).length
  return {
    made: count((frame) => !isCallFrame(frame, platform)) + twice,
    waiting: count((frame, at) => at < behind && isOwnCall(frame, platform)),
    library: inAppOnly ? count((frame) => isCallFrame(frame, platform) && !isOwnCall(frame, platform)) : 0,
  }
}

/**
 * Returns the calls that repeat in endless recursion, wherever the engine stopped and however much of the
 * stack it told.
 */
export function repeatedKeys(stacktrace: Stacktrace | undefined, event: ScrubbedEvent): readonly FrameKey[] {
  const counts = new Map<string, { readonly key: FrameKey; count: number }>()
  for (const frame of stacktrace?.frames ?? []) {
    const key = isOwnCall(frame, event.platform) ? frameKey(frame, event) : null
    if (key === null) continue
    const text = `${key.place}\n${key.code}`
    const known = counts.get(text)
    if (known === undefined) counts.set(text, { key, count: 1 })
    else known.count += 1
  }
  return [...counts]
    .filter(([, { count }]) => count > 1)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { key }]) => key)
    .slice(0, REPETITION_MAX)
}

interface Choice {
  readonly event: ScrubbedEvent
  /** The first frame that counts, oldest first. */
  readonly from: number
  /** Places of frames that do not count, because they repeat others. */
  readonly twice: ReadonlySet<number>
  readonly isCounted: (frame: Frame, platform: string) => boolean
}

const NONE: ReadonlySet<number> = new Set()

function keysOf(frames: readonly Frame[], { event, from, twice, isCounted }: Choice): readonly FrameKey[] {
  const keys: FrameKey[] = []
  for (let at = from; at < frames.length; at += 1) {
    const frame = frames[at]
    if (frame === undefined || twice.has(at) || !isCounted(frame, event.platform)) continue
    const key = frameKey(frame, event)
    if (key === null) continue
    keys.push(key)
    dropRepetition(keys)
  }
  return keys.slice(-FRAMES_MAX)
}

/** Removes the newest frames when they repeat the ones just before them. */
function dropRepetition(keys: FrameKey[]): void {
  for (let size = 1; size <= REPETITION_MAX && size * 2 <= keys.length; size += 1) {
    const start = keys.length - size
    let isSame = true
    for (let at = start; at < keys.length && isSame; at += 1) {
      isSame = sameKey(keys[at], keys[at - size])
    }
    if (isSame) {
      keys.length = start
      return
    }
  }
}

function sameKey(one: FrameKey | undefined, other: FrameKey | undefined): boolean {
  return one !== undefined && other !== undefined && one.place === other.place && one.code === other.code
}

function frameKey(frame: Frame, event: ScrubbedEvent): FrameKey | null {
  const family = platformFamily(frame.platform ?? event.platform)
  const path = frame.filename ?? frame.abs_path ?? ''
  const place = frameKeyPlace(frame, path, family)
  const line = sourceLine(frame, family)
  const name = functionKey(frame.function ?? '', family)
  const isMinified = family === 'javascript' && name !== '' && isMinifiedName(name, path)
  // The names that a source map gives are the callers', so the line of source is the better witness.
  if (line !== '' && (isMapped(frame) || name === '' || isMinified)) {
    return { place, code: line, by: 'source line', isMinified: false }
  }
  if (name !== '' && !isMinified) {
    const inline = place === '' && isInline(frame, event) ? ({ isInline: true } as const) : {}
    return { place, code: name, by: 'function', isMinified: false, ...inline }
  }
  const address = name === '' && family === 'native' ? frameAddressKey(frame, () => imagesOf(event)) : null
  if (address !== null) {
    const image = place || fileKey(address.file, false)
    return { place: image, code: address.offset, by: 'address', isMinified: false }
  }
  return place === '' ? null : { place, code: '', by: 'nothing', isMinified }
}

function isMinifiedName(name: string, path: string): boolean {
  return (
    name.length <= MINIFIED_CHARS_MAX ||
    (name.length <= 4 && DART_FILE.test(path) && DART_MINIFIED.test(name))
  )
}

function frameKeyPlace(frame: Frame, path: string, family: Family): string {
  const isJavaScript = family === 'javascript'
  // A class that was made at run time has no file, and its name may stand in place of one.
  const named = family === 'java' && path.includes('$') ? withoutGenerated(path, family, 'class') : path
  const file = () => fileKey(named, isJavaScript) || fileKey(frame.abs_path ?? '', isJavaScript)
  const module = () => moduleKey(frame.module ?? '', family)
  if (isJavaScript) return file() || javaScriptModule(frame.module ?? '')
  return module() || file() || fileKey(frame.package ?? '', false)
}

/** `@scope.package:file`: what follows the colon is a file's name without its extension. */
function javaScriptModule(module: string): string {
  return fileKey(module.slice(module.lastIndexOf(':') + 1), true)
}

function sourceLine(frame: Frame, family: Family): string {
  if (!WITH_SOURCE.has(family)) return ''
  if (frame.context_line === undefined) return ''
  const line = frame.context_line.slice(0, 1024).replace(/\s+/g, ' ').trim()
  return line.length > CONTEXT_LINE_CHARS_MAX || line.includes('{snip}') ? '' : line
}

function isMapped(frame: Frame): boolean {
  const { data } = frame
  return data?.sourcemap !== undefined || data?.symbolicated === true
}

/**
 * A minifier's names change with every build, and what it left, such as `onClick`, is shared by many functions; so is `init`
 * by the scripts of pages.
 */
function isVague(keys: readonly FrameKey[]): boolean {
  return (
    keys.every((key) => key.by === 'nothing' || key.isInline === true) || keys.some((key) => key.isMinified)
  )
}
