/**
 * Measures how long people wait for the first screen of an organisation over all of a dataset and a day of today: beside
 * the issue list of the same store, while nothing comes and while events do.
 */
import { SPANS_PER_BATCH } from '../corpus/span-batch.ts'
import { type Dataset, openDataset } from '../dataset/dataset.ts'
import { percentileOf } from '../load/latencies.ts'
import { formOf } from '../options.ts'
import { atMost, GOALS } from '../report/goals.ts'
import { type RunningErrata, startErrata } from '../server/errata.ts'
import { type Person, signIn } from '../server/person.ts'
import { untilDrained } from '../server/web-api.ts'
import type { Measured, Tools } from './tools.ts'

/** Milliseconds until a page was there, in a scene. */
interface Waits {
  readonly page: string
  readonly scene: string
  readonly p50: number
  readonly p95: number
}

export interface OverviewReport {
  readonly dataset: Pick<Dataset, 'size' | 'origin'>
  readonly today: Today
  readonly waits: readonly Waits[]
}

/** Sent before anything is measured, over the hours before. */
interface Today {
  readonly errors: number
  readonly batches: number
}

const SIZES = {
  quick: { errors: 2_000, batches: 60, samples: 30 },
  full: { errors: 40_000, batches: 2_000, samples: 200 },
} as const
const WARM_UPS = 12
/** Events a second beside the second scene. */
const RATE = 50
const HOURS = 20
const HOUR_MS = 3_600_000
/** Behind those of any dataset. */
const FIRST = 3e9

export async function measureOverview(tools: Tools): Promise<OverviewReport> {
  using dataset = await openDataset(tools)
  const { errors, batches, samples } = SIZES[formOf(tools.options)]
  await using errata = await startErrata({ product: tools.product, data: dataset.data })
  const today = { errors, batches }
  await sendToday(tools, { errata, dataset, today })
  tools.onProgress(`overview: a day of ${errors} errors and ${batches * SPANS_PER_BATCH} spans is stored`)
  const person = await signIn(errata)
  const look = (scene: string) => lookAt({ person, org: dataset.shop.organisation, scene, samples })
  const quiet = await look('while nothing comes')
  const beside = startLoad(tools, { errata, dataset })
  const busy = await look(`while ${RATE} events a second come`)
  await beside.stop()
  await errata.stop()
  const { size, origin } = dataset
  return { dataset: { size, origin }, today, waits: [...quiet, ...busy] }
}

interface Sending {
  readonly errata: RunningErrata
  readonly dataset: Dataset
}

async function sendToday(
  tools: Tools,
  { errata, dataset, today }: Sending & { readonly today: Today },
): Promise<void> {
  const { shop, size, seed } = dataset
  const fromMs = Date.now() - HOURS * HOUR_MS
  for (const [kind, count] of [
    ['error-5k', today.errors],
    ['spans-30k', today.batches],
  ] as const) {
    await tools.generator.prepare({
      corpus: { kind, stacks: size.issues, seed },
      ...{ first: FIRST, count, fromMs, stepMs: (HOURS * HOUR_MS) / count },
      address: { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key },
    })
    const { connections } = tools.options
    const sent = await tools.generator.run({
      target: targetOf(errata),
      from: 0,
      to: count,
      connections,
      rate: null,
    })
    if (sent.accepted !== count) throw new Error(`today could not be sent: ${JSON.stringify(sent.byStatus)}`)
  }
  await untilDrained(errata, shop, { expected: today.errors + today.batches * SPANS_PER_BATCH })
}

/** Errors on a timetable, until it is stopped. */
function startLoad(tools: Tools, { errata, dataset }: Sending) {
  const { shop, size, seed } = dataset
  let isOver = false
  const running = (async () => {
    for (let sent = FIRST * 2; !isOver; sent += RATE) {
      await tools.generator.prepare({
        corpus: { kind: 'error-5k', stacks: size.issues, seed },
        ...{ first: sent, count: RATE },
        address: { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key },
      })
      await tools.generator.run({ target: targetOf(errata), from: 0, to: RATE, connections: 4, rate: RATE })
    }
  })()
  return {
    stop: () => {
      isOver = true
      return running
    },
  }
}

function targetOf({ host, port }: RunningErrata) {
  return { host, port, tls: false }
}

interface Looking {
  readonly person: Person
  readonly org: string
  readonly scene: string
  readonly samples: number
}

/** Each page in turn, so that a slower minute of the machine is one of all. */
async function lookAt({ person, org, scene, samples }: Looking): Promise<readonly Waits[]> {
  const pages = { overview: `/${org}`, 'issue list': `/${org}/issues` }
  const looked = Object.entries(pages).map(([page, path]) => ({ page, path, times: [] as number[] }))
  for (let sample = -WARM_UPS; sample < samples; sample++) {
    for (const { path, times } of looked) {
      const ms = await person.document(path)
      if (sample >= 0) times.push(ms)
    }
  }
  return looked.map(({ page, times }) => ({
    ...{ page, scene, p50: percentileOf(times, 0.5), p95: percentileOf(times, 0.95) },
  }))
}

export function describeOverview({ dataset, today, waits }: OverviewReport): Measured {
  const { events } = dataset.size
  const spans = today.batches * SPANS_PER_BATCH
  return {
    name: 'overview',
    rows: waits.map(({ page, scene, p50, p95 }) =>
      atMost(
        `${page}, document, ${scene} (p50 ${p50.toFixed(1)} ms): p95`,
        p95,
        page === 'overview' ? GOALS.overviewP95Ms : null,
        'ms',
      ),
    ),
    notes: [
      `overview: warm, one at a time, in turn with the issue list, over ${(events + today.errors).toLocaleString('en-US')} errors, of which ${today.errors.toLocaleString('en-US')}, with ${spans.toLocaleString('en-US')} spans, are of the last ${HOURS} hours (${dataset.origin})`,
    ],
    details: { dataset, today, waits },
  }
}
