/** Ids that the page of an error may show, from wherever an app puts them: tags, `extra`, contexts. */
import { max } from '#limits/limits.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import { isShownIdName, readShownId } from '#model/shown-id.ts'

const DEPTH_MAX = 4
const VISITS_MAX = 2_000
/** Contexts that every event has: ids in them are not of an error. */
const OTHERS = new Set(['trace', 'device', 'os', 'runtime', 'browser', 'app', 'culture', 'replay'])

export function shownIdsOf({ tags, extra, contexts }: ScrubbedEvent): readonly string[] {
  const found = new Set<string>()
  const add = (value: unknown) => {
    const id = readShownId(value)
    if (id !== null && found.size < max('digestsPerEventMax')) found.add(id)
  }
  for (const [key, value] of tags) if (isShownIdName(key)) add(value)
  const bags: unknown[] = [extra]
  for (const name in contexts) {
    const context: unknown = contexts[name]
    // A context may itself be called so: `contexts.errorId.value`.
    if (!OTHERS.has(name))
      bags.push(isShownIdName(name) ? { [name]: context, errorId: idIn(context) } : context)
  }
  search(bags, add)
  return [...found]
}

function idIn(context: unknown): unknown {
  if (typeof context !== 'object' || context === null) return context
  return Reflect.get(context, 'id') ?? Reflect.get(context, 'value')
}

function search(bags: readonly unknown[], add: (value: unknown) => void): void {
  let level = bags
  let visits = 0
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    const next: unknown[] = []
    for (const bag of level) {
      if (typeof bag !== 'object' || bag === null) continue
      for (const key in bag) {
        visits += 1
        if (visits > VISITS_MAX) return
        const child: unknown = Reflect.get(bag, key)
        if (typeof child === 'object') next.push(child)
        else if (typeof child === 'string' && isShownIdName(key)) add(child)
      }
    }
    level = next
  }
}
