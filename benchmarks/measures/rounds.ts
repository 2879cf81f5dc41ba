/** How long and how many: rounds are sized by what the warm-up showed, between these bounds. */
import type { BenchOptions } from '../options.ts'
import type { IngestCase } from './ingest.ts'

const SMALL = 'error-5k'
const LARGE = 'error-18k'
const CASES = [
  { name: '5 KB, few stacks', kind: SMALL, stacks: 3, isQuick: true },
  { name: '5 KB, 400 stacks', kind: SMALL, stacks: 400, isQuick: false },
  { name: '5 KB, all different', kind: SMALL, stacks: 'all', isQuick: true },
  { name: '18 KB, few stacks', kind: LARGE, stacks: 3, isQuick: true },
  { name: '18 KB, 400 stacks', kind: LARGE, stacks: 400, isQuick: false },
] as const

/** Cases of the options: a stack count or a size chosen by hand is taken as it is. */
export function ingestCases(options: BenchOptions): readonly IngestCase[] {
  const { full, size, stacks, seed } = options
  const rounds = options.rounds ?? (full ? 5 : 3)
  const seconds = options.seconds ?? (full ? 6 : 1.5)
  const sized = CASES.filter(({ kind }) => size === null || (size === 5) === (kind === SMALL))
  const chosen = sized.filter((each) => (stacks === null ? full || each.isQuick : each.stacks === stacks))
  if (chosen.length > 0 || stacks === null) {
    return chosen.map(({ name, kind, stacks: of }) => ({
      name,
      corpus: { kind, stacks: of, seed },
      rounds,
      seconds,
    }))
  }
  const kind = size === 18 ? LARGE : SMALL
  return [{ name: `${size ?? 5} KB, ${stacks} stacks`, corpus: { kind, stacks, seed }, rounds, seconds }]
}

/** Requests are held in memory, about 2 to 4 KB each. */
const ROUND_MAX = 60_000
const ROUND_MIN = 3_000

export function eventsOfRound(drainedPerSecond: number, seconds: number): number {
  return Math.round(Math.min(ROUND_MAX, Math.max(ROUND_MIN, drainedPerSecond * seconds)))
}
