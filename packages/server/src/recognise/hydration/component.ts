/** The component whose HTML differs, where an event names it in a way that outlasts a build. */
import { isObject } from '#base/json.ts'
import type { NormalizedEvent } from '#model/event.ts'
import { diffLines } from './halves.ts'
import { sentHalves } from './sent-halves.ts'

const NAME_CHARS_MAX = 120
/** Shorter names are a minifier's. */
const NAME = /^[A-Z][\w$.]{2,120}$/
const VUE_TRACE = /\n\s{0,8}at <([A-Z][\w$.]{2,119})/
const STACK_LINE = /^\s{0,40}(?:at|in) ([\w$.]{1,120})(?: \(([^)\n]{0,1000})\))?/

export function componentOf(event: NormalizedEvent, text: string): string | null {
  const name =
    sentHalves(event)?.component ??
    componentOfDiff(text) ??
    VUE_TRACE.exec(text)?.[1] ??
    componentOfFrames(event) ??
    componentOfStack(stackTextOf(event))
  return name === null ? null : name.slice(0, NAME_CHARS_MAX)
}

const PATH_MAX = 5

/** From the outermost; those whose names a minifier gave are left out. Empty where nothing tells. */
export function componentPath(event: NormalizedEvent, text: string): readonly string[] {
  const ofDiff = aroundDiff(text)
  const names = ofDiff.length > 0 ? ofDiff : namesOfStack(stackTextOf(event))
  return names
    .filter((name) => NAME.test(name))
    .slice(0, PATH_MAX)
    .reverse()
}

function namesOfStack(stack: string): readonly string[] {
  const lines = stack.slice(0, 8_192).split('\n')
  return lines.flatMap((line) => STACK_LINE.exec(line)?.[1] ?? []).filter((name) => /^[A-Z]/.test(name))
}

/** The innermost component around the first line that differs. */
function componentOfDiff(text: string): string | null {
  const [name] = aroundDiff(text)
  return name !== undefined && NAME.test(name) ? name : null
}

/** The innermost first. */
function aroundDiff(text: string): readonly string[] {
  const lines = diffLines(text)
  const at = lines.findIndex(({ side, isMarked }) => side !== 'both' || isMarked)
  const changed = lines[at]
  if (changed === undefined) return []
  const names: string[] = []
  let indent = changed.indent
  for (const line of lines.slice(0, at).reverse()) {
    if (line.indent >= indent) continue
    indent = line.indent
    const name = /^<([A-Z][\w$.]{0,119})/.exec(line.text)?.[1]
    if (name !== undefined) names.push(name)
  }
  return names
}

/** `@sentry/react` hangs the stack of components before the error, as an exception whose frames maps resolve. */
function componentOfFrames(event: NormalizedEvent): string | null {
  const boundary = event.exception?.values.find(
    ({ type }) => type?.startsWith('React ErrorBoundary ') === true,
  )
  const frames = boundary?.stacktrace?.frames ?? []
  const frame = frames.findLast(({ function: name, abs_path: path, filename }) => {
    const place = path ?? filename ?? ''
    return name !== undefined && /^[A-Z]/.test(name) && place !== '' && !place.startsWith('<')
  })
  return frame?.function !== undefined && NAME.test(frame.function) ? frame.function : null
}

/** Elements of the page stand there too, with no address or `<anonymous>`. */
function componentOfStack(stack: string): string | null {
  for (const line of stack.slice(0, 8_192).split('\n')) {
    const [, name = '', place = ''] = STACK_LINE.exec(line) ?? []
    const isComponent = /^[A-Z]/.test(name) || (place !== '' && !place.startsWith('<'))
    // A minified one hides which component it was, and those around it are not it.
    if (isComponent) return NAME.test(name) ? name : null
  }
  return null
}

function stackTextOf(event: NormalizedEvent): string {
  const stack = event.contexts?.react?.componentStack
  if (typeof stack === 'string') return stack
  const given: unknown = event.extra?.arguments
  const last: unknown = Array.isArray(given) ? given.at(-1) : undefined
  if (typeof last === 'string' && /^\s{1,40}(?:at|in) /.test(last)) return last
  const shown: unknown = isObject(event.extra) ? event.extra.componentStack : undefined
  return typeof shown === 'string' ? shown : ''
}
