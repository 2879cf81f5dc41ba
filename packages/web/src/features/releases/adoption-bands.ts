/** Where the chart of adoption draws what. Pure. */
import type { ListedAdoption } from './adoption.server.ts'

type Release = ListedAdoption['releases'][number]

interface Point {
  /** Percent of the width. */
  readonly x: number
  /** Part of the height, from the top. */
  readonly y: number
}

export interface Band {
  /** `null`: of all further releases. */
  readonly version: string | null
  /** Of its release: 0 is the newest. */
  readonly index: number
  /** One for each stretch in which anything was counted. */
  readonly shapes: readonly (readonly Point[])[]
}

/** The newest at the bottom, further releases at the top; each is as high as its share. */
export function bandsOf({ releases, totals }: Pick<ListedAdoption, 'releases' | 'totals'>): readonly Band[] {
  const below = totals.map(() => 0)
  const bands = releases.map(({ version, counts }, index): Band => {
    const from = [...below]
    for (const [at, count] of counts.entries()) below[at] = (below[at] ?? 0) + count
    return { version, index, shapes: shapesOf(from, below, totals) }
  })
  const isAll = totals.every((total, at) => total - (below[at] ?? 0) < 0.5)
  if (isAll) return bands
  return [...bands, { version: null, index: releases.length, shapes: shapesOf(below, totals, totals) }]
}

/** A point is the middle of its bucket; a stretch begins and ends with the edge of one. */
function shapesOf(
  from: readonly number[],
  to: readonly number[],
  totals: readonly number[],
): readonly (readonly Point[])[] {
  const width = 100 / Math.max(1, totals.length)
  const line = (values: readonly number[], [first, last]: readonly [number, number]): readonly Point[] => {
    const y = (at: number) => 1 - (values[at] ?? 0) / (totals[at] ?? 1)
    const middles = Array.from({ length: last - first + 1 }, (_, index) => ({
      ...{ x: (first + index + 0.5) * width, y: y(first + index) },
    }))
    return [{ x: first * width, y: y(first) }, ...middles, { x: (last + 1) * width, y: y(last) }]
  }
  return stretchesOf(totals)
    .filter(([first, last]) => to.slice(first, last + 1).some((value, at) => value > (from[first + at] ?? 0)))
    .map((stretch) => [...line(to, stretch), ...[...line(from, stretch)].reverse()])
}

/** First and last bucket of each run of those that have anything. */
function stretchesOf(totals: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (const [at, total] of totals.entries()) {
    if (total <= 0) continue
    const run = runs.at(-1)
    if (run !== undefined && run[1] === at - 1) run[1] = at
    else runs.push([at, at])
  }
  return runs
}

/** Of the width: nearer than that, two names would lie on each other. */
const APART_MIN = 0.1

/** Those that have room, the newest first. */
export function labelsOf(
  releases: readonly Pick<Release, 'version' | 'at'>[],
): readonly { readonly version: string; readonly at: NonNullable<Release['at']> }[] {
  const shown: { readonly version: string; readonly at: NonNullable<Release['at']> }[] = []
  for (const { version, at } of releases) {
    if (at === null || shown.some((other) => Math.abs(other.at.part - at.part) < APART_MIN)) continue
    shown.push({ version, at })
  }
  return shown
}
