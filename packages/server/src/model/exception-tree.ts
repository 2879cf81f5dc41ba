/**
 * How the exceptions of an event belong together. SDKs number them (`exception_id`, `parent_id`, `source`); where they do
 * not, or the numbers are no tree, the order of the list says it: oldest cause first. docs/wire.md, section "Exceptions".
 */
import type { ExceptionValue, Mechanism } from './event.ts'

/**
 * Relation of an exception to the one it belongs to. `context`: that one was thrown while this one was being
 * handled.
 */
export type ExceptionRelation = 'cause' | 'context' | 'member' | 'suppressed'

export interface ExceptionPlace {
  /** Index in the event's list. */
  readonly index: number
  /** `null`: the root, which the event is called after. */
  readonly relation: ExceptionRelation | null
  /** The relation as people read it between the two, such as "caused by". */
  readonly words: string | null
  /** Index of the exception it belongs to; `null` for the root. */
  readonly parent: number | null
  /** Levels of branches above it: a chain of causes stays on one level. */
  readonly level: number
}

const RELATION_WORDS: Readonly<Record<ExceptionRelation, string>> = {
  cause: 'caused by',
  context: 'while handling',
  member: 'in the group',
  suppressed: 'suppressed',
}

type Numbered = Pick<Mechanism, 'exception_id' | 'parent_id' | 'is_exception_group' | 'source' | 'type'>

/**
 * Returns the places of an event's exceptions, each once: the root first, each followed by what belongs to it, in the
 * order of their ids.
 */
export function exceptionTree(
  values: readonly Pick<ExceptionValue, 'mechanism'>[],
): readonly ExceptionPlace[] {
  const mechanisms = values.map(({ mechanism }) => mechanism)
  const numbered = parentsOf(mechanisms)
  const parents = numbered ?? values.map((_, index) => (index === values.length - 1 ? null : index + 1))
  const children = Map.groupBy(parents.keys(), (index) => parents[index] ?? null)
  const places: ExceptionPlace[] = []
  const waiting = [...(children.get(null) ?? [])].map((index) => ({ index, level: 0 }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { index, level } = next
    const parent = parents[index] ?? null
    const relation = parent === null ? null : relationOf(mechanisms[index], mechanisms[parent])
    places.push({
      index,
      relation,
      words: relation === null ? null : RELATION_WORDS[relation],
      parent,
      level,
    })
    const own = [...(children.get(index) ?? [])]
    const branches = own.length > 1 || mechanisms[index]?.is_exception_group === true
    // The last one pushed is the next one taken: the lowest id goes first.
    const ordered =
      numbered === null ? own : own.sort((a, b) => exceptionId(mechanisms[b]) - exceptionId(mechanisms[a]))
    waiting.push(...ordered.map((child) => ({ index: child, level: level + (branches ? 1 : 0) })))
  }
  return places
}

/** Returns what stands before an exception in a text: "Exception", "Caused by", "In the group". */
export function relationHead({ words }: ExceptionPlace): string {
  return words === null ? 'Exception' : words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns the list with its root at the end, where everything that reads an event looks for it; the very same list where
 * it stands there already, or nothing says which one it is.
 */
export function rootLast<T>(
  values: readonly T[],
  mechanismOf: (value: T) => Numbered | undefined,
): readonly T[] {
  if (values.length < 2) return values
  const mechanisms = values.map(mechanismOf)
  const parents = parentsOf(mechanisms)
  if (parents === null || parents.at(-1) === null) return values
  // The order that SDKs use: what was numbered last comes first.
  const order = [...values.keys()].sort((a, b) => exceptionId(mechanisms[b]) - exceptionId(mechanisms[a]))
  const root = parents.indexOf(null)
  return [...order.filter((index) => index !== root), root].flatMap((index) => values.slice(index, index + 1))
}

/** Index of each one's parent, `null` for the root; `null` instead where the ids are no tree. */
function parentsOf(mechanisms: readonly (Numbered | undefined)[]): readonly (number | null)[] | null {
  const byId = new Map<number, number>()
  for (const [index, mechanism] of mechanisms.entries()) {
    const id = mechanism?.exception_id
    if (id === undefined || byId.has(id)) return null
    byId.set(id, index)
  }
  if (isNumberedInward(mechanisms)) return null
  const parents = mechanisms.map((mechanism) => {
    const parent = mechanism?.parent_id
    return parent === undefined || parent === mechanism?.exception_id ? null : (byId.get(parent) ?? -1)
  })
  if (parents.filter((parent) => parent === null).length !== 1 || parents.includes(-1)) return null
  return reachesAll(parents) ? parents : null
}

/** True for older Go SDKs, which number the innermost error 0 and call each a group. */
function isNumberedInward(mechanisms: readonly (Numbered | undefined)[]): boolean {
  return (
    mechanisms.length > 1 &&
    mechanisms.every((one, index) => one?.is_exception_group === true && one.exception_id === index)
  )
}

/** False where ids run in a circle. */
function reachesAll(parents: readonly (number | null)[]): boolean {
  const known = new Set<number>([parents.indexOf(null)])
  for (const start of parents.keys()) {
    const path: number[] = []
    for (let at: number | null = start; at !== null && !known.has(at); at = parents[at] ?? null) {
      if (path.includes(at)) return false
      path.push(at)
    }
    for (const index of path) known.add(index)
  }
  return true
}

function relationOf(own: Numbered | undefined, parent: Numbered | undefined): ExceptionRelation {
  const source = own?.source ?? ''
  if (own?.type === 'suppressed' || /suppressed/i.test(source)) return 'suppressed'
  if (source === '__context__') return 'context'
  // `errors[0]`, `exceptions[1]`, `InnerExceptions[0]`; a group has causes as well.
  const isElement = source.endsWith(']')
  return parent?.is_exception_group === true && (isElement || source === '') ? 'member' : 'cause'
}

function exceptionId(mechanism: Numbered | undefined): number {
  return mechanism?.exception_id ?? 0
}
