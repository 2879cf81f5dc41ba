/**
 * A secret found by its name often stands elsewhere without one: the parameter of a message, an argument in a local
 * variable. What was learned is taken out of the whole event. Copy on write: most values hold none.
 */
import { FILTERED } from './filtered.ts'
import type { ScrubWalk } from './walk.ts'

/** Fields whose values are ids and times, never secrets. */
const SKIPPED: ReadonlySet<string> = new Set([
  'event_id',
  'timestamp',
  'received',
  'level',
  'platform',
  'debug_meta',
])

/** Takes what `walk` learned out of the fields, in place; true when it stood anywhere. */
export function replaceLearned(event: Record<string, unknown>, walk: ScrubWalk): boolean {
  let isChanged = false
  const secrets = [...walk.learned].toSorted((a, b) => b.length - a.length)
  const shortest = secrets.at(-1)?.length ?? 0
  const search: Search = { secrets, shortest, walk }
  for (const key in event) {
    if (SKIPPED.has(key)) continue
    walk.enter(key)
    const replaced = replaceIn(event[key], search)
    walk.leave()
    if (replaced === event[key]) continue
    event[key] = replaced
    isChanged = true
  }
  return isChanged
}

interface Search {
  /** The longest first: one may be part of another. */
  readonly secrets: readonly string[]
  readonly shortest: number
  readonly walk: ScrubWalk
}

function replaceIn(value: unknown, search: Search): unknown {
  if (typeof value === 'string') return replaceText(value, search)
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? replaceInList(value, search) : replaceInBag(value, search)
}

function replaceInList(list: readonly unknown[], search: Search): readonly unknown[] {
  let copy: unknown[] | null = null
  for (let at = 0; at < list.length; at++) {
    search.walk.enter(at)
    const replaced = replaceIn(list[at], search)
    search.walk.leave()
    if (copy === null && replaced !== list[at]) copy = list.slice(0, at)
    copy?.push(replaced)
  }
  return copy ?? list
}

function replaceInBag(bag: object, search: Search): object {
  let isChanged = false
  const entries: [string, unknown][] = []
  for (const [key, value] of Object.entries(bag)) {
    search.walk.enter(key)
    const name = replaceText(key, search)
    const replaced = replaceIn(value, search)
    search.walk.leave()
    if (name !== key || replaced !== value) isChanged = true
    entries.push([name, replaced])
  }
  return isChanged ? Object.fromEntries(entries) : bag
}

function replaceText(text: string, { secrets, shortest, walk }: Search): string {
  if (text.length < shortest) return text
  let out = text
  for (const secret of secrets) {
    if (out.length < secret.length || !out.includes(secret)) continue
    out = out.replaceAll(secret, FILTERED)
    walk.note('repeated_secret')
  }
  return out
}
