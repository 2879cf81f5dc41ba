/** From the start of the process to its first answer, with everything stored: after a clean stop and after SIGKILL. */
import { type Dataset, openDataset } from '../dataset/dataset.ts'
import { medianOf } from '../load/latencies.ts'
import { formOf } from '../options.ts'
import { atMost, GOALS } from '../report/goals.ts'
import { startErrata } from '../server/errata.ts'
import { memoryOf } from '../server/usage.ts'
import type { Measured, Tools } from './tools.ts'

export interface StartReport {
  readonly events: number
  readonly cleanMs: readonly number[]
  readonly killedMs: readonly number[]
  readonly memoryIdle: number | null
}

const TRIES = { quick: 2, full: 3 }
/** Sent before each SIGKILL, so that there is something to recover. */
const EVENTS_BEFORE_KILL = { quick: 3_000, full: 6_000 }
const KILL_AFTER_MS = 700

export async function measureStart(tools: Tools): Promise<StartReport> {
  using dataset = await openDataset(tools)
  const { data, size } = dataset
  const form = formOf(tools.options)
  const cleanMs: number[] = []
  const killedMs: number[] = []
  let memoryIdle: number | null = null
  for (let round = 0; round < TRIES[form]; round++) {
    const clean = await startErrata({ product: tools.product, data })
    cleanMs.push(clean.startedInMs)
    memoryIdle = memoryOf(clean.pid)?.rss ?? null
    await clean.stop()
    await killUnderLoad(tools, dataset, size.events + round * EVENTS_BEFORE_KILL[form])
    const recovered = await startErrata({ product: tools.product, data })
    killedMs.push(recovered.startedInMs)
    await recovered.stop()
  }
  return { events: size.events, cleanMs, killedMs, memoryIdle }
}

async function killUnderLoad(tools: Tools, { data, shop }: Dataset, first: number): Promise<void> {
  const { product, generator, options } = tools
  await using victim = await startErrata({ product, data })
  const address = { host: `localhost:${victim.port}`, project: shop.projectId, key: shop.key }
  const count = EVENTS_BEFORE_KILL[formOf(options)]
  const corpus = { kind: 'error-5k', stacks: 400, seed: options.seed } as const
  await generator.prepare({ corpus, first, count, address })
  const killed = new Promise((resolve) => setTimeout(resolve, KILL_AFTER_MS)).then(() => victim.kill())
  const { connections } = options
  await generator.run({
    target: { host: victim.host, port: victim.port, tls: false },
    ...{ from: 0, to: count, connections, rate: null, stopAfterBroken: connections },
  })
  await killed
}

export function describeStart({ events, cleanMs, killedMs, memoryIdle }: StartReport): Measured {
  const stored = `${events.toLocaleString('en-US')} events stored`
  return {
    name: 'start',
    rows: [
      atMost(
        `start to first answer, ${stored}, after a clean stop`,
        medianOf(cleanMs),
        GOALS.startMs.clean,
        'ms',
      ),
      atMost(
        `start to first answer, ${stored}, after kill -9 under load`,
        medianOf(killedMs),
        GOALS.startMs.killed,
        'ms',
      ),
      atMost(`memory idle after start, ${stored}`, memoryIdle, GOALS.memoryMb.idle, 'MB'),
    ],
    notes: [`start: median of ${cleanMs.length}, launcher included, until /health answers 200`],
    details: { events, cleanMs, killedMs, memoryIdle },
  }
}
