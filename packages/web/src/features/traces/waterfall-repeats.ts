/** Finds repeats in a waterfall: children of one span that say the same, each with everything below it. Pure. */
import type { SpanColumns } from './span-columns.ts'
import type { SpanTree } from './span-tree.ts'

/** So many that say the same are one line. */
export const REPEATS_MIN = 5

/** Names repeats among the ids of what is folded: those that were opened. */
export function repeatsId(first: string): string {
  return `open ${first}`
}

export function isRepeatsId(id: string): boolean {
  return id.startsWith(repeatsId(''))
}

/**
 * Returns the places of those that say the same as the first one, by its place. What failed, has an error, or has such a
 * span below it repeats nothing. `errors`: by span.
 */
export function repeatsOf(
  columns: SpanColumns,
  { children, parents }: SpanTree,
  errors: ReadonlyMap<string | null, readonly number[]>,
): ReadonlyMap<number, readonly number[]> {
  const shapes = shapesOf(columns, children, errors)
  const found = new Map<number, readonly number[]>()
  const roots = [...parents.keys()].filter((place) => parents[place] === -1)
  for (const siblings of [roots, ...children]) {
    if (siblings.length < REPEATS_MIN) continue
    for (const [shape, [first, ...others]] of Map.groupBy(siblings, (place) => shapes[place])) {
      if (typeof shape !== 'number' || first === undefined || others.length + 1 < REPEATS_MIN) continue
      found.set(first, others)
    }
  }
  return found
}

/** Returns a number for each span, the same for those that say the same; `null` for what must be seen. */
function shapesOf(
  columns: SpanColumns,
  children: SpanTree['children'],
  errors: ReadonlyMap<string | null, readonly number[]>,
): readonly (number | null)[] {
  const failed = new Set(columns.failed)
  const texts = columns.texts.map(withoutValues)
  const numbers = new Map<string, number>()
  const shapes: (number | null)[] = []
  // Children stand behind their parents.
  for (let place = columns.id.length - 1; place >= 0; place -= 1) {
    const below = (children[place] ?? []).map((child) => shapes[child] ?? null)
    if (failed.has(place) || errors.has(columns.id[place] ?? '') || below.includes(null)) {
      shapes[place] = null
      continue
    }
    const says = [
      texts[columns.op[place] ?? -1],
      texts[columns.name[place] ?? -1],
      columns.sides[place],
      columns.service[place],
      columns.notes[place],
    ]
    const key = JSON.stringify([...says, ...below])
    const shape = numbers.get(key) ?? numbers.size
    numbers.set(key, shape)
    shapes[place] = shape
  }
  return shapes
}

const VALUES = /'[^']*'|[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}|\b[\da-f]{16,}\b|\d+/gi

/** The text without what differs from row to row: quoted texts, ids and numbers. */
function withoutValues(text: string): string {
  return text.replace(VALUES, '?')
}
