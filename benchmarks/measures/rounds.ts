/** How long and how many: rounds are sized by what the warm-up showed, between these bounds. */
import type { CorpusSpec } from '../corpus/corpus.ts'
import { type BenchOptions, type Form, formOf } from '../options.ts'

export interface IngestCase {
  readonly name: string
  readonly corpus: CorpusSpec
  readonly rounds: number
  /** Length of a round, as far as the warm-up tells. */
  readonly seconds: number
  /** Events of a round, however slow this machine is. */
  readonly least: number
}

const SMALL = 'error-5k'
const LARGE = 'error-18k'
const CASES: readonly NamedCorpus[] = [
  { name: '5 KB, few stacks', kind: SMALL, stacks: 3, quick: {} },
  { name: '5 KB, 400 stacks', kind: SMALL, stacks: 400, quick: null },
  { name: '5 KB, all different', kind: SMALL, stacks: 'all', quick: { rounds: 2, least: 2_000 } },
  { name: '18 KB, few stacks', kind: LARGE, stacks: 3, quick: { rounds: 2, least: 1_500 } },
  { name: '18 KB, 400 stacks', kind: LARGE, stacks: 400, quick: null },
]
type Usual = Pick<IngestCase, 'rounds' | 'seconds' | 'least'>
/** Values of a case that says nothing else. */
const USUAL: Readonly<Record<Form, Usual>> = {
  quick: { rounds: 3, seconds: 1.5, least: 3_000 },
  full: { rounds: 5, seconds: 6, least: 3_000 },
}

interface NamedCorpus {
  readonly name: string
  readonly kind: typeof SMALL | typeof LARGE
  readonly stacks: number | 'all'
  /** Changes of the quick form; `null`: it is no part of that unless asked for. */
  readonly quick: Partial<Usual> | null
}

/** Cases of the options: a stack count or a size chosen by hand is taken as it is. */
export function ingestCases(options: BenchOptions): readonly IngestCase[] {
  const { full, size, stacks } = options
  const sized = CASES.filter(({ kind }) => size === null || (size === 5) === (kind === SMALL))
  const chosen = sized.filter((each) =>
    stacks === null ? full || each.quick !== null : each.stacks === stacks,
  )
  if (chosen.length > 0 || stacks === null) return chosen.map((each) => ingestCase(each, options))
  const kind = size === 18 ? LARGE : SMALL
  return [ingestCase({ name: `${size ?? 5} KB, ${stacks} stacks`, kind, stacks, quick: null }, options)]
}

function ingestCase({ name, kind, stacks, quick }: NamedCorpus, options: BenchOptions): IngestCase {
  const form = formOf(options)
  const usual = { ...USUAL[form], ...(form === 'quick' ? quick : null) }
  return {
    ...usual,
    name,
    corpus: { kind, stacks, seed: options.seed },
    rounds: options.rounds ?? usual.rounds,
    seconds: options.seconds ?? usual.seconds,
  }
}

/** Requests are held in memory, about 2 to 4 KB each. */
const ROUND_MAX = 60_000

export function eventsOfRound(
  drainedPerSecond: number,
  { seconds, least }: Pick<IngestCase, 'seconds' | 'least'>,
): number {
  return Math.round(Math.min(ROUND_MAX, Math.max(least, drainedPerSecond * seconds)))
}
