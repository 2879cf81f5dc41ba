/**
 * Part of grouping version 1. JavaScriptCore makes two functions of an async one, and tells a call of both: the outer stands at its
 * end, which a source map takes for whatever follows. Chrome and Firefox tell one.
 */
import type { Frame, ScrubbedEvent, Stacktrace } from '#model/event.ts'

const NONE: ReadonlySet<number> = new Set()
const UNNAMED = /^(?:\?|<?anonymous>?)?$/

/** Places of the outer halves in what ran; where nothing was mapped their names are one, and count once. */
export function framesToldTwice(event: ScrubbedEvent, ran: Stacktrace | undefined): ReadonlySet<number> {
  if (ran === undefined || !isWebKit(event)) return NONE
  const places = new Set<number>()
  for (const [at, inner] of ran.frames.entries()) {
    const outer = ran.frames[at - 1]
    if (outer !== undefined && isOuterHalf(outer, inner)) places.add(at - 1)
  }
  return places
}

function isOuterHalf(outer: Frame, inner: Frame): boolean {
  if (outer.function === undefined || outer.function !== inner.function || UNNAMED.test(outer.function))
    return false
  const isOneFile = (outer.abs_path ?? outer.filename) === (inner.abs_path ?? inner.filename)
  const [outerLine, innerLine] = [outer.lineno ?? 0, inner.lineno ?? 0]
  const isBehind = outerLine === innerLine ? (outer.colno ?? 0) > (inner.colno ?? 0) : outerLine > innerLine
  return isOneFile && isBehind
}

/** True for WebKit; on Apple's phones every browser is. */
function isWebKit({ contexts }: ScrubbedEvent): boolean {
  return (
    /Safari|WebKit/.test(contextName(contexts?.browser)) || /^(?:iOS|iPadOS)$/.test(contextName(contexts?.os))
  )
}

function contextName(context: Readonly<Record<string, unknown>> | undefined): string {
  return typeof context?.name === 'string' ? context.name : ''
}
