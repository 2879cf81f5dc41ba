/** Places on an axis whose gaps are folded: each session has room, however long nothing happened between two. Pure. */
import type { PersonSession } from './sessions.ts'

type Span = Pick<PersonSession, 'startMs' | 'endMs'>

/** Stretch of the axis that a session takes. */
export interface AxisPart extends Span {
  /** Percent of the axis at which it begins. */
  readonly from: number
  readonly to: number
}

/** Percent of the axis of one fold, and of all of them together. */
const FOLD = 1.4
const FOLDS_MAX = 30
/** Share of a part's width that is left free at each of its ends: marks there are drawn whole. */
const EDGE = 0.08

/** Lays sessions out, oldest first. Longer ones get more room, by the logarithm. `sessions`: newest first. */
export function foldGaps(sessions: readonly Span[]): readonly AxisPart[] {
  const ordered = sessions.toReversed()
  const folds = Math.max(0, ordered.length - 1)
  const fold = Math.min(FOLD, folds === 0 ? 0 : FOLDS_MAX / folds)
  const weights = ordered.map(({ startMs, endMs }) => 1 + Math.log2(1 + (endMs - startMs) / 1_000))
  const room = (100 - fold * folds) / weights.reduce((sum, weight) => sum + weight, 0)
  let from = 0
  return ordered.map(({ startMs, endMs }, index) => {
    const to = from + (weights[index] ?? 0) * room
    const part = { startMs, endMs, from, to }
    from = to + fold
    return part
  })
}

/** Returns the place of a time in percent; of one between two sessions, the beginning of the later one. */
export function placeOnParts(parts: readonly AxisPart[], atMs: number): number {
  const part = parts.find(({ endMs }) => atMs <= endMs) ?? parts.at(-1)
  if (part === undefined) return 0
  const { startMs, endMs, from, to } = part
  const share = endMs === startMs ? 0.5 : Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs)))
  return from + (to - from) * (EDGE + (1 - 2 * EDGE) * share)
}

/** Returns which of the places lies nearest; the first of two as near, -1 of none. */
export function nearestPlace(places: readonly number[], to: number): number {
  let nearest = -1
  for (const [index, place] of places.entries())
    if (nearest === -1 || Math.abs(place - to) < Math.abs((places[nearest] ?? 0) - to)) nearest = index
  return nearest
}
