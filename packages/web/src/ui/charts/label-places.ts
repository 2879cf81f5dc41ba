/** Places of names such that none lies on another. Pure. */

/** Height of one line of 11 px. */
export const LABEL_GAP = 13

/**
 * Places of labels that each want to stand at `y`: as near to it as the others allow, in the order of what they name, and
 * all between `top` and `bottom` as long as they fit there.
 */
export function spreadLabels(
  wanted: readonly number[],
  { top, bottom, gap = LABEL_GAP }: { readonly top: number; readonly bottom: number; readonly gap?: number },
): readonly number[] {
  const order = wanted.map((y, at) => ({ y, at })).sort((a, b) => a.y - b.y || a.at - b.at)
  const places = order.map(({ y }) => Math.min(bottom, Math.max(top, y)))
  for (let at = 1; at < places.length; at += 1)
    places[at] = Math.max(places[at] ?? 0, (places[at - 1] ?? 0) + gap)
  // What was pushed below the end pushes back.
  let below = bottom + gap
  for (let at = places.length - 1; at >= 0; at -= 1) {
    places[at] = Math.min(places[at] ?? 0, below - gap)
    below = places[at] ?? 0
  }
  const result = wanted.map(() => 0)
  for (const [index, { at }] of order.entries()) result[at] = places[index] ?? 0
  return result
}

/** `wide`: there is room for it in a wide window alone. `none`: it would lie on another; it is read out alone. */
export type MarkLabel = 'shown' | 'wide' | 'none'

export interface PlacedMark<T> {
  readonly mark: T
  /** Percent of the axis. */
  readonly at: number
  readonly label: MarkLabel
  /** Line of names that its own stands in, from the top. */
  readonly row: number
  /** The name ends at its line, because beyond it is no room. */
  readonly isBefore: boolean
}

const LABEL_PERCENT = 13
const ROWS_MAX = 2
/** Names of marks beyond it stand before their lines. */
const BEFORE_PERCENT = 80
/** Names of flags are words, and longer. */
const FLAG_BEFORE_PERCENT = 60
/** Deploys of several projects at one time and under one name are named once. */
const SAME_PERCENT = 1

/**
 * Names of marks along an axis, in the order of time: of names that would lie on another the newer one stays, and the
 * other goes to a second line. Names of flags take what room the others leave. One name at one place is there once.
 * Percentiles are few and lie close to each other: each has a line of its own.
 */
export function labelMarks<
  T extends { readonly atMs: number; readonly kind: string; readonly label?: string },
>(marks: readonly T[], percent: (atMs: number) => number): readonly PlacedMark<T>[] {
  const rows = Array.from({ length: ROWS_MAX }, (): [start: number, end: number][] => [])
  const named: { readonly at: number; readonly label: string }[] = []
  let isFirst = true
  let ownRow = 0
  return marks
    .map((mark) => ({ mark, at: percent(mark.atMs) }))
    .filter(({ at }) => at >= 0 && at <= 100)
    .sort((a, b) => a.at - b.at)
    .map((placed) => ({ ...placed, own: placed.mark.kind === 'percentile' ? ownRow++ : null }))
    .reverse()
    .sort((a, b) => Number(a.mark.kind === 'flag') - Number(b.mark.kind === 'flag'))
    .map(({ mark, at, own }): PlacedMark<T> => {
      const isBefore = at > (mark.kind === 'flag' ? FLAG_BEFORE_PERCENT : BEFORE_PERCENT)
      if (own !== null) return { mark, at, label: 'shown', row: own, isBefore }
      const [start, end] = isBefore ? [at - LABEL_PERCENT, at] : [at, at + LABEL_PERCENT]
      const isNamed = named.some(
        (other) => other.label === mark.label && Math.abs(other.at - at) < SAME_PERCENT,
      )
      const row = isNamed
        ? -1
        : rows.findIndex((taken) => taken.every(([from, to]) => end <= from || start >= to))
      if (row === -1) return { mark, at, label: 'none', row: 0, isBefore }
      rows[row]?.push([start, end])
      if (mark.label !== undefined) named.push({ at, label: mark.label })
      const label: MarkLabel = isFirst ? 'shown' : 'wide'
      isFirst = false
      return { mark, at, label, row, isBefore }
    })
    .reverse()
    .sort((a, b) => a.at - b.at)
}
