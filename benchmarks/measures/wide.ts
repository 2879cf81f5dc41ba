/**
 * Measures one installation for many teams: what building it, changing it, its pages, its backlog and a flood
 * cost at that size.
 */
import {
  type Address,
  numbers,
  peopleOf,
  type Sender,
  type Session,
  type Timed,
  type Width,
} from '../dataset/wide.ts'
import { errorRequest } from '../dataset/wide-events.ts'
import {
  backlog,
  buildHistory,
  type History,
  ofNumber,
  targetOf,
  untilStored,
} from '../dataset/wide-history.ts'
import { runClosed } from '../load/run-load.ts'
import { type Form, formOf } from '../options.ts'
import { startSimulated } from '../server/start-simulated.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { cpuMicros, memoryOf } from '../server/usage.ts'
import { FLOODED, type FloodReport, measureFlood } from './flood.ts'
import type { Tools } from './tools.ts'
import { besideLoad, lookAtPages, type PageLooks } from './wide-pages.ts'

const WIDTHS: Readonly<Record<Form, Width>> = {
  quick: {
    ...{ organisations: 10, projects: 300, otherProjects: 60, people: 40, teams: 10, rules: 60 },
    ...{ issues: 6_000, errors: 20_000, spans: 12_000 },
  },
  full: {
    ...{ organisations: 100, projects: 905, otherProjects: 595, people: 400, teams: 12, rules: 300 },
    ...{ issues: 40_000, errors: 211_000, spans: 119_000 },
  },
}
const DRAINED: Readonly<Record<Form, number>> = { quick: 5_000, full: 15_000 }
const CONNECTIONS = 32
const CHANGES = 10

export interface WideReport {
  readonly width: Width
  readonly history: Omit<History, 'wide'>
  readonly costs: Readonly<Record<'earlyProject' | 'lateProject' | 'key' | 'search', number | null>>
  readonly startedInMs: number
  readonly drained: { readonly wide: number; readonly narrow: number }
  readonly idle: Readonly<Record<'owner' | 'guest', PageLooks>>
  readonly beside: Readonly<Record<'owner' | 'guest', PageLooks>>
  readonly flood: FloodReport
  readonly memory: { readonly peak: number | null; readonly after: number | null }
}

export async function measureWide({ product, options, onProgress }: Tools): Promise<WideReport> {
  using data = temporaryDirectory()
  const width = WIDTHS[formOf(options)]
  const { wide, ...history } = await buildHistory({ product, data: data.path, width, onProgress })
  const startMs = performance.now()
  await using running = await startSimulated(product, { data: data.path, clock: null })
  const startedInMs = performance.now() - startMs
  const errata = { ...running, origin: `http://localhost:${running.port}`, nowMs: () => Date.now() }
  const org = history.organisation
  const { owner, guest } = await peopleOf(errata)
  const { senders } = wide
  for (const at of [NARROW, ...FLOODED]) await turnOffProtection(owner, org, ofNumber(senders, at))
  await untilAtRest(errata)
  const costs = {
    ...{ earlyProject: wide.costs.earlyProjectMs, lateProject: wide.costs.lateProjectMs },
    key: await costOf(errata, () => renameKey(owner, org, ofNumber(senders, 1))),
    search: await costOf(errata, (at) => shareSearch(owner, org, at)),
  }
  const asked = { org, senders, pid: errata.pid }
  const both = async () => ({
    owner: await lookAtPages(owner, asked),
    guest: await lookAtPages(guest, asked),
  })
  const idle = await both()
  onProgress('wide: pages looked at, idle')
  const load = besideLoad(errata, senders, width.issues)
  const beside = await both()
  await load.stop()
  await untilStored(errata)
  onProgress('wide: pages looked at, beside')
  const count = DRAINED[formOf(options)]
  const narrow = await drain(
    errata,
    numbers(count).map((at) => [ofNumber(senders, NARROW), `Narrow${at % 26}`]),
  )
  const wideRate = await drain(
    errata,
    numbers(count).map((at) => [ofNumber(senders, at), `Wide${at % width.issues}`]),
  )
  onProgress(`wide: drained ${Math.round(wideRate)}/s, narrow ${Math.round(narrow)}/s`)
  const flood = await measureFlood(errata, { owner, org, senders })
  const peak = memoryOf(errata.pid)?.peak ?? null
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  const memory = { peak, after: memoryOf(errata.pid)?.rss ?? null }
  return {
    ...{ width, history, costs, startedInMs },
    ...{ drained: { wide: wideRate, narrow }, idle, beside, flood, memory },
  }
}

/** A thread gives memory back when it has rested for one interval of 30 s, and the last of them two later. */
const REST_MS = 100_000
/** Places among those that send. */
const NARROW = 0

/** A new flood is what spike protection is for, and here it is to be stored. */
async function turnOffProtection(owner: Session, org: string, { slug }: Sender): Promise<void> {
  await owner.call('PUT', `/projects/${org}/${slug}/`, { options: { spikeProtection: false } })
}

/** Waits until the process is at rest: what a start catches up with would count as the cost of a change. */
async function untilAtRest({ pid }: Pick<Address, 'pid'>): Promise<void> {
  for (let second = 0; second < 30; second++) {
    const before = cpuMicros(pid)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const after = cpuMicros(pid)
    if (before === null || after === null || after - before < 50_000) return
  }
}

async function renameKey(owner: Session, org: string, { slug }: Sender): Promise<void> {
  const [key] = await owner.call<readonly { id: string }[]>('GET', `/projects/${org}/${slug}/keys/`)
  await owner.call('PUT', `/projects/${org}/${slug}/keys/${key?.id}/`, { name: `Key ${performance.now()}` })
}

async function shareSearch(owner: Session, org: string, at: number): Promise<void> {
  const search = { name: `Shared ${at}`, query: `w${at}`, sort: 'date', shared: 'yes' }
  await owner.act('search.save', `/${org}/issues`, search)
}

/** Milliseconds of CPU that one of some takes. */
async function costOf(
  { pid }: Pick<Address, 'pid'>,
  change: (at: number) => Promise<unknown>,
): Promise<number | null> {
  await change(-1)
  const before = cpuMicros(pid)
  for (const at of numbers(CHANGES)) await change(at)
  const after = cpuMicros(pid)
  return before === null || after === null ? null : (after - before) / 1_000 / CHANGES
}

let made = 2e9

/** Envelopes a second, from the first that was sent to the last that is stored. */
async function drain(errata: Timed, all: readonly (readonly [Sender, string])[]): Promise<number> {
  const atMs = errata.nowMs()
  const requests = all.map(([sender, type]) => errorRequest({ sender, type, number: made++, atMs }).request)
  const startMs = performance.now()
  await runClosed({ target: targetOf(errata), requests, connections: CONNECTIONS })
  const sentMs = performance.now()
  const left = await backlog(errata)
  await untilStored(errata)
  const endMs = performance.now()
  // What waits when all is sent tells what storing takes; where little does, sending was the limit.
  return left > all.length / 4 ? (left * 1_000) / (endMs - sentMs) : (all.length * 1_000) / (endMs - startMs)
}
