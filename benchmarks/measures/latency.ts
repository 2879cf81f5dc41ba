/**
 * Acknowledgement latency at half of what drains, on a timetable, with a page opened every second beside it: what an
 * SDK and a person feel while the machine is busy but not overrun.
 */
import { type LatencySummary, latencyOf, percentileOf } from '../load/latencies.ts'
import { formOf } from '../options.ts'
import { atMost, GOALS, number, passed, refusedRows } from '../report/goals.ts'
import { setUp, startErrata } from '../server/errata.ts'
import { type Person, signIn } from '../server/person.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { cpuMicros, memoryOf } from '../server/usage.ts'
import { getJson, turnOffCaps, untilDrained } from '../server/web-api.ts'
import type { Measured, Tools } from './tools.ts'

export interface LatencyReport {
  /** Events a second that were sent. */
  readonly rate: number
  readonly capacity: number
  readonly acknowledged: number
  readonly lost: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly latency: LatencySummary
  readonly pagesMs: readonly number[]
  /** Cores busy serving, of all the machine has. */
  readonly coresBusy: number | null
  readonly memoryPeak: number | null
  readonly memoryAfter: number | null
  /** Seconds of rest before `memoryAfter` was read. */
  readonly restSeconds: number
}

const WARM_UP_EVENTS = 3_000
const SECONDS = { quick: 8, full: 40 }
/** The goal speaks of an hour: --rest 3600 waits that long, and a shorter rest is held against nothing. */
const GOAL_REST_SECONDS = 3_600
const REST_SECONDS = { quick: 3, full: 300 }
const REQUESTS_MAX = 200_000
const PAGE_EVERY_MS = 1_000

export async function measureLatency(tools: Tools): Promise<LatencyReport> {
  using directory = temporaryDirectory()
  return await measureIn(directory.path, tools)
}

async function measureIn(data: string, tools: Tools): Promise<LatencyReport> {
  const { product, generator, options } = tools
  const shop = await setUp(product, data)
  await using errata = await startErrata({ product, data, profiles: options.profiles })
  await turnOffCaps(errata, shop)
  const address = { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key }
  const corpus = { kind: 'error-5k', stacks: 3, seed: options.seed } as const
  const target = { host: errata.host, port: errata.port, tls: false }
  const { connections } = options

  await generator.prepare({ corpus, first: 0, count: WARM_UP_EVENTS, address })
  const startMs = performance.now()
  const warm = await generator.run({ target, from: 0, to: WARM_UP_EVENTS, connections, rate: null })
  const { atMs } = await untilDrained(errata, shop, { expected: warm.accepted })
  const capacity = tools.found.drainedPerSecond ?? (warm.accepted * 1_000) / (atMs - startMs)

  const seconds = options.seconds ?? SECONDS[formOf(options)]
  const rate = capacity / 2
  const count = Math.min(REQUESTS_MAX, Math.ceil(rate * seconds))
  await generator.prepare({ corpus, first: WARM_UP_EVENTS, count, address })
  const [issue] = await getJson<{ id: string }[]>(errata, shop, `/organizations/${shop.organisation}/issues/`)
  const person = await signIn(errata)
  const pages = [`/${shop.organisation}/issues`, `/${shop.organisation}/issues/${issue?.id}`]
  for (const page of pages) await person.document(page)

  const cpuBefore = cpuMicros(errata.pid)
  const opened = openPages(person, pages)
  const result = await generator.run({ target, from: 0, to: count, connections: connections * 4, rate })
  const pagesMs = await opened.stop()
  const cpuAfter = cpuMicros(errata.pid)
  const expected = warm.accepted + result.accepted
  const { counted } = await untilDrained(errata, shop, { expected })
  const restSeconds = options.rest ?? REST_SECONDS[formOf(options)]
  await new Promise((resolve) => setTimeout(resolve, restSeconds * 1_000))
  const memory = memoryOf(errata.pid)
  await errata.stop()
  return {
    rate,
    capacity,
    acknowledged: result.accepted,
    lost: expected - counted.accepted,
    byStatus: result.byStatus,
    latency: result.latency,
    pagesMs,
    coresBusy:
      cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / 1_000 / result.elapsedMs,
    memoryPeak: memory?.peak ?? null,
    memoryAfter: memory?.rss ?? null,
    restSeconds,
  }
}

/** Opens one page a second on a timetable, in turn; returns how long each took until its last byte. */
function openPages(person: Person, pages: readonly string[]): { stop(): Promise<readonly number[]> } {
  const loads: Promise<number>[] = []
  const open = () => {
    const page = pages[loads.length % pages.length] ?? '/'
    loads.push(person.document(page))
  }
  const timer = setInterval(open, PAGE_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return Promise.all(loads)
    },
  }
}

export function describeLatency(report: LatencyReport): Measured {
  const { latency, pagesMs, rate, capacity, coresBusy } = report
  const busy = coresBusy === null ? 'not measured' : `${number(coresBusy)} cores busy`
  return {
    name: 'latency',
    rows: [
      atMost('half load: acknowledged p50', latencyOf(latency, 'p50'), null, 'ms'),
      atMost('half load: acknowledged p99', latencyOf(latency, 'p99'), GOALS.acknowledgedP99Ms, 'ms'),
      atMost(
        'half load: page p95',
        pagesMs.length === 0 ? null : percentileOf(pagesMs, 0.95),
        GOALS.pageP95Ms,
        'ms',
      ),
      atMost('half load: memory at most', report.memoryPeak, GOALS.memoryMb.peak, 'MB'),
      atMost(
        `memory ${report.restSeconds} s after the load`,
        report.memoryAfter,
        report.restSeconds < GOAL_REST_SECONDS ? null : GOALS.memoryMb.after,
        'MB',
      ),
      passed('half load: acknowledged − stored', report.lost === 0, String(report.lost)),
      ...refusedRows('half load', report.byStatus, 0),
    ],
    notes: [
      `half load: open loop, ${number(rate)} events/s of 5 KB (half of ${number(capacity)} drained/s), ${pagesMs.length} pages opened one a second, ${busy}`,
    ],
    details: report,
  }
}
