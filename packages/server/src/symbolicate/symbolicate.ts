/**
 * From what ran to what was written: stack traces of minified JavaScript get the original file, line, function and lines
 * of source. What ran stays beside them as `raw_stacktrace`; a frame that stays as it is says why.
 */
import { mapped } from '#base/mapped.ts'
import type { NormalizedEvent, Stacktrace } from '#model/event.ts'
import type { MapLookup } from '#model/map-lookup.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { type DebugIds, debugIdsOf } from './debug-ids.ts'
import { resolveFrames } from './frames.ts'

export interface SymbolicateContext {
  readonly maps: MapLookup
  readonly shared?: SharedParts
}

/** The event itself where none of its frames ran from a file that somebody built. */
export function symbolicateEvent(event: NormalizedEvent, context: SymbolicateContext): NormalizedEvent {
  const traces = new Traces(event, context)
  const exceptions = event.exception?.values
  const threads = event.threads?.values
  const values =
    exceptions === undefined ? undefined : mapped(exceptions, (each) => traces.withOriginal(each))
  const others = threads === undefined ? undefined : mapped(threads, (each) => traces.withOriginal(each))
  const whole = traces.withOriginal(event)
  if (values === exceptions && others === threads) return whole
  return {
    ...whole,
    ...(values === undefined ? {} : { exception: { values } }),
    ...(others === undefined ? {} : { threads: { values: others } }),
  }
}

interface Traced {
  readonly stacktrace?: Stacktrace
  readonly raw_stacktrace?: Stacktrace
}

class Traces {
  readonly #event: NormalizedEvent
  readonly #context: SymbolicateContext
  #debugIds: DebugIds | null = null

  constructor(event: NormalizedEvent, context: SymbolicateContext) {
    this.#event = event
    this.#context = context
  }

  /** `raw_stacktrace` of what was sent is the truth: what is resolved already is not resolved again. */
  withOriginal<T extends Traced>(traced: T): T {
    const ran = traced.raw_stacktrace ?? traced.stacktrace
    if (ran === undefined) return traced
    this.#debugIds ??= debugIdsOf(this.#event.debug_meta)
    const { release = null, dist = null, platform } = this.#event
    const build = { release, dist, platform, debugIds: this.#debugIds }
    const { frames, isResolved } = resolveFrames(ran.frames, build, this.#context)
    if (frames === ran.frames && traced.raw_stacktrace === undefined) return traced
    if (!isResolved) return { ...traced, stacktrace: { ...ran, frames } }
    return { ...traced, stacktrace: { ...ran, frames }, raw_stacktrace: ran }
  }
}
