/** The parts of an event that Sentry's web API calls entries. */
import type {
  Breadcrumb,
  EventRequest,
  ExceptionValue,
  Frame,
  Stacktrace,
  ThreadValue,
} from '#model/event.ts'
import type { StoredEvent } from '#queries/types.ts'
import { isoTimeText } from './times.ts'

export interface EventEntry {
  readonly type: 'exception' | 'stacktrace' | 'threads' | 'message' | 'breadcrumbs' | 'request' | 'debugmeta'
  readonly data: unknown
}

export function entriesOf(event: StoredEvent): readonly EventEntry[] {
  const entries: readonly (EventEntry | null)[] = [
    exceptionEntry(event.exception?.values ?? []),
    event.stacktrace === undefined ? null : { type: 'stacktrace', data: stacktraceShape(event.stacktrace) },
    threadsEntry(event.threads?.values ?? []),
    messageEntry(event),
    breadcrumbsEntry(event.breadcrumbs?.values ?? []),
    event.request === undefined ? null : { type: 'request', data: requestShape(event.request) },
    event.debug_meta === undefined ? null : { type: 'debugmeta', data: event.debug_meta },
  ]
  return entries.filter((entry) => entry !== null)
}

function exceptionEntry(values: readonly ExceptionValue[]): EventEntry | null {
  if (values.length === 0) return null
  const shaped = values.map(({ type, value, module, thread_id, mechanism, stacktrace, raw_stacktrace }) => ({
    type: type ?? null,
    value: value ?? null,
    module: module ?? null,
    threadId: thread_id ?? null,
    mechanism: mechanism ?? null,
    stacktrace: stacktrace === undefined ? null : stacktraceShape(stacktrace),
    rawStacktrace: raw_stacktrace === undefined ? null : stacktraceShape(raw_stacktrace),
  }))
  const hasSystemFrames = values.some(({ stacktrace }) => stacktrace !== undefined && hasSystem(stacktrace))
  return { type: 'exception', data: { values: shaped, hasSystemFrames, excOmitted: null } }
}

function stacktraceShape(stacktrace: Stacktrace) {
  const omitted = stacktrace.frames_omitted ?? 0
  return {
    frames: stacktrace.frames.map(frameShape),
    framesOmitted: omitted === 0 ? null : [0, omitted],
    registers: null,
    hasSystemFrames: hasSystem(stacktrace),
  }
}

function hasSystem({ frames }: Stacktrace): boolean {
  return frames.some((frame) => frame.in_app === true) && frames.some((frame) => frame.in_app !== true)
}

function frameShape(frame: Frame) {
  return {
    filename: frame.filename ?? null,
    absPath: frame.abs_path ?? null,
    module: frame.module ?? null,
    package: frame.package ?? null,
    platform: frame.platform ?? null,
    instructionAddr: frame.instruction_addr ?? null,
    symbolAddr: null,
    function: frame.function ?? null,
    rawFunction: frame.raw_function ?? null,
    symbol: null,
    context: frameContext(frame),
    lineNo: frame.lineno ?? null,
    colNo: frame.colno ?? null,
    inApp: frame.in_app === true,
    trust: null,
    errors: null,
    lock: null,
    vars: frame.vars ?? null,
    data: frameResolution(frame),
  }
}

/** How the frame was resolved, or why not; `null` where nothing was looked up. */
function frameResolution({ data = {} }: Frame) {
  const { symbolicated, resolved_with, sourcemap, unresolved } = data
  if (symbolicated === undefined && sourcemap === undefined && unresolved === undefined) return null
  return {
    symbolicated: symbolicated === true,
    resolved_with: resolved_with ?? null,
    sourcemap: sourcemap ?? null,
    unresolved: unresolved ?? null,
  }
}

/** `[line number, text]` of each source line known around the frame's own. */
function frameContext(frame: Frame): readonly (readonly [number, string])[] {
  if (frame.context_line === undefined || frame.lineno === undefined) return []
  const before = frame.pre_context ?? []
  const after = frame.post_context ?? []
  const first = frame.lineno - before.length
  return [...before, frame.context_line, ...after].map((text, index) => [first + index, text])
}

function threadsEntry(values: readonly ThreadValue[]): EventEntry | null {
  if (values.length === 0) return null
  const shaped = values.map(({ id, name, crashed, current, main, state, stacktrace, raw_stacktrace }) => ({
    id: id ?? null,
    name: name ?? null,
    crashed: crashed ?? null,
    current: current ?? null,
    main: main ?? null,
    state: state ?? null,
    stacktrace: stacktrace === undefined ? null : stacktraceShape(stacktrace),
    rawStacktrace: raw_stacktrace === undefined ? null : stacktraceShape(raw_stacktrace),
  }))
  return { type: 'threads', data: { values: shaped } }
}

function messageEntry({ logentry, message }: StoredEvent): EventEntry | null {
  const formatted = logentry?.formatted ?? message
  if (formatted === undefined || formatted === '') return null
  return {
    type: 'message',
    data: { formatted, message: logentry?.message ?? null, params: logentry?.params ?? null },
  }
}

function breadcrumbsEntry(values: readonly Breadcrumb[]): EventEntry | null {
  if (values.length === 0) return null
  const shaped = values.map(({ type, category, level, message, data, timestamp }) => ({
    type,
    category: category ?? null,
    level,
    message: message ?? null,
    data: data ?? null,
    timestamp: timestamp === undefined ? null : isoTimeText(timestamp * 1000),
    event_id: null,
  }))
  return { type: 'breadcrumbs', data: { values: shaped } }
}

function requestShape(request: EventRequest) {
  const query = request.query_string ?? []
  const contentType = request.headers?.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null
  return {
    url: request.url ?? null,
    method: request.method ?? null,
    query: typeof query === 'string' ? [...new URLSearchParams(query)] : query,
    fragment: request.fragment ?? null,
    headers: request.headers ?? [],
    cookies: request.cookies ?? [],
    data: request.data ?? null,
    env: request.env ?? null,
    inferredContentType: contentType,
    apiTarget: null,
  }
}
