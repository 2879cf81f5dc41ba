/** The JSON of an event as it is stored. What several events share is written once, and put into the text of each. */

import { assert } from '#base/errors.ts'
import { mapChanged } from '#base/mapped.ts'
import type { ScrubbedEvent, Stacktrace } from '#model/event.ts'
import type { PartValue, SharedParts } from '#model/shared-parts.ts'

/** `JSON.stringify(event)` in UTF-8, at half the cost where stack traces are shared. */
export function storedJson(event: ScrubbedEvent, shared: SharedParts): Buffer {
  const swap = new Swap(shared)
  const { exception, threads, stacktrace, raw_stacktrace: ran, modules, sdk, debug_meta: debug } = event
  const values = exception && mapChanged(exception.values, (value) => swap.trace(value))
  const threadValues = threads && mapChanged(threads.values, (value) => swap.trace(value))
  const own = stacktrace && swap.frames(stacktrace)
  const raw = ran && swap.frames(ran)
  const list = modules && swap.part(modules)
  const client = sdk && swap.part(sdk)
  const build = debug && swap.part(debug)
  if (swap.jsons.length === 0) return Buffer.from(JSON.stringify(event))
  // Key by key: spreads of this many fields cost ten times as much.
  const copy: Record<string, unknown> = {}
  for (const key in event) copy[key] = Reflect.get(event, key)
  if (values) copy.exception = { ...exception, values }
  if (threadValues) copy.threads = { ...threads, values: threadValues }
  if (own) copy.stacktrace = own
  if (raw) copy.raw_stacktrace = raw
  if (list) copy.modules = list
  if (client) copy.sdk = client
  if (build) copy.debug_meta = build
  return swap.restore(JSON.stringify(copy))
}

class Swap {
  /** JSON in UTF-8, by the number in what stands for it. */
  readonly jsons: Buffer[] = []
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

  /**
   * Returns a placeholder for a shared part: text that no event can hold, although its type says otherwise.
   */
  part<T extends PartValue>(value: T): T {
    const json = this.#shared.jsonOf(value)
    if (json === undefined) return value
    const placeholder = `${this.#shared.placeholder}:${this.jsons.push(json) - 1}`
    return placeholder as unknown as T // leaves the text again in `restore`
  }

  /**
   * Restores parts in one pass, into bytes allocated once: the placeholders begin alike, and stand in any
   * order.
   */
  restore(text: string): Buffer {
    const beginning = `"${this.#shared.placeholder}:`
    const bytes = Buffer.allocUnsafe(this.#bytesOf(text, beginning))
    let filled = 0
    let copied = 0
    for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, copied)) {
      const end = text.indexOf('"', at + beginning.length)
      const json = this.jsons[Number(text.slice(at + beginning.length, end))]
      assert(json !== undefined, 'no event can hold a placeholder')
      filled += bytes.write(text.slice(copied, at), filled)
      bytes.set(json, filled)
      filled += json.length
      copied = end + 1
    }
    filled += bytes.write(text.slice(copied), filled)
    assert(filled === bytes.length, 'each placeholder stands in the text once')
    return bytes
  }

  #bytesOf(text: string, beginning: string): number {
    let bytes = Buffer.byteLength(text)
    this.jsons.forEach((json, number) => {
      bytes += json.length - (beginning.length + String(number).length + 1)
    })
    return bytes
  }
}
