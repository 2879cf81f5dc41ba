/** Whole runs of both builds beside a bare sink, in turn: what pairs of steps cannot show, such as V8's own threads. */
import { medianOf } from '../load/latencies.ts'
import { measureIngest } from '../measures/ingest.ts'
import { ingestCases } from '../measures/rounds.ts'
import type { Tools } from '../measures/tools.ts'
import type { Product } from '../server/build.ts'

/** CPU of an event ÷ CPU of the sink's request. */
export interface WholeRun {
  readonly fresh: number | null
  readonly warm: number | null
  readonly cpuMicros: number | null
  readonly peakMegabytes: number | null
  readonly bytesKept: number
  /** Bytes ÷ gzip-6 of the same events, once compacted; `null` if compaction had nothing to do. */
  readonly bytesRatio: number | null
  /** Milliseconds until an envelope is acknowledged, warm, as fast as it is taken. */
  readonly p99: number | null
}

export interface WholeRuns {
  readonly base: readonly WholeRun[]
  readonly own: readonly WholeRun[]
}

const ROUNDS = 3

interface WholeOptions extends Pick<Tools, 'options' | 'generator' | 'onProgress'> {
  readonly size: 5 | 18
  readonly stacks: Tools['options']['stacks']
}

export async function measureWhole(
  products: Readonly<Record<keyof WholeRuns, Product>>,
  { size, stacks, ...tools }: WholeOptions,
): Promise<WholeRuns> {
  const rounds = tools.options.rounds ?? ROUNDS
  const [given] = ingestCases({ ...tools.options, size, stacks, rounds: 1 })
  if (given === undefined) throw new Error(`no case of ${size} KB`)
  const runs = { base: [] as WholeRun[], own: [] as WholeRun[] }
  for (let round = 0; round < rounds; round++) {
    for (const which of round % 2 === 0 ? (['base', 'own'] as const) : (['own', 'base'] as const)) {
      const named = {
        ...given,
        name: `${given.name}, ${which === 'base' ? 'the other build' : 'this build'}`,
      }
      const report = await measureIngest(named, { ...tools, product: products[which], found: {} })
      runs[which].push({
        fresh: report.fresh.ratio,
        warm: report.ratio,
        cpuMicros: report.cpuPerEvent,
        peakMegabytes: report.memory.peak,
        bytesKept: report.bytes.kept,
        bytesRatio: report.bytes.ratioAfterCompaction,
        p99: medianOf(report.rounds.map(({ latency }) => latency.p99)),
      })
    }
  }
  return runs
}

/** `null` where it was never measured. */
export function medianOfRuns(runs: readonly WholeRun[], of: (run: WholeRun) => number | null): number | null {
  const values = runs.map(of).filter((value) => value !== null)
  return values.length === 0 ? null : medianOf(values)
}
