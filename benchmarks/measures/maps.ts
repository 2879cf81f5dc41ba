/**
 * Measures what source maps cost: the drained rate of events whose maps are uploaded, divided by that of
 * events without.
 */
import { type CorpusSpec, corpusEvent } from '../corpus/corpus.ts'
import { builtFiles } from '../corpus/maps.ts'
import { medianOf } from '../load/latencies.ts'
import { formOf } from '../options.ts'
import { atLeast, GOALS } from '../report/goals.ts'
import { bundleOf, uploadBundle } from '../server/bundle.ts'
import { type RunningErrata, type SetUp, setUp, startErrata } from '../server/errata.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { getJson, turnOffCaps, untilDrained } from '../server/web-api.ts'
import { eventsOfRound } from './rounds.ts'
import type { Measured, Tools } from './tools.ts'

export interface MapsCase {
  readonly name: string
  /** Events a second, round by round. */
  readonly without: readonly number[]
  readonly with: readonly number[]
  readonly ratio: number
}

const CASES = [
  { name: 'few stacks', stacks: 3 },
  { name: 'all different', stacks: 'all' },
] as const
const ROUNDS = {
  quick: { rounds: 2, seconds: 1, least: 2_000 },
  full: { rounds: 5, seconds: 5, least: 3_000 },
}
const WARM_UP_EVENTS = 1_500

export async function measureMaps(tools: Tools): Promise<readonly MapsCase[]> {
  using directory = temporaryDirectory()
  const shop = await setUp(tools.product, directory.path)
  await using errata = await startErrata({
    ...{ product: tools.product, data: directory.path, profiles: tools.options.profiles },
  })
  await turnOffCaps(errata, shop)
  const stage: Stage = { tools, shop, errata, sent: 0, acknowledged: 0 }
  await uploadBundle(errata.origin, shop, bundleOf(builtFiles(tools.options.seed)))
  await untilReady(stage)
  const cases: MapsCase[] = []
  for (const given of CASES) cases.push(await measureCase(stage, given))
  await errata.stop()
  return cases
}

export function describeMaps(cases: readonly MapsCase[]): Measured {
  const rows = cases.flatMap(({ name, ratio, ...rates }) => [
    atLeast(`maps, ${name}: drained`, medianOf(rates.with), null, '/s'),
    atLeast(`maps, ${name}: ÷ drained without maps`, ratio, GOALS.drainedWithMapsRatio, ''),
  ])
  return { name: 'maps', rows, notes: [], details: cases }
}

interface Stage {
  readonly tools: Tools
  readonly shop: SetUp
  readonly errata: RunningErrata
  sent: number
  acknowledged: number
}

async function measureCase(stage: Stage, { name, stacks }: (typeof CASES)[number]): Promise<MapsCase> {
  const { options, onProgress } = stage.tools
  const corpusOf = (build: 'uploaded' | 'unknown'): CorpusSpec => ({
    ...{ kind: 'error-5k', stacks, seed: options.seed, build },
  })
  await oneRound(stage, corpusOf('unknown'), WARM_UP_EVENTS)
  const rate = await oneRound(stage, corpusOf('uploaded'), WARM_UP_EVENTS)
  const { rounds, ...size } = ROUNDS[formOf(options)]
  const count = eventsOfRound(rate, size)
  const rates = { without: [] as number[], with: [] as number[] } // filled below
  for (let round = 0; round < (options.rounds ?? rounds); round++) {
    rates.without.push(await oneRound(stage, corpusOf('unknown'), count))
    rates.with.push(await oneRound(stage, corpusOf('uploaded'), count))
    onProgress(
      `maps, ${name}: round ${round + 1}: ${rates.with.at(-1)?.toFixed()}/s, without ${rates.without.at(-1)?.toFixed()}/s`,
    )
  }
  return { name, ...rates, ratio: medianOf(rates.with) / medianOf(rates.without) }
}

/** Events a second, until the last of them is visible. */
async function oneRound(stage: Stage, corpus: CorpusSpec, count: number): Promise<number> {
  const { tools, shop, errata } = stage
  const address = { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key }
  await tools.generator.prepare({ corpus, first: stage.sent, count, address })
  stage.sent += count
  const startMs = performance.now()
  const target = { host: errata.host, port: errata.port, tls: false }
  const { connections } = tools.options
  const result = await tools.generator.run({ from: 0, to: count, connections, rate: null, target })
  stage.acknowledged += result.accepted
  const { atMs } = await untilDrained(errata, shop, { expected: stage.acknowledged })
  return (result.accepted * 1_000) / (atMs - startMs)
}

const READY_TRIES = 60
/** Events whose frames stand in every file of the build. */
const ASKED = 20

/** Until the maps are made ready: no frame of a few events shows what ran. */
async function untilReady(stage: Stage): Promise<void> {
  const corpus: CorpusSpec = {
    kind: 'error-5k',
    stacks: 'all',
    seed: stage.tools.options.seed,
    build: 'uploaded',
  }
  for (let tries = 0; tries < READY_TRIES; tries++) {
    const first = stage.sent
    await oneRound(stage, corpus, ASKED)
    const numbers = Array.from({ length: ASKED }, (_, at) => first + at)
    const resolved = await Promise.all(
      numbers.map((number) => isResolved(stage, corpusEvent(corpus, number, 0).id)),
    )
    if (resolved.every((each) => each)) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('frames do not resolve, though their maps are uploaded')
}

async function isResolved({ errata, shop }: Stage, eventId: string): Promise<boolean> {
  interface Shown {
    readonly entries: readonly {
      readonly data: {
        readonly values?: readonly {
          readonly stacktrace?: { readonly frames: readonly { filename?: string }[] }
        }[]
      }
    }[]
  }
  const path = `/projects/${shop.organisation}/${shop.project}/events/${eventId}/`
  const { entries } = await getJson<Shown>(errata, shop, path)
  const frames = entries
    .flatMap(({ data }) => data.values ?? [])
    .flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
  return frames.length > 0 && frames.every(({ filename }) => filename?.startsWith('app:') !== true)
}
