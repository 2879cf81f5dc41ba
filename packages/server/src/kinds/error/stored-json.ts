/** The JSON of an event as it is stored. What several events share is written once, and put into the text of each. */

import { mapped } from '#base/mapped.ts'
import type { ScrubbedEvent, Stacktrace } from '#model/event.ts'
import type { PartValue, SharedParts } from '#model/shared-parts.ts'

/** `JSON.stringify(event)` in UTF-8, at half the cost where stack traces are shared. */
export function storedJson(event: ScrubbedEvent, shared: SharedParts): Buffer {
  const swap = new Swap(shared)
  const { exception, threads, stacktrace, raw_stacktrace: ran, modules, sdk, debug_meta: debug } = event
  const values = exception && mapped(exception.values, (value) => swap.trace(value))
  const threadValues = threads && mapped(threads.values, (value) => swap.trace(value))
  const own = stacktrace && swap.frames(stacktrace)
  const raw = ran && swap.frames(ran)
  const list = modules && swap.part(modules)
  const client = sdk && swap.part(sdk)
  const build = debug && swap.part(debug)
  if (swap.jsons.size === 0) return Buffer.from(JSON.stringify(event))
  const text = JSON.stringify({
    ...event,
    ...(values && { exception: { ...exception, values } }),
    ...(threadValues && { threads: { ...threads, values: threadValues } }),
    ...(own && { stacktrace: own }),
    ...(raw && { raw_stacktrace: raw }),
    ...(list && { modules: list }),
    ...(client && { sdk: client }),
    ...(build && { debug_meta: build }),
  })
  return swap.restore(Buffer.from(text))
}

class Swap {
  /** JSON in UTF-8 by what stands for it in the text, quotes included. */
  readonly jsons = new Map<string, Buffer>()
  readonly #shared: SharedParts

  constructor(shared: SharedParts) {
    this.#shared = shared
  }

  trace<T extends { readonly stacktrace?: Stacktrace; readonly raw_stacktrace?: Stacktrace }>(value: T): T {
    const stacktrace = value.stacktrace && this.frames(value.stacktrace)
    const raw = value.raw_stacktrace && this.frames(value.raw_stacktrace)
    if (stacktrace === value.stacktrace && raw === value.raw_stacktrace) return value
    return { ...value, stacktrace, ...(raw && { raw_stacktrace: raw }) }
  }

  frames(stacktrace: Stacktrace): Stacktrace {
    const frames = this.part(stacktrace.frames)
    return frames === stacktrace.frames ? stacktrace : { ...stacktrace, frames }
  }

  /** What stands for a shared part: a text that no event can hold, though the type says otherwise. */
  part<T extends PartValue>(value: T): T {
    const json = this.#shared.jsonOf(value)
    if (json === undefined) return value
    const placeholder = `${this.#shared.placeholder}:${this.jsons.size}`
    this.jsons.set(JSON.stringify(placeholder), json)
    return placeholder as unknown as T // leaves the text again in `restore`
  }

  /** The placeholders stand in the order in which they were given, or in any other. */
  restore(text: Buffer): Buffer {
    const places = [...this.jsons]
      .map(([placeholder, json]) => ({ at: text.indexOf(placeholder), length: placeholder.length, json }))
      .sort((a, b) => a.at - b.at)
    const pieces: Buffer[] = []
    let copied = 0
    for (const { at, length, json } of places) {
      pieces.push(text.subarray(copied, at), json)
      copied = at + length
    }
    pieces.push(text.subarray(copied))
    return Buffer.concat(pieces)
  }
}
