/** Frozen part of grouping version 1. From a stack trace to the keys that are hashed. */

import { Memo } from '#base/memo.ts'
import type { Frame, Stacktrace } from '#model/event.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { type Family, familyOf, functionKey, moduleKey, withoutCounters } from './functions.ts'
import { MEMO_LIMITS } from './memo-limits.ts'
import { fileKey } from './paths.ts'

/** Frames considered, the newest. */
const FRAMES_MAX = 50
const CONTEXT_LINE_CHARS_MAX = 120
/** A repetition of up to this many frames counts once: recursion, mutual recursion. */
const REPETITION_MAX = 3
/** Names this short are a minifier's, and change with every build. */
const MINIFIED_CHARS_MAX = 2

const WITH_SOURCE: ReadonlySet<Family> = new Set<Family>(['javascript', 'python', 'php', 'ruby'])
const NOT_OURS = /^(?:\[native code\]|native code|eval code|native)$/
/** Sources of libraries that some SDKs call the app's own. */
const LIBRARY_PATH = /\/rustc\/[0-9a-f]{7,40}\/|[\\/]\.cargo[\\/]registry[\\/]/
const LIBRARY_PATHS = new Memo((path) => LIBRARY_PATH.test(path), MEMO_LIMITS)
/** What runs between the failure and its report. */
const REPORTING = /^<?(?:sentry\w*::|__rustc::|rust_begin_unwind|_?rust_panic|std::panicking|core::panicking)/
const REPORTERS = new Memo((name) => REPORTING.test(name), MEMO_LIMITS)
const WRAPPER = /^(?:sentryWrapped|__sentry_wrapped__|sentry_wrapped)$/

export interface FrameKey {
  /** Module, or file name without install path and content hash; may be empty. */
  readonly place: string
  /** Cleaned function, or the collapsed source line; empty where neither can be trusted. */
  readonly code: string
  /** How `code` was found. */
  readonly by: 'function' | 'source line' | 'nothing'
  /** The function was named by a minifier. */
  readonly isMinified: boolean
}

export interface StackKeys {
  /** Oldest call first, repetitions collapsed. */
  readonly keys: readonly FrameKey[]
  readonly inAppOnly: boolean
  /** Frames left out because in-app frames exist. */
  readonly ignoredCount: number
  /** No frame tells by name or source where it failed: the value must decide. */
  readonly isVague: boolean
}

interface KnownKeys {
  readonly platform: string
  readonly keys: StackKeys | null
}
/** Of frames that several events share: the list is one and the same, so its keys are too. */
const KNOWN = new WeakMap<readonly Frame[], KnownKeys>()

/** `null` when there is no frame to go by. */
export function stackKeys(
  stacktrace: Stacktrace | undefined,
  platform: string,
  shared?: SharedParts,
): StackKeys | null {
  if (stacktrace === undefined) return null
  const { frames } = stacktrace
  const known = shared === undefined ? undefined : KNOWN.get(frames)
  if (known?.platform === platform) return known.keys
  const keys = keysOfFrames(frames, platform)
  if (shared?.has(frames) === true) KNOWN.set(frames, { platform, keys })
  return keys
}

function keysOfFrames(frames: readonly Frame[], platform: string): StackKeys | null {
  const inApp = frames.filter(isOurs)
  const chosen = keysOf(inApp, platform)
  const keys = chosen.length > 0 ? chosen : keysOf(frames, platform)
  if (keys.length === 0) return null
  const inAppOnly = chosen.length > 0
  return {
    keys,
    inAppOnly,
    ignoredCount: inAppOnly ? frames.length - inApp.length : 0,
    isVague: isVague(keys),
  }
}

/** A library's chunk counts as the app's own, as it did before such chunks were known: the hashes stay what they were. */
export function isApp({ in_app: inApp, in_app_grouping: wasApp }: Frame): boolean {
  return (wasApp ?? inApp) === true
}

function isOurs(frame: Frame): boolean {
  if (!isApp(frame)) return false
  const { abs_path: path, function: name } = frame
  return (path === undefined || !LIBRARY_PATHS.of(path)) && (name === undefined || !REPORTERS.of(name))
}

function keysOf(frames: readonly Frame[], platform: string): readonly FrameKey[] {
  const keys: FrameKey[] = []
  for (const frame of frames) {
    const key = frameKey(frame, platform)
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

function frameKey(frame: Frame, platform: string): FrameKey | null {
  const family = familyOf(frame.platform ?? platform)
  const path = frame.filename ?? frame.abs_path ?? ''
  if (NOT_OURS.test(path) || WRAPPER.test(frame.function ?? '')) return null
  const place = placeOf(frame, path, family)
  const line = sourceLine(frame, family)
  const name = functionKey(frame.function ?? '', family)
  const isMinified = family === 'javascript' && name !== '' && name.length <= MINIFIED_CHARS_MAX
  // The names that a source map gives are the callers', so the line of source is the better witness.
  if (line !== '' && (isMapped(frame) || name === '' || isMinified)) {
    return { place, code: line, by: 'source line', isMinified: false }
  }
  if (name !== '' && !isMinified) return { place, code: name, by: 'function', isMinified: false }
  return place === '' ? null : { place, code: '', by: 'nothing', isMinified }
}

function placeOf(frame: Frame, path: string, family: Family): string {
  const isJavaScript = family === 'javascript'
  // A class that was made at run time has no file, and its name may stand in place of one.
  const named = family === 'java' ? (text: string) => withoutCounters(text) : (text: string) => text
  const fileOf = (text: string) => fileKey(named(text), isJavaScript)
  const file = () => fileOf(path) || fileOf(frame.abs_path ?? '')
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

/** A minifier's names change with every build, and what it left, such as `onClick`, is shared by many functions. */
function isVague(keys: readonly FrameKey[]): boolean {
  return keys.every((key) => key.by === 'nothing') || keys.some((key) => key.isMinified)
}
