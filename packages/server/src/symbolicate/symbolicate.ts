/**
 * From what ran to what was written: stack traces of minified JavaScript get the original file, line, function and lines
 * of source. What ran stays beside them as `raw_stacktrace`; a frame that stays as it is says why.
 */
import { mapChanged } from '#base/mapped.ts'
import type { NormalizedEvent, Stacktrace } from '#model/event.ts'
import { type DebugIds, debugIdsOf } from './debug-ids.ts'
import { type FrameCounts, resolveFrames, type SymbolicateContext } from './frames.ts'

export interface Symbolicated {
  /** The very event that was given, where nothing of it changes. */
  readonly event: NormalizedEvent
  /** Debug ids of files whose map was missed, each once; an empty text for files without one. */
  readonly missed: readonly string[]
  readonly frames: FrameCounts
}

export function symbolicateEvent(event: NormalizedEvent, context: SymbolicateContext): Symbolicated {
  const traces = new Traces(event, context)
  const exceptions = event.exception?.values
  const threads = event.threads?.values
  const values = exceptions && mapChanged(exceptions, (each) => traces.withOriginal(each))
  const others = threads && mapChanged(threads, (each) => traces.withOriginal(each))
  const whole = traces.withOriginal(event)
  const told = { missed: [...traces.missed], frames: { ...traces.frames } }
  if (values === exceptions && others === threads) return { event: whole, ...told }
  const changed = {
    ...(values && { exception: { values } }),
    ...(others && { threads: { values: others } }),
  }
  return { event: { ...whole, ...changed }, ...told }
}

interface Traced {
  readonly stacktrace?: Stacktrace
  readonly raw_stacktrace?: Stacktrace
}

class Traces {
  readonly missed = new Set<string>()
  readonly frames = { resolved: 0, missed: 0 }
  readonly #event: NormalizedEvent
  readonly #context: SymbolicateContext
  #debugIds: DebugIds | null = null

  constructor(event: NormalizedEvent, context: SymbolicateContext) {
    this.#event = event
    this.#context = context
  }

  /** Always from what ran: what was resolved before is resolved again. */
  withOriginal<T extends Traced>(traced: T): T {
    const ran = traced.raw_stacktrace ?? traced.stacktrace
    if (ran === undefined) return traced
    this.#debugIds ??= debugIdsOf(this.#event.debug_meta)
    const { release = null, dist = null, platform } = this.#event
    const build = { release, dist, platform, debugIds: this.#debugIds }
    const { frames, isResolved, missed, counts } = resolveFrames(ran.frames, build, this.#context)
    for (const debugId of missed) this.missed.add(debugId)
    this.frames.resolved += counts.resolved
    this.frames.missed += counts.missed
    if (frames === ran.frames && traced.raw_stacktrace === undefined) return traced
    if (!isResolved && traced.raw_stacktrace !== undefined) return traced // its map is gone: better what was found once
    if (!isResolved) return { ...traced, stacktrace: { ...ran, frames } }
    return { ...traced, stacktrace: { ...ran, frames }, raw_stacktrace: ran }
  }
}
