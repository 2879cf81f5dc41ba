/** How long and how many: rounds are sized by what the warm-up showed, between these bounds. */
import { type BenchOptions, formOf } from '../options.ts'
import type { IngestCase } from './ingest.ts'

const SMALL = 'error-5k'
const LARGE = 'error-18k'
const CASES = [
  { name: '5 KB, few stacks', kind: SMALL, stacks: 3, quick: { rounds: 3, least: 3_000 } },
  { name: '5 KB, 400 stacks', kind: SMALL, stacks: 400, quick: null },
  { name: '5 KB, all different', kind: SMALL, stacks: 'all', quick: { rounds: 2, least: 2_000 } },
  { name: '18 KB, few stacks', kind: LARGE, stacks: 3, quick: { rounds: 2, least: 1_500 } },
  { name: '18 KB, 400 stacks', kind: LARGE, stacks: 400, quick: null },
] as const
const FULL = { rounds: 5, least: 3_000 } as const
/** Of a case that was put together by hand. */
const QUICK = { rounds: 3, least: 3_000 } as const

interface NamedCorpus {
  readonly name: string
  readonly kind: typeof SMALL | typeof LARGE
  readonly stacks: number | 'all'
}

/** Cases of the options: a stack count or a size chosen by hand is taken as it is. */
export function ingestCases(options: BenchOptions): readonly IngestCase[] {
  const { full, size, stacks } = options
  const sized = CASES.filter(({ kind }) => size === null || (size === 5) === (kind === SMALL))
  const chosen = sized.filter((each) =>
    stacks === null ? full || each.quick !== null : each.stacks === stacks,
  )
  if (chosen.length > 0 || stacks === null) {
    return chosen.map((each) => ingestCase(each, options, full ? FULL : (each.quick ?? QUICK)))
  }
  const kind = size === 18 ? LARGE : SMALL
  const name = `${size ?? 5} KB, ${stacks} stacks`
  return [ingestCase({ name, kind, stacks }, options, full ? FULL : QUICK)]
}

function ingestCase(
  { name, kind, stacks }: NamedCorpus,
  options: BenchOptions,
  usual: { readonly rounds: number; readonly least: number },
): IngestCase {
  const { rounds, seconds, seed } = options
  return {
    name,
    corpus: { kind, stacks, seed },
    rounds: rounds ?? usual.rounds,
    seconds: seconds ?? SECONDS[formOf(options)],
    least: usual.least,
  }
}

const SECONDS = { quick: 1.5, full: 6 }
/** Requests are held in memory, about 2 to 4 KB each. */
const ROUND_MAX = 60_000

export function eventsOfRound(
  drainedPerSecond: number,
  { seconds, least }: Pick<IngestCase, 'seconds' | 'least'>,
): number {
  return Math.round(Math.min(ROUND_MAX, Math.max(least, drainedPerSecond * seconds)))
}
