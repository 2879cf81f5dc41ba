/** The frames of one stack trace. */
import type { JsonObject } from '#base/json.ts'
import type { Frame } from '#model/event.ts'
import type { FoundMap, MapLookup, OriginalPlace, Unresolved } from '#model/map-lookup.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { type DebugIds, debugIdOf } from './debug-ids.ts'
import {
  framePath,
  isLibrarySource,
  isPage,
  isRanFile,
  isWrittenFile,
  sourceAddress,
  sourceName,
} from './paths.ts'

export interface SymbolicateContext {
  readonly maps: MapLookup
  readonly shared?: SharedParts
  /** Whether frames that stay as they are say why: for who reads an event, not for what is stored of it. */
  readonly tellsWhy?: boolean
}

export interface Build {
  readonly release: string | null
  readonly dist: string | null
  readonly platform: string
  readonly debugIds: DebugIds
}

interface ResolvedFrames {
  /** The very list that was given, where nothing of it changes. */
  readonly frames: readonly Frame[]
  /** True when at least one of them shows what was written. */
  readonly isResolved: boolean
  /** Debug ids of files whose map was missed; an empty text for files without one. */
  readonly missed: readonly string[]
  readonly counts: FrameCounts
}

/** Frames that needed a source map: those whose place was found, and the others. */
export interface FrameCounts {
  readonly resolved: number
  readonly missed: number
}

const PLATFORMS: ReadonlySet<string> = new Set(['javascript', 'node', 'bun', 'deno'])

interface Known extends Build, ResolvedFrames {
  readonly maps: MapLookup
}
/**
 * Resolved lists of frames that several events share: the same list gives the same list. By build, newest
 * first.
 */
const KNOWN = new WeakMap<readonly Frame[], readonly Known[]>()
/** Releases that send the same frames at the same time. */
const BUILDS_KEPT = 64

export function resolveFrames(
  ran: readonly Frame[],
  build: Build,
  { maps, shared, tellsWhy = false }: SymbolicateContext,
): ResolvedFrames {
  if (tellsWhy || shared?.has(ran) !== true) return resolveEach(ran, build, { maps, tellsWhy })
  const all = KNOWN.get(ran) ?? []
  const known = all.find((each) => each.maps === maps && isSameBuild(each, build))
  if (known !== undefined) return known
  const resolved = resolveEach(ran, build, { maps, tellsWhy })
  const others = all.filter((each) => each.maps === maps).slice(0, BUILDS_KEPT - 1)
  KNOWN.set(ran, [{ ...build, ...resolved, maps }, ...others])
  if (resolved.frames !== ran) shared.keepDerived(resolved.frames)
  return resolved
}

function isSameBuild(one: Build, other: Build): boolean {
  return (
    one.release === other.release &&
    one.dist === other.dist &&
    one.platform === other.platform &&
    isSameIds(one.debugIds, other.debugIds)
  )
}

/** A short `debug_meta` is another object in every event. */
function isSameIds(one: DebugIds, other: DebugIds): boolean {
  if (one === other) return true
  return one.size === other.size && [...one].every(([path, id]) => other.get(path) === id)
}

const NOTHING_MISSED: readonly string[] = []

function resolveEach(
  ran: readonly Frame[],
  build: Build,
  { maps, tellsWhy }: Pick<SymbolicateContext, 'maps' | 'tellsWhy'>,
): ResolvedFrames {
  const found = ran.map((frame) => resolve(frame, build, maps))
  const misses = found.filter((each) => each !== null && 'why' in each)
  const missed =
    misses.length === 0 ? NOTHING_MISSED : [...new Set(misses.map(({ debugId }) => debugId ?? ''))]
  const resolved = found.reduce((sum, each) => sum + (each !== null && 'place' in each ? 1 : 0), 0)
  const isResolved = resolved > 0
  const counts = { resolved, missed: misses.length }
  if (!isResolved && (!tellsWhy || misses.length === 0)) return { frames: ran, isResolved, missed, counts }
  const frames = ran.map((frame, at) => {
    const each = found[at] ?? null
    if (each === null) return frame
    if ('place' in each) return original(frame, each, calledAs(found[at - 1] ?? null))
    const ran = isResolved && each.why === 'outside_map' ? withoutSource(frame) : frame
    return tellsWhy ? { ...ran, data: { ...ran.data, symbolicated: false, unresolved: each.why } } : ran
  })
  return { frames: isResolved ? frames.map(ofCaller) : frames, isResolved, missed, counts }
}

/**
 * Marks a runtime's frame, such as `Array.map` and `Promise.all`, like its caller: browsers' SDKs call all of
 * it the app's own.
 */
function ofCaller(frame: Frame, at: number, frames: readonly Frame[]): Frame {
  if (frame.in_app !== true || !isOfRuntime(frame)) return frame
  const caller = frames.slice(0, at).findLast((each) => !isOfRuntime(each))
  return caller?.in_app === true ? frame : { ...frame, in_app: false }
}

const RUNTIME_FILE = /^(?:<anonymous>|index \d{1,6})$/
const RUNTIME_FUNCTION = /^(?:async )?(?:new )?[A-Z]\w{0,40}(?:\.\w{1,40})?$/

function isOfRuntime({ filename, lineno, function: name }: Frame): boolean {
  return lineno === undefined && RUNTIME_FILE.test(filename ?? '') && RUNTIME_FUNCTION.test(name ?? '')
}

/** Marks a frame that a bundler wrote around the sources: nobody's own, and different from build to build. */
function withoutSource(frame: Frame): Frame {
  return { ...frame, in_app: false }
}

interface Resolved {
  readonly place: OriginalPlace
  readonly map: FoundMap & { readonly found: true }
}
interface Missed {
  readonly why: Unresolved
  readonly debugId: string | null
}
type Answer = Resolved | Missed | null

/** `null` for a frame that is no minified JavaScript, or whose file nobody would look for. */
function resolve(frame: Frame, build: Build, maps: MapLookup): Answer {
  const path = ranPath(frame)
  if (!PLATFORMS.has(frame.platform ?? build.platform) || !isRanFile(path)) return null
  if (frame.lineno === undefined || isWrittenFile(path)) return null
  const debugId = debugIdOf(build.debugIds, path)
  const map = maps.mapOf({ path, debugId, release: build.release, dist: build.dist })
  if (!map.found) return isMissed(frame, debugId) ? { why: map.why, debugId } : null
  const place = map.places.find(frame.lineno, frame.colno ?? 1)
  return place === null ? { why: 'outside_map', debugId } : { place, map }
}

/** The file that a frame names. */
function ranPath(frame: Frame): string {
  return framePath(frame.abs_path ?? frame.filename ?? '')
}

const SOURCE_LINE_CHARS_MAX = 200

/** Whether anybody would expect a map: not of a library's file, nor where the server sent the lines as they were written. */
function isMissed(frame: Frame, debugId: string | null): boolean {
  if (debugId !== null) return true
  const path = ranPath(frame)
  if (frame.in_app === false || isPage(path) || isLibrarySource(path)) return false
  const { context_line: line, pre_context: before = [], post_context: after = [] } = frame
  const isReadable = line !== undefined && [line, ...before, ...after].every(isShort)
  return !(isReadable && before.length + after.length > 0)
}

const isShort = (line: string): boolean => line.length <= SOURCE_LINE_CHARS_MAX

/**
 * Returns the name that the caller's map has at the call: the best there is if the source's functions are not
 * known.
 */
function calledAs(caller: Answer): string | null {
  return caller !== null && 'place' in caller ? caller.place.name : null
}

const ANONYMOUS = '<anonymous>'

function original(frame: Frame, { place, map }: Resolved, calledAs: string | null): Frame {
  const source = sourceName(place.source)
  const { context_line: _line, pre_context: _before, post_context: _after, module: _module, ...kept } = frame
  const isLibrary = place.isIgnored || isLibrarySource(source)
  const name = place.functionName === '' ? ANONYMOUS : (place.functionName ?? calledAs ?? frame.function)
  return {
    ...kept,
    filename: source,
    abs_path: sourceAddress(place.source, ranPath(frame)),
    ...(name === undefined ? {} : { function: name }),
    ...{ lineno: place.line, colno: place.column },
    in_app: !isLibrary,
    ...contextOf(place),
    data: { ...kept.data, ...resolvedBy(place, map) },
  }
}

function contextOf({ context }: OriginalPlace): Partial<Frame> {
  if (context === null) return {}
  return { context_line: context.line, pre_context: context.before, post_context: context.after }
}

function resolvedBy({ context }: OriginalPlace, { by, mapName }: Resolved['map']): JsonObject {
  return {
    ...{ symbolicated: true, resolved_with: by, sourcemap: mapName },
    ...(context === null ? { unresolved: 'no_source_in_map' satisfies Unresolved } : {}),
  }
}
