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
  const bags: Bag[] = [{ name: '', value: extra }]
  for (const name in contexts) {
    const value: unknown = contexts[name]
    if (OTHERS.has(name)) continue
    // A context may itself be called so: `contexts.errorId.value`.
    bags.push(
      isShownIdName(name) ? { name: '', value: { [name]: value, errorId: idIn(value) } } : { name, value },
    )
  }
  search(bags, add)
  return [...found]
}

interface Bag {
  /** Name of the object that holds it. */
  readonly name: string
  readonly value: unknown
}

function idIn(context: unknown): unknown {
  if (typeof context !== 'object' || context === null) return context
  return Reflect.get(context, 'id') ?? Reflect.get(context, 'value')
}

function search(bags: readonly Bag[], add: (value: unknown) => void): void {
  let level = bags
  let visits = 0
  for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
    const next: Bag[] = []
    for (const { name, value } of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const key in value) {
        visits += 1
        if (visits > VISITS_MAX) return
        const child: unknown = Reflect.get(value, key)
        if (typeof child === 'object') next.push({ name: key, value: child })
        else if (typeof child === 'string' && isShownIdName(key, name)) add(child)
      }
    }
    level = next
  }
}
