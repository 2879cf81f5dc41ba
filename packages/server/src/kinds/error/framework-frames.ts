/**
 * Frames that a framework's server puts around the app's own, in files that SDKs call the app's: which of them are there
 * says how a request came, not where it failed. docs/wire.md, "Frames of frameworks".
 */
import type { ExceptionValue, Frame, ScrubbedEvent } from '#model/event.ts'

type Trim = (frames: readonly Frame[]) => readonly Frame[]

/** Of a bundle that Nitro writes: server, router and fetch in one file, through which an app asks itself. */
const NITRO = /(?:^|[\\/])nitro\.mjs$/
const TANSTACK_MIDDLEWARE = /(?:^|[ .])sentryFunctionMiddlewareHandler\b/
/** V8's place in a list of promises, which SDKs take for a file. */
const PLACE_IN_LIST = /(?:^|\/)index \d{1,9}$/

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
  return sdk.includes('sveltekit') ? withoutPlaces : null
}

function trimmedBy(trim: Trim, value: ExceptionValue): ExceptionValue {
  const { stacktrace } = value
  if (stacktrace === undefined) return value
  const frames = trim(stacktrace.frames)
  return frames.length === stacktrace.frames.length
    ? value
    : { ...value, stacktrace: { ...stacktrace, frames } }
}

/**
 * The newest calls that Nitro does not part, where one of them is the app's. A page that asks its own API while it renders is
 * behind them.
 */
function besideNitro(frames: readonly Frame[]): readonly Frame[] {
  const isNitro = (frame: Frame) => NITRO.test(frame.filename ?? frame.abs_path ?? '')
  const newest = frames.findLastIndex((frame) => frame.in_app === true && !isNitro(frame))
  if (newest === -1) return frames
  const behind = frames.slice(0, newest).findLastIndex(isNitro)
  const ahead = frames.findIndex((frame, at) => at > newest && isNitro(frame))
  return frames.slice(behind + 1, ahead === -1 ? undefined : ahead)
}

/** Called in the process, or over HTTP. */
function ofServerFunction(frames: readonly Frame[]): readonly Frame[] {
  const middleware = frames.findLastIndex(({ function: name }) => TANSTACK_MIDDLEWARE.test(name ?? ''))
  const own = frames.slice(middleware + 1)
  return own.some((frame) => frame.in_app === true) ? own : frames
}

function withoutPlaces(frames: readonly Frame[]): readonly Frame[] {
  return frames.filter(
    ({ filename, abs_path: path, lineno }) =>
      lineno !== undefined || !PLACE_IN_LIST.test(filename ?? path ?? ''),
  )
}
