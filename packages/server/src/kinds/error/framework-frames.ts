/**
 * Frames that a framework's server puts around the app's own, in files that SDKs call the app's: which of them are there
 * says how a request came, not where it failed. docs/wire.md, "Frames of frameworks".
 */
import type { ExceptionValue, Frame, ScrubbedEvent } from '#model/event.ts'

type Trim = (frames: readonly Frame[]) => readonly Frame[]

/** Bundle that Nitro writes: server, router and fetch in one file, through which an app asks itself. */
const NITRO = /(?:^|[\\/])nitro\.mjs$/
const TANSTACK_MIDDLEWARE = /(?:^|[ .])sentryFunctionMiddlewareHandler\b/
const TANSTACK_HANDLER = /(?:^|[ .])serverFn$/
/** V8's place in a list of promises, which SDKs take for a file. */
const PLACE_IN_LIST = /(?:^|\/)index \d{1,9}$/
/**
 * Functions of SvelteKit's server, bundled with the app and in files with names of any kind: a frame is of one of them, or
 * of a line that calls one.
 */
const KIT_NAMES = [
  ...['call_action', 'handle_action_json_request', 'handle_action_request', 'handle_remote_call'],
  ...[
    'handle_remote_call_internal',
    'handle_remote_form_post',
    'internal_respond',
    'load_data',
    'load_server_data',
  ],
  ...[
    'record_span',
    'render_data',
    'render_endpoint',
    'render_page',
    'render_response',
    'respond_with_error',
  ],
  ...['run_remote_function', 'with_event', 'with_request_store'],
].join('|')
const KIT_FUNCTION = new RegExp(`(?:^|[ .])(?:${KIT_NAMES})$`)
const KIT_CALL = new RegExp(`\\b(?:${KIT_NAMES})\\(`)
/** The same of Astro's, which it calls a page by. */
const ASTRO_NAMES = [
  ...[
    'callComponentAsTemplateResultOrResponse',
    'callMiddleware',
    'enhanceHttpServerSpan',
    'handleMiddleware',
  ],
  ...['handlePages', 'renderPage', 'renderToAsyncIterable', 'renderToReadableStream', 'renderToString'],
].join('|')
const ASTRO_FUNCTION = new RegExp(`(?:^|[ .])(?:${ASTRO_NAMES})$`)
const LINE_CHARS_MAX = 300

/** True for an event of a server whose bundle SDKs take for the app. */
export function isOfFrameworkServer({ platform, sdk }: ScrubbedEvent): boolean {
  return platform === 'node' && trimOf(sdk?.name ?? '') !== null
}

/** The very same event where there is nothing to leave out. */
export function withoutFrameworkFrames(event: ScrubbedEvent): ScrubbedEvent {
  const values = event.exception?.values
  const trim = values === undefined || event.platform !== 'node' ? null : trimOf(event.sdk?.name ?? '')
  if (values === undefined || trim === null) return event
  const trimmed = values.map((value) => trimmedBy(trim, value))
  return trimmed.every((value, at) => value === values[at])
    ? event
    : { ...event, exception: { values: trimmed } }
}

function trimOf(sdk: string): Trim | null {
  if (sdk.includes('nuxt')) return besideNitro
  if (sdk.includes('tanstackstart')) return ofServerFunction
  if (sdk.includes('astro')) return besideAstro
  return sdk.includes('sveltekit') ? besideKit : null
}

function trimmedBy(trim: Trim, value: ExceptionValue): ExceptionValue {
  const { stacktrace } = value
  if (stacktrace === undefined) return value
  const frames = trim(stacktrace.frames)
  return frames.length === stacktrace.frames.length &&
    frames.every((frame, at) => frame === stacktrace.frames[at])
    ? value
    : { ...value, stacktrace: { ...stacktrace, frames } }
}

const isNitro = (frame: Frame) => NITRO.test(frameFile(frame))

/**
 * A page that asks its own API while it renders is behind Nitro. What the app keeps in `server/utils` is bundled into Nitro's
 * file: of that only where it hands a request on says what is whose.
 */
function besideNitro(frames: readonly Frame[]): readonly Frame[] {
  const handedOn = frames.findLastIndex(isHandedOn)
  if (handedOn === -1) return framesBeside(frames, isNitro)
  const answering = frames.slice(handedOn + 1)
  const called = answering.slice(0, answering.findLastIndex((frame) => !isCalledByApp(frame)) + 1)
  // A route that is loaded when it is first asked for is called by a function without a name.
  const named = called.findIndex((frame) => frame.in_app === true && !(isNitro(frame) && isUnnamed(frame)))
  const own = called.slice(Math.max(named, 0))
  // h3 itself makes an error of a text, or of an object, that was thrown: no call of the app is left.
  return own.length > 0 || answering.length > 0 ? own : framesBeside(frames, isNitro)
}

function isUnnamed({ function: name = '?' }: Frame): boolean {
  return /(?:^|[ .])\?$|^$|<anonymous>$/.test(name)
}

/** Frames of h3 and of the SDK, which wraps handlers: by name, or by the line that calls. */
const HANDS_ON = /(?:^|[ .])(?:toNodeHandle|(?:Object|layer)\.handler)(?:\$?\d{1,3})?$/
const HANDS_ON_LINE = /\b(?:layer\.handler|app\.handler|r\.handler|h\.handler|handlerTarget\.apply)\(/

function isHandedOn(frame: Frame): boolean {
  const { function: name = '', context_line: line = '' } = frame
  return isNitro(frame) && (HANDS_ON.test(name) || HANDS_ON_LINE.test(line.slice(0, LINE_CHARS_MAX)))
}

/** Functions that make an error for the app, or ask another handler, once they are called. */
const CALLED_BY_APP = /(?:^|[ .])(?:createError|\$fetch|\$fetchRaw|onError)(?:\$?\d{1,3})?$/

function isCalledByApp(frame: Frame): boolean {
  return isNitro(frame) && CALLED_BY_APP.test(frame.function ?? '')
}

/** The newest calls that the framework does not part, where one of them is the app's. */
function framesBeside(frames: readonly Frame[], isFramework: (frame: Frame) => boolean): readonly Frame[] {
  const newest = frames.findLastIndex((frame) => frame.in_app === true && !isFramework(frame))
  if (newest === -1) return frames
  const behind = frames.slice(0, newest).findLastIndex(isFramework)
  const ahead = frames.findIndex((frame, at) => at > newest && isFramework(frame))
  return frames.slice(behind + 1, ahead === -1 ? undefined : ahead)
}

/** Called in the process, or over HTTP. */
function ofServerFunction(frames: readonly Frame[]): readonly Frame[] {
  const middleware = frames.findLastIndex(({ function: name }) => TANSTACK_MIDDLEWARE.test(name ?? ''))
  const own = frames.slice(middleware + 1)
  const shown = own.some((frame) => frame.in_app === true) ? own : frames
  return shown.some(isHandler) ? shown.map(withoutHandlerName) : shown
}

/** True for the handler given to a server function: all have one name, and only the line tells them apart. */
function isHandler({ function: name = '', context_line: line }: Frame): boolean {
  return line !== undefined && TANSTACK_HANDLER.test(name)
}

function withoutHandlerName(frame: Frame): Frame {
  if (!isHandler(frame)) return frame
  const { function: _name, ...rest } = frame
  return rest
}

/** A document and page data reach the same `load` through other parts of Kit, which bundlers put into a file or several. */
function besideKit(frames: readonly Frame[]): readonly Frame[] {
  const files = new Set(frames.filter(isKit).map(frameFile))
  const isOfKit = (frame: Frame) => isPlaceOnly(frame) || isKit(frame) || files.has(frameFile(frame))
  const own = files.size === 0 ? frames : framesBeside(frames, isOfKit)
  return own.some(isPlaceOnly) ? own.filter((frame) => !isPlaceOnly(frame)) : own
}

/** Engines keep ten calls: how many of Astro's are among them depends on what a page waited for. */
function besideAstro(frames: readonly Frame[]): readonly Frame[] {
  return framesBeside(frames, ({ function: name = '' }) => ASTRO_FUNCTION.test(name))
}

function isKit({ function: name = '', context_line: line = '' }: Frame): boolean {
  return KIT_FUNCTION.test(name) || KIT_CALL.test(line.slice(0, LINE_CHARS_MAX))
}

function isPlaceOnly(frame: Frame): boolean {
  return frame.lineno === undefined && PLACE_IN_LIST.test(frameFile(frame))
}

function frameFile({ filename, abs_path: path }: Frame): string {
  return filename ?? path ?? ''
}
