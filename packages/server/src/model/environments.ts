/** The order of environments, and which of several projects' are shown: pure, for every store and screen. */
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'

interface Placed {
  readonly name: string
  readonly isHidden: boolean
  readonly position: number | null
  readonly eventCount: number
  readonly lastSeenMs: number
}

/** Orders environments: those with a position first, then by number of events. */
export function compareEnvironments(a: Placed, b: Placed): number {
  return (
    (a.position ?? Number.MAX_SAFE_INTEGER) - (b.position ?? Number.MAX_SAFE_INTEGER) ||
    b.eventCount - a.eventCount ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  )
}

/** Each name once, in order. Hidden where all projects that have it hide it. */
export function environmentsByName(all: readonly Placed[]): readonly Placed[] {
  const byName = new Map<string, Placed>()
  for (const one of all) {
    const known = byName.get(one.name)
    byName.set(one.name, known === undefined ? one : joinPlaced(known, one))
  }
  return [...byName.values()].sort(compareEnvironments)
}

function joinPlaced(one: Placed, other: Placed): Placed {
  const places = [one.position, other.position].filter((place) => place !== null)
  return {
    name: one.name,
    isHidden: one.isHidden && other.isHidden,
    position: places.length === 0 ? null : Math.min(...places),
    eventCount: one.eventCount + other.eventCount,
    lastSeenMs: Math.max(one.lastSeenMs, other.lastSeenMs),
  }
}

/** With one of them a step up or down; as they are where it stands at that end. */
export function moveName(names: readonly string[], name: string, to: 'up' | 'down'): readonly string[] {
  const from = names.indexOf(name)
  const at = from + (to === 'up' ? -1 : 1)
  if (from === -1 || at < 0 || at >= names.length) return names
  return names.toSpliced(from, 1).toSpliced(at, 0, name)
}

export const ENVIRONMENT_REFUSALS = {
  noEnvironment: (name: string): Refusal =>
    refuse('not_found', `The project has no environment “${name.slice(0, 64)}”.`),
  tooMany: (): Refusal =>
    refuse(
      'conflict',
      `A project keeps settings of at most ${max('environmentsPerProjectMax')} environments.`,
    ),
}
