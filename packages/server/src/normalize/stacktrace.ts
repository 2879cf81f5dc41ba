/** Stack traces and their frames: oldest call first, the failing frame last. docs/wire.md, section "Frames". */
import type { Frame, Stacktrace } from '#base/event.ts'
import type { JsonObject } from '#base/json.ts'
import { isObject } from '#base/json.ts'
import { max } from '#base/limits.ts'
import { readBag, VARS_LIMITS } from './bag.ts'
import { deriveInApp } from './in-app.ts'
import { type Building, type EventReader, kindOf, type RawObject, scalarText } from './reader.ts'

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
  const { frames } = trace
  if (!Array.isArray(frames)) {
    if (frames !== null && frames !== undefined)
      reader.problem(`${key}.frames`, 'invalid_type', kindOf(frames))
    return undefined
  }
  reader.enter(key)
  reader.enter('frames')
  const omitted = Math.max(0, frames.length - FRAMES)
  if (omitted > 0) reader.problem(null, 'too_many', `${frames.length} frames`)
  const kept: Frame[] = []
  for (let at = omitted; at < frames.length; at++) {
    const frame: unknown = frames[at]
    if (isObject(frame)) kept.push(readFrame(reader, frame, at, platform))
    else if (frame !== null) reader.problem(at, 'invalid_type', kindOf(frame))
  }
  reader.leave()
  reader.leave()
  if (kept.length === 0) return undefined
  const omittedAll = omitted + omittedBySdk(trace.frames_omitted)
  const bounded = dropContextOfMiddle(kept)
  return omittedAll > 0 ? { frames: bounded, frames_omitted: omittedAll } : { frames: bounded }
}

function readFrame(reader: EventReader, raw: RawObject, at: number, eventPlatform: string): Frame {
  reader.enter(at)
  const frame: Building<Frame> = {}
  const text = (
    key:
      | 'filename'
      | 'abs_path'
      | 'module'
      | 'function'
      | 'raw_function'
      | 'package'
      | 'platform'
      | 'instruction_addr',
    limit: number,
  ) => {
    const value = reader.text(raw[key], key, limit)
    if (value !== undefined) frame[key] = value
  }
  text('filename', PATH_CHARS)
  text('abs_path', PATH_CHARS * 4)
  text('module', NAME_CHARS)
  text('function', NAME_CHARS)
  text('raw_function', NAME_CHARS)
  text('package', PATH_CHARS)
  text('platform', 64)
  text('instruction_addr', 64)
  const lineno = reader.integer(raw.lineno, 'lineno')
  if (lineno !== undefined && lineno > 0) frame.lineno = lineno
  const colno = reader.integer(raw.colno, 'colno')
  if (colno !== undefined && colno > 0) frame.colno = colno
  const inApp = reader.boolean(raw.in_app, 'in_app') ?? deriveInApp(frame, frame.platform ?? eventPlatform)
  if (inApp !== undefined) frame.in_app = inApp
  readContext(reader, raw, frame)
  const data = readFrameData(reader, raw)
  if (data !== undefined) frame.data = data
  reader.leave()
  return frame
}

function readContext(reader: EventReader, raw: RawObject, frame: Building<Frame>): void {
  if (typeof raw.context_line === 'string') {
    frame.context_line = reader.text(raw.context_line, 'context_line', LINE_CHARS) ?? ''
  } else {
    const line = reader.text(raw.context_line, 'context_line', LINE_CHARS)
    if (line !== undefined) frame.context_line = line
  }
  const before = readLines(reader, raw.pre_context, 'pre_context')
  if (before !== undefined) frame.pre_context = before.slice(-CONTEXT_LINES)
  const after = readLines(reader, raw.post_context, 'post_context')
  if (after !== undefined) frame.post_context = after.slice(0, CONTEXT_LINES)
  const vars = readBag(reader, raw.vars, 'vars', VARS_LIMITS)
  if (vars !== undefined && Object.keys(vars).length > 0) frame.vars = vars
}

function readLines(reader: EventReader, value: unknown, key: string): string[] | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return readLines(reader, [value], key)
  if (!Array.isArray(value)) {
    reader.problem(key, 'invalid_type', kindOf(value))
    return undefined
  }
  if (value.length === 0) return undefined
  const lines = value.length > CONTEXT_LINES * 5 ? value.slice(0, CONTEXT_LINES * 5) : value
  // An absent line stays an empty one: the lines' numbers are counted from the failing line.
  return lines.map((line) => reader.text(line, key, LINE_CHARS) ?? '')
}

function readFrameData(reader: EventReader, raw: RawObject): JsonObject | undefined {
  const native = NATIVE_FIELDS.filter((key) => raw[key] !== undefined && raw[key] !== null)
  if (native.length === 0 && (raw.data === null || raw.data === undefined)) return undefined
  const whole: Record<string, unknown> = isObject(raw.data) ? { ...raw.data } : {}
  for (const key of native) whole[key] = raw[key]
  const data = readBag(reader, whole, 'data', DATA_LIMITS)
  return data === undefined || Object.keys(data).length === 0 ? undefined : data
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
