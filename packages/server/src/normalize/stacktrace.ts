/** Stack traces and their frames: oldest call first, the failing frame last. docs/wire.md, section "Frames". */

import type { JsonObject } from '#base/json.ts'
import { isObject } from '#base/json.ts'
import { mapChanged } from '#base/mapped.ts'
import { max } from '#limits/limits.ts'
import type { Frame, FrameRepeat, Stacktrace } from '#model/event.ts'
import type { SharedPart } from '#model/shared-parts.ts'
import { readBag, VARS_LIMITS } from './bag.ts'
import {
  deriveInApp,
  isLibraryChunk,
  isMark,
  isNativeStart,
  isPackageFile,
  isRubyScript,
  isTrimmedOwn,
} from './in-app.ts'
import { keptWhenClean, knownValue } from './known.ts'
import { type Building, type EventReader, type RawObject, scalarText, typeName } from './reader.ts'
import { keptFrames } from './repeats.ts'

const FRAMES = max('framesMax')
const FRAMES_WITH_CONTEXT = max('framesWithContextMax')
const PATH_CHARS = 512
const NAME_CHARS = 512
const LINE_CHARS = 512
const CONTEXT_LINES = 10
const OMITTED_MAX = 1_000_000
const DATA_LIMITS = { depth: 3, bytes: 2_048 }
/** Kept among the frame's `data`: what native SDKs send and a symbolicator would want. */
const NATIVE_FIELDS = [
  'image_addr',
  'symbol',
  'symbol_addr',
  'addr_mode',
  'function_id',
  'trust',
  'lock',
  'source_link',
] as const

/** Texts of a frame, in the order they are stored, with their bounds. */
const TEXT_CHARS = {
  filename: PATH_CHARS,
  abs_path: PATH_CHARS * 4,
  module: NAME_CHARS,
  function: NAME_CHARS,
  raw_function: NAME_CHARS,
  package: PATH_CHARS,
  platform: 64,
  instruction_addr: 64,
} as const
const TEXTS = [
  'filename',
  'abs_path',
  'module',
  'function',
  'raw_function',
  'package',
  'platform',
  'instruction_addr',
] as const

/** A stack trace, or nothing when it holds no frame. `platform` is that of the event. */
export function readStacktrace(
  reader: EventReader,
  value: unknown,
  key: string | number,
  platform: string,
): Stacktrace | undefined {
  // Some clients send the frames alone.
  const trace = Array.isArray(value) ? { frames: value } : reader.object(value, key)
  if (trace === undefined) return undefined
  reader.enter(key)
  reader.enter('frames')
  const known = reader.parts?.taken.use(trace.frames, 'frames') ?? null
  const read =
    known === null ? readFrames(reader, trace.frames, platform) : readKnownFrames(reader, known, platform)
  reader.leave()
  reader.leave()
  if (read === undefined) return undefined
  const omitted = read.omitted + omittedBySdk(trace.frames_omitted)
  return {
    frames: read.frames,
    ...(omitted > 0 ? { frames_omitted: omitted } : {}),
    ...(read.repeats.length > 0 ? { frames_repeated: read.repeats } : {}),
  }
}

interface FrameList {
  readonly frames: readonly Frame[]
  /** Left out here. */
  readonly omitted: number
  readonly repeats: readonly FrameRepeat[]
}

function readKnownFrames(reader: EventReader, part: SharedPart, platform: string): FrameList | undefined {
  const value = knownValue(reader, part, platform)
  if (value !== null) return { frames: value as readonly Frame[], omitted: 0, repeats: [] } // what `keptWhenClean` kept below
  let list: FrameList | undefined
  keptWhenClean(reader, part, {
    platform,
    read: () => {
      list = readFrames(reader, JSON.parse(part.bytes.toString('utf8')), platform)
      return list?.frames
    },
  })
  return list
}

/** The reader is at the frames. */
function readFrames(reader: EventReader, frames: unknown, platform: string): FrameList | undefined {
  if (!Array.isArray(frames)) {
    if (frames !== null && frames !== undefined) reader.problem(null, 'invalid_type', typeName(frames))
    return undefined
  }
  const { places, repeats, omitted } = keptFrames(frames, FRAMES)
  if (places.length < frames.length) reader.problem(null, 'too_many', `${frames.length} frames`)
  const kept: Frame[] = []
  for (const at of places) {
    const frame: unknown = frames[at]
    // By the place it is stored at: a problem is shown in its frame.
    if (isObject(frame)) kept.push(readFrame(reader, frame, kept.length, platform))
    else if (frame !== null) reader.problem(kept.length, 'invalid_type', typeName(frame))
  }
  // Places are counted without what was no frame.
  const isWhole = kept.length === places.length
  return kept.length === 0
    ? undefined
    : { frames: dropContextOfMiddle(kept), omitted, repeats: isWhole ? repeats : [] }
}

function readFrame(reader: EventReader, raw: RawObject, at: number, eventPlatform: string): Frame {
  reader.enter(at)
  const frame: Building<Frame> = {}
  for (const key of TEXTS) {
    const sent = raw[key]
    if (sent === undefined) continue
    const value = reader.text(sent, key, TEXT_CHARS[key])
    if (value !== undefined) frame[key] = value
  }
  const lineno = reader.integer(raw.lineno, 'lineno')
  if (lineno !== undefined && lineno > 0) frame.lineno = lineno
  const colno = reader.integer(raw.colno, 'colno')
  if (colno !== undefined && colno > 0) frame.colno = colno
  const platform = frame.platform ?? eventPlatform
  const told = reader.boolean(raw.in_app, 'in_app')
  const isOwn = told === false && isOwnUntold(frame, platform)
  const inApp = isMark(frame) ? false : isOwn || (told ?? deriveInApp(frame, platform))
  if (inApp !== undefined) frame.in_app = inApp && !isOfLibrary(frame, platform)
  // Go's SDK sends the whole path alone; pages, searches and tools ask for the file.
  if (frame.filename === undefined && frame.abs_path !== undefined) frame.filename = frame.abs_path
  readSourceContext(reader, raw, frame)
  const data = readFrameData(reader, raw)
  if (data !== undefined) frame.data = data
  reader.leave()
  return frame
}

function isOwnUntold(frame: Frame, platform: string): boolean {
  return (platform === 'go' && isTrimmedOwn(frame)) || (platform === 'ruby' && isRubyScript(frame))
}

function isOfLibrary(frame: Frame, platform: string): boolean {
  return isPackageFile(frame, platform) || isNativeStart(frame, platform) || isLibraryChunk(frame, platform)
}

function readSourceContext(reader: EventReader, raw: RawObject, frame: Building<Frame>): void {
  if (typeof raw.context_line === 'string') {
    frame.context_line = reader.text(raw.context_line, 'context_line', LINE_CHARS) ?? ''
  } else {
    const line = reader.text(raw.context_line, 'context_line', LINE_CHARS)
    if (line !== undefined) frame.context_line = line
  }
  const before = readLines(reader, raw.pre_context, 'pre_context')
  if (before !== undefined)
    frame.pre_context = before.length > CONTEXT_LINES ? before.slice(-CONTEXT_LINES) : before
  const after = readLines(reader, raw.post_context, 'post_context')
  if (after !== undefined)
    frame.post_context = after.length > CONTEXT_LINES ? after.slice(0, CONTEXT_LINES) : after
  const vars = readBag(reader, raw.vars, 'vars', VARS_LIMITS)
  if (vars !== undefined && Object.keys(vars).length > 0) frame.vars = vars
}

function readLines(reader: EventReader, value: unknown, key: string): readonly string[] | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return readLines(reader, [value], key)
  if (!Array.isArray(value)) {
    reader.problem(key, 'invalid_type', typeName(value))
    return undefined
  }
  if (value.length === 0) return undefined
  const lines = value.length > CONTEXT_LINES * 5 ? value.slice(0, CONTEXT_LINES * 5) : value
  // An absent line stays an empty one: the lines' numbers are counted from the failing line.
  return mapChanged(lines, (line) => reader.text(line, key, LINE_CHARS) ?? '')
}

function readFrameData(reader: EventReader, raw: RawObject): JsonObject | undefined {
  if (raw.data === undefined && !hasNativeField(raw)) return undefined // most frames
  const native = NATIVE_FIELDS.filter((key) => raw[key] !== undefined && raw[key] !== null)
  if (native.length === 0 && (raw.data === null || raw.data === undefined)) return undefined
  const whole: Record<string, unknown> = isObject(raw.data) ? { ...raw.data } : {}
  for (const key of native) whole[key] = raw[key]
  const data = readBag(reader, whole, 'data', DATA_LIMITS)
  return data === undefined || Object.keys(data).length === 0 ? undefined : data
}

function hasNativeField(raw: RawObject): boolean {
  for (const key of NATIVE_FIELDS) if (raw[key] !== undefined) return true
  return false
}

/** The number the SDK left out: a count, or the older `[first, afterLast]`. */
function omittedBySdk(value: unknown): number {
  if (typeof value === 'number') return value > 0 && value < OMITTED_MAX ? Math.trunc(value) : 0
  if (!Array.isArray(value) || value.length !== 2) return 0
  const [first, last] = value.map((one) => Number(scalarText(one)))
  return first !== undefined && last !== undefined && last > first && last < OMITTED_MAX
    ? Math.trunc(last - first)
    : 0
}

/** Above `framesWithContextMax` frames, those of the middle lose variables and lines, library frames first. */
function dropContextOfMiddle(frames: readonly Frame[]): readonly Frame[] {
  if (frames.length <= FRAMES_WITH_CONTEXT) return frames
  // The failing frame, the last one, keeps its own whatever it is.
  const holders = [...frames.keys()].filter((at) => at < frames.length - 1 && holdsContext(frames[at]))
  const excess = holders.length + 1 - FRAMES_WITH_CONTEXT
  if (excess <= 0) return frames
  const middle = frames.length / 2
  const nearMiddleFirst = holders.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  const system = nearMiddleFirst.filter((at) => frames[at]?.in_app === false)
  const own = nearMiddleFirst.filter((at) => frames[at]?.in_app !== false)
  const stripped = new Set([...system, ...own].slice(0, excess))
  return frames.map((frame, at) => {
    if (!stripped.has(at)) return frame
    const { vars: _vars, pre_context: _before, post_context: _after, ...rest } = frame
    return rest
  })
}

function holdsContext(frame: Frame | undefined): boolean {
  return frame?.vars !== undefined || frame?.pre_context !== undefined || frame?.post_context !== undefined
}
