/** Reads the options of `npm run bench`. */
import { parseArgs } from 'node:util'
import type { Stacks } from './corpus/corpus.ts'

export const MEASURES = [
  ...([
    'ingest',
    'maps',
    'spans',
    'alerts',
    'latency',
    'viewers',
    'reads',
    'overview',
    'start',
    'kill',
  ] as const),
] as const
/** `wide` is asked for by name: it builds an installation of its own. */
export type MeasureName = (typeof MEASURES)[number] | 'wide'

/** Form of a run, which decides everything that differs between the two. */
export type Form = 'quick' | 'full'

export function formOf({ full }: Pick<BenchOptions, 'full'>): Form {
  return full ? 'full' : 'quick'
}

export interface BenchOptions {
  readonly full: boolean
  readonly only: readonly MeasureName[]
  /** Another server: its address, the DSN events are sent with, and where it says how many it stored. */
  readonly target: string | null
  readonly dsn: string | null
  readonly drainedUrl: string | null
  readonly drainedHeader: string | null
  /** Number of the first event that another server is sent; `null` begins where no run did before. */
  readonly first: number | null
  /** Narrow the ingest cases; `null` takes all. */
  readonly stacks: Stacks | null
  readonly size: 5 | 18 | null
  readonly rounds: number | null
  readonly seconds: number | null
  readonly connections: number
  /** Seconds after the load before memory is read again. */
  readonly rest: number | null
  readonly seed: number
  readonly noBuild: boolean
  readonly package: string | null
  readonly profiles: string | null
  readonly anyDataset: boolean
  readonly out: string | null
  /** A commit or a folder with sources to measure this build against, instead of everything else. */
  readonly against: string | null
  /** With `against`: steps alone, without whole runs. */
  readonly pairsOnly: boolean
  readonly wholeOnly: boolean
}

export const USAGE = `npm run bench -- [options]

  --full                 a million events, longer rounds, every case (about half an hour); without it under 3 minutes
  --only NAME[,NAME]     ${MEASURES.join(', ')}
  --wide                 an installation of 1,500 projects, about 7 minutes: building it, changes, pages, backlog, a flood
  --wide --small         the same with 360 projects, about 2 minutes
  --size 5|18            ingest: this size of event alone, KB
  --stacks 3|400|all     ingest: this many different stacks alone
  --rounds N             ingest: rounds a case
  --seconds N            ingest: length of a round
  --connections N        of the closed loop, default 32
  --rest SECONDS         latency: after the load, before memory is read again
  --seed N               of the corpus, default 1
  --against COMMIT|DIR   this build and that one in pairs: process, accept and commit; then whole runs in turn
  --pairs-only           against: without the whole runs
  --whole-only           against: the whole runs alone
  --target URL --dsn DSN sends to another server: accepted rate and latencies
  --drained-url URL      asked how many events the other server has stored; the first number of its answer counts
  --drained-header TEXT  'name: value' sent with it
  --first N              number of the first event sent to the other server; default one of its own for every run
  --no-build             takes what is built, however old
  --package DIR          takes another build: a folder with bin and dist
  --cpu-prof DIR         ingest, latency, viewers: V8 CPU profiles, one a thread, written when the server stops
  --any-dataset          reads, overview, start: takes the newest kept dataset of the same size, whatever code built it
  --out DIR              default benchmarks/results; "none" writes nothing`

const DEFAULT_CONNECTIONS = 32

/** @throws Error with a sentence for what cannot be read. */
export function readBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...textOptions(
        'only size stacks rounds seconds connections rest seed target dsn first drained-url drained-header package cpu-prof out against',
      ),
      full: { type: 'boolean' },
      wide: { type: 'boolean' },
      small: { type: 'boolean' },
      'no-build': { type: 'boolean' },
      'any-dataset': { type: 'boolean' },
      'pairs-only': { type: 'boolean' },
      'whole-only': { type: 'boolean' },
    },
  })
  const text = (name: string): string | null => {
    const value = Object.entries(values).find(([key]) => key === name)?.[1]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const [target, dsn] = [text('target'), text('dsn')]
  if (values['pairs-only'] === true && values['whole-only'] === true)
    throw new Error('with --pairs-only and --whole-only nothing is left to measure')
  if (values.small === true && values.wide !== true) throw new Error('--small goes with --wide')
  if (target !== null && text('against') !== null)
    throw new Error('--against and --target exclude each other')
  if ((target === null) !== (dsn === null)) throw new Error('--target and --dsn come together')
  return {
    full: values.full === true || (values.wide === true && values.small !== true),
    only: values.wide === true ? ['wide'] : measuresOf(text('only')),
    target,
    dsn,
    drainedUrl: text('drained-url'),
    drainedHeader: text('drained-header'),
    first: placeOf(text('first')),
    stacks: stacksOf(text('stacks')),
    size: sizeOf(text('size')),
    rounds: numberOf('rounds', text('rounds')),
    seconds: numberOf('seconds', text('seconds')),
    connections: numberOf('connections', text('connections')) ?? DEFAULT_CONNECTIONS,
    rest: numberOf('rest', text('rest')),
    seed: numberOf('seed', text('seed')) ?? 1,
    noBuild: values['no-build'] === true,
    package: text('package'),
    profiles: text('cpu-prof'),
    anyDataset: values['any-dataset'] === true,
    out: text('out'),
    against: text('against'),
    pairsOnly: values['pairs-only'] === true,
    wholeOnly: values['whole-only'] === true,
  }
}

function textOptions(names: string): Record<string, { readonly type: 'string' }> {
  return Object.fromEntries(names.split(' ').map((name) => [name, { type: 'string' as const }]))
}

function measuresOf(text: string | null): readonly MeasureName[] {
  if (text === null) return MEASURES
  return text.split(',').map((name) => {
    const known = MEASURES.find((each) => each === name)
    if (known === undefined) throw new Error(`--only takes ${MEASURES.join(', ')}; not "${name}"`)
    return known
  })
}

function stacksOf(text: string | null): Stacks | null {
  return text === 'all' ? 'all' : numberOf('stacks', text)
}

function sizeOf(text: string | null): 5 | 18 | null {
  if (text === null) return null
  if (text === '5' || text === '18') return text === '5' ? 5 : 18
  throw new Error('--size takes 5 or 18')
}

/** Ids hold 48 bits of a number; a run has room behind its first. */
const FIRST_MAX = 2 ** 48 - 1e9

function placeOf(text: string | null): number | null {
  if (text === null) return null
  const place = Number(text)
  if (Number.isInteger(place) && place >= 0 && place <= FIRST_MAX) return place
  throw new Error(`--first takes a whole number from 0 to ${FIRST_MAX}`)
}

function numberOf(name: string, text: string | null): number | null {
  if (text === null) return null
  const number = Number(text)
  if (!(number > 0)) throw new Error(`--${name} takes a number above 0`)
  return number
}
