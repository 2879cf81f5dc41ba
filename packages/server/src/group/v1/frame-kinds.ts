/** Part of grouping version 1. Whose a frame is: `rules/frame-rules.ts`. */
import type { Frame, Stacktrace } from '#model/event.ts'
import { byFamily } from './by-family.ts'
import { FIREFOX_CAUSE } from './functions.ts'
import { type Family, platformFamily } from './rules/families.ts'
import { type FrameKind, ruleOfFile, ruleOfFunction, ruleOfModule } from './rules/frame-rules.ts'

const FILES = byFamily(ruleOfFile)
const FUNCTIONS = byFamily(ruleOfFunction)
const MODULES = byFamily(ruleOfModule)
/** Families whose modules tell in-app code; for others files do. */
const BY_MODULE: ReadonlySet<Family> = new Set<Family>(['java', 'csharp', 'python', 'elixir'])
/** V8's word for callers that wait, and what stands in its place in Firefox and Safari. */
const WAITS = /^async /
const RESUMED =
  /^(?:async(?:Generator)?FunctionResume|asyncGeneratorResume\w{0,20}|promiseReactionJob\w{0,60})$/

/** Says what a frame is by the lists of known functions, modules and files. `null`: a call of whoever the SDK says. */
export function frameKind(frame: Frame, platform: string): FrameKind | null {
  const family = platformFamily(frame.platform ?? platform)
  const { filename, abs_path: path, function: name, module } = frame
  const rule =
    (name === undefined ? null : FUNCTIONS[family].of(name)) ??
    (module === undefined || !BY_MODULE.has(family) ? null : MODULES[family].of(module)) ??
    (filename === undefined ? null : FILES[family].of(filename)) ??
    (path === undefined || path === filename ? null : FILES[family].of(path))
  return rule?.kind ?? null
}

/** True for a call of the app's own code. */
export function isOwnCall(frame: Frame, platform: string): boolean {
  return frame.in_app === true && frameKind(frame, platform) === null
}

/**
 * How many frames, the oldest, stand behind the newest `await`: Chrome and Node tell who waits, Firefox and Safari do not.
 * `ran` has the engine's words where `frames` are what was written.
 */
export function framesBehindAwait(trace: Stacktrace, ran: Stacktrace | undefined, platform: string): number {
  const { frames } = trace
  const told = ran?.frames.length === frames.length ? ran.frames : frames
  for (let at = told.length - 1; at >= 0; at -= 1) {
    const frame = told[at]
    if (frame?.function === undefined || !isWait(frame.function)) continue
    if (platformFamily(frame.platform ?? platform) === 'javascript') return at + 1
  }
  return 0
}

function isWait(name: string): boolean {
  const first = name.charCodeAt(0)
  // Most names begin with no letter that one of these does; `a` and `p` are tried.
  if (first === 0x61 || first === 0x70) {
    if (WAITS.test(name) || RESUMED.test(name)) return true
  }
  return name.includes('*') && FIREFOX_CAUSE.test(name)
}
